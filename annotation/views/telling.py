"""Doing what somebody asked for, and telling them how that went."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest

from annotation.errors import DomainError


def tell(request: HttpRequest, act: Callable[[], Any], done: str) -> None:
    """Do it and say so on the next page, or say why not."""
    try:
        act()
    except DomainError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, done)

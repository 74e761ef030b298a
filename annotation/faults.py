"""What people and programs are told when the server fails: that its disk is full, or that the fault is unknown."""

from __future__ import annotations

import errno
import logging
import shutil
import sys
from collections.abc import Iterator
from http import HTTPStatus

from django.conf import settings
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import requires_csrf_token
from django.views.defaults import server_error

from annotation.api.problems import CONTENT_TYPE, problem

logger = logging.getLogger(__name__)

FULL = "The disk of this server is full; nothing was stored."
POSTGRESQL_DISK_FULL = "53100"
LEAST_FREE = 1_000_000
"""With less than these bytes, whatever the database complains of is that."""


@requires_csrf_token
def failed(request: HttpRequest) -> HttpResponse:
    """The answer to an exception that nobody caught, wherever it came from."""
    if not disk_is_full(sys.exc_info()[1]):
        return server_error(request)
    logger.critical("The disk is full: nothing is stored until there is room in %s.", settings.DATA_DIR)
    status = HTTPStatus.INSUFFICIENT_STORAGE
    if request.path.startswith("/api/"):
        detail = f"{FULL} Whoever runs it has to make room; send this again then."
        return JsonResponse(problem(status, "disk_full", detail), status=status, content_type=CONTENT_TYPE)
    return render(None, "507.html", {"problem": FULL}, status=status)  # no session: it may be the cause


def disk_is_full(fault: BaseException | None) -> bool:
    """Whether this is why something failed."""
    return any(_says_full(each) for each in _causes(fault))


def _says_full(fault: BaseException) -> bool:
    if isinstance(fault, OSError):
        return fault.errno in (errno.ENOSPC, errno.EDQUOT)
    if getattr(fault, "sqlstate", None) == POSTGRESQL_DISK_FULL:
        return True
    if isinstance(fault, OperationalError):
        return "disk is full" in str(fault) or shutil.disk_usage(settings.DATA_DIR).free < LEAST_FREE
    return False


def _causes(fault: BaseException | None) -> Iterator[BaseException]:
    while fault is not None:
        yield fault
        fault = fault.__cause__ or fault.__context__

"""Accounts from before names were unique whatever their capitals: each keeps its name or gets one of its own."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from annotation.models import User


@pytest.mark.django_db
def test_the_oldest_of_equal_names_stays_and_no_new_one_clashes() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX user_name_once_whatever_its_capitals")
    for name in ("a38", "A38", "a38-2", "bob"):
        User.objects.create(username=name)
    import_module("annotation.migrations.0027_names_whatever_their_capitals").rename(apps, SimpleNamespace(connection=connection))
    assert list(User.objects.order_by("pk").values_list("username", flat=True)) == ["a38", "A38-2", "a38-2-2", "bob"]

"""What all tests share: a data folder of their own, quick password hashes, and the things outside that some need."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

# For the processes that tests start; this one has read its settings already (pytest-django does so first), so see below.
os.environ["PASSABLE_DATA"] = tempfile.mkdtemp(prefix="passable-tests-")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import pytest
from django.conf import settings as product_settings
from django.db import connection
from pytest_django.plugin import DjangoDbBlocker

product_settings.DATA_DIR = Path(os.environ["PASSABLE_DATA"])
# Else each test client begins by reading every static file there is, which takes longer than all that it then asks for.
product_settings.WHITENOISE_AUTOREFRESH = True
IN_CI = os.environ.get("CI") == "true"


def pytest_configure() -> None:
    """Tests never touch a database server that was not named for tests."""
    if os.environ.get("DATABASE_URL") and os.environ["DATABASE_URL"] != os.environ.get("TEST_DATABASE_URL"):
        raise pytest.UsageError(
            "DATABASE_URL is set, and tests only use the server that TEST_DATABASE_URL names. Unset it first."
        )


LONGEST = (
    "benchmarks/test_they_run.py",
    "docs/test_commands.py",
    "annotation/demo/test_study.py",
    "annotation/jobs/test_attacking_on_celery.py",
    "browser/test_every_page.py",
    "browser/test_without_script.py",
    "browser/test_pages.py",
    "annotation/views/test_published_data.py",
    "config/test_start.py",
    "matrix/test_query_counts.py",
    "matrix/test_permissions.py",
    "annotation/exchange/test_report_formats.py",
    "regressors/models/test_learner_files.py",
    "regressors/models/test_fine_tuned.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files come first, so that at the end no process has one alone while the other waits."""
    here = Path(__file__).parent
    places = {here / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    shutil.rmtree(os.environ["PASSABLE_DATA"], ignore_errors=True)


def missing(what: str) -> None:
    """Skip for want of something outside; in CI nothing may be skipped for that."""
    if IN_CI:
        pytest.fail(f"{what} (in CI this may not be skipped)")
    pytest.skip(what)


@pytest.fixture(autouse=True)
def _quick_passwords(settings: object) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def published_data() -> Callable[[str], Path]:
    """Path of a published file by name."""

    def find(name: str) -> Path:
        folder = os.environ.get("PASSABLE_PUBLISHED_DATA")
        if not folder:
            missing("set PASSABLE_PUBLISHED_DATA to the folder of the published files")
        path = Path(str(folder)) / name
        if not path.exists():
            missing(f"{name} is not in {folder}")
        return path

    return find


@pytest.fixture(scope="session")
def broker_url() -> str:
    """Address of a message broker, as TEST_BROKER_URL says."""
    url = os.environ.get("TEST_BROKER_URL", "")
    if not url:
        missing("set TEST_BROKER_URL to the address of a RabbitMQ or Redis for tests")
    return url


@pytest.fixture(scope="session")
def migrated(django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with every table and no row, to be copied for processes that tests start: to migrate takes seconds."""
    if connection.vendor != "sqlite":
        pytest.skip("starts processes on SQLite files, whatever database the tests are on: run it with the tests on SQLite")
    path = tmp_path_factory.mktemp("migrated") / "db.sqlite3"
    with django_db_blocker.unblock(), closing(sqlite3.connect(path)) as file:
        connection.ensure_connection()
        connection.connection.backup(file)
    return path

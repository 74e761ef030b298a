"""Tests stay away from real data: the folder of `make run`, and servers that nobody named for tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(__file__).resolve().parents[2]
NAMED = "postgres://somebody@127.0.0.1:1/for_tests"


def test_the_data_folder_is_a_temporary_one() -> None:
    assert Path(os.environ["PASSABLE_DATA"]) == settings.DATA_DIR
    assert ROOT not in settings.DATA_DIR.parents


@pytest.mark.parametrize(("test_url", "code"), [(None, 4), ("postgres://somebody@127.0.0.1:1/other", 4), (NAMED, 0)])
def test_only_the_server_named_for_tests_is_used(test_url: str | None, code: int, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "TEST_DATABASE_URL"}
    if test_url is not None:
        environment["TEST_DATABASE_URL"] = test_url
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "tests/config/test_imports.py"],
        env={**environment, "DATABASE_URL": NAMED, "TMPDIR": str(tmp_path)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == code, done.stderr
    assert ("TEST_DATABASE_URL names" in done.stderr) == (code == 4)

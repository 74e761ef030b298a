"""In CI nothing may be skipped for want of something outside."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NEEDY = ["tests/config/test_celery.py", "-q", "-p", "no:cacheprovider"]


@pytest.mark.parametrize(("ci", "outcome"), [("true", "1 error"), ("", "1 skipped")])
def test_a_missing_broker_skips_outside_and_fails_in_ci(ci: str, outcome: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in {"TEST_BROKER_URL", "CI"}}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *NEEDY],
        env={**environment, "CI": ci},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert outcome in done.stdout
    assert "set TEST_BROKER_URL" in done.stdout or ci == ""

"""The supervisor outlives the failures of what it does now and then."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from django.db import OperationalError

from annotation.management import supervision
from annotation.management.supervision import Supervisor


class _Enough(BaseException):
    pass


def test_a_regular_duty_that_fails_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(supervision, "LOOKS_EVERY", 0.01)
    monkeypatch.setattr(supervision, "REST", 0.02)
    turns: list[object] = []

    def duty() -> None:
        turns.append(supervisor._running["child"].poll())
        if len(turns) == 3:
            raise _Enough
        raise OperationalError("database is locked")

    child = [sys.executable, "-c", "import time; time.sleep(60)"]
    with pytest.raises(_Enough), Supervisor({"child": child}, log_folder=tmp_path) as supervisor:
        supervisor.watch(every_now_and_then=duty)
    assert turns == [None, None, None]
    assert [record.getMessage().split(";")[0] for record in caplog.records] == ["The supervisor's regular duty failed"] * 2

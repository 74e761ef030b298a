"""The processes that serve pages do not outlive the one that started them, however that ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings

WAITS = 20.0


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_alive(pid: int) -> bool:
    """Whether the process runs; one that is dead and not yet collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent has died")
def test_workers_die_with_a_server_that_is_killed() -> None:
    command = [sys.executable, "-m", "gunicorn", "--config", "python:config.web_server", "--bind", "127.0.0.1:0"]
    server = subprocess.Popen([*command, "--workers", "2", "wsgiref.simple_server:demo_app"], cwd=settings.BASE_DIR)
    workers: list[int] = []
    try:
        until = time.monotonic() + WAITS
        while len(workers) < 2 and time.monotonic() < until:
            time.sleep(0.1)
            workers = children_of(server.pid)
        assert len(workers) == 2
        time.sleep(1)
        server.send_signal(signal.SIGKILL)
        server.wait()
        until = time.monotonic() + WAITS
        while any(map(is_alive, workers)) and time.monotonic() < until:
            time.sleep(0.1)
        assert [pid for pid in workers if is_alive(pid)] == []
    finally:
        if server.poll() is None:
            server.kill()
        for pid in filter(is_alive, workers):
            os.kill(pid, signal.SIGKILL)

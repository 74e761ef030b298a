"""`manage.py start` as a newcomer meets it: two commands, an address, sign-ins, Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(data: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "PASSABLE_DATA"}}
    # The sample study's job would train models for a minute: the worker here finds it waiting and is stopped.
    return {**kept, "PASSABLE_DATA": str(data), "PYTHONUNBUFFERED": "1"}


@contextmanager
def started(data: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "manage.py", "start", "--port", str(port)],
        cwd=ROOT,
        env=environment(data),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(timeout=30)
        assert process.stdout is not None
        process.stdout.close()


def greeting(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "manage.py changepassword" in line:
            break
    return "".join(lines)


def children_of(process: subprocess.Popen[str]) -> list[int]:
    listing = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(pid) for pid in listing.split()]


def alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status")
    return status.exists() and "State:\tZ" not in status.read_text()


@pytest.mark.slow
def test_two_starts_and_what_lies_between(tmp_path: Path) -> None:
    port = free_port()
    with started(tmp_path, port) as process:
        said = greeting(process)
        assert f"http://127.0.0.1:{port}/" in said
        passwords = dict(re.findall(r"^  (\w+) +password (\S+)$", said, re.MULTILINE))
        assert sorted(passwords) == ["annotator", "organiser"]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as page:
            assert page.status == 200
        with pytest.raises(subprocess.CalledProcessError) as refused:
            subprocess.run(
                [sys.executable, "manage.py", "start", "--port", str(port)],
                cwd=ROOT,
                env=environment(tmp_path),
                check=True,
                capture_output=True,
                text=True,
                timeout=60,
            )
        assert f"127.0.0.1:{port} is in use" in refused.value.stderr
        assert "Traceback" not in refused.value.stderr
        children = children_of(process)
        assert len(children) == 2
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=30)[0]
        assert process.returncode == 0
        assert rest.endswith("Stopped.\n")
        assert "Traceback" not in rest
        assert not any(alive(pid) for pid in children)
    with started(tmp_path, port) as process:
        said = greeting(process)
        assert "password " not in re.sub(r"set a password|changepassword", "", said)
        children = children_of(process)
        process.kill()
        process.wait(timeout=30)
        deadline = time.monotonic() + 20
        while any(alive(pid) for pid in children) and time.monotonic() < deadline:
            time.sleep(0.2)
        assert not any(alive(pid) for pid in children)

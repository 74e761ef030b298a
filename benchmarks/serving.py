"""Web servers on loopback, as processes of their own, that live as long as a `with` block."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

from annotation.management.commands.start import KEEP_ALIVE

ROOT = Path(__file__).resolve().parents[1]
ANSWERS_WITHIN = 60.0


@contextmanager
def gunicorn(application: str = "config.wsgi", *, workers: int, threads: int, answers_at: str = "/signin/") -> Iterator[str]:
    """The application behind gunicorn with threads; gives its address. Scratch folder and database are those of this process."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", application, "--bind", f"127.0.0.1:{port}", "--worker-class", "gthread"]
    command += ["--workers", str(workers), "--threads", str(threads), "--keep-alive", str(KEEP_ALIVE), "--log-level", "warning"]
    with serving(command, f"http://127.0.0.1:{port}", answers_at) as address:
        yield address


@contextmanager
def embedded() -> Iterator[str]:
    """What `make run` starts: `manage.py start` with its web server and job worker, without the sample study."""
    port = free_port()
    command = [sys.executable, "manage.py", "start", "--port", str(port), "--no-study"]
    with serving(command, f"http://127.0.0.1:{port}", "/signin/") as address:
        yield address


@contextmanager
def serving(command: Sequence[str], address: str, answers_at: str) -> Iterator[str]:
    """Run the command until the block ends; the block begins when the address answers."""
    with TemporaryFile() as log:
        server = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        try:
            _wait(server, address + answers_at)
            yield address
        except BaseException:
            log.seek(0)
            sys.stderr.write(log.read().decode(errors="replace")[-4000:])
            raise
        finally:
            server.terminate()
            server.wait(timeout=30)


def _wait(server: subprocess.Popen[bytes], url: str) -> None:
    deadline = time.monotonic() + ANSWERS_WITHIN
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except urllib.error.HTTPError as problem:
            raise RuntimeError(f"{url} answered {problem.code}") from problem
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise RuntimeError(f"{url} did not answer")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

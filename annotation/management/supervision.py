"""Child processes that live and die with this one."""

from __future__ import annotations

import contextlib
import logging
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType, TracebackType
from typing import IO

from django.conf import settings
from django.core.management.base import CommandError

from .lifetime import die_with_parent

logger = logging.getLogger(__name__)

ANSWERS_WITHIN = 60.0
GENTLE_FOR = 1.5
STOPS_WITHIN = 10.0
LOOKS_EVERY = 1.0
REST = 10.0
"""Seconds between two calls of the supervisor's regular duty."""


class _Stop(Exception):
    """The user, or the system, asked for the end."""


class Supervisor:
    """Starts the children, starts again one that died, and stops all of them at the end, whatever the end was.

    What a child prints goes to its own file in `log_folder`, so that the terminal stays readable.
    """

    def __init__(self, children: Mapping[str, Sequence[str]], *, log_folder: Path) -> None:
        self._commands = dict(children)
        self._log_folder = log_folder
        self._logs: dict[str, IO[bytes]] = {}
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._handlers: dict[signal.Signals, object] = {}

    def __enter__(self) -> Supervisor:
        for kind in (signal.SIGINT, signal.SIGTERM):
            self._handlers[kind] = signal.signal(kind, _raise_stop)
        self._log_folder.mkdir(parents=True, exist_ok=True)
        try:
            for name in self._commands:
                self._start(name)
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> bool:
        self._end()
        return isinstance(problem, _Stop)

    def wait_until_it_answers(self, address: str) -> None:
        """Return when the address answers. Raises CommandError with the end of the log when a child dies or it takes too long."""
        deadline = time.monotonic() + ANSWERS_WITHIN
        while time.monotonic() < deadline:
            self._refuse_early_deaths()
            with contextlib.suppress(urllib.error.URLError, ConnectionError, TimeoutError):
                urllib.request.urlopen(address, timeout=5).close()
                return
            time.sleep(0.2)
        raise CommandError(f"{address} did not answer within {ANSWERS_WITHIN:.0f} seconds. The logs are in {self._log_folder}.")

    def watch(self, *, every_now_and_then: Callable[[], object]) -> None:
        """Keep the children alive until somebody asks for the end.

        A regular duty that fails, for instance because the database is busy, is done again at its next turn: the children are
        worth more than it."""
        rested = time.monotonic()
        while True:
            time.sleep(LOOKS_EVERY)
            for name, process in list(self._running.items()):
                if process.poll() is not None:
                    print(f"The {name} stopped (exit code {process.returncode}); starting it again.", flush=True)
                    self._start(name)
            if time.monotonic() - rested >= REST:
                try:
                    every_now_and_then()
                except Exception:
                    logger.exception("The supervisor's regular duty failed; it is tried again in %.0f seconds.", REST)
                rested = time.monotonic()

    def _start(self, name: str) -> None:
        if name not in self._logs:
            self._logs[name] = (self._log_folder / f"{name.replace(' ', '-')}.log").open("ab")
        log = self._logs[name]
        # A session of their own: Ctrl-C in the terminal reaches this process only, which then stops them in order.
        self._running[name] = subprocess.Popen(
            self._commands[name],
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            cwd=settings.BASE_DIR,
            start_new_session=True,
            preexec_fn=die_with_parent,
        )

    def _signal_and_wait(self, patience: float) -> None:
        for process in self._running.values():
            if process.poll() is None:
                process.terminate()
        deadline = time.monotonic() + patience
        for process in self._running.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=max(deadline - time.monotonic(), 0.01))

    def _refuse_early_deaths(self) -> None:
        for name, process in self._running.items():
            if process.poll() is not None:
                log = self._log_folder / f"{name.replace(' ', '-')}.log"
                last = log.read_text(errors="replace").strip().splitlines()[-1:]
                raise CommandError(f"The {name} did not start: {' '.join(last) or 'it said nothing'}. Its log is {log}.")

    def _end(self) -> None:
        # A second Ctrl-C must not leave orphans behind.
        for kind in self._handlers:
            signal.signal(kind, signal.SIG_IGN)
        # The job worker finishes its job after a first signal and gives it back to the queue after a second.
        for patience in (GENTLE_FOR, STOPS_WITHIN):
            self._signal_and_wait(patience)
        for process in self._running.values():
            if process.poll() is None:
                process.kill()
                process.wait()
        for log in self._logs.values():
            log.close()
        for kind, handler in self._handlers.items():
            signal.signal(kind, handler)  # type: ignore[arg-type]


def _raise_stop(number: int, frame: FrameType | None) -> None:
    raise _Stop

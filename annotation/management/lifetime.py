"""Processes that do not outlive the one that started them."""

from __future__ import annotations

import ctypes
import signal
import sys

PR_SET_PDEATHSIG = 1  # <linux/prctl.h>


def die_with_parent() -> None:
    """Runs in the child: the kernel kills it when its parent is killed without a chance to stop its children.

    A gentler signal would let a busy worker go on for minutes beside its successor; the job it had is found by its heartbeat."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

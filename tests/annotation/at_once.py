"""Several acts at the same moment, each in a thread with a connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from django.db import connections

from annotation.errors import DomainError


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Do all of it at the same moment; what each returned, or the DomainError that refused it."""
    gate = threading.Barrier(len(acts))
    results: list[object] = [None] * len(acts)

    def run(number: int, act: Callable[[], object]) -> None:
        try:
            gate.wait(timeout=10)
            results[number] = act()
        except Exception as problem:
            results[number] = problem
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(number, act)) for number, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    unexpected = [result for result in results if isinstance(result, Exception) and not isinstance(result, DomainError)]
    assert not unexpected, unexpected
    return results

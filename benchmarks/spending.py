"""Processor time by who spends it. It says more than response times do where other things run on the machine as well."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import psutil
from django.db import connection


@dataclass(frozen=True, slots=True)
class Spending:
    """Seconds of processor time: of the web server's processes, the database's, and the clients'."""

    web: float
    database: float
    clients: float

    def __sub__(self, before: Spending) -> Spending:
        return Spending(self.web - before.web, self.database - before.database, self.clients - before.clients)

    def each(self, number: int) -> str:
        """What one of so many answers took, in milliseconds."""
        web, database, clients = (1000 * seconds / max(number, 1) for seconds in (self.web, self.database, self.clients))
        return f"{web + database + clients:.1f} ms: web {web:.1f}, database {database:.1f}, clients {clients:.1f}"


def spent() -> Spending:
    """What was spent up to now. SQLite works within the web server's processes."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    web = sum(map(_seconds, psutil.Process().children(recursive=True)))
    return Spending(web, sum(map(_seconds, _backends())), ended.ru_utime + ended.ru_stime)


def _seconds(process: psutil.Process) -> float:
    with suppress(psutil.NoSuchProcess):
        times = process.cpu_times()
        return float(times.user + times.system)
    return 0.0


def _backends() -> Iterator[psutil.Process]:
    """The database server's processes that work for this database; they name it in their command lines."""
    if connection.vendor != "postgresql":
        return
    name = str(connection.settings_dict["NAME"])
    for process in psutil.process_iter(["cmdline"]):
        if name in " ".join(process.info["cmdline"] or []) and "postgres" in (process.info["cmdline"] or [""])[0]:
            yield process

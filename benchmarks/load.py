"""Annotators against the web server on loopback: how fast pages come, how many answers a second are stored, and how many people
are too many. On SQLite the server is the one that `make run` starts; on PostgreSQL it is gunicorn."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db import connection
from django.db.models import Max, Min

from annotation.management.commands.start import THREADS, WORKERS
from annotation.models import Campaign, Judgement
from benchmarks import scratch, serving
from benchmarks.spending import spent

NO_THINKING = "0 0"
BEGUN = 0.05
"""Share of the campaign that is answered before: one without any answer is over in a minute, and no database knows it yet."""
LATENCY_TARGET = 100
ANSWERS_TARGET = 100
STILL_GROWING = 1.1
"""More people should bring more answers: below this ratio of one step to the one before, the server is saturated."""


@dataclass(frozen=True, slots=True)
class Times:
    """Response times of one kind of request, in milliseconds."""

    requests: int
    failures: int
    per_second: float
    p50: float
    p95: float
    p99: float


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--seconds", type=int, default=30, help="of each measurement")
    parser.add_argument("--annotators", type=int, default=50, help="who think in between")
    parser.add_argument("--think", type=float, nargs=2, default=[2.0, 4.0], help="shortest and longest time in seconds")
    parser.add_argument("--clients", type=int, default=8, help="without thinking")
    parser.add_argument("--steps", type=int, nargs="*", default=[100, 150, 200, 250, 300, 400, 500], help="numbers of annotators")
    parser.add_argument("--workers", type=int, default=WORKERS, help="of gunicorn, on PostgreSQL")
    parser.add_argument("--threads", type=int, default=THREADS, help="of each worker, on PostgreSQL")


def run(options: Namespace) -> int:
    campaign = scratch.big_campaign(name="load", items=options.items)
    most = max([options.annotators, options.clients, *options.steps])
    people = scratch.some_annotators(campaign, most)
    cookies = [scratch.session_of(person) for person in people]
    scratch.answer_all(campaign, people, share=BEGUN)
    scratch.analyse()
    print(_where(options))
    print(f"{'':<44}{'requests':>9}{'failed':>8}{'per s':>8}{'p50':>7}{'p95':>7}{'p99':>7}  (ms)")
    think = " ".join(map(str, options.think))
    with _server(options) as address:
        crowd = Crowd(address, campaign, cookies, options.seconds)
        thinking = crowd.annotate(options.annotators, think)
        scriptless = crowd.annotate(options.annotators, think, script=False)
        racing = crowd.annotate(options.clients, NO_THINKING)
        stored = _stored_per_second(campaign, racing["submit"].requests)
        crowd.annotate(options.clients, NO_THINKING, script=False)
        saturated = _steps(crowd, options.steps, think, thinking["submit"].per_second)
    with serving.gunicorn("benchmarks.bare", workers=options.workers, threads=options.threads) as address:
        bare = Crowd(address, campaign, cookies, options.seconds).insert(options.clients)
    measured = [*thinking.values(), *scriptless.values(), *racing.values()]
    slowest = max(times.p95 for times in [*thinking.values(), *scriptless.values()])
    print(f"{options.annotators} annotators: p95 {slowest:.0f} ms (target: under {LATENCY_TARGET})")
    print(f"{options.clients} clients without thinking: {stored:.0f} stored answers/s (target: {ANSWERS_TARGET})")
    print(
        f"A bare INSERT behind the same server: {bare.per_second:.0f}/s; an answer costs {bare.per_second / stored:.1f} of them"
    )
    print(f"Saturated at {saturated} annotators" if saturated else "Not saturated by these steps")
    return int(any(times.failures for times in measured))


@dataclass(frozen=True, slots=True)
class Crowd:
    """Everybody at one server."""

    address: str
    campaign: Campaign
    cookies: Sequence[str]
    seconds: int

    def annotate(self, people: int, think: str, *, script: bool = True) -> dict[str, Times]:
        """So many annotators at once: kind of request → times. With script a submission brings the next item in its answer."""
        name = f"{people} {'without thinking' if think == NO_THINKING else 'annotators'}{'' if script else ', no script'}"
        label = str(self.campaign.labels.values_list("key", flat=True)[0])
        work = f"/campaigns/{self.campaign.name}/work/"
        user = "Annotator" if script else "AnnotatorWithoutScript"
        before = spent()
        times = self._locust(user, people, {"THINK": think, "WORK": work, "LABEL": label})
        if "submit" not in times:
            raise SystemExit("Nobody submitted anything: too few --items, or too few --seconds.")
        for kind in sorted(times):
            _print(f"{name}: {'submit and next' if script and kind == 'submit' else kind}", times[kind])
        print(f"    processor time of an answer {(spent() - before).each(times['submit'].requests)}", flush=True)
        return times

    def insert(self, clients: int) -> Times:
        times = self._locust("Inserter", clients, {})["insert"]
        _print(f"{clients} without thinking: bare INSERT", times)
        return times

    def _locust(self, user: str, people: int, environment: dict[str, str]) -> dict[str, Times]:
        with TemporaryDirectory() as folder:
            cookies = Path(folder) / "cookies"
            cookies.write_text("\n".join(self.cookies))
            command = [sys.executable, "-m", "locust", "--locustfile", "benchmarks/locustfile.py", user, "--headless"]
            command += ["--users", str(people), "--spawn-rate", str(max(people / 3, 1)), "--reset-stats"]
            command += ["--run-time", f"{self.seconds}s", "--host", self.address, "--csv", f"{folder}/times"]
            command += ["--only-summary", "--loglevel", "ERROR", "--exit-code-on-error", "0"]
            subprocess.run(
                command,
                cwd=serving.ROOT,
                env={**os.environ, **environment, "COOKIES": str(cookies)},
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            with open(f"{folder}/times_failures.csv", newline="") as file:
                for row in csv.DictReader(file):
                    print(f"    failed {row['Occurrences']} times: {row['Name']}: {row['Error']}", flush=True)
            with open(f"{folder}/times_stats.csv", newline="") as file:
                return {row["Name"]: _times(row) for row in csv.DictReader(file) if row["Name"] != "Aggregated"}


def _stored_per_second(campaign: Campaign, last: int) -> float:
    """The pace at which the last so many answers were stored, by the database's own account."""
    newest = Judgement.objects.filter(claim__campaign=campaign).order_by("-pk")[:last]
    span = Judgement.objects.filter(pk__in=list(newest.values_list("pk", flat=True))).aggregate(
        first=Min("submitted_at"), last=Max("submitted_at")
    )
    return last / max((span["last"] - span["first"]).total_seconds(), 0.001)


def _steps(crowd: Crowd, steps: Sequence[int], think: str, before: float) -> int | None:
    """More and more annotators; the number at which more people no longer brought more answers."""
    for people in steps:
        now = crowd.annotate(people, think)["submit"].per_second
        if now < before * STILL_GROWING:
            return people
        before = now
    return None


def _server(options: Namespace) -> AbstractContextManager[str]:
    if connection.vendor == "sqlite":
        return serving.embedded()
    return serving.gunicorn(workers=options.workers, threads=options.threads)


def _where(options: Namespace) -> str:
    server = "manage.py start" if connection.vendor == "sqlite" else f"gunicorn {options.workers} × {options.threads}"
    return f"{server} on {connection.vendor}, {options.items} items, {os.cpu_count()} cores shared with the clients"


def _times(row: dict[str, str]) -> Times:
    return Times(
        requests=int(row["Request Count"]),
        failures=int(row["Failure Count"]),
        per_second=float(row["Requests/s"]),
        p50=float(row["50%"]),
        p95=float(row["95%"]),
        p99=float(row["99%"]),
    )


def _print(name: str, times: Times) -> None:
    print(
        f"{name:<44}{times.requests:>9}{times.failures:>8}{times.per_second:>8.1f}{times.p50:>7.0f}{times.p95:>7.0f}{times.p99:>7.0f}",
        flush=True,
    )

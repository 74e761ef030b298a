"""`manage.py start`: everything that one machine needs, in one process tree. `make run` calls it."""

from __future__ import annotations

import secrets
import socket
import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from annotation.demo.plan import StudyPlan, study_exists
from annotation.management.supervision import Supervisor
from annotation.models import Job, User
from annotation.services.batches import open_what_is_seen, settle
from annotation.services.deleting import clear_away
from annotation.services.forgetting import forget_all_unused
from annotation.services.jobs import enqueue, reap
from annotation.services.journal import empty_journal
from annotation.services.leftovers import drop_leftovers
from annotation.services.predicting import drop_predictions
from scoring.arguments import WholeNumber

ACCOUNTS = {"organiser": True, "annotator": False}
"""The accounts made at the first start, and whether they may make campaigns."""
LOOKS_AROUND_EVERY = 3_600.0
"""Seconds: it reads a whole table, and there is seldom anything to find."""
WORKERS, THREADS = 2, 4
"""Of the web server. Pages are mostly computing, so there is one worker for each of two cores; `benchmarks load` tries others."""
KEEP_ALIVE = 75
"""Seconds that an unused connection stays open. Gunicorn's own two are about as long as somebody looks at an item: answers would
be sent into connections that are just being closed."""


class Command(BaseCommand):
    help = "Migrate, make the first accounts, start the web server and the job worker, build the sample study if it is absent."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=WholeNumber(1, 65_535), default=8000)
        parser.add_argument("--no-study", action="store_true", help="do not build the sample study")

    def handle(self, *args: Any, host: str, port: int, no_study: bool, **options: Any) -> None:
        _refuse_a_taken_port(host, port)
        self._say("Preparing the database …")
        call_command("migrate", verbosity=0)
        settle()
        clear_away()
        passwords = _first_accounts()
        address = f"http://{host}:{port}/"
        self._say("Starting the web server and the job worker …")
        children = {"web server": _web_server(host, port), "job worker": _job_worker()}
        with Supervisor(children, log_folder=settings.DATA_DIR / "logs") as supervisor:
            supervisor.wait_until_it_answers(address)
            self._greet(address, passwords)
            if not no_study:
                _queue_the_sample_study()
            supervisor.watch(every_now_and_then=RegularDuty())
        self.stdout.write("Stopped.")

    def _say(self, what: str) -> None:
        """Tell at once what takes a while; a pipe would keep it back until the end."""
        self.stdout.write(what)
        self.stdout.flush()

    def _greet(self, address: str, passwords: dict[str, str]) -> None:
        self.stdout.write(f"\nPassable runs on {address}   (Ctrl-C stops it)\n")
        for name, password in passwords.items():
            self.stdout.write(f"  {name:<10} password {password}")
        if passwords:
            self.stdout.write("These passwords are shown only now. To set another: manage.py changepassword NAME\n")
        else:
            self.stdout.write("Sign in with the accounts of the first start. To set a password: manage.py changepassword NAME\n")
        self.stdout.flush()


class RegularDuty:
    """What is done at each turn of the supervisor: empty the journal of what was erased, forget texts that were tried, find jobs
    whose worker is gone, and open what an import has shown whose process is gone. At the first turn, and once an hour, also
    look through all texts for some that nothing shows any more, and through the data folder for what nobody went on with."""

    def __init__(self) -> None:
        self._looked: float | None = None

    def __call__(self) -> None:
        empty_journal()
        drop_predictions()
        reap()
        open_what_is_seen()
        if self._looked is None or time.monotonic() - self._looked >= LOOKS_AROUND_EVERY:
            forget_all_unused()
            drop_leftovers()
            self._looked = time.monotonic()


def _refuse_a_taken_port(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as taken:
            raise CommandError(
                f"{host}:{port} is in use ({taken.strerror}): Passable may run there already. "
                f"Stop that, or choose another port: make run PORT={port + 1}"
            ) from taken


def _first_accounts() -> dict[str, str]:
    """Make the accounts when there is nobody yet; name → password of those made."""
    if User.objects.filter(kind=User.Kind.PERSON).exists():
        return {}
    passwords = {name: secrets.token_urlsafe(12) for name in ACCOUNTS}
    for name, organises in ACCOUNTS.items():
        User.objects.create_user(username=name, password=passwords[name], is_organiser=organises)
    return passwords


def _queue_the_sample_study() -> None:
    if (
        not study_exists(StudyPlan())
        and not Job.objects.filter(kind="demo", state__in=[Job.State.QUEUED, Job.State.RUNNING]).exists()
    ):
        enqueue(kind="demo", arguments={})


def _web_server(host: str, port: int) -> list[str]:
    address = ["--config", "python:config.web_server", "--bind", f"{host}:{port}", "--keep-alive", str(KEEP_ALIVE)]
    workers = ["--worker-class", "gthread", "--workers", str(WORKERS), "--threads", str(THREADS)]
    return [sys.executable, "-m", "gunicorn", "config.wsgi", *address, *workers, "--log-level", "warning"]


def _job_worker() -> list[str]:
    if settings.TASKS["default"]["BACKEND"].endswith("CeleryBackend"):
        return [sys.executable, "-m", "celery", "--app", "config.celery", "worker", "--pool", "solo", "--loglevel", "WARNING"]
    return [sys.executable, "manage.py", "db_worker", "--no-reload"]

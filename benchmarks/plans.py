"""How the database finds the next item among very many: the statements of a claim and of a submission, with their times and, on
request, their plans. Fails when a claim takes more than 10 statements or a submission more than 12."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Campaign, User
from benchmarks import reading, scratch

LIMITS = {"claim": 10, "submit": 12}
CONTROL = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a request, as the database got it."""

    sql: str
    milliseconds: float

    @property
    def is_read(self) -> bool:
        return self.sql.startswith(("SELECT", "EXECUTE"))


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--slots", type=int, default=2)
    parser.add_argument("--protocol", default="meaning")
    parser.add_argument("--variants", type=int, default=1, help="of each original")
    parser.add_argument("--answered", type=float, default=0.1, help="share of the slots that is filled already")
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--plans", action="store_true", help="print the plan of every query")


def run(options: Namespace) -> int:
    campaign = scratch.big_campaign(
        items=options.items, slots=options.slots, protocol=options.protocol, variants=options.variants
    )
    people = scratch.some_annotators(campaign, options.people)
    scratch.answer_all(campaign, people, share=options.answered)
    scratch.analyse()
    print(
        f"{connection.vendor}, {options.items} items × {options.slots}, {options.answered:.0%} answered by {len(people)} people"
    )
    failed = False
    for request, statements in _requests(campaign, people[0]).items():
        counted = [each for each in statements if not each.sql.startswith(CONTROL)]
        failed |= len(statements) > LIMITS[request]
        print(f"\n{request}: {len(counted)} statements, {len(statements)} with BEGIN and COMMIT (at most {LIMITS[request]})")
        for each in statements:
            print(f"{each.milliseconds:>9.1f} ms  {_brief(each.sql)}")
            if options.plans and each.is_read:
                print(_plan(each.sql))
    return int(failed)


def _requests(campaign: Campaign, person: User) -> dict[str, list[Statement]]:
    """A claim and a submission by somebody who has made both before, so that nothing is met for the first time."""
    settings.ALLOWED_HOSTS = ["testserver"]
    browser = Client()
    browser.cookies[settings.SESSION_COOKIE_NAME] = scratch.session_of(person)
    found: dict[str, list[Statement]] = {}
    for _ in range(3):
        with CaptureQueriesContext(connection) as claim:
            page = browser.get(f"/campaigns/{campaign.name}/work/")
        question = reading.question_on(page.content)
        assert question is not None, page
        label = str(campaign.labels.values_list("key", flat=True)[0])
        with CaptureQueriesContext(connection) as submit:
            browser.post(question.action, reading.reply(question, label))
        found = {"claim": _statements(claim), "submit": _statements(submit)}
    return found


def _statements(captured: CaptureQueriesContext) -> list[Statement]:
    return [Statement(query["sql"], 1000 * float(query["time"])) for query in captured.captured_queries]


def _brief(sql: str) -> str:
    words = sql.replace('"', "").split()
    if words[0] == "EXECUTE":
        return f"SELECT  planned before: {words[1]}"
    table = next((word for before, word in pairwise(words) if before in ("FROM", "INTO", "UPDATE")), "")
    lock = " for update" if "FOR UPDATE" in sql else ""
    return f"{words[0]} {table}{lock}"


def _plan(sql: str) -> str:
    explain = "EXPLAIN (ANALYZE, BUFFERS)" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    began = perf_counter()
    with connection.cursor() as cursor:
        cursor.execute(f"{explain} {sql}")
        rows = cursor.fetchall()
    lines = [str(row[0] if connection.vendor == "postgresql" else row[3]) for row in rows]
    return "\n".join(f"             {line}" for line in [*lines, f"({1000 * (perf_counter() - began):.1f} ms)"])

"""Many people at once, without think time, through the pages of a running server: every item gets exactly its answers, nobody
meets two variants of one original, nobody sees an error."""

from __future__ import annotations

import threading
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import chain
from statistics import median

import requests
from django.conf import settings
from django.db import connection

from annotation.models import Campaign, Claim, Slot, User
from benchmarks import reading, scratch, serving

PROTOCOLS = {"meaning": 1, "suspicion": 2}
"""Protocols and how many variants of each original there are: in the second, one person may see only one of them."""
GIVE_UP_AFTER = 120.0


@dataclass(slots=True)
class Round:
    """What came of one campaign that everybody worked through."""

    answers_per_item: Counter[int]
    clashes: int
    errors: list[str]
    answers: int
    seconds: float


@dataclass(slots=True)
class Reader:
    """One person with a browser of their own, who answers until there is nothing left for anybody."""

    address: str
    campaign: Campaign
    cookie: str
    label: str
    errors: list[str] = field(default_factory=list)

    def work(self) -> None:
        until = time.monotonic() + GIVE_UP_AFTER
        with requests.Session() as browser:
            browser.cookies.set(settings.SESSION_COOKIE_NAME, self.cookie)
            page = browser.get(f"{self.address}/campaigns/{self.campaign.name}/work/")
            while page.status_code == HTTPStatus.OK and time.monotonic() < until:
                question = reading.question_on(page.content)
                if question is not None:
                    page = browser.post(self.address + question.action, data=reading.reply(question, self.label))
                elif self._nothing_left():
                    return
                else:
                    time.sleep(0.05)
                    page = browser.get(f"{self.address}/campaigns/{self.campaign.name}/work/")
            self.errors.append(f"{page.status_code} at {page.url}")

    def _nothing_left(self) -> bool:
        """Whether no slot is open or held; asked of the database, so that a page that says so wrongly is found out."""
        try:
            return not Slot.objects.filter(campaign=self.campaign).exclude(state=Slot.State.FILLED).exists()
        finally:
            connection.close()


def add_arguments(parser: ArgumentParser) -> None:
    postgres = connection.vendor == "postgresql"
    parser.add_argument("--people", type=int, default=12 if postgres else 4)
    parser.add_argument("--items", type=int, default=20)
    parser.add_argument("--slots", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=20)


def run(options: Namespace) -> int:
    failed = 0
    print(f"{options.people} people on {connection.vendor}, {options.items} items × {options.slots}, no think time")
    print(f"{'protocol':<12}{'rounds':>7}{'exact':>7}{'clashes':>9}{'errors':>8}{'answers/s':>11}")
    with serving.gunicorn(workers=2, threads=options.people) as address:
        for protocol in PROTOCOLS:
            rounds = [_round(address, protocol, number, options) for number in range(options.repetitions)]
            exact = [each.answers_per_item == Counter({options.slots: options.items}) for each in rounds]
            clashes = sum(each.clashes for each in rounds)
            errors = list(chain.from_iterable(each.errors for each in rounds))
            pace = median(each.answers / each.seconds for each in rounds)
            print(f"{protocol:<12}{len(rounds):>7}{sum(exact):>7}{clashes:>9}{len(errors):>8}{pace:>11.0f}")
            for each, right in zip(rounds, exact, strict=True):
                if not right:
                    print(f"  answers per item: {dict(each.answers_per_item)}")
            for error in errors:
                print(f"  {error}")
            failed += exact.count(False) + clashes + len(errors)
    print("All as it should be." if not failed else "FAILED")
    return int(failed > 0)


def _round(address: str, protocol: str, number: int, options: Namespace) -> Round:
    campaign = scratch.big_campaign(
        name=f"{protocol}-{number}", items=options.items, slots=options.slots, protocol=protocol, variants=PROTOCOLS[protocol]
    )
    people = scratch.some_annotators(campaign, options.people)
    label = str(campaign.labels.values_list("key", flat=True)[0])
    readers = [Reader(address, campaign, scratch.session_of(person), label) for person in people]
    began = time.monotonic()
    _all_at_once(readers)
    seconds = time.monotonic() - began
    answered = Claim.objects.filter(campaign=campaign, judgement__uncounted="")
    per_item = Counter(answered.values_list("item", flat=True))
    unanswered = options.items - len(per_item)
    return Round(
        answers_per_item=Counter(per_item.values()) + Counter({0: unanswered}),
        clashes=_clashes(campaign, people),
        errors=[error for reader in readers for error in reader.errors],
        answers=answered.count(),
        seconds=seconds,
    )


def _all_at_once(readers: Sequence[Reader]) -> None:
    threads = [threading.Thread(target=reader.work) for reader in readers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _clashes(campaign: Campaign, people: Sequence[User]) -> int:
    """How often a person answered what they may not: an item twice, or a second variant where one is allowed."""
    per = "original" if PROTOCOLS[campaign.protocol] > 1 else "item"
    met = Counter(Claim.objects.filter(annotator__in=people, judgement__isnull=False).values_list("annotator", per))
    return sum(times - 1 for times in met.values())

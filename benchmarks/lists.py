"""First pages of lists, their filters and searches, and the dashboard, with 100,000 items: through the pages, each several times
in turn, with the ratio to the same page of a small campaign."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from statistics import median, quantiles

from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Campaign, Claim, Decision, Flag, Item, Slot
from annotation.services.activity import log
from benchmarks import scratch

LIMIT = 0.150
"""Seconds within which a first page is there."""
WALKS = "(walks)"
"""Searches for one or two characters have no index; they are shown, without a limit."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--baseline", type=int, default=100, help="items of the small campaign")
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--only", default="", help="pages whose name contains this")


def run(options: Namespace) -> int:
    began = time.perf_counter()
    large, small = _campaign("large", options.items, options.people), _campaign("small", options.baseline, options.people)
    scratch.analyse()
    print(f"{connection.vendor}: {options.items:,} items, {options.people} people; built in {time.perf_counter() - began:.0f} s")
    print(f"{'page':<42}{'p50 ms':>8}{'p95 ms':>8}{'× small':>9}{'queries':>9}{'small':>7}")
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(scratch.an_organiser())
    failed = 0
    for name, address in _pages(large).items():
        if options.only not in name:
            continue
        ask = _asker(client, f"/campaigns/large/{address}")
        ask_small = _asker(client, f"/campaigns/small/{_pages(small)[name]}")
        times, small_times = _measured(ask, options.repetitions), _measured(ask_small, options.repetitions)
        p50, p95 = median(times), quantiles(times, n=20)[-1]
        ratio = p50 / median(small_times)
        queries, small_queries = _queries(ask), _queries(ask_small)
        wrong = (p95 > LIMIT and WALKS not in name) or queries > small_queries
        failed += wrong
        print(
            f"{name:<42}{1000 * p50:>8.0f}{1000 * p95:>8.0f}{ratio:>9.1f}{queries:>9}{small_queries:>7}{'  <<' if wrong else ''}"
        )
    print(f"All within {1000 * LIMIT:.0f} ms, queries as many as for the small campaign." if not failed else f"FAILED: {failed}")
    return int(failed > 0)


def _pages(campaign: Campaign) -> Mapping[str, str]:
    middle, last = campaign.items.count() // 2, campaign.items.count()
    member = campaign.memberships.filter(role="annotator").earliest("pk").pk
    return {
        "overview": "",
        "items": "items/",
        "items, from the middle": f"items/?after={middle}",
        "items, before the middle": f"items/?before={middle}",
        "items, open": "items/?show=open",
        "items, complete": "items/?show=complete",
        "items, people disagreed": "items/?show=disagreed",
        "items, not decided": "items/?show=undecided",
        "items, adjudicated (few)": "items/?show=adjudicated",
        "items, stale (few)": "items/?show=stale",
        "items, flagged (few)": "items/?show=flagged",
        "items, skipped (few)": "items/?show=skipped",
        "items, decided as": "items/?label=preserve",
        "items, decided as, none such": "items/?label=change&show=open",
        "items, made by": "items/?made_by=bae",
        "items, task": "items/?task=scratch",
        "items, use (few)": "items/?use=attention",
        "items, answered by one person": f"items/?annotator={member}",
        "items, one answer": "items/?answers=1",
        "items, seven answers (none)": "items/?answers=7",
        "items, numbers": f"items/?first={last - 10}&last={last}",
        "search, a word in every text": "items/?q=harbour",
        "search, in one text": f"items/?q=zebra{last}",
        "search, in no text": "items/?q=quokka",
        "search, two letters (walks)": "items/?q=%23%23",
        "search and filter": "items/?q=quokka&show=disagreed&made_by=bae",
        "one item": f"items/{middle}/",
        "conflicts": "conflicts/",
        "one conflict": f"conflicts/{_a_conflict(campaign)}/",
        "log": "log/",
        "people": "people/",
    }


def _a_conflict(campaign: Campaign) -> int:
    return campaign.items.filter(how="conflict").order_by("agreement", "number").values_list("number", flat=True)[0]


def _campaign(name: str, items: int, people: int) -> Campaign:
    """Two thirds answered, conflicts for an adjudicator; a few items that are flagged, skipped, stale, or hold a rare word."""
    campaign = scratch.big_campaign(name=name, items=items, variants=4)
    campaign.settings["conflicts"] = "adjudicate"
    campaign.save()
    annotators = scratch.some_annotators(campaign, people)
    # Without it PostgreSQL joins the new rows one by one for a quarter of an hour.
    scratch.analyse()
    scratch.answer_all(campaign, annotators, share=2 / 3)
    rows = list(campaign.items.order_by("number")[:10])
    with transaction.atomic():
        Flag.objects.bulk_create(Flag(item=item, user=annotators[0], text="Looks cut.") for item in rows[:5])
        unanswered = Slot.objects.filter(campaign=campaign, state="open").select_related("item").order_by("-pk")[:5]
        now = timezone.now()
        Claim.objects.bulk_create(
            Claim(slot=slot, item=slot.item, campaign=campaign, original_id=slot.item.original_id, annotator=person,
                  state=state, expires_at=now)
            for slot, person, state in zip(unanswered, annotators, ("skipped", "skipped", "live", "live", "live"), strict=False)
        )  # fmt: skip
        Decision.objects.filter(item__in=rows[5:7]).update(how="adjudicated", stale=True)
        Item.objects.filter(pk__in=[item.pk for item in rows[5:7]]).update(how="adjudicated")
        last = campaign.items.latest("number")
        type(last.first).objects.filter(pk=last.first_id).update(text=f"{last.first.text} zebra{items}")
        for number in range(200):
            log(campaign=campaign, by=annotators[0], verb="ruled", item=number, label="keeps the meaning")
    return campaign


def _asker(client: Client, address: str) -> Callable[[], None]:
    def ask() -> None:
        response = client.get(address)
        if response.status_code != 200:
            raise RuntimeError(f"{response.status_code} at {address}")

    return ask


def _measured(ask: Callable[[], None], repetitions: int) -> list[float]:
    ask()
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        ask()
        times.append(time.perf_counter() - start)
    return times


def _queries(ask: Callable[[], None]) -> int:
    with CaptureQueriesContext(connection) as queries:
        ask()
    return len(queries)

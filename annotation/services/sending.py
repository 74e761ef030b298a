"""Sending the successes of an attack run to a campaign, all of them: pairs, single texts, or two runs' texts of one original."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

from annotation.errors import DomainError
from annotation.models import AttackRun, Campaign, Example, Item, User
from annotation.protocols import PROTOCOLS

from .activity import log
from .campaigns import NewItem, add_items, create_campaign, refuse_unaskable
from .examples import SUCCESS
from .holding import hold_whole
from .sampling import pairs, single_texts

PREFERENCE = "preference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """Where the successes go: to a `campaign`, or to a new draft of that name, title, protocol and preset. `originals`: beside
    single texts, each original once. `beside`: another run, whose text of the same original stands in the pair."""

    campaign: Campaign | None = None
    name: str = ""
    title: str = ""
    protocol: str = ""
    preset: str = ""
    originals: bool = False
    beside: AttackRun | None = None
    set_aside: bool = False
    """Whether successes go too that seem to fool the suspicion model."""

    @property
    def asked_by(self) -> str:
        """The protocol that asks about them."""
        return self.campaign.protocol if self.campaign else self.protocol


@dataclass(frozen=True, slots=True)
class Plan:
    """The items, and what makes none: successes set aside, doubles of other items or of those that the campaign has, and those
    without a counterpart in the other run. `originals` of the items are unchanged texts."""

    items: Sequence[NewItem]
    set_aside: int
    doubles: int
    alone: int

    @property
    def originals(self) -> int:
        return sum(item.second is None and item.example is None for item in self.items)


def planned(*, run: AttackRun, wanted: Sending) -> Plan:
    """What sending comes to; nothing is written. Raises DomainError where the campaign takes no items, or people cannot be asked
    about a text there."""
    campaign = wanted.campaign
    if campaign is not None and (campaign.imported or campaign.simulated or campaign.state == Campaign.State.CLOSED):
        raise DomainError("This campaign takes no further items.")
    if wanted.beside is not None and wanted.asked_by != PREFERENCE:
        raise DomainError("Texts of two runs stand side by side in a preference campaign only.")
    found = run.examples.filter(status=SUCCESS).select_related("before__original", "after__original").order_by("pk")
    aside = set() if wanted.set_aside else set_aside_in(run)
    examples = [example for example in found if example.pk not in aside]
    if wanted.beside is None:
        refuse_unaskable(
            campaign or Campaign(protocol=wanted.protocol), ((example.before.text, example.after.text) for example in examples)
        )
    items, alone = _items(run, examples, wanted)
    there = set() if campaign is None else set(campaign.items.values_list("content_sha256", flat=True))
    fresh = {item.content_sha256: item for item in items if item.content_sha256 not in there}
    return Plan(list(fresh.values()), len(found) - len(examples), len(items) - len(fresh), alone)


@transaction.atomic
def send(*, run: AttackRun, wanted: Sending, by: User) -> tuple[Campaign, int]:
    """Make the items, and the campaign where there is none yet. Returns it and how many items were added. Raises DomainError also
    where there is nothing new."""
    campaign = hold_whole(wanted.campaign) if wanted.campaign else _made(run, wanted, by)
    into = Sending(
        campaign=campaign, originals=wanted.originals, beside=wanted.beside, set_aside=wanted.set_aside
    )  # fmt: skip
    plan = planned(run=run, wanted=into)
    if not plan.items:
        raise DomainError("There is nothing to send that the campaign does not have.")
    added: list[Item] = add_items(campaign=campaign, items=plan.items)
    log(campaign=campaign, by=by, verb="sent", added=len(added), run=run.name)
    return campaign, len(added)


def _made(run: AttackRun, wanted: Sending, by: User) -> Campaign:
    runs = [run.name, *([wanted.beside.name] if wanted.beside else [])]
    return create_campaign(
        name=wanted.name,
        title=wanted.title,
        protocol=wanted.protocol,
        preset=wanted.preset,
        created_by=by,
        source={"attack_runs": sorted(runs)},
    )


def set_aside_in(run: AttackRun) -> set[int]:
    """The ids of the examples that the run itself has set aside."""
    numbers = [id + 1 for id in run.summary.get("set_aside", {}).get("ids", ())]
    found = run.outcomes.filter(number__in=numbers, example__isnull=False)
    return set(found.values_list("example_id", flat=True))


def _items(run: AttackRun, examples: Sequence[Example], wanted: Sending) -> tuple[list[NewItem], int]:
    """The items, also double ones, and how many examples have no counterpart."""
    if wanted.beside is not None:
        items = list(_beside(run, examples, wanted.beside))
        return items, len(examples) - len(items)
    if PROTOCOLS[wanted.asked_by].pair:
        return pairs(examples), 0
    if wanted.originals:
        return single_texts(examples), 0
    return [NewItem(example.after.original, example.after, example=example) for example in examples], 0


def _beside(run: AttackRun, examples: Iterable[Example], other: AttackRun) -> Iterable[NewItem]:
    """The text of the run that a model held stands first: how often people prefer it is what the campaign finds out."""
    found = other.examples.filter(status=SUCCESS).select_related("after").order_by("pk")
    counterparts = {example.before_id: example for example in found}
    for example in examples:
        counterpart = counterparts.get(example.before_id)
        if counterpart is not None and counterpart.after.sha256 != example.after.sha256:
            texts = (example.after, counterpart.after)
            first, second = texts if run.constraint or not other.constraint else texts[::-1]
            yield NewItem(example.before.original, first, second, example)

"""From a study's pairs to people: a preference campaign, the held text against the free one, with known answers mixed in.

A known answer is an original beside itself with every longer word misspelt: whoever takes that for a person's did not look.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil

import numpy as np
from django.db import transaction

from annotation.errors import DomainError
from annotation.models import AttackRun, Campaign, ConstraintStudy, Example, Item, Label, Outcome, StudyCampaign, User, Variant
from scoring.judgements.plan import Plan, plan_preference, power_of_preference
from scoring.result import ScoringError

from .activity import log
from .campaigns import NewItem, add_items, create_campaign
from .holding import keep_texts
from .recording import RecordedText, sha256_of, variants_of
from .studies import asked_of, limit_of

PREFERENCE, VOTES = "preference", 5
MISSPELT = "misspelt"
"""Who made the text that every reader should find out, where texts are named by their makers."""
ITEMS_PER_CHECK = 10
FEWEST_CHECKS = 2
EXPLANATION = "In the other text every longer word is misspelt."


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What people are to be asked: about the pairs at the limit `tau`, all of them or `most`, drawn by the study's seed. The test
    is planned to find, with a chance of `power`, that votes go to the better text with a chance of `preferred`."""

    tau: float
    preferred: float = 0.65
    power: float = 0.8
    most: int | None = None

    @property
    def plan(self) -> Plan:
        """How many pairs the exact test needs. Raises DomainError for what cannot be planned."""
        try:
            return plan_preference(self.preferred, self.power, votes=VOTES)
        except ScoringError as refused:
            raise DomainError(str(refused)) from refused

    def power_of(self, pairs: int) -> float:
        """The chance that so many pairs find the preference."""
        return power_of_preference(pairs, self.preferred, votes=VOTES).reached


@transaction.atomic
def ask_people(
    *,
    study: ConstraintStudy,
    asking: Asking,
    name: str,
    title: str,
    by: User | None = None,
    simulated: bool = False,
    sheet: str | None = None,
) -> Campaign:
    """A draft of a preference campaign about the pairs. `simulated`: simulated readers answer it. Raises DomainError where the
    study is not finished, has no such limit, or no pair to ask about."""
    planned = asking.plan.items
    pairs = pairs_of(study, asking)
    if not pairs:
        raise DomainError(
            "There is no pair to ask about at this limit: no text was made less suspicious without fooling the model."
        )
    checks = _checks(study, {pair.original.pk for pair in pairs}, len(pairs))
    campaign = create_campaign(
        name=name,
        title=title,
        protocol=PREFERENCE,
        created_by=by,
        settings={"slots": VOTES, "attention_every": _every(len(pairs), len(checks))},
        simulated=simulated,
        sheet=sheet,
        source={"study": study.name, "tau": asking.tau, "planned": planned, "pairs": len(pairs), "checks": len(checks)},
    )
    gold = Label.objects.get(campaign=campaign, key="first")
    known = [
        NewItem(before.original, before, misspelt, use=Item.Use.ATTENTION, gold=gold, explanation=EXPLANATION)
        for before, misspelt in checks
    ]
    add_items(campaign=campaign, items=[*pairs, *known], seed=asked_of(study).seed)
    StudyCampaign.objects.create(
        study=study,
        campaign=campaign,
        tau=asking.tau,
        planned=planned,
        preferred=asking.preferred,
        power=asking.power,
    )
    log(campaign=campaign, by=by, verb="sent", added=len(pairs) + len(known), run=study.name)
    return campaign


def pairs_of(study: ConstraintStudy, asking: Asking) -> list[NewItem]:
    """The items: the text of the held attack first, the free one's second. Equal texts are asked about once."""
    chosen = _drawn(limit_of(study, asking.tau)["worth_asking"], asking.most, asked_of(study).seed)
    held, free = (_examples(study, tau, chosen) for tau in (asking.tau, None))
    items = [NewItem(held[id].before.original, held[id].after, free[id].after, held[id]) for id in chosen]
    return list({item.content_sha256: item for item in items}.values())


def _drawn(ids: Sequence[int], most: int | None, seed: int) -> list[int]:
    if most is None or most >= len(ids):
        return list(ids)
    return sorted(np.random.default_rng(seed).choice(list(ids), size=most, replace=False).tolist())


def _examples(study: ConstraintStudy, tau: float | None, ids: Sequence[int]) -> dict[int, Example]:
    """The successes of the run at the limit by their place in the attack set, from 0."""
    found = Outcome.objects.filter(run=run_at(study, tau), number__in=[id + 1 for id in ids], example__isnull=False)
    rows = found.select_related("example__before__original", "example__after")
    return {outcome.number - 1: outcome.example for outcome in rows if outcome.example}


def run_at(study: ConstraintStudy, tau: float | None) -> AttackRun:
    """The study's run under the limit, or without one."""
    return study.links.select_related("run").get(tau=tau).run


def _checks(study: ConstraintStudy, used: set[int], pairs: int) -> list[tuple[Variant, Variant]]:
    """Originals of the attack set that no pair is of, each with itself misspelt: one for ten pairs, two at least, as far as there
    are any."""
    wanted = max(FEWEST_CHECKS, ceil(pairs / ITEMS_PER_CHECK))
    outcomes = run_at(study, None).outcomes.exclude(before__original__in=used).select_related("before__original")
    befores = {outcome.before.original_id: outcome.before for outcome in outcomes.order_by("number")}
    chosen = list(_misspelt(befores.values(), asked_of(study).seed, wanted))
    keep_texts()
    stored = variants_of((before.original, RecordedText(MISSPELT, text)) for before, text in chosen)
    return [(before, stored[before.original_id, MISSPELT, sha256_of(text)]) for before, text in chosen]


def _misspelt(befores: Iterable[Variant], seed: int, most: int) -> Iterator[tuple[Variant, str]]:
    """The first texts that have a longer word, with all of these misspelt."""
    return islice(((each, text) for each in befores if (text := misspell(each.text, seed)) != each.text), most)


def misspell(text: str, seed: int) -> str:
    """The text with a typo in every word of four letters or more."""
    from attacks.robustness.damage import Typo
    from attacks.text import Text

    rng, damaged = np.random.default_rng([seed, *text.encode()]), Text(text)
    for index in range(len(damaged.words)):
        if found := Typo().at(damaged, index, rng):
            damaged = found[0]
    return damaged.text


def _every(pairs: int, checks: int) -> int:
    """After how many answers a check comes, so that whoever answers all pairs meets all checks; 0 without any."""
    return min(ITEMS_PER_CHECK, max(1, pairs // (checks + 1))) if checks else 0

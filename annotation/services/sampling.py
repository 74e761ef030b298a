"""Drawing examples from attack runs and imported files, and making a campaign's items of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest

from django.db import transaction
from django.db.models import Q

from annotation.errors import DomainError
from annotation.models import AttackRun, Campaign, Example, Item, Upload, User
from annotation.protocols import protocol_of

from .activity import log
from .campaigns import NewItem, add_items, refuse_unaskable
from .holding import hold_whole

STRATA = {"attacker": "attacker or team", "victim": "victim", "task": "task"}
"""What a sample can be even over."""

ORIGINALS = {
    "none": "only texts that were altered",
    "once": "every original once, besides",
    "half": "as many originals as altered texts",
}
"""Which unchanged texts stand among the altered ones, where people see one text at a time."""


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """What to draw: `size` examples in all, as evenly as there are, or `each` of every stratum; one of them is given.

    `best` takes the highest BODEGA scores instead of drawing lots. Of the items, `common` are asked `common_slots` times and the
    others `rest_slots` times; None: as often as the campaign asks.
    """

    seed: int
    size: int | None = None
    each: int | None = None
    by: tuple[str, ...] = ("attacker", "victim")
    best: bool = False
    originals: str = "once"
    common: int = 0
    common_slots: int | None = None
    rest_slots: int | None = None


@dataclass(frozen=True, slots=True)
class Stratum:
    """One stratum: what its examples share, how many there are, and how many were drawn."""

    names: tuple[str, ...]
    available: int
    drawn: int


@dataclass(frozen=True, slots=True)
class Sample:
    """What was drawn and the items that it makes. `there` counts examples that the campaign has already."""

    examples: Sequence[Example]
    items: Sequence[NewItem]
    strata: Sequence[Stratum]
    there: int

    @property
    def originals(self) -> int:
        """How many items are unchanged texts."""
        return sum(item.second is None and item.example is None for item in self.items)


def sample_examples(*, runs: Iterable[AttackRun], size: int, seed: int, once_per_original: bool = False) -> list[Example]:
    """Up to `size` successful examples of the runs, as evenly as possible from every attacker and victim.

    The strata take turns; one that runs out leaves its turns to the others, so fewer than `size` come back only when there are
    no more. A pair of texts that two runs share counts once. The draw depends on the texts and the seed alone, not on the order
    in which they were stored. Raises DomainError when `size` is below 1 or the runs have no success.
    """
    plan = SamplePlan(seed=seed, size=size)
    return _drawn(_strata(successes_of(runs, ()), plan), plan, once_per_original)


def draw_sample(
    *, campaign: Campaign, plan: SamplePlan, runs: Iterable[AttackRun] = (), uploads: Iterable[Upload] = ()
) -> Sample:
    """What the plan comes to for the campaign; nothing is written. Examples that are in the campaign already are not drawn
    again. Raises DomainError when the plan cannot be followed, there is nothing to draw from, or people cannot be asked about a
    text that was drawn."""
    protocol = protocol_of(campaign)
    found = successes_of(runs, uploads)
    there = set(campaign.items.values_list("content_sha256", flat=True))
    fresh = [example for example in found if _judged(protocol.pair, example).content_sha256 not in there]
    strata = _strata(fresh, plan)
    # Where an item shows the original to readers who may see it once, a second item would need readers of its own.
    examples = _drawn(strata, plan, protocol.pair and protocol.exclusive)
    refuse_unaskable(campaign, ((example.before.text, example.after.text) for example in examples))
    items = _items(protocol.pair, examples, fresh, plan)
    items = [item for item in items if item.content_sha256 not in there]
    drawn = Counter(_stratum(example, plan.by) for example in examples)
    counts = [Stratum(key, len(stratum), drawn[key]) for key, stratum in sorted(strata.items())]
    return Sample(examples, _with_slots(items, plan), counts, len(found) - len(fresh))


@transaction.atomic
def add_sample(
    *,
    campaign: Campaign,
    runs: Iterable[AttackRun] = (),
    uploads: Iterable[Upload] = (),
    plan: SamplePlan | None = None,
    size: int | None = None,
    seed: int = 0,
    by: User | None = None,
) -> list[Item]:
    """Draw by the plan, or `size` examples evenly from every attacker and victim, and append the items."""
    held = hold_whole(campaign)
    if held.imported or held.state == Campaign.State.CLOSED:
        raise DomainError("This campaign takes no further items.")
    plan = plan or SamplePlan(seed=seed, size=size)
    sample = draw_sample(campaign=campaign, plan=plan, runs=runs, uploads=uploads)
    made = add_items(campaign=campaign, items=sample.items, seed=plan.seed)
    log(campaign=campaign, by=by, verb="sampled", added=len(made))
    return made


def pairs(examples: Sequence[Example]) -> list[NewItem]:
    """One item per example: the original text first, the adversarial text second."""
    return [NewItem(example.before.original, example.before, example.after, example) for example in examples]


def single_texts(examples: Sequence[Example]) -> list[NewItem]:
    """Every original text once, and every adversarial text."""
    return _originals(examples) + _altered(examples)


def _originals(examples: Iterable[Example]) -> list[NewItem]:
    unchanged = {example.before_id: example.before for example in examples}
    return [NewItem(before.original, before) for before in unchanged.values()]


def _altered(examples: Iterable[Example]) -> list[NewItem]:
    return [NewItem(example.after.original, example.after, example=example) for example in examples]


def _judged(pair: bool, example: Example) -> NewItem:
    return (pairs if pair else _altered)([example])[0]


def _items(pair: bool, examples: Sequence[Example], candidates: Sequence[Example], plan: SamplePlan) -> list[NewItem]:
    if pair:
        return pairs(examples)
    if plan.originals not in ORIGINALS:
        raise DomainError(f"“{plan.originals}” is not one of {', '.join(ORIGINALS)}.")
    altered = _altered(examples)
    if plan.originals == "none":
        return altered
    originals = _originals(examples)
    if plan.originals == "half":
        # Several altered texts may be of one original: then others, drawn by lot, make up the half.
        spare = sorted(candidates, key=lambda example: _lot(plan.seed, "original", example.before.sha256))
        originals = _originals([*examples, *spare])[: len(altered)]
    return originals + altered


def _with_slots(items: Sequence[NewItem], plan: SamplePlan) -> list[NewItem]:
    if not items or (not plan.common and plan.rest_slots is None):
        return list(items)
    if plan.common > len(items):
        raise DomainError(f"The common set has {plan.common} items, but only {len(items)} were drawn.")
    lots = sorted(items, key=lambda item: _lot(plan.seed, "common", item.content_sha256))
    common = {item.content_sha256 for item in lots[: plan.common]}
    return [replace(item, slots=plan.common_slots if item.content_sha256 in common else plan.rest_slots) for item in items]


def successes_of(runs: Iterable[AttackRun], uploads: Iterable[Upload]) -> list[Example]:
    """The successful examples with everything that a draw looks at."""
    among = Q(run__in=[run.pk for run in runs]) | Q(upload__in=[upload.pk for upload in uploads])
    found = list(Example.objects.filter(among, status="success").select_related("run", "before__original", "after__original"))
    if not found:
        raise DomainError("None of these attack runs has a successful example, so there is nothing to judge.")
    return found


def _stratum(example: Example, by: Iterable[str]) -> tuple[str, ...]:
    victim = example.run.victim if example.run else example.victim
    attacker = example.run.attacker if example.run else example.after.kind
    named = {"attacker": attacker, "victim": victim, "task": example.after.original.task}
    return tuple(named[name] for name in by)


def _strata(examples: Iterable[Example], plan: SamplePlan) -> dict[tuple[str, ...], list[Example]]:
    """The examples by stratum, in each the first to be drawn first."""
    if unknown := set(plan.by) - set(STRATA):
        raise DomainError(f"A sample cannot be even over {', '.join(sorted(unknown))}; choose from {', '.join(STRATA)}.")
    strata: dict[tuple[str, ...], list[Example]] = {}
    for example in examples:
        strata.setdefault(_stratum(example, plan.by), []).append(example)
    for key, stratum in strata.items():
        stratum.sort(key=lambda example: _lot(plan.seed, *key, example.before.sha256, example.after.sha256))
        if plan.best:
            if any(example.bodega_score is None for example in stratum):
                raise DomainError("Some of these examples have no BODEGA score, so the highest ones cannot be told.")
            stratum.sort(key=lambda example: -(example.bodega_score or 0.0))
    return strata


def _drawn(strata: Mapping[tuple[str, ...], Sequence[Example]], plan: SamplePlan, once_per_original: bool) -> list[Example]:
    wanted = plan.size if plan.each is None else plan.each
    if wanted is None or wanted < 1:
        raise DomainError(f"A sample has at least one example, not {wanted or 0}.")
    turns = _without_repeats(_in_turns(strata), once_per_original)
    if plan.each is None:
        return list(islice(turns, wanted))
    taken: Counter[tuple[str, ...]] = Counter()
    drawn = []
    for example in turns:
        stratum = _stratum(example, plan.by)
        if taken[stratum] < wanted:
            taken[stratum] += 1
            drawn.append(example)
    return drawn


def _in_turns(strata: Mapping[tuple[str, ...], Sequence[Example]]) -> Iterator[Example]:
    for turn in zip_longest(*(strata[key] for key in sorted(strata))):
        yield from (example for example in turn if example is not None)


def _lot(seed: int, *names: str) -> bytes:
    """A random number of the names' own: other examples, present or not, do not move it."""
    return hashlib.sha256("\0".join([str(seed), *names]).encode()).digest()


def _without_repeats(examples: Iterable[Example], once_per_original: bool) -> Iterator[Example]:
    seen: set[object] = set()
    for example in examples:
        # Equal texts of two attackers are equal to a reader: asking twice would count one text double.
        key = example.after.original_id if once_per_original else (example.after.original_id, example.after.sha256)
        if key not in seen:
            seen.add(key)
            yield example

"""Drawing examples from attack runs, and making a campaign's items of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from django.db import transaction

from annotation.errors import DomainError
from annotation.models import AttackRun, Campaign, Example, Item

from .campaigns import NewItem, add_items


def sample_examples(*, runs: Iterable[AttackRun], size: int, seed: int, once_per_original: bool = False) -> list[Example]:
    """Up to `size` successful examples of the runs, as evenly as possible from every attacker and victim.

    The strata take turns; one that runs out leaves its turns to the others, so fewer than `size` come back only when there are
    no more. A pair of texts that two runs share counts once. The draw depends on the texts and the seed alone, not on the order
    in which they were stored. Raises DomainError when `size` is below 1 or the runs have no success.
    """
    if size < 1:
        raise DomainError(f"A sample has at least one example, not {size}.")
    found = Example.objects.filter(run__in=list(runs), status="success").select_related("run", "before", "after__original")
    if not found:
        raise DomainError("None of these attack runs has a successful example, so there is nothing to judge.")
    drawn = _without_repeats(_in_turns(found, seed), once_per_original)
    return [example for example, _ in zip(drawn, range(size), strict=False)]


def _in_turns(examples: Iterable[Example], seed: int) -> Iterator[Example]:
    strata: dict[tuple[str, str], list[Example]] = {}
    for example in examples:
        assert example.run is not None
        strata.setdefault((example.run.attacker, example.run.victim), []).append(example)
    for key, stratum in strata.items():
        stratum.sort(key=lambda example: _lot(seed, *key, example.before.sha256, example.after.sha256))
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


def pairs(examples: Sequence[Example]) -> list[NewItem]:
    """One item per example: the original text first, the adversarial text second."""
    return [NewItem(example.before.original, example.before, example.after, example) for example in examples]


def single_texts(examples: Sequence[Example]) -> list[NewItem]:
    """Every original text once, and every adversarial text."""
    originals = {example.before_id: example.before for example in examples}
    unchanged = [NewItem(before.original, before) for before in originals.values()]
    return unchanged + [NewItem(example.after.original, example.after, example=example) for example in examples]


ITEMS: dict[str, Callable[[Sequence[Example]], list[NewItem]]] = {
    "meaning": pairs,
    "suspicion": single_texts,
    "preference": pairs,
}
"""What each protocol makes of a sample."""

ONCE_PER_ORIGINAL = frozenset({"preference"})
"""Protocols whose items show the original to readers who may see it once: a second item would need readers of its own."""


@transaction.atomic
def add_sample(*, campaign: Campaign, runs: Iterable[AttackRun], size: int, seed: int) -> list[Item]:
    """Draw `size` successful examples and append the items that the campaign's protocol makes of them."""
    examples = sample_examples(runs=runs, size=size, seed=seed, once_per_original=campaign.protocol in ONCE_PER_ORIGINAL)
    return add_items(campaign=campaign, items=ITEMS[campaign.protocol](examples), seed=seed)

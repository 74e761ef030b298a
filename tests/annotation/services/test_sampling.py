"""Sampling: only successes, evenly from every attacker and victim, the same for the same seed."""

from __future__ import annotations

from collections import Counter

import pytest

from annotation.errors import DomainError
from annotation.models import AttackRun, Example, Item, Original, Slot, Variant
from annotation.services.campaigns import create_campaign
from annotation.services.recording import sha256_of
from annotation.services.sampling import add_sample, sample_examples

pytestmark = pytest.mark.django_db


def run_with(attacker: str, victim: str, *, successes: int, failures: int = 0, text: str = "") -> AttackRun:
    """A run with so many examples, of the originals 0, 1, …; `text` makes the adversarial texts of several runs equal."""
    run = AttackRun.objects.create(name=f"{victim}-{attacker}", task="headlines", victim=victim, attacker=attacker, folder="x")
    for number in range(successes + failures):
        original, _ = Original.objects.get_or_create(task="headlines", key=f"attack-{number}")
        before = variant_of(original, "original", f"The bridge {number} closes.")
        after = variant_of(original, attacker, f"The brdige {number} closes{text or f' by {victim} {attacker}'}.")
        Example.objects.create(run=run, before=before, after=after, status="success" if number < successes else "inconsistent")
    return run


def variant_of(original: Original, kind: str, text: str) -> Variant:
    made, _ = Variant.objects.get_or_create(original=original, kind=kind, sha256=sha256_of(text), defaults={"text": text})
    return made


def strata(examples: list[Example]) -> Counter[tuple[str, str]]:
    return Counter((example.run.attacker, example.run.victim) for example in examples if example.run)


def test_every_attacker_and_victim_has_its_share() -> None:
    runs = [run_with(attacker, victim, successes=9) for attacker in ("bug", "fooler") for victim in ("linear", "bilstm")]
    sample = sample_examples(runs=runs, size=12, seed=0)
    assert strata(sample) == dict.fromkeys([("bug", "linear"), ("bug", "bilstm"), ("fooler", "linear"), ("fooler", "bilstm")], 3)


def test_a_stratum_that_runs_out_leaves_its_turns_to_the_others() -> None:
    runs = [run_with("bug", "linear", successes=2), run_with("bug", "bilstm", successes=9)]
    assert strata(sample_examples(runs=runs, size=8, seed=0)) == {("bug", "linear"): 2, ("bug", "bilstm"): 6}


def test_there_are_never_more_than_there_are() -> None:
    assert len(sample_examples(runs=[run_with("bug", "linear", successes=3)], size=10, seed=0)) == 3


def test_only_successes_are_drawn() -> None:
    sample = sample_examples(runs=[run_with("bug", "linear", successes=3, failures=5)], size=8, seed=0)
    assert [example.status for example in sample] == ["success"] * 3


def test_other_runs_are_left_alone() -> None:
    run_with("fooler", "linear", successes=5)
    assert strata(sample_examples(runs=[run_with("bug", "linear", successes=2)], size=5, seed=0)) == {("bug", "linear"): 2}


def test_the_seed_decides_the_draw_and_the_order_of_storing_does_not() -> None:
    run = run_with("bug", "linear", successes=20)
    drawn = [example.after.text for example in sample_examples(runs=[run], size=6, seed=1)]
    texts = list(Example.objects.filter(run=run).order_by("-pk").values_list("before", "after", "status"))
    Example.objects.filter(run=run).delete()
    for before, after, status in texts:
        Example.objects.create(run=run, before_id=before, after_id=after, status=status)
    assert [example.after.text for example in sample_examples(runs=[run], size=6, seed=1)] == drawn
    assert [example.after.text for example in sample_examples(runs=[run], size=6, seed=2)] != drawn


def test_a_text_that_two_runs_made_is_drawn_once() -> None:
    runs = [run_with("bug", "linear", successes=4, text=" today"), run_with("bug", "bilstm", successes=4, text=" today")]
    sample = sample_examples(runs=runs, size=8, seed=0)
    assert sorted(example.after.text for example in sample) == [f"The brdige {number} closes today." for number in range(4)]


@pytest.mark.parametrize("size", [0, -1])
def test_an_empty_sample_is_refused(size: int) -> None:
    with pytest.raises(DomainError, match="at least one example"):
        sample_examples(runs=[run_with("bug", "linear", successes=1)], size=size, seed=0)


def test_runs_without_success_are_refused() -> None:
    with pytest.raises(DomainError, match="nothing to judge"):
        sample_examples(runs=[run_with("bug", "linear", successes=0, failures=2)], size=1, seed=0)


@pytest.mark.parametrize(
    ("protocol", "kinds", "slots"),
    [
        ("meaning", [("original", "bug")] * 3 + [("original", "fooler")] * 3, 2),
        ("suspicion", [("bug", None)] * 3 + [("fooler", None)] * 3 + [("original", None)] * 3, 3),
    ],
)
def test_each_protocol_gets_its_items(protocol: str, kinds: list[tuple[str, str | None]], slots: int) -> None:
    runs = [run_with("bug", "linear", successes=3), run_with("fooler", "linear", successes=3)]
    campaign = create_campaign(name="c", title="C", protocol=protocol)
    add_sample(campaign=campaign, runs=runs, size=6, seed=0)
    items = list(Item.objects.filter(campaign=campaign).values_list("first__kind", "second__kind"))
    assert sorted(items, key=str) == sorted(kinds, key=str)
    assert Slot.objects.filter(item__campaign=campaign).count() == slots * len(items)


def test_a_preference_campaign_has_one_item_per_original() -> None:
    runs = [run_with("bug", "linear", successes=3), run_with("fooler", "linear", successes=3)]
    campaign = create_campaign(name="c", title="C", protocol="preference")
    add_sample(campaign=campaign, runs=runs, size=6, seed=0)
    items = list(campaign.items.values_list("original__key", "first__kind"))
    assert sorted(items) == [("attack-0", "original"), ("attack-1", "original"), ("attack-2", "original")]

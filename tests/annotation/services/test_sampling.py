"""Sampling: only successes, evenly from every attacker and victim, the same for the same seed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.errors import DomainError
from annotation.models import AttackRun, Campaign, Example, Item, Original, Slot, Variant
from annotation.services.campaigns import create_campaign
from annotation.services.recording import sha256_of
from annotation.services.sampling import Sample, SamplePlan, add_sample, draw_sample, sample_examples

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


def drawn(campaign: Campaign, runs: list[AttackRun], **plan: Any) -> Sample:
    return draw_sample(campaign=campaign, runs=runs, plan=SamplePlan(**{"seed": 0, **plan}))


def test_so_many_of_every_stratum_whichever_it_is() -> None:
    campaign = create_campaign(name="c", title="C", protocol="meaning")
    runs = [run_with("bug", "linear", successes=5), run_with("fooler", "linear", successes=2)]
    sample = drawn(campaign, runs, each=3, by=("attacker",))
    assert [(stratum.names, stratum.available, stratum.drawn) for stratum in sample.strata] == [
        (("bug",), 5, 3),
        (("fooler",), 2, 2),
    ]
    assert [stratum.names for stratum in drawn(campaign, runs, each=3, by=("task",)).strata] == [("headlines",)]


def test_the_highest_scores_of_each_task() -> None:
    campaign = create_campaign(name="c", title="C", protocol="meaning")
    run = run_with("bug", "linear", successes=6)
    for number, example in enumerate(Example.objects.order_by("pk")):
        Example.objects.filter(pk=example.pk).update(bodega_score=number / 10)
    sample = drawn(campaign, [run], each=2, by=("task",), best=True)
    assert [example.bodega_score for example in sample.examples] == [0.5, 0.4]
    Example.objects.filter(bodega_score=0.0).update(bodega_score=None)
    with pytest.raises(DomainError, match="no BODEGA score"):
        drawn(campaign, [run], each=2, best=True)


def test_half_are_originals_even_where_several_texts_are_of_one() -> None:
    campaign = create_campaign(name="c", title="C", protocol="binary")
    runs = [run_with("bug", "linear", successes=6), run_with("fooler", "linear", successes=6)]
    sample = drawn(campaign, runs, size=6, originals="half")
    assert (len(sample.items), sample.originals) == (12, 6)
    assert drawn(campaign, runs, size=6, originals="none").originals == 0


def test_a_common_set_is_asked_more_often_than_the_rest() -> None:
    campaign = create_campaign(name="c", title="C", protocol="suspicion")
    runs = [run_with("bug", "linear", successes=8)]
    plan = SamplePlan(seed=3, size=8, originals="none", common=2, common_slots=3, rest_slots=1)
    made = add_sample(campaign=campaign, runs=runs, plan=plan)
    assert sorted(item.slots.count() for item in made) == [1] * 6 + [3] * 2
    with pytest.raises(DomainError, match="only 8 were drawn"):
        drawn(create_campaign(name="d", title="D", protocol="suspicion"), runs, size=8, originals="none", common=9)


def test_what_is_there_already_is_not_drawn_again() -> None:
    campaign = create_campaign(name="c", title="C", protocol="meaning")
    runs = [run_with("bug", "linear", successes=5)]
    first = add_sample(campaign=campaign, runs=runs, size=3, seed=0)
    sample = drawn(campaign, runs, size=5)
    assert (len(sample.items), sample.there) == (2, 3)
    add_sample(campaign=campaign, runs=runs, size=5, seed=0)
    assert Item.objects.values("content_sha256").distinct().count() == Item.objects.count() == len(first) + 2


def test_an_unknown_stratum_is_refused() -> None:
    campaign = create_campaign(name="c", title="C", protocol="meaning")
    with pytest.raises(DomainError, match="cannot be even over annotator"):
        drawn(campaign, [run_with("bug", "linear", successes=1)], size=1, by=("annotator",))


@pytest.mark.parametrize("protocol", ["meaning", "suspicion"])
def test_the_number_of_queries_does_not_grow_with_the_examples(protocol: str) -> None:
    campaign = create_campaign(name="c", title="C", protocol=protocol)
    asked = []
    for number in (1, 3, 30):
        run = run_with(f"bug{number}", "linear", successes=number)
        with CaptureQueriesContext(connection) as queries:
            drawn(campaign, [run], size=30)
        asked.append(len(queries))
    assert asked == [asked[0]] * 3


def test_a_text_about_which_people_cannot_be_asked_is_named_and_nothing_is_added() -> None:
    run = run_with("bug", "linear", successes=1)
    original = Original.objects.create(task="headlines", key="long")
    before, after = (variant_of(original, kind, f"{word} " * 1_001) for kind, word in (("original", "a"), ("bug", "b")))
    Example.objects.create(run=run, before=before, after=after, status="success")
    campaign = create_campaign(name="c", title="C", protocol="mark_words")
    said = f"“{after.text[:60]}…”: 1,001 words were altered; people can be asked to mark 1,000 at most. Nothing was added."
    for draw in (draw_sample, add_sample):
        with pytest.raises(DomainError) as refused:
            draw(campaign=campaign, runs=[run], plan=SamplePlan(seed=0, size=2, by=("attacker",)))
        assert str(refused.value) == said
    assert Item.objects.count() == 0

"""A series of rounds: its test set and anchors, what is selected next, what versions learn from, and who may judge again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from annotation.errors import DomainError, NothingToClaim
from annotation.models import (
    Campaign,
    Claim,
    Example,
    LearnedModel,
    Membership,
    Original,
    Round,
    RoundItem,
    Series,
    User,
    Variant,
)
from annotation.queries.own import slots_for
from annotation.queries.rounds import (
    anchors_of,
    held_out,
    learned_from,
    measures_of,
    of_held_out,
    originals_held_out,
    rounds_of,
    said_in,
)
from annotation.queries.training_table import training_rows
from annotation.services.campaigns import create_campaign, open_campaign
from annotation.services.claiming import claim_next
from annotation.services.deleting import delete_campaign
from annotation.services.rounds import Next, candidates_for, drop_round, next_round, start_series
from annotation.services.versions import train_version
from regressors.storage import load
from tests.annotation.rounds_made import BAE, PWWS, answer_all, attack_run, join, judged_campaign, spoilt, train_quickly

pytestmark = pytest.mark.django_db
Part = RoundItem.Part


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    """Models go to a folder of this test's own."""
    train_quickly(monkeypatch)
    settings.DATA_DIR = tmp_path / "data"


@pytest.fixture
def first(organiser: User) -> Campaign:
    return judged_campaign(organiser)


@pytest.fixture
def series(first: Campaign, organiser: User) -> Series:
    return start_series(name="harbour", campaigns=[first], learner="ordinal", anchors=4, seed=3, by=organiser)


@pytest.fixture
def trained(series: Series) -> Series:
    train_version(series=series)
    return series


def wanted(first: Campaign, strategy: str = "uncertain", **how: Any) -> Next:
    return Next(runs=[attack_run(first)], strategy=strategy, **({"size": 8, "seed": 5} | how))


def test_the_test_set_is_every_text_of_some_originals_and_anchors_are_of_others(series: Series, first: Campaign) -> None:
    tested = set(originals_held_out(series))
    assert len(tested) == 6
    assert set(held_out(series)) == set(first.items.filter(original__in=tested))
    anchors = list(anchors_of(series))
    assert len({item.original_id for item in anchors}) == 4
    assert tested.isdisjoint(item.original for item in anchors)


def test_what_was_drawn_follows_from_the_seed(series: Series, first: Campaign) -> None:
    same, other = (start_series(name=f"again-{seed}", campaigns=[first], anchors=4, seed=seed) for seed in (3, 4))
    assert list(held_out(same)) == list(held_out(series))
    assert list(anchors_of(same)) == list(anchors_of(series))
    assert list(held_out(other)) != list(held_out(series))


def test_no_version_learns_from_variants_of_test_originals(series: Series, first: Campaign) -> None:
    tested = {f"ferries/{key}" for key in originals_held_out(series).values_list("key", flat=True)}
    rows = training_rows(first, only=learned_from(series))
    assert rows.originals is not None
    assert len(rows.texts) == 36
    assert tested.isdisjoint(rows.originals)
    assert set(training_rows(first, only=of_held_out(series)).originals or []) == tested


def test_a_text_that_equals_one_of_the_test_set_is_not_learned_from(series: Series, first: Campaign) -> None:
    text = held_out(series)[0].first
    item = first.items.filter(made_by=BAE).exclude(original__in=originals_held_out(series)).earliest("number")
    Variant.objects.filter(pk=item.first_id).update(sha256=text.sha256)
    assert len(training_rows(first, only=learned_from(series)).texts) == 35


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"name": "a b"}, "letters, digits, hyphens"),
        ({"name": "harbour"}, "already a series named"),
        ({"test_share": 0.1}, "The test set would have 2 of them, and needs 5 at least"),
        ({"test_share": 1.0}, "between none and all"),
        ({"anchors": 19}, "one for each of 19 anchors"),
    ],
)
def test_a_series_that_cannot_be_is_refused(series: Series, first: Campaign, how: dict[str, Any], said: str) -> None:
    with pytest.raises(DomainError, match=said):
        start_series(**({"name": "other", "campaigns": [first], "anchors": 4} | how))
    assert Series.objects.count() == 1


def test_simulated_readers_and_people_never_mix(first: Campaign, organiser: User) -> None:
    drawn = create_campaign(name="drawn", title="Drawn", protocol="suspicion", simulated=True)
    with pytest.raises(DomainError, match="never mix"):
        start_series(name="both", campaigns=[first, drawn])
    with pytest.raises(DomainError, match="did not ask how suspicious"):
        start_series(name="pairs", campaigns=[create_campaign(name="pairs", title="Pairs", protocol="meaning")])


def test_candidates_are_new_texts_of_no_test_original_and_no_anchor(series: Series, first: Campaign) -> None:
    apart = {*originals_held_out(series), *(item.original for item in anchors_of(series))}
    free = [original for original in Original.objects.filter(key__startswith="first-").order_by("pk") if original not in apart]
    aside = int(free[0].key.removeprefix("first-"))
    run = attack_run(first, aside=[aside])
    again = attack_run(first, name="again", attacker="pruthi")
    known = Variant.objects.get(original=free[1], kind=BAE, text=spoilt(int(free[1].key.removeprefix("first-")), "qx"))
    Variant.objects.filter(original=free[1], examples__run=again).update(sha256=known.sha256)

    found = candidates_for(series, [run, again])
    assert {example.after.original for example in found} == set(free)
    assert len(found) == 2 * len(free) - 2
    assert free[0] not in {example.after.original for example in found if example.run == run}
    assert free[1] not in {example.after.original for example in found if example.run == again}


def test_an_original_of_another_name_is_the_same_if_its_text_is(series: Series, first: Campaign) -> None:
    run = attack_run(first)
    named, texts = Variant.objects.filter(kind=Variant.UNCHANGED), list(Example.objects.filter(run=run).order_by("pk"))
    for items in (held_out(series), anchors_of(series)):
        original = items[0].original
        [attacked] = [each for each in texts if each.before.original == original]
        other = Original.objects.create(task="elsewhere", key=f"of-{original.key}")
        before, after = named.get(original=original), attacked.after
        attacked.before = Variant.objects.create(original=other, kind=Variant.UNCHANGED, text=before.text, sha256=before.sha256)
        attacked.after = Variant.objects.create(original=other, kind=PWWS, text=after.text, sha256=after.sha256)
        attacked.save()
        after.delete()
    assert len(candidates_for(series, [run])) == 14

    # Somebody judges the test original's other name after all: nothing is learned from that.
    [item] = first.items.exclude(original__in=originals_held_out(series)).order_by("number")[:1]
    other = Original.objects.get(key=f"of-{held_out(series)[0].original.key}")
    learned = len(training_rows(first, only=learned_from(series)).texts)
    Claim.objects.filter(item=item).update(original=other)
    assert len(training_rows(first, only=learned_from(series)).texts) == learned - 1


def test_originals_of_one_text_are_tested_or_learned_from_together(first: Campaign, organiser: User) -> None:
    judged_campaign(organiser, name="second")
    again = Campaign.objects.get(name="second")
    series = start_series(name="both", campaigns=[first, again], anchors=4, seed=3, by=organiser)
    texts = {item.first.text.rpartition(" ")[2] for item in held_out(series)}
    assert len(held_out(series)) == 4 * len(texts) == 24
    assert texts.isdisjoint(item.first.text.rpartition(" ")[2] for item in anchors_of(series))


def test_a_round_is_a_campaign_with_what_was_selected_and_the_anchors(trained: Series, first: Campaign, organiser: User) -> None:
    made = next_round(series=trained, wanted=wanted(first), by=organiser)
    campaign = made.campaigns.get()
    chosen = list(made.items.filter(part=Part.CHOSEN))

    assert (made.number, made.planned, made.candidates, len(chosen)) == (2, 8, 14, 8)
    assert (campaign.name, campaign.state, campaign.settings) == ("harbour-2", "draft", first.settings)
    assert [each["name"] for each in made.asked] == ["harbour-1"]
    assert {row.item.first.kind for row in chosen} == {PWWS}
    assert all(0 < (row.probability or 0) <= 1 for row in chosen)
    assert len({row.probability for row in chosen}) > 1
    anchors = campaign.items.filter(repeated=True)
    assert set(anchors.values_list("first")) == set(anchors_of(trained).values_list("first"))
    assert set(anchors) == {row.item for row in made.items.filter(part=Part.ANCHOR)}
    assert campaign.items.count() == 12


def test_selected_items_never_enter_a_test_set(trained: Series, first: Campaign, organiser: User) -> None:
    made = next_round(series=trained, wanted=wanted(first, "random"), by=organiser)
    row = made.items.filter(part=Part.CHOSEN)[0]
    with pytest.raises(IntegrityError), transaction.atomic():
        RoundItem.objects.filter(pk=row.pk).update(part=Part.TEST)
    with pytest.raises(IntegrityError), transaction.atomic():
        RoundItem.objects.filter(pk=row.pk).update(probability=None)
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.filter(pk=made.pk).update(strategy="given")
    assert set(held_out(trained)).isdisjoint(made.campaigns.get().items.all())


def test_a_round_has_to_be_trained_before_the_next(series: Series, first: Campaign) -> None:
    with pytest.raises(DomainError, match="No version has learned from round 1 yet"):
        next_round(series=series, wanted=wanted(first))


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"strategy": "disagreeing"}, "two versions to disagree"),
        ({"strategy": "given"}, "no strategy “given”"),
        ({"size": 15}, "14 texts that may be judged next, not 15"),
    ],
)
def test_a_round_that_cannot_be_is_refused(trained: Series, first: Campaign, how: dict[str, Any], said: str) -> None:
    with pytest.raises(DomainError, match=said):
        next_round(series=trained, wanted=wanted(first, **how))
    assert trained.rounds.count() == 1


def test_who_judged_an_anchor_may_judge_it_again_and_who_saw_another_variant_may_not(
    trained: Series, first: Campaign, organiser: User
) -> None:
    campaign = next_round(series=trained, wanted=wanted(first), by=organiser).campaigns.get()
    open_campaign(campaign=campaign)
    assert {each.link_group for each in Campaign.objects.filter(name__in=("first", "harbour-2"))} == {"harbour"}
    anchored_by = {
        person: set(Claim.objects.filter(campaign=first, annotator__username=person).values_list("item__first", flat=True))
        & set(campaign.items.filter(repeated=True).values_list("first", flat=True))
        for person in ("ada", "ben")
    }
    people = {person: join(campaign, person) for person in anchored_by}
    for person, theirs in anchored_by.items():
        answer_all(campaign, [people[person]])
        met = Claim.objects.filter(campaign=campaign, annotator=people[person])
        # Of each original both have seen a text in the first round, so that anchors are all that is left for them.
        assert set(met.values_list("item__first", flat=True)) == theirs
    assert set.union(*anchored_by.values()) == set(campaign.items.filter(repeated=True).values_list("first", flat=True))
    stranger = join(campaign, "cy")
    assert answer_all(campaign, [stranger]) == 8
    with pytest.raises(NothingToClaim):
        claim_next(campaign=campaign, annotator=stranger)


def test_whoever_met_an_anchor_in_a_linked_campaign_gets_no_other_variant_there(
    trained: Series, first: Campaign, organiser: User
) -> None:
    campaign = next_round(series=trained, wanted=wanted(first), by=organiser).campaigns.get()
    open_campaign(campaign=campaign)
    newcomer = join(campaign, "dora")
    answer_all(campaign, [newcomer])
    first.memberships.create(user=newcomer, role="annotator")
    seen = set(Claim.objects.filter(campaign=campaign, annotator=newcomer).values_list("original", flat=True))
    anchors = set(campaign.items.filter(repeated=True).values_list("original", flat=True))
    left = slots_for(Membership.objects.get(campaign__name="first", user=newcomer)).values_list("item__original", flat=True)
    assert anchors <= seen
    assert seen.isdisjoint(left)


def test_versions_learn_from_all_rounds_and_stand_side_by_side(trained: Series, first: Campaign, organiser: User) -> None:
    made = next_round(series=trained, wanted=wanted(first), by=organiser)
    campaign = made.campaigns.get()
    with pytest.raises(DomainError, match="Nobody has answered in round 2"):
        train_version(series=trained)
    open_campaign(campaign=campaign)
    answer_all(campaign, [join(campaign, "cy")])
    model = train_version(series=trained)
    trained.refresh_from_db()

    assert (model.name, model.card["series"]) == ("harbour-2", {"name": "harbour", "round": 2})
    assert model.learned_from == [first, campaign]
    # 36 texts of the first round, and 8 that were selected; what was said of anchors again is left out.
    assert (model.card["data"]["texts"], model.card["data"]["judgements"]) == (44, 44)
    versions = trained.measured["versions"]
    assert [version["name"] for version in versions] == ["harbour-1", "harbour-2"]
    assert {version["r"]["n"] for version in versions} == {12}
    assert versions[1]["error_change"]["method"] == "paired difference of mean absolute errors"
    assert trained.measured["models"]["harbour-2"] == load(Path(model.folder)).sha256
    third = next_round(
        series=trained, wanted=Next(runs=[attack_run(first, name="more")], strategy="disagreeing", size=3, seed=1), by=organiser
    )
    assert [each["name"] for each in third.asked] == ["harbour-1", "harbour-2"]


def test_a_version_whose_training_was_stopped_at_the_end_is_the_rounds(series: Series) -> None:
    made = train_version(series=series)
    Round.objects.update(model=None)
    assert train_version(series=series) == made
    assert rounds_of(series)[0].model == made
    Round.objects.update(model=None)
    LearnedModel.objects.update(card={})
    with pytest.raises(DomainError, match="already a model named “harbour-1”"):
        train_version(series=series)


def test_a_version_whose_folder_was_changed_selects_nothing(trained: Series, first: Campaign) -> None:
    LearnedModel.objects.update(sha256="0" * 64)
    with pytest.raises(DomainError, match="“harbour-1” was changed since it was kept"):
        next_round(series=trained, wanted=wanted(first))
    assert trained.rounds.count() == 1


def test_what_people_said_of_the_attacks_and_anchors_of_a_round(trained: Series, first: Campaign, organiser: User) -> None:
    made = next_round(series=trained, wanted=wanted(first), by=organiser)
    campaign = made.campaigns.get()
    open_campaign(campaign=campaign)
    answer_all(campaign, [join(campaign, "cy")], score=lambda item: 2 if item.repeated else 4)
    before, now = (said_in(each) for each in rounds_of(trained))
    mean, share = measures_of(campaign).values()

    assert {each.value for each in now.observed(mean)} == {4}
    assert {each.value for each in now.observed(share)} == {1}
    assert sorted(each.probability for each in now.observed(mean)) == sorted(
        made.items.filter(part=Part.CHOSEN).values_list("probability", flat=True)
    )
    assert len(before.attacks) == first.items.exclude(made_by=Variant.UNCHANGED).count() == 24
    assert {each.probability for each in before.observed(mean)} == {1.0}
    assert set(now.anchored(mean).values()) == {2}
    assert now.anchors.keys() == before.anchors.keys()
    assert (before.answers, now.answers) == ((48, 48), (12, 12))


def test_a_round_can_be_taken_back_until_somebody_answers(trained: Series, first: Campaign, organiser: User) -> None:
    run = wanted(first)
    campaign = next_round(series=trained, wanted=run, by=organiser).campaigns.get()
    with pytest.raises(DomainError, match="judged in a round"):
        delete_campaign(campaign=campaign, by=organiser)
    with pytest.raises(DomainError, match="never the first"):
        drop_round(series=trained, number=1)
    drop_round(series=trained, number=2)
    again = next_round(series=trained, wanted=run, by=organiser)
    assert (again.number, again.campaigns.get().name) == (2, "harbour-2-2")
    delete_campaign(campaign=campaign, by=organiser)
    open_campaign(campaign=again.campaigns.get())
    answer_all(again.campaigns.get(), [join(again.campaigns.get(), "cy")])
    with pytest.raises(DomainError, match="People have answered"):
        drop_round(series=trained, number=2)

"""Linked campaigns exclude together, whatever their protocols."""

from __future__ import annotations

import pytest

from annotation.errors import DomainError, NothingToClaim
from annotation.models import Campaign, Claim, Item, Original, User, Variant
from annotation.protocols import exclusion_of
from annotation.services.campaigns import NewItem, add_items, create_campaign, open_campaign
from annotation.services.claiming import claim_next
from annotation.services.linking import link_campaigns, unlink_campaign
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign, variant


@pytest.fixture
def three(organiser: User) -> list[Campaign]:
    """A meaning, a binary and a preference campaign about variants of the same two originals."""
    originals = [Original.objects.create(task="headlines", key=f"o{number}") for number in (1, 2)]
    texts = {original: [variant(original, kind, f"{kind} {original.key} text") for kind in (Variant.UNCHANGED, "bae", "pwws")]
             for original in originals}  # fmt: skip
    made = []
    for protocol in ("meaning", "binary", "preference"):
        campaign = create_campaign(name=protocol, title=protocol, protocol=protocol, created_by=organiser)
        for before, first, second in texts.values():
            new = {"meaning": (before, first), "binary": (second,), "preference": (first, second)}[protocol]
            add_items(campaign=campaign, items=[NewItem(before.original, *new)])
        open_campaign(campaign=campaign)
        made.append(campaign)
    return made


def test_nobody_sees_two_variants_of_one_original_in_any(
    three: list[Campaign], organiser: User, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    link_campaigns(campaigns=three, by=organiser, group="study")
    meaning, binary, preference = Campaign.objects.order_by("pk")
    ada = make_annotator(meaning, "ada")
    for campaign in (binary, preference):
        campaign.memberships.create(user=ada, role="annotator")
    answer(meaning, ada, "preserve")
    answer(binary, ada, "altered")
    for campaign in (meaning, binary, preference):
        with pytest.raises(NothingToClaim):
            claim_next(campaign=campaign, annotator=ada)
    met = Claim.objects.filter(annotator=ada).values_list("original", flat=True)
    assert (len(met), len(set(met))) == (2, 2)
    assert set(Claim.objects.values_list("exclusion", flat=True)) == {"study"}


def test_claims_that_clash_refuse_the_link_and_say_how_many(
    three: list[Campaign], organiser: User, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    meaning, binary, _ = three
    for name in ("ada", "ben"):
        person = make_annotator(meaning, name)
        binary.memberships.create(user=person, role="annotator")
        answer(meaning, person, "preserve")
        answer(meaning, person, "preserve")
        answer(binary, person, "human")
    with pytest.raises(DomainError, match=r"2 people have seen more than one variant .* \([12] originals?\)"):
        link_campaigns(campaigns=[meaning, binary], by=organiser, group="study")
    assert set(Campaign.objects.values_list("link_group", flat=True)) == {""}
    assert set(Claim.objects.filter(campaign=meaning).values_list("exclusion", flat=True)) == {None}


def test_claims_that_do_not_clash_get_the_group_and_lose_it(
    three: list[Campaign], organiser: User, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    meaning, binary, preference = three
    answer(meaning, make_annotator(meaning, "ada"), "preserve")
    answer(binary, make_annotator(binary, "ben"), "human")
    link_campaigns(campaigns=[meaning, binary], by=organiser, group="study")
    assert set(Claim.objects.values_list("exclusion", flat=True)) == {"study"}
    link_campaigns(campaigns=[preference], by=organiser, group="study")
    assert set(Campaign.objects.values_list("link_group", flat=True)) == {"study"}
    for campaign in (meaning, binary):
        unlink_campaign(campaign=campaign, by=organiser)
    assert dict(Claim.objects.values_list("campaign__name", "exclusion")) == {"meaning": None, "binary": f"campaign:{binary.pk}"}
    verbs = meaning.events.order_by("pk").values_list("verb", flat=True)
    assert list(verbs)[-2:] == ["linked", "unlinked"]


@pytest.mark.parametrize("state", [state for state in Claim.State if state not in Claim.STANDING])
def test_whoever_did_not_answer_has_seen_the_text_all_the_same(
    three: list[Campaign], organiser: User, make_annotator: MakeAnnotator, answer: Answer, state: str
) -> None:
    meaning, binary, _ = three
    ada = make_annotator(meaning, "ada")
    binary.memberships.create(user=ada, role="annotator")
    for _ in range(2):
        answer(meaning, ada, "preserve")
        answer(binary, ada, "human")
    Claim.objects.filter(campaign=meaning).update(state=state)
    with pytest.raises(DomainError, match=r"1 person has seen more than one variant .* \(2 originals\)"):
        link_campaigns(campaigns=[meaning, binary], by=organiser, group="study")


def test_an_item_that_came_back_to_the_same_person_is_one_item(
    three: list[Campaign], organiser: User, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    meaning, binary, _ = three
    ada = make_annotator(meaning, "ada")
    answer(meaning, ada, "preserve")
    once = Claim.objects.get()
    once.pk, once.state = None, Claim.State.RELEASED
    once.save()
    link_campaigns(campaigns=[meaning, binary], by=organiser, group="study")
    assert set(Claim.objects.values_list("exclusion", flat=True)) == {"study"}


def test_practice_excludes_nobody(three: list[Campaign], organiser: User, make_annotator: MakeAnnotator, answer: Answer) -> None:
    meaning, binary, _ = three
    ada = make_annotator(meaning, "ada")
    answer(meaning, ada, "preserve")
    Claim.objects.update(use=Item.Use.TRAINING)
    link_campaigns(campaigns=[meaning, binary], by=organiser, group="study")
    assert Claim.objects.get().exclusion is None


@pytest.mark.parametrize(
    ("group", "fields", "says"),
    [
        ("campaign:1", {}, "letters, digits"),
        ("study", {"imported": True}, "Nobody is asked"),
        ("study", {"simulated": True}, "Nobody is asked"),
        ("study", {"link_group": "another"}, "linked already"),
    ],
)
def test_what_cannot_be_linked(three: list[Campaign], organiser: User, group: str, fields: dict[str, object], says: str) -> None:
    Campaign.objects.filter(pk=three[1].pk).update(**fields)
    with pytest.raises(DomainError, match=says):
        link_campaigns(campaigns=three[:2], by=organiser, group=group)
    assert Campaign.objects.get(pk=three[0].pk).link_group == ""


def test_one_campaign_alone_is_no_link(make_campaign: MakeCampaign, organiser: User) -> None:
    campaign = make_campaign()
    with pytest.raises(DomainError, match="Choose another"):
        link_campaigns(campaigns=[campaign], by=organiser, group="study")
    with pytest.raises(DomainError, match="not linked"):
        unlink_campaign(campaign=campaign, by=organiser)


def test_the_group_of_exclusion(make_campaign: MakeCampaign) -> None:
    meaning, binary = make_campaign(), make_campaign("binary", name="second")
    assert (exclusion_of(meaning), exclusion_of(binary)) == (None, f"campaign:{binary.pk}")
    meaning.link_group = binary.link_group = "study"
    assert (exclusion_of(meaning), exclusion_of(binary)) == ("study", "study")

"""Teams, and groups of two that never judge a text of one of their own teams (InCrediblAE, section 3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from annotation.errors import DomainError, NothingToClaim
from annotation.models import Campaign, Claim, Event, Item, Membership, Original, Team, User, Variant
from annotation.protocols.votes import votes_of
from annotation.services import teams
from annotation.services.campaigns import NewItem, add_items, create_campaign, open_campaign
from annotation.services.claiming import claim_next
from annotation.services.members import pause
from annotation.services.people import admit
from tests.annotation.conftest import Answer, MakeCampaign, variant

SharedTask = Callable[..., Campaign]


@pytest.fixture
def shared_task(organiser: User) -> SharedTask:
    """A campaign about texts of teams (name → how many), with people of teams, and an organisers' team."""

    def make(*, texts: dict[str, int], people: dict[str, int], protocol: str = "meaning") -> Campaign:
        campaign = create_campaign(
            name="task",
            title="Task",
            protocol=protocol,
            created_by=organiser,
            settings={"third_from": "home"} if protocol == "meaning" else {},
        )
        news = []
        for maker, count in texts.items():
            for number in range(count):
                original = Original.objects.create(task="t", key=f"{maker}-{number}")
                before = variant(original, Variant.UNCHANGED, f"A text, {maker} {number}.")
                news.append(NewItem(original, before, variant(original, maker, f"A tezt, {maker} {number}.")))
        add_items(campaign=campaign, items=news)
        for name, count in people.items():
            team = teams.make_team(campaign=campaign, name=name, by=organiser)
            for number in range(1, count + 1):
                admit(campaign=campaign, user=User.objects.create_user(username=f"{name}{number}"), team=team)
        open_campaign(campaign=campaign)
        return campaign

    return make


def own_texts_dealt(campaign: Campaign) -> int:
    pairs = Item.objects.filter(campaign=campaign).values_list("made_by", "group__members__team__name")
    return sum(maker == team for maker, team in pairs)


def test_groups_are_a_participant_with_an_organiser_and_never_get_their_own_teams_texts(
    shared_task: SharedTask, organiser: User
) -> None:
    campaign = shared_task(
        texts={"red": 10, "blue": 7, "green": 4, "home": 0}, people={"red": 1, "blue": 1, "green": 1, "home": 3}
    )
    drawn = teams.draw_groups(campaign=campaign, by=organiser, seed=1)
    assert (drawn.groups, drawn.items, drawn.spare) == (3, 21, ())
    members = [sorted(m.team.name for m in group.members.all() if m.team) for group in campaign.groups.all()]
    assert sorted(members) == [["blue", "home"], ["green", "home"], ["home", "red"]]
    assert own_texts_dealt(campaign) == 0
    assert sorted(Counter(Item.objects.values_list("group__number", flat=True)).values()) == [7, 7, 7]


@pytest.mark.parametrize("seed", range(8))
def test_groups_get_equally_many_wherever_that_is_possible(shared_task: SharedTask, organiser: User, seed: int) -> None:
    texts = {"red": 2, "blue": 11, "green": 3, "unknown": 4}
    campaign = shared_task(texts=texts, people={"red": 2, "blue": 1, "green": 1, "home": 4})
    teams.draw_groups(campaign=campaign, by=organiser, seed=seed)
    assert own_texts_dealt(campaign) == 0
    assert sorted(Counter(Item.objects.values_list("group__number", flat=True)).values()) == [5, 5, 5, 5]


def test_the_same_seed_draws_the_same_groups(shared_task: SharedTask, organiser: User) -> None:
    campaign = shared_task(texts={"red": 9, "blue": 9}, people={"red": 2, "blue": 2, "home": 4})

    def draw(seed: int) -> tuple[list[tuple[str, int]], list[int]]:
        teams.draw_groups(campaign=campaign, by=organiser, seed=seed)
        people = campaign.memberships.filter(group__isnull=False).order_by("user__username")
        return list(people.values_list("user__username", "group__number")), list(
            Item.objects.order_by("number").values_list("group__number", flat=True)
        )

    first = draw(5)
    assert draw(6) != first
    assert draw(5) == first


def test_whoever_is_left_of_the_organisers_is_there_for_thirds(shared_task: SharedTask, organiser: User) -> None:
    campaign = shared_task(texts={"red": 2, "blue": 2}, people={"red": 1, "blue": 1, "home": 3})
    drawn = teams.draw_groups(campaign=campaign, by=organiser, seed=1)
    left = campaign.memberships.get(team__name="home", group__isnull=True)
    assert drawn.spare == (left.user.username,)


@pytest.mark.parametrize(
    ("people", "texts", "says"),
    [
        ({"home": 2}, {"red": 1}, "No annotator is in a participating team"),
        ({"red": 3, "home": 2}, {"red": 1}, "3 participants and 2 of the organisers' team “home”: 1 more is needed"),
        ({"blue": 1, "home": 1}, {"red": 1}, "A third judgement needs somebody else of the team “home”"),
        ({"red": 2, "home": 2}, {"red": 1, "blue": 1}, "No group may judge the texts of “red”"),
    ],
)
def test_what_is_missing_is_named_and_nothing_is_drawn(
    shared_task: SharedTask, organiser: User, people: dict[str, int], texts: dict[str, int], says: str
) -> None:
    campaign = shared_task(texts=texts, people=people)
    with pytest.raises(DomainError, match=says):
        teams.draw_groups(campaign=campaign, by=organiser, seed=1)
    assert (campaign.groups.count(), Item.objects.filter(group__isnull=False).count()) == (0, 0)


def test_paused_people_are_in_no_group(shared_task: SharedTask, organiser: User) -> None:
    campaign = shared_task(texts={"red": 1, "blue": 1}, people={"red": 2, "blue": 1, "home": 2})
    pause(member=campaign.memberships.get(user__username="red2"), by=organiser)
    assert teams.draw_groups(campaign=campaign, by=organiser, seed=1).groups == 2
    assert campaign.memberships.get(user__username="red2").group is None


def test_campaigns_where_variants_exclude_each_other_have_no_groups(shared_task: SharedTask, organiser: User) -> None:
    campaign = shared_task(texts={"red": 2}, people={"blue": 1, "home": 2}, protocol="preference")
    with pytest.raises(DomainError, match="two variants of one original"):
        teams.draw_groups(campaign=campaign, by=organiser, seed=1)


def test_everybody_is_given_their_groups_items_and_thirds_come_from_the_organisers(
    shared_task: SharedTask, organiser: User, answer: Answer
) -> None:
    campaign = shared_task(texts={"red": 6, "blue": 6}, people={"red": 1, "blue": 1, "home": 3})
    teams.draw_groups(campaign=campaign, by=organiser, seed=1)
    people = {member.user.username: member for member in campaign.memberships.filter(team__isnull=False)}
    label = {"red1": "preserve", "blue1": "preserve"}
    for _ in range(3):
        for name, member in people.items():
            while True:
                try:
                    answer(campaign, member.user, label.get(name, "change"))
                except NothingToClaim:
                    break
    for item in campaign.items.all():
        given = list(item.claims.order_by("slot__position").values_list("annotator__username", flat=True))
        first, third = given[:2], given[2]
        assert sorted(first) == sorted(m.user.username for m in item.group.members.all())  # type: ignore[union-attr]
        assert (third.startswith("home"), third in first) == (True, False)
        assert not any(name.startswith(item.made_by) for name in given)
    assert Claim.objects.count() == 36


def test_new_items_are_dealt_to_the_groups_that_have_begun(shared_task: SharedTask, organiser: User, answer: Answer) -> None:
    campaign = shared_task(texts={"red": 4, "blue": 4}, people={"red": 1, "blue": 1, "home": 2})
    teams.draw_groups(campaign=campaign, by=organiser, seed=1)
    answer(campaign, User.objects.get(username="red1"), "preserve")
    before = dict(campaign.memberships.values_list("pk", "group__pk"))
    original = Original.objects.create(task="t", key="new")
    texts = variant(original, Variant.UNCHANGED, "New."), variant(original, "red", "Nev.")
    (new,) = add_items(campaign=campaign, items=[NewItem(original, *texts)])
    assert teams.draw_groups(campaign=campaign, by=organiser, seed=2).items == 1
    new.refresh_from_db()
    assert [m.team.name for m in new.group.members.all() if m.team and m.team.name != "home"] == ["blue"]  # type: ignore[union-attr]
    assert dict(campaign.memberships.values_list("pk", "group__pk")) == before


def test_groups_cannot_be_drawn_once_people_answer_without(shared_task: SharedTask, organiser: User, answer: Answer) -> None:
    campaign = shared_task(texts={"red": 2}, people={"blue": 1, "home": 2})
    answer(campaign, User.objects.get(username="blue1"), "preserve")
    with pytest.raises(DomainError, match="begun to answer without groups"):
        teams.draw_groups(campaign=campaign, by=organiser, seed=1)


def test_nobody_is_given_their_own_teams_text_even_without_groups(shared_task: SharedTask, organiser: User) -> None:
    campaign = shared_task(texts={"red": 3, "blue": 1}, people={"red": 1, "home": 2})
    assert claim_next(campaign=campaign, annotator=User.objects.get(username="red1")).item.made_by == "blue"


def test_a_team_that_withdraws_takes_its_texts_out_and_can_be_taken_in_again(
    shared_task: SharedTask, organiser: User, answer: Answer
) -> None:
    campaign = shared_task(texts={"red": 1, "blue": 1}, people={"red": 1, "blue": 1, "home": 2})
    home1, home2 = (User.objects.get(username=name) for name in ("home1", "home2"))
    answer(campaign, home1, "preserve")
    answer(campaign, home1, "preserve")
    red = Team.objects.get(name="red")
    teams.withdraw_team(team=red, by=organiser)
    teams.withdraw_team(team=red, by=organiser)
    assert [entry.variant for entry in votes_of(campaign)] == ["blue"]
    assert claim_next(campaign=campaign, annotator=home2).item.made_by == "blue"
    answer(campaign, home2, "preserve")
    with pytest.raises(NothingToClaim):
        claim_next(campaign=campaign, annotator=home2)
    teams.return_team(team=red, by=organiser)
    assert [entry.variant for entry in votes_of(campaign)] == ["red", "blue"]
    assert claim_next(campaign=campaign, annotator=home2).item.made_by == "red"
    logged = Event.objects.filter(campaign=campaign, verb__startswith="team_").order_by("pk")
    assert [event.verb for event in logged] == ["team_withdrew", "team_returned"]


def test_team_names_are_once_per_campaign(shared_task: SharedTask, organiser: User) -> None:
    campaign = shared_task(texts={"red": 1}, people={"red": 1})
    for name, says in (("  red ", "There is a team “red” already"), ("   ", "needs a name")):
        with pytest.raises(DomainError, match=says):
            teams.make_team(campaign=campaign, name=name, by=organiser)
    assert Team.objects.count() == 1


def test_the_organisers_team_is_chosen_from_the_teams(make_campaign: MakeCampaign, organiser: User) -> None:
    campaign = make_campaign()
    with pytest.raises(DomainError, match="Say first which team is the organisers'"):
        teams.draw_groups(campaign=campaign, by=organiser, seed=1)
    teams.name_organisers_team(team=teams.make_team(campaign=campaign, name="home", by=organiser), by=organiser)
    campaign.refresh_from_db()
    assert campaign.settings["third_from"] == "home"
    assert Membership.objects.filter(group__isnull=False).count() == 0

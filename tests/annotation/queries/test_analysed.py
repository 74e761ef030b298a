"""An analysis is computed once, and anew after whatever it follows from has changed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.cache import cache

from annotation.models import Campaign, Decision, Judgement, Label, Pseudonym, User
from annotation.protocols.meaning import Meaning
from annotation.protocols.votes import votes_of
from annotation.queries.analysed import analysed
from tests.annotation.conftest import Answer, MakeAnnotator

pytestmark = pytest.mark.django_db
Change = Callable[[Campaign], object]


@pytest.fixture
def judged(campaign: Campaign, annotator: User, make_annotator: MakeAnnotator, answer: Answer) -> Campaign:
    cache.clear()
    for person in (annotator, make_annotator(campaign, "boris")):
        answer(campaign, person, "preserve")
    return campaign


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grows by one whenever an analysis is computed."""
    found: list[str] = []
    analyse = Meaning.analyse

    def counting(self: Meaning, campaign: Campaign, items: object) -> object:
        found.append(campaign.name)
        return analyse(self, campaign, items)  # type: ignore[arg-type]

    monkeypatch.setattr(Meaning, "analyse", counting)
    return found


def test_it_is_computed_once_and_the_same_when_it_is_taken_from_where_it_was_kept(judged: Campaign, computed: list[str]) -> None:
    assert analysed(judged, votes_of(judged)) == analysed(judged, votes_of(judged)) == Meaning().analyse(judged, votes_of(judged))
    assert len(computed) == 2


def rename(campaign: Campaign) -> None:
    Label.objects.filter(campaign=campaign, key="preserve").update(name="means the same")


def say_more(campaign: Campaign) -> None:
    campaign.settings = campaign.settings | {"kept": ["preserve", "change"]}


CHANGES: dict[str, Change] = {
    "another confidence": lambda campaign: Judgement.objects.update(confidence=1),
    "an answer that does not count": lambda campaign: Judgement.objects.filter(pk=first()).update(uncounted="excluded"),
    "another decision": lambda campaign: Decision.objects.update(label=campaign.labels.get(key="change")),
    "another name of a label": rename,
    "another setting": say_more,
    "another number for a person": lambda campaign: Pseudonym.objects.create(
        campaign=campaign, user=User.objects.get(username="boris"), number=7
    ),
    "another score of a text": lambda campaign: campaign.items.update(character_score=0.5),
}  # fmt: skip


def first() -> int:
    return Judgement.objects.earliest("pk").pk


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_it_follows_from_makes_it_anew(judged: Campaign, computed: list[str], change: Change) -> None:
    analysed(judged, votes_of(judged))
    change(judged)
    found = analysed(judged, votes_of(judged))
    assert len(computed) == 2
    cache.clear()
    assert found == analysed(judged, votes_of(judged))


def test_a_new_judgement_makes_it_anew(judged: Campaign, computed: list[str], annotator: User, answer: Answer) -> None:
    before = analysed(judged, votes_of(judged))
    answer(judged, annotator, "change")
    assert analysed(judged, votes_of(judged)) != before
    assert len(computed) == 2

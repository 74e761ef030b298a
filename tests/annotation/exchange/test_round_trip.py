"""Our own export, imported again: the same answers, the same decisions, the same figures, whatever the texts hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.exchange.export import items_jsonl
from annotation.exchange.importing import ImportProblem, import_judgements
from annotation.models import Campaign, Claim, Decision, Item, Judgement, Original, Ruling, Slot, Team, User
from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of
from annotation.services.campaigns import NewItem, add_items, create_campaign
from annotation.services.deciding import decide_all
from annotation.services.moderating import exclude_answer
from annotation.services.practice import set_gold
from annotation.services.recording import RecordedAnswer, RecordedItem, RecordedText, record_judgements
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign, variant
from tests.annotation.exchange.test_importing import NamedBytes

pytestmark = pytest.mark.django_db

Figures = dict[str, Any]


def exported(campaign: Campaign, at_least: int = 0) -> bytes:
    return "".join(items_jsonl(campaign, at_least)).encode()


def imported(data: bytes, name: str = "again") -> Campaign:
    return import_judgements(NamedBytes(data, "items.jsonl"), format="passable", name=name)


def figures(campaign: Campaign) -> Figures:
    """Every number of the analysis; how it is called may say that the annotators are columns of a file."""
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    values = {figure.key: figure.estimate.as_dict() for figure in analysis.figures}
    return values | {table.key: table.as_dict()["rows"] for table in analysis.tables}


def answers(campaign: Campaign) -> list[tuple[Any, ...]]:
    rows = Judgement.objects.filter(claim__campaign=campaign).order_by("claim__item__number", "claim__slot__position", "pk")
    fields = ("claim__item__number", "claim__slot__position", "label__key", "words", "confidence", "comment", "uncounted")
    return list(rows.values_list(*fields, "seconds", "claim__slot__swapped", "claim__slot__extra"))


def annotators(campaign: Campaign) -> list[list[str]]:
    """Who answered, item by item."""
    items = [json.loads(line) for line in exported(campaign).splitlines()][1:]
    return [[given["annotator"] for given in item["judgements"]] for item in items]


def decisions(campaign: Campaign) -> list[tuple[Any, ...]]:
    rows = Decision.objects.filter(item__campaign=campaign).order_by("item__number")
    return list(rows.values_list("item__number", "label__key", "value", "how", "stale", "n_judgements"))


def same(first: Campaign, second: Campaign) -> None:
    assert answers(second) == answers(first)
    assert annotators(second) == annotators(first)
    assert decisions(second) == decisions(first)
    assert figures(second) == figures(first)
    assert {key: second.settings[key] for key in first.settings} == first.settings


def test_a_judged_campaign_comes_back_with_equal_figures(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign(items=4, settings={"comment": True, "tie": "first"})
    people = [make_annotator(campaign, name) for name in ("anna", "boris", "carla")]
    given = (("preserve", "change", "preserve", "change"), ("preserve", "preserve", "no_sense", "change"), ("change", "preserve"))
    for person, labels in zip(people, given, strict=True):
        for label in labels:
            answer(campaign, person, label)
    again = imported(exported(campaign))
    same(campaign, again)
    assert (again.imported, again.state, again.preset) == (True, "closed", campaign.preset)
    assert figures(again)["kappa"]["value"] is not None
    assert exported(again).count(b'"annotator": "A3"') == 2


def test_a_test_that_was_taken_twice_comes_back(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, organiser: User, answer: Answer
) -> None:
    campaign = make_campaign(items=2)
    known = campaign.items.get(number=1)
    set_gold(item=known, by=organiser, label=campaign.labels.get(key="change"), use=Item.Use.TEST)
    ann = make_annotator(campaign, "ann")
    for label in ("preserve", "change", "preserve"):
        answer(campaign, ann, label)
    again = imported(exported(campaign))
    same(campaign, again)
    for each in (campaign, again):
        standing = Claim.objects.filter(campaign=each, item__number=1).order_by("slot__position")
        assert list(standing.values_list("state", flat=True)) == ["released", "answered"]


@pytest.mark.parametrize("protocol", ["suspicion", "preference"])
def test_other_protocols_come_back_too(
    protocol: str, make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign(protocol, items=3, simulated=True)
    labels = ["1", "5", "3"] if protocol == "suspicion" else ["first", "second", "first"]
    for number in range(2):
        person = make_annotator(campaign, f"reader {number}", User.Kind.SIMULATED)
        for label in labels:
            answer(campaign, person, label)
    again = imported(exported(campaign))
    same(campaign, again)
    assert again.simulated


def test_rulings_surplus_answers_gold_items_and_withdrawn_teams_come_back(organiser: User) -> None:
    """What a rule cannot make again, and what figures leave out."""
    campaign = create_campaign(name="whole", title="Whole", protocol="meaning", preset="incrediblae", imported=True)
    texts = (RecordedText("original", "Rain."), RecordedText("team a", "Raim."))
    counted = (
        RecordedAnswer(1, "preserve", 5),
        RecordedAnswer(2, "change", 4),
        RecordedAnswer(2, "preserve", 1, uncounted="surplus"),
    )
    items = [
        RecordedItem("k1", *texts, answers=counted, task="FC"),
        RecordedItem("k2", texts[0], RecordedText("team b", "Ra1n."), answers=counted[:1], task="FC"),
        RecordedItem("k3", *texts, task="HN", use=Item.Use.TRAINING, gold="change", explanation="because"),
    ]
    record_judgements(campaign=campaign, task="", items=items, annotators=["one", "two"])
    Team.objects.create(campaign=campaign, name="team b", withdrawn_at=timezone.now())
    basis = [
        [pk, key] for pk, key in Judgement.objects.filter(uncounted="", claim__item__number=1).values_list("pk", "label__key")
    ]
    label = campaign.labels.get(key="no_sense")
    Ruling.objects.create(item=Item.objects.get(number=1), by=organiser, label=label, basis=basis)
    decide_all(campaign=campaign)
    again = imported(exported(campaign))
    same(campaign, again)
    assert [row[3] for row in decisions(again)] == ["adjudicated", "open"]
    assert [entry.number for entry in votes_of(again)] == [1]
    training = Item.objects.get(campaign=again, number=3)
    assert (training.use, training.gold and training.gold.key, training.explanation) == ("training", "change", "because")
    assert "olga" not in exported(campaign).decode()


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=60).filter(str.strip)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(TEXT, min_size=1, max_size=4), comment=TEXT)
def test_hostile_texts_survive_to_the_last_code_point(db: None, texts: list[str], comment: str) -> None:
    name = f"c{Campaign.objects.count()}"
    campaign = create_campaign(name=name, title=name, protocol="meaning", imported=True)
    answers = (RecordedAnswer(1, "preserve", 5, comment=comment), RecordedAnswer(2, "change", 4))
    items = [
        RecordedItem(str(number), RecordedText("original", "Rain."), RecordedText("bug", text), answers)
        for number, text in enumerate(texts)
    ]
    record_judgements(campaign=campaign, task="t", items=items, annotators=["one", "two"])
    again = imported(exported(campaign), f"{name}-again")
    assert list(again.items.order_by("number").values_list("second__text", flat=True)) == texts
    same(campaign, again)


BAD: dict[str, tuple[Callable[[list[dict[str, Any]]], object], str]] = {
    "no campaign line": (lambda lines: lines.pop(0), "line 1, column record"),
    "another version": (lambda lines: lines[0].update(version=99), "line 1, column version"),
    "an unknown protocol": (lambda lines: lines[0].update(protocol="spss"), "line 1, column protocol"),
    "labels that are none": (lambda lines: lines[0].update(labels=["x"]), "line 1, column labels[1]"),
    "settings that are none": (lambda lines: lines[0].update(settings=3), "line 1, column settings"),
    "an unknown answer": (lambda lines: lines[1]["judgements"][0].update(label="nope"), "line 2, column judgements[1].label"),
    "nobody": (lambda lines: lines[1]["judgements"][0].update(annotator=""), "line 2, column judgements[1].annotator"),
    "an odd confidence": (
        lambda lines: lines[1]["judgements"][0].update(confidence=9),
        "line 2, column judgements[1].confidence",
    ),
    "an odd time": (
        lambda lines: lines[1]["judgements"][0].update(submitted_at="noon"),
        "line 2, column judgements[1].submitted_at",
    ),
    "a text that is none": (lambda lines: lines[1].update(first_text=7), "line 2, column first_text"),
    "a line about nothing": (lambda lines: lines[1].update(record="x"), "line 2, column record"),
    "gold of no label": (lambda lines: lines[1].update(use="training", gold="x"), "line 2, column gold"),
    "names beside each other": (
        lambda lines: lines[1]["judgements"].append({**lines[1]["judgements"][0], "annotator": "a1", "position": 2}),
        "line 1, column judgements.annotator",
    ),
    "two answers in one place": (
        lambda lines: lines[1]["judgements"].append({**lines[1]["judgements"][0], "annotator": "A2"}),
        "line 2, column judgements[2].position",
    ),
}


def wrong_in(line: int, values: dict[str, list[Any]], *into: str | int) -> None:
    """Spoilt exports in which a field of the line, or of what stands in it, has one of these values."""
    for field, wrong in values.items():
        for number, value in enumerate(wrong, start=1):
            place = "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in (*into, field)).removeprefix(".")

            def spoil(lines: list[dict[str, Any]], field: str = field, value: Any = value) -> None:
                found: Any = lines[line - 1]
                for step in into:
                    found = found[step]
                found[field] = value

            BAD[f"{place} {number}"] = (spoil, f"line {line}, column {place}")


wrong_in(1, {
    "version": [True, 1.5, []], "protocol": [[], {}, None], "preset": [[], "x" * 41], "simulated": [1, "no"],
    "campaign": ["x" * 161], "labels": [{}, 3], "settings": [[], {"slots": 10**20}, {"question": 5}, None],
    "withdrawn_teams": [["a", "a"], ["x" * 61], [""], "a"],
})  # fmt: skip
wrong_in(1, {
    "value": [10**30, 40_000, -40_000, True, "1", None, 1.0], "key": ["", "x" * 41, "<b>", 3], "name": ["", "x" * 81, []],
    "definition": ["x" * 301, 1], "hotkey": ["ab", 1],
}, "labels", 0)  # fmt: skip
wrong_in(2, {
    "task": ["x" * 41, 1], "original": ["x" * 81, "", None], "first_kind": ["", "x" * 61], "second_kind": ["", "x" * 61, {}],
    "first_text": ["", " ", None, "x" * 100_001], "second_text": [None, "x" * 100_001], "use": [[], "exam"],
    "explanation": [1], "published_label": ["x" * 41], "judgements": [3, {}], "decision": [3],
})  # fmt: skip
wrong_in(2, {
    "annotator": ["x" * 61, 1, None], "position": [0, -5, 10**20, 40_000, True, None, "1"], "label": ["", None, [], "x" * 41],
    "words": [[0], []], "confidence": [0, 6, True, [], 1.0], "comment": ["x" * 5_001, 1], "uncounted": ["bored", 1],
    "further": [1, "no"], "swapped": [0, "no"], "seconds": [-1, True, "1", 1e308], "active_seconds": [-1, 1e10],
    "submitted_at": [
        "9999-12-31T23:59:59-23:00", "0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59Z", "2026-01-01T00:00:00", 1, None,
    ],
}, "judgements", 0)  # fmt: skip


@pytest.mark.parametrize(("spoil", "where"), BAD.values(), ids=BAD)
def test_a_spoilt_export_is_refused_by_line_and_field(
    spoil: Callable[[list[dict[str, Any]]], object],
    where: str,
    make_campaign: MakeCampaign,
    make_annotator: MakeAnnotator,
    answer: Answer,
) -> None:
    campaign = make_campaign(items=1)
    answer(campaign, make_annotator(campaign, "anna"), "preserve")
    lines = [json.loads(line) for line in exported(campaign).splitlines()]
    spoil(lines)
    with pytest.raises(ImportProblem) as refused:
        imported("\n".join(map(json.dumps, lines)).encode())
    assert where in str(refused.value)
    assert Campaign.objects.count() == 1


@pytest.mark.parametrize(
    ("line", "what"),
    [('{"record": "campaign", "title": "\\ud800"}', "surrogate"), ('{"a": "\\u0000"}', "NUL"), ("[1]", "object"),
     ('{"a": NaN}', "NaN"), ("{", "JSON"), ("[" * 5000, "nested")],
)  # fmt: skip
def test_lines_that_no_text_can_be_made_of_are_refused(line: str, what: str) -> None:
    with pytest.raises(ImportProblem, match=what):
        imported(line.encode())


def test_sides_come_back_where_they_were_drawn(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    texts = (RecordedText("original", "Rain today."), RecordedText("bug", "Raim today."))
    for protocol, label, drawn in (("preference", "first", [True, False]), ("meaning", "preserve", [False, False])):
        campaign = create_campaign(name=protocol, title="Sides", protocol=protocol, imported=True)
        given = (RecordedAnswer(1, label, swapped=True), RecordedAnswer(2, label))
        record_judgements(campaign=campaign, task="t", items=[RecordedItem("k", *texts, answers=given)], annotators=["a", "b"])
        sides = Slot.objects.order_by("position").values_list("swapped", flat=True)
        assert [list(sides.filter(campaign=each)) for each in (campaign, imported(exported(campaign), f"{protocol}-2"))] == [
            drawn,
            drawn,
        ]


def test_words_come_back(make_campaign: MakeCampaign) -> None:
    campaign = create_campaign(name="words", title="Words", protocol="mark_words", imported=True)
    original = Original.objects.create(task="t", key="k")
    assert add_items(campaign=campaign, items=[NewItem(original, variant(original, "bug", "Raim today."))], slots=0)
    campaign.items.all().delete()
    texts = (RecordedText("original", "Rain today."), RecordedText("bug", "Raim today."))
    given = (RecordedAnswer(1, "", words=(0,)), RecordedAnswer(2, "", words=(0, 1)))
    record_judgements(campaign=campaign, task="t", items=[RecordedItem("k", *texts, answers=given)], annotators=["one", "two"])
    same(campaign, imported(exported(campaign)))


def test_an_answer_that_stands_in_for_a_first_one_does_so_after_a_round_trip(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, organiser: User
) -> None:
    """The first answer to a conflict is taken out, so that the third stands in for it, and a further one decides in its place."""
    campaign = make_campaign(items=1)
    given = [answer(campaign, make_annotator(campaign, name), key).judgement for name, key in
             {"ada": "preserve", "ben": "change", "cem": "preserve"}.items()]  # fmt: skip
    exclude_answer(judgement=given[0], by=organiser)
    answer(campaign, make_annotator(campaign, "dan"), "change")
    again = imported(exported(campaign))
    assert answers(again) == answers(campaign)
    assert [entry[-1] for entry in answers(campaign) if not entry[6]] == [True, False, False]
    assert figures(again) == figures(campaign)

"""Mark words: exactly as many as were altered; found words against chance."""

from __future__ import annotations

import pytest
from django.http import QueryDict
from django.test import Client

from annotation.errors import DomainError
from annotation.exchange.columns import Reading
from annotation.exchange.imports import check
from annotation.exchange.sheets import SourceFile
from annotation.models import Campaign, Decision, Judgement, Original, Slot, Upload, Variant
from annotation.protocols import AnswerError, protocol_of
from annotation.protocols.mark_words import MOST
from annotation.protocols.votes import votes_of
from annotation.services.answering import submit
from annotation.services.campaigns import NewItem, add_items, create_campaign, open_campaign
from annotation.services.claiming import claim_next
from annotation.services.examples import ExampleRecord, add_examples
from annotation.services.people import consent
from scoring.texts.diff import altered_words
from scoring.texts.tokens import is_word, pieces
from tests.annotation.conftest import MakeAnnotator, variant

BEFORE = "The bridge closes on Monday, they said. Nobody crosses."
AFTER = "The brid\u200bge closes on Sunday, they said. Nobody crosses."
WORDS = 9


@pytest.fixture
def campaign(db: None) -> Campaign:
    campaign = create_campaign(name="m", title="M", protocol="mark_words")
    original = Original.objects.create(task="headlines", key="o")
    pair = variant(original, Variant.UNCHANGED, BEFORE), variant(original, "bae", AFTER)
    add_items(campaign=campaign, items=[NewItem(original, *pair)])
    open_campaign(campaign=campaign)
    return campaign


def test_words_are_what_stands_between_spaces_and_only_altered_ones_differ() -> None:
    assert (sum(map(is_word, pieces(AFTER))), "".join(pieces(AFTER))) == (WORDS, AFTER)
    assert altered_words(BEFORE, AFTER) == {1, 4}
    assert altered_words(BEFORE, BEFORE) == frozenset()
    assert altered_words(BEFORE, BEFORE.replace("said. ", "")) == frozenset()
    assert altered_words("a b c", "x a b c y z") == {0, 4, 5}


def test_people_see_the_altered_text_only_and_how_many_words(campaign: Campaign) -> None:
    slot = Slot.objects.select_related("item__campaign", "item__first", "item__second")[0]
    exposition = protocol_of(campaign).exposition(slot)
    assert (len(exposition.texts), exposition.words_wanted, exposition.marked) == (1, 2, False)
    words = [piece for piece in exposition.texts[0].pieces if piece.word is not None]
    assert [piece.word for piece in words] == list(range(WORDS))
    assert (words[1].text, words[4].text) == ("brid\u200bge", "Sunday")


def test_an_answer_is_told_by_the_words_that_were_marked(campaign: Campaign) -> None:
    slot = Slot.objects.select_related("item__campaign", "item__first", "item__second")[0]
    said = [protocol_of(campaign).said(slot, Judgement(words=words)) for words in ([4, 1], [])]
    assert said == ["“brid\u200bge”, “Sunday”", "no word"]


@pytest.mark.parametrize("words", [[1, 4], (4, 1), ["1", "4"], ["4", "1", "1"]])
def test_words_come_as_numbers_or_text(campaign: Campaign, words: list[object]) -> None:
    read = protocol_of(campaign).read_answer(campaign.items.get(), {"words": words})
    assert (read.words, read.label) == ([1, 4], None)
    form = QueryDict("&".join(f"words={word}" for word in words))
    assert protocol_of(campaign).read_answer(campaign.items.get(), form) == read


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "Mark exactly 2 words; none is marked"),
        ([1], "Mark exactly 2 words; 1 is marked"),
        ([1, 1], "Mark exactly 2 words; 1 is marked"),
        ([1, 2, 3], "Mark exactly 2 words; 3 are marked"),
        ([1, WORDS], "not in this text"),
        ([1, -1], "by their positions"),
        ([1, "two"], "by their positions"),
        ([1, "²"], "by their positions"),
        ([1, "9" * 5_000], "by their positions"),
        ({"1": 1}, "by their positions"),
        (None, "none is marked"),
    ],
)
def test_other_numbers_of_words_are_no_answer(campaign: Campaign, words: object, says: str) -> None:
    with pytest.raises(AnswerError, match=says):
        protocol_of(campaign).read_answer(campaign.items.get(), {"words": words})


def test_a_thousand_altered_words_can_be_marked_and_no_more(
    campaign: Campaign, make_annotator: MakeAnnotator, client: Client
) -> None:
    """A browser sends a field for each of them."""
    before, after = (" ".join(f"{letter}{number}" for number in range(MOST)) for letter in "ab")
    original = Original.objects.create(task="headlines", key="long")
    pair = variant(original, Variant.UNCHANGED, before), variant(original, "bae", after)
    [item] = add_items(campaign=campaign, items=[NewItem(original, *pair)])
    campaign.items.exclude(pk=item.pk).delete()
    person = make_annotator(campaign, "anna")
    consent(sheet=campaign.sheets.get(), user=person)
    claim = claim_next(campaign=campaign, annotator=person)
    client.force_login(person)
    client.post(f"/campaigns/m/work/{claim.pk}/", {"words": [str(number) for number in range(MOST)]})
    assert Judgement.objects.get(claim=claim).words == list(range(MOST))
    assert protocol_of(campaign).unaskable(before, after) == ""
    more = "1,001 words were altered; people can be asked to mark 1,000 at most"
    assert protocol_of(campaign).unaskable(before + " a", after + " b") == more


def test_an_example_with_more_altered_words_is_refused(campaign: Campaign) -> None:
    before, after = (" ".join(f"{letter}{number}" for number in range(MOST + 1)) for letter in "ab")
    upload = Upload.objects.create(campaign=campaign, name="x", stored="x", sha256="x")
    with pytest.raises(DomainError, match="1,001 words were altered"):
        add_examples(campaign=campaign, examples=[ExampleRecord(after, before)], upload=upload, by=None)
    file = SourceFile("x.csv", f"original,adversarial\n{before},{after}\n".encode())
    found = check(file, campaign, format="table", reading=Reading({"original": "original", "adversarial": "adversarial"}))
    more = "people can be asked to mark 1,000 at most"
    assert found.problems == [f"x.csv: line 2, column adversarial: 1,001 words were altered; {more}"]


def test_share_found_against_chance(campaign: Campaign, make_annotator: MakeAnnotator) -> None:
    for name, words in (("ada", [1, 4]), ("ben", [1, 2]), ("cem", [7, 8])):
        person = make_annotator(campaign, name)
        claim = claim_next(campaign=campaign, annotator=person)
        submit(claim_id=claim.pk, annotator=person, data={"words": words})
    assert sorted(Judgement.objects.values_list("words", flat=True)) == [[1, 2], [1, 4], [7, 8]]
    decision = Decision.objects.get()
    # Only word 1 was marked by more than half.
    assert (decision.how, decision.value, decision.label) == ("per_word", 1.0, None)
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    values = {figure.key: figure.estimate for figure in analysis.figures}
    assert (values["found"].value, values["found"].n) == (3 / 6, 6)
    assert (values["chance"].value, values["found_by_most"].value) == (2 / WORDS, 1 / 2)
    ((attacker, answers, altered, found, chance),) = analysis.tables[0].rows
    assert (attacker, answers, altered, found.value, chance.value) == ("bae", 3, 2, 3 / 6, 2 / WORDS)


def test_a_text_without_an_altered_word_is_left_out_and_counted(campaign: Campaign, make_annotator: MakeAnnotator) -> None:
    original = Original.objects.create(task="headlines", key="p")
    pair = variant(original, Variant.UNCHANGED, BEFORE), variant(original, "bae", BEFORE.replace("Monday, ", ""))
    add_items(campaign=campaign, items=[NewItem(original, *pair)])
    person = make_annotator(campaign, "ada")
    for _ in range(2):
        claim = claim_next(campaign=campaign, annotator=person)
        wanted = protocol_of(campaign).exposition(claim.slot).words_wanted
        assert wanted is not None
        submit(claim_id=claim.pk, annotator=person, data={"words": [1, 4][:wanted]})
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    found = analysis.figures[0].estimate
    assert (found.value, found.n, found.left_out) == (1.0, 2, {"no altered word to be seen": 1})


def test_words_of_items_that_nobody_judged_are_not_counted(campaign: Campaign, make_annotator: MakeAnnotator) -> None:
    person = make_annotator(campaign, "ada")
    claim = claim_next(campaign=campaign, annotator=person)
    submit(claim_id=claim.pk, annotator=person, data={"words": [1, 4]})
    original = Original.objects.create(task="headlines", key="unjudged")
    pair = variant(original, Variant.UNCHANGED, BEFORE), variant(original, "bae", AFTER)
    add_items(campaign=campaign, items=[NewItem(original, *pair)])
    ((_, answers, altered, found, _),) = protocol_of(campaign).analyse(campaign, votes_of(campaign)).tables[0].rows
    assert (answers, altered, found.n) == (1, 2, 2)


@pytest.mark.parametrize("length", [5_000, 5_001])
def test_a_comment_is_as_long_as_the_page_says(length: int, campaign: Campaign) -> None:
    item = campaign.items.get()
    given = {"words": [1, 4], "comment": "x" * length}
    if length == 5_000:
        assert protocol_of(campaign).read_answer(item, given).comment == "x" * length
        return
    with pytest.raises(AnswerError, match="A comment has 5,000 characters at most; this one has 5,001"):
        protocol_of(campaign).read_answer(item, given)

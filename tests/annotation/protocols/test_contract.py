"""What every protocol owes to pages, services and exports; run over every preset of the registry."""

from __future__ import annotations

import json

import pytest
from django.http import QueryDict

from annotation.exchange.export import FILES
from annotation.models import Campaign, Decision, Item, Slot
from annotation.protocols import PROTOCOLS, AnswerError, protocol_of
from annotation.protocols.settings import SETTINGS
from annotation.protocols.votes import votes_of
from annotation.services.answering import submit
from annotation.services.claiming import claim_next
from annotation.services.settings import change_settings, specs_of
from tests.annotation.conftest import MakeAnnotator, MakeCampaign

EVERY = pytest.mark.parametrize(
    ("protocol", "preset"), [(key, preset) for key, protocol in PROTOCOLS.items() for preset in protocol.presets]
)
MARKED = {"incrediblae", "four-point", "modification-types"}


def slots_of(campaign: Campaign) -> list[Slot]:
    return list(Slot.objects.filter(item__campaign=campaign).select_related("item__campaign", "item__first", "item__second"))


def an_answer(slot: Slot) -> dict[str, object]:
    """An answer as a program sends it: the first option, or the first words."""
    protocol = protocol_of(slot.item.campaign)
    wanted = protocol.exposition(slot).words_wanted
    if wanted is not None:
        return {"words": list(range(wanted)), "confidence": 3}
    return {"label": protocol.options(slot)[0].label.key, "confidence": 3}


@EVERY
def test_every_button_stores_the_label_that_it_names(make_campaign: MakeCampaign, protocol: str, preset: str) -> None:
    campaign = make_campaign(protocol, preset=preset)
    for slot in slots_of(campaign):
        options = protocol_of(campaign).options(slot)
        assert [option.key for option in options] == [str(n) for n in range(1, len(options) + 1)]
        assert {option.label for option in options} == set(protocol_of(campaign).offered(slot.item))
        for option in options:
            posted = {"label": option.label.key, "confidence": "3"}
            assert protocol_of(campaign).read_answer(slot.item, posted).label == option.label


@EVERY
def test_a_key_of_its_own_chooses_a_label(make_campaign: MakeCampaign, protocol: str, preset: str) -> None:
    campaign = make_campaign(protocol, preset=preset, items=1)
    if not campaign.labels.exists() or protocol == "preference":
        pytest.skip("its options are no labels of the organiser's")
    last = campaign.labels.order_by("value")[0]
    last.hotkey = "x"
    last.save()
    assert protocol_of(campaign).options(slots_of(campaign)[0])[0].key == "x"


@EVERY
def test_nothing_but_an_answer_is_an_answer(make_campaign: MakeCampaign, protocol: str, preset: str) -> None:
    campaign = make_campaign(protocol, preset=preset, items=1)
    for given in ("", "0x", "nonsense", "preserve\x00", "-1", "99"):
        with pytest.raises(AnswerError):
            protocol_of(campaign).read_answer(campaign.items.get(), {"label": given, "words": [given], "confidence": "3"})


@EVERY
def test_the_texts_shown_are_exactly_the_texts_stored(make_campaign: MakeCampaign, protocol: str, preset: str) -> None:
    campaign = make_campaign(protocol, preset=preset, items=1)
    for slot in slots_of(campaign):
        exposition = protocol_of(campaign).exposition(slot)
        shown = ["".join(span.text for span in text.spans) for text in exposition.texts]
        stored = [variant.text for variant in (slot.item.first, slot.item.second) if variant is not None]
        if exposition.words_wanted is not None:
            stored = stored[-1:]
            assert "".join(piece.text for piece in exposition.texts[0].pieces) == stored[0]
        assert shown == (stored[::-1] if slot.swapped and protocol == "preference" else stored)


@EVERY
def test_only_the_protocol_that_marks_differences_marks_anything(make_campaign: MakeCampaign, protocol: str, preset: str) -> None:
    exposition = protocol_of(campaign := make_campaign(protocol, preset=preset, items=1)).exposition(slots_of(campaign)[0])
    kinds = {span.kind for text in exposition.texts for span in text.spans}
    assert kinds == ({"same", "delete", "insert"} if preset in MARKED else {"same"})
    assert exposition.marked == (preset in MARKED)


@EVERY
def test_an_analysis_of_nothing_gives_reasons_instead_of_numbers(make_campaign: MakeCampaign, protocol: str, preset: str) -> None:
    campaign = make_campaign(protocol, preset=preset)
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    assert all(figure.estimate.value is None and figure.estimate.reason for figure in analysis.figures)
    json.dumps(analysis.as_dict(), allow_nan=False)


@EVERY
def test_from_making_to_export(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, protocol: str, preset: str) -> None:
    """Make, answer, decide, analyse, export: with nothing but what the protocol itself says."""
    campaign = make_campaign(protocol, preset=preset, items=2)
    assert campaign.preset == preset
    wanted = campaign.settings["slots"]
    for number in range(wanted):
        person = make_annotator(campaign, f"p{number}")
        for _ in range(2):
            claim = claim_next(campaign=campaign, annotator=person)
            submit(claim_id=claim.pk, annotator=person, data=an_answer(claim.slot))
    assert set(Slot.objects.values_list("state", flat=True)) == {Slot.State.FILLED}
    decisions = Decision.objects.all()
    assert [decision.n_judgements for decision in decisions] == [wanted, wanted]
    assert all(decision.label or decision.value is not None for decision in decisions)
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    assert json.loads(json.dumps(analysis.as_dict(), allow_nan=False))["method"] == analysis.method
    assert any(figure.estimate.value is not None for figure in analysis.figures)
    for name, parts in FILES.items():
        content = "".join(part if isinstance(part, str) else part.decode("latin-1") for part in parts(campaign))
        assert content, name


@EVERY
def test_a_form_and_a_program_give_the_same_answer(make_campaign: MakeCampaign, protocol: str, preset: str) -> None:
    campaign = make_campaign(protocol, preset=preset, items=1)
    slot = slots_of(campaign)[0]
    from_program = an_answer(slot)
    words = "".join(f"&words={word}" for word in from_program.get("words", ()))  # type: ignore[attr-defined]
    form = QueryDict(f"label={from_program.get('label', '')}&confidence=3{words}")
    read = protocol_of(campaign).read_answer
    assert read(slot.item, form) == read(slot.item, from_program)
    assert (read(slot.item, form).label is None) == (read(slot.item, form).words is not None)


@EVERY
def test_a_preset_says_every_setting_and_passes_its_own_check(make_campaign: MakeCampaign, protocol: str, preset: str) -> None:
    campaign = make_campaign(protocol, preset=preset, items=1)
    assert set(campaign.settings) == set(SETTINGS)
    before = dict(campaign.settings)
    change_settings(campaign=campaign, by=campaign.created_by, changes=before, labels=specs_of(campaign))
    campaign.refresh_from_db()
    assert campaign.settings == before
    chosen = PROTOCOLS[protocol].presets[preset]
    assert chosen.title and chosen.about and campaign.settings["guidelines"] and campaign.settings["question"]


@EVERY
def test_items_are_pairs_where_the_protocol_says_so(make_campaign: MakeCampaign, protocol: str, preset: str) -> None:
    make_campaign(protocol, preset=preset, items=2)
    assert Item.objects.filter(second__isnull=not PROTOCOLS[protocol].pair).count() == 2

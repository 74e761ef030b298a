"""What every protocol owes to pages, services and exports; run over the registry."""

from __future__ import annotations

import json

import pytest

from annotation.models import Slot
from annotation.protocols import PROTOCOLS, AnswerError, protocol_of
from annotation.protocols.votes import votes_of
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

ALL = pytest.mark.parametrize("protocol", sorted(PROTOCOLS))


@ALL
def test_every_button_stores_the_label_that_it_names(make_campaign: MakeCampaign, protocol: str) -> None:
    campaign = make_campaign(protocol)
    for slot in Slot.objects.filter(item__campaign=campaign).select_related("item__campaign"):
        options = protocol_of(campaign).options(slot)
        assert [option.key for option in options] == [str(n) for n in range(1, len(options) + 1)]
        assert {option.label for option in options} == set(campaign.labels.all())
        for option in options:
            posted = {"label": option.label.key, "confidence": "3"}
            assert protocol_of(campaign).read_answer(campaign, posted).label == option.label


@ALL
def test_nothing_but_a_label_is_an_answer(make_campaign: MakeCampaign, protocol: str) -> None:
    campaign = make_campaign(protocol)
    for label in ("", "0", "nonsense", "preserve\x00"):
        with pytest.raises(AnswerError):
            protocol_of(campaign).read_answer(campaign, {"label": label, "confidence": "3"})


@ALL
def test_the_texts_shown_are_exactly_the_texts_stored(make_campaign: MakeCampaign, protocol: str) -> None:
    campaign = make_campaign(protocol, items=1)
    for slot in Slot.objects.filter(item__campaign=campaign).select_related("item__campaign", "item__first", "item__second"):
        shown = ["".join(span.text for span in text.spans) for text in protocol_of(campaign).exposition(slot).texts]
        stored = [variant.text for variant in (slot.item.first, slot.item.second) if variant is not None]
        assert shown == (stored[::-1] if slot.swapped and protocol == "preference" else stored)


@ALL
def test_only_the_protocol_that_marks_differences_marks_anything(make_campaign: MakeCampaign, protocol: str) -> None:
    campaign = make_campaign(protocol, items=1)
    slot = Slot.objects.filter(item__campaign=campaign).select_related("item__campaign", "item__first", "item__second")[0]
    exposition = protocol_of(campaign).exposition(slot)
    kinds = {span.kind for text in exposition.texts for span in text.spans}
    assert kinds == ({"same", "delete", "insert"} if protocol == "meaning" else {"same"})
    assert exposition.marked == (protocol == "meaning")


@ALL
def test_an_analysis_of_nothing_gives_reasons_instead_of_numbers(make_campaign: MakeCampaign, protocol: str) -> None:
    campaign = make_campaign(protocol)
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    assert all(figure.estimate.value is None and figure.estimate.reason for figure in analysis.figures)
    json.dumps(analysis.as_dict(), allow_nan=False)


@ALL
def test_the_analysis_is_json_without_nan(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, protocol: str
) -> None:
    campaign = make_campaign(protocol, items=2)
    key = campaign.labels.all()[0].key
    for name in ("ada", "ben", "cem"):
        person = make_annotator(campaign, name)
        for _ in range(2 if name != "cem" or protocol != "meaning" else 0):
            answer(campaign, person, key)
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    assert json.loads(json.dumps(analysis.as_dict(), allow_nan=False))["method"] == analysis.method

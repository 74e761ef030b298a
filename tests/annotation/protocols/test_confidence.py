"""How sure people are: they read what the degrees mean, organisers what follows from them."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from annotation.exchange.codebook import COLUMNS
from annotation.models import Campaign
from annotation.protocols import PROTOCOLS
from annotation.protocols.settings import CONFIDENCE, CONSEQUENCES, SETTINGS, defaults
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

ORGANISERS_WORDS = ("training", "silver", "attack")
rewording = import_module("annotation.migrations.0018_confidence_in_annotators_words")


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=lambda protocol: protocol.key)
def test_no_preset_tells_annotators_what_organisers_do_with_their_answers(protocol: object) -> None:
    for preset in protocol.presets.values():  # type: ignore[attr-defined]
        settings = preset.all_settings
        read = [settings["question"], settings["guidelines"], settings["prevalence"], *settings["confidence_levels"]]
        read += [label.name + label.definition for label in preset.labels] + [str(example) for example in settings["examples"]]
        assert [text for text in read if any(word in text.lower() for word in ORGANISERS_WORDS)] == []


def test_organisers_read_what_follows_on_the_settings_page_and_in_the_codebook() -> None:
    assert "training" in CONSEQUENCES and "silver" in CONSEQUENCES
    assert SETTINGS["confidence_levels"].help.endswith(CONSEQUENCES)
    assert dict(COLUMNS)["confidence"].endswith(CONSEQUENCES)


@pytest.mark.django_db
def test_only_campaigns_without_answers_get_the_new_words(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    old = [*rewording.WERE, *CONFIDENCE[2:]]
    fresh, answered, own = (make_campaign(items=1, name=name) for name in ("fresh", "answered", "own"))
    for campaign, levels in ((fresh, old), (answered, old), (own, list("abcde"))):
        Campaign.objects.filter(pk=campaign.pk).update(settings={**campaign.settings, "confidence_levels": levels})
    answer(answered, make_annotator(answered, "ada"), "preserve")
    rewording.reword(apps, None)
    after = {campaign.name: campaign.settings["confidence_levels"] for campaign in Campaign.objects.all()}
    assert after == {"fresh": defaults()["confidence_levels"], "answered": old, "own": list("abcde")}

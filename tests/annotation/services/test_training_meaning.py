"""From decisions to a meaning model: which pairs it learns from, what says that the meaning is kept, and what its card says."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.errors import DomainError
from annotation.jobs import training as training_job
from annotation.models import Campaign, Item, Job, LearnedModel, Original
from annotation.queries.training_table import decided_pairs
from annotation.services import training
from annotation.services.answering import submit
from annotation.services.campaigns import NewItem, add_items, open_campaign
from annotation.services.claiming import claim_next
from annotation.services.revising import skip
from scoring.texts.meaning.trained import MeaningModel
from tests.annotation.conftest import MakeAnnotator, MakeCampaign, variant
from tests.scoring.texts.meaning.conftest import SharedLetters

pytestmark = pytest.mark.django_db

NOUNS = ("river", "teacher", "garden", "window", "doctor", "village", "bridge", "market", "forest", "letter")


@pytest.fixture
def judged(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> Campaign:
    """Ten originals, each with a look-alike, which people say keeps the meaning, and another word, which does not; two more
    pairs on which nobody has decided."""
    campaign = make_campaign(items=0, opened=False)
    news = []
    for number, noun in enumerate(NOUNS):
        original = Original.objects.create(task="headlines", key=f"news-{number}")
        before = variant(original, "original", f"The {noun} number {number} was seen again.")
        for kind, word in (("lookalike", noun.replace("e", "3")), ("words", NOUNS[number - 1])):
            news.append(NewItem(original, before, variant(original, kind, before.text.replace(noun, word))))
    original = Original.objects.create(task="headlines", key="open")
    before = variant(original, "original", "Nobody has read this.")
    news += [NewItem(original, before, variant(original, f"bug{number}", f"Nobody has r{number}ad this.")) for number in (1, 2)]
    add_items(campaign=campaign, items=news)
    open_campaign(campaign=campaign)
    people = [make_annotator(campaign, name) for name in ("ada", "ben")]
    for person in people:
        for _ in news:
            claim = claim_next(campaign=campaign, annotator=person)
            if claim.item.number <= 2 * len(NOUNS):
                label = ("preserve", "change", "preserve", "no_sense")[(claim.item.number - 1) % 4]
                submit(claim_id=claim.pk, annotator=person, data={"label": label, "confidence": 4})
            else:
                skip(claim_id=claim.pk, annotator=person)
    return campaign


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> Path:
    """One repetition, and a scorer that is there at once; models go to a folder of this test's own."""
    import scoring.texts.meaning.trained as library

    real = library.train
    short = {"scorer": SharedLetters(), "repeats": 1, "folds": 3}
    monkeypatch.setattr(library, "train", lambda pairs, **more: real(pairs, **(more | short)))
    settings.DATA_DIR = tmp_path / "data"
    return tmp_path / "data" / "models"


def test_every_decided_item_is_a_pair_and_the_settings_say_what_keeps_the_meaning(judged: Campaign) -> None:
    pairs = decided_pairs(judged, preserved=judged.settings["kept"])
    decided = judged.items.order_by("number")[: 2 * len(NOUNS)]
    expected = sorted((item.first.text, item.second.text, item.second.kind == "lookalike") for item in decided)
    assert [(*pair, kept) for pair, kept in zip(pairs.pairs, pairs.preserved.tolist(), strict=True)] == expected
    both = decided_pairs(judged, preserved=["preserve", "no_sense"])
    assert (len(both.pairs), int(both.preserved.sum())) == (20, 15)


def test_known_answers_teach_nothing(judged: Campaign) -> None:
    first = judged.items.order_by("number").first()
    Item.objects.filter(pk=first.pk).update(use="test", gold=judged.labels.get(key="preserve"))
    assert len(decided_pairs(judged, preserved=["preserve"]).pairs) == 19


def test_what_cannot_be_learned_from_is_refused(make_campaign: MakeCampaign, judged: Campaign, quick: Path) -> None:
    with pytest.raises(DomainError, match="has no answer “kept”"):
        decided_pairs(judged, preserved=["preserve", "kept"])
    with pytest.raises(DomainError, match="Nothing says which answers mean that the meaning is kept"):
        decided_pairs(judged, preserved=[])
    with pytest.raises(DomainError, match="“empty” has no decided items yet"):
        training.train_meaning_model(campaigns=[make_campaign(items=1, name="empty")])
    with pytest.raises(DomainError, match="did not ask whether the meaning survives"):
        decided_pairs(make_campaign("suspicion", items=1, name="films"), preserved=["1"])
    with pytest.raises(DomainError, match="decided alike on all pairs"):
        training.train_meaning_model(campaigns=[judged], preserved=["preserve", "change", "no_sense"])
    assert (LearnedModel.objects.count(), quick.exists()) == (0, False)


def test_the_command_trains_keeps_and_says_how_good_it_is(judged: Campaign, quick: Path) -> None:
    out = io.StringIO()
    call_command("train_meaning", "--campaign", "harbour", "--seed", "3", "--name", "first", stdout=out)
    model = LearnedModel.objects.get()
    assert (model.kind, model.name, model.learned_from, model.folder) == ("meaning", "first", [judged], str(quick / "first"))
    loaded = MeaningModel.load(quick / "first", scorer=SharedLetters())
    assert (loaded.sha256, loaded.card) == (model.sha256, model.card)
    assert (model.card["seed"], model.card["campaigns"][0]["name"], model.card["preserved"]) == (3, "harbour", ["preserve"])
    assert {key: model.card["data"][key] for key in ("pairs", "preserved", "originals")} == {
        "pairs": 20,
        "preserved": 10,
        "originals": 10,
    }
    lines = out.getvalue().splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "AUC",
        "AUC, words changed",
        "AUC, letters only",
        "Brier score",
        f"Saved as “first” in {quick / 'first'}, SHA-256 {model.sha256}.",
    ]
    assert f"{model.card['evaluation']['auc']['value']:.3f}" in lines[0]
    assert "n = 20" in lines[0]
    with pytest.raises(CommandError, match="already a model named “first”"):
        call_command("train_meaning", "--campaign", "harbour", "--name", "first")


def test_the_command_can_be_told_which_answers_keep_the_meaning(judged: Campaign, quick: Path) -> None:
    call_command("train_meaning", "--campaign", "harbour", "--preserved", "preserve", "no_sense", stdout=io.StringIO())
    card = LearnedModel.objects.get().card
    assert (card["preserved"], card["data"]["preserved"]) == (["preserve", "no_sense"], 15)


def test_the_job_trains_what_can_learn_from_the_campaign(
    judged: Campaign, make_campaign: MakeCampaign, make_annotator: MakeAnnotator, quick: Path
) -> None:
    job: Any = SimpleNamespace(id=Job.objects.create(kind="train").pk, progress=lambda done, total, message: None)
    result = training_job.run(job, campaign="harbour")
    model = LearnedModel.objects.get()
    assert (model.kind, result) == ("meaning", {"model": "harbour", "sha256": model.sha256})
    make_campaign("preference", items=1, name="votes")
    with pytest.raises(DomainError, match="No model can learn from “votes”"):
        training_job.run(job, campaign="votes")

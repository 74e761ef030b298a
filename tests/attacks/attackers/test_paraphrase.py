from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from attacks import AttackError
from attacks.attackers import make_attacker
from attacks.attackers.paraphrase import Paraphrase, pieces_of
from attacks.engine import Example, run_attack
from attacks.resources import Resources
from attacks.substitutes.paraphrases import Decoding, Seq2SeqParaphrases, paraphraser_at
from attacks.substitutes.source import Passage
from attacks.substitutes.templates import TEMPLATES
from attacks.text import Text
from scoring.result import ScoringError
from tests.attacks.tiny_models import sentences
from tests.attacks.toys import WordVictim

TEXT = "A good movie.  We liked it! ~ See www.a.example now."


class Table:
    def __init__(self, table: dict[str, list[str]]) -> None:
        self.table = table

    def answer(self, questions: Sequence[Passage]) -> list[list[str]]:
        return [self.table.get(question.text, []) for question in questions]

    def describe(self) -> dict[str, Any]:
        return {"name": "table"}


def test_trace_by_hand() -> None:
    table = {
        "A good movie.": ["A fine film.", "A nice film."],
        "We liked it!": ["It pleased us!", "It ~ pleased us!"],
        "See www.a.example now.": ["See it now.", "Now see www.a.example"],
    }
    victim = WordVictim({"good": -0.2, "liked": -0.1, "fine": -0.1, "Now": 0.2}, base=0.5)
    outcome = run_attack([Example(0, TEXT, 0)], victim, Paraphrase(paraphrases=Table(table), constraints=()))[0]
    assert victim.calls == [
        [TEXT],  # P(1) = 0.2; without the sentences 0.4, 0.3 and 0.2
        ["  We liked it! ~ See www.a.example now.", "A good movie.   ~ See www.a.example now.", "A good movie.  We liked it! ~ "],
        ["A fine film.  We liked it! ~ See www.a.example now.", "A nice film.  We liked it! ~ See www.a.example now."],
        # the separator came in, so it is not asked about
        ["A nice film.  It pleased us! ~ See www.a.example now."],
        # the address was lost
        ["A nice film.  It pleased us! ~ Now see www.a.example"],
        ["A nice film.  It pleased us! ~ Now see www.a.example"],
    ]
    assert (outcome.status, outcome.queries.asked) == ("success", 1 + 3 + 2 + 1 + 1 + 1)


def test_whole_texts_and_the_parts_of_pairs() -> None:
    table = {"A good movie.  We liked it!": ["We liked a fine movie."], "See www.a.example now.": ["Now see www.a.example"]}
    victim = WordVictim({"good": -0.3, "Now": 0.1}, base=0.5)
    attacker = Paraphrase(scope="text", paraphrases=Table(table), constraints=())
    outcome = run_attack([Example(0, TEXT, 0)], victim, attacker)[0]
    assert victim.calls[1:] == [
        [" ~ See www.a.example now.", "A good movie.  We liked it! ~ "],
        ["We liked a fine movie. ~ See www.a.example now."],
        ["We liked a fine movie. ~ Now see www.a.example"],
        ["We liked a fine movie. ~ Now see www.a.example"],
    ]
    assert (outcome.status, outcome.queries.asked) == ("success", 1 + 2 + 1 + 1 + 1)


def test_the_only_passage_is_not_asked_about_for_its_importance() -> None:
    victim = WordVictim({"good": -0.3}, base=0.5)
    attacker = Paraphrase(scope="text", paraphrases=Table({"So good. So nice.": ["Nice, good."]}), constraints=())
    outcome = run_attack([Example(0, "So good. So nice.", 0)], victim, attacker)[0]
    assert victim.calls == [["So good. So nice."], ["Nice, good."]]
    assert (outcome.status, outcome.queries.asked) == ("failed", 2)
    assert attacker.most_queries(Text("So good. So nice.")) == 1 + 10 + 1
    assert attacker.most_queries(Text("So good. ~ So nice.")) == 1 + 2 + 20 + 1


def test_pieces_are_the_text_again() -> None:
    assert pieces_of(TEXT) == ["", "A good movie.", "  ", "We liked it!", " ~ ", "See www.a.example now.", ""]
    assert pieces_of(TEXT, "text") == ["", "A good movie.  We liked it!", " ~ ", "See www.a.example now.", ""]
    for text in ("", " \n", "word", "?! ~ — ", "One. ... Two\n\nThree ~~ four."):
        assert "".join(pieces_of(text)) == "".join(pieces_of(text, "text")) == text


@pytest.mark.parametrize("decoding", ["beams", "sampling"])
@pytest.mark.parametrize("templates", [False, True])
def test_a_trained_model_paraphrases_alike_in_any_company(resources: Resources, decoding: Decoding, templates: bool) -> None:
    source = Seq2SeqParaphrases(str(resources.paraphraser), 3, decoding, templates=templates)
    passages = [Passage(text, seed) for seed, text in enumerate(sentences(6, seed=9))]
    state = torch.random.get_rng_state()
    together = source.answer(passages)
    assert all(together)
    assert all(len(texts) <= 3 for texts in together)
    assert [source.answer([passage])[0] for passage in passages] == together
    assert source.answer(passages[::-1]) == together[::-1]
    assert source.answer([Passage("movie " * 300)]) == [[]]
    assert torch.equal(torch.random.get_rng_state(), state)  # nobody else's numbers are drawn


def test_only_sampling_hangs_on_the_seed(resources: Resources) -> None:
    beams, sampling = (Seq2SeqParaphrases(str(resources.paraphraser), 4, decoding) for decoding in ("beams", "sampling"))
    texts = sentences(4, seed=9)
    first, second = ([Passage(text, seed) for text in texts] for seed in (1, 2))
    assert beams.answer(first) == beams.answer(second)
    assert sampling.answer(first) != sampling.answer(second)
    # two passages with the same seed have their own numbers
    assert len({tuple(texts) for texts in sampling.answer(first)}) == 4


def test_a_template_stands_in_what_the_model_reads(resources: Resources, tmp_path: Path) -> None:
    assert len(set(TEMPLATES)) == 10
    text = "movie ~ film"
    source = Seq2SeqParaphrases(str(resources.paraphraser), 2, templates=True)
    read: list[list[int]] = []
    source._generated = lambda tokens, **_: (read.extend(tokens), [["made"] for _ in tokens])[1]  # type: ignore[method-assign]
    assert source.answer([Passage(text)]) == [["made"]]
    tokenizer = source._loaded[0]
    assert read == [tokenizer(f"{template} ~ {text}")["input_ids"] for template in TEMPLATES[:2]]
    assert source.describe()["templates"] == list(TEMPLATES[:2])
    assert source.describe()["template_input"] == "{template} ~ {text}"
    folder = Path(shutil.copytree(str(resources.paraphraser), tmp_path / "model"))
    config = json.loads((folder / "config.json").read_text())
    for form in ("{template}", "{text} {text} {template}", "{template} {text} {", "{template} {text} {}", 5):
        (folder / "config.json").write_text(json.dumps(config | {"template_input": form}))
        with pytest.raises(ScoringError, match=r"must hold .* once each, and no other braces"):
            Seq2SeqParaphrases(str(folder), 2, templates=True)
    (folder / "config.json").write_text(json.dumps({name: config[name] for name in config if name != "template_input"}))
    with pytest.raises(ScoringError, match="does not say how a template stands in its input: add “template_input”"):
        Seq2SeqParaphrases(str(folder), 2, templates=True)
    assert Seq2SeqParaphrases(str(folder), 2).describe().keys() == {"seq2seq", "search"}


def test_sampling_hangs_on_the_runs_seed_alone(resources: Resources) -> None:
    examples = [Example(i, text, 0) for i, text in enumerate(sentences(5, seed=9))]

    def sent(seed: int, window: int) -> list[str]:
        victim = WordVictim({})
        attacker = make_attacker("paraphrase", resources, decoding="sampling", count=3, similarity=-1.0)
        run_attack(examples, victim, attacker, seed=seed, window=window)
        return sorted(victim.sent)

    assert sent(1, 5) == sent(1, 1)
    assert sent(1, 5) != sent(2, 5)


def test_an_attack_by_a_trained_model(resources: Resources) -> None:
    text = sentences(1, seed=9)[0]
    attacker = Paraphrase.made_with(resources, count=3)
    attacker.constraints = ()
    outcome = run_attack([Example(0, text, 0)], WordVictim({}), attacker)[0]
    assert 1 < outcome.queries.asked <= attacker.most_queries(Text(text))


def test_what_is_no_model_is_told() -> None:
    with pytest.raises(AttackError, match="no paraphraser was given"):
        Paraphrase().describe()
    with pytest.raises(AttackError, match="NAME@URL, such as small@http://localhost:1, if small is its name there"):
        paraphraser_at("http://localhost:1", 3)
    for place in ("@http://localhost:1", "http://user:word@localhost:1"):
        with pytest.raises(AttackError, match="NAME@URL, such as small@http://localhost:8080"):
            paraphraser_at(place, 3)
    with pytest.raises(AttackError, match="is no address of a server"):
        paraphraser_at("small@ftp://localhost", 3)
    for decoding, templates in (("sampling", False), ("beams", True)):
        with pytest.raises(AttackError, match="follows no templates and is not sampled"):
            paraphraser_at("small@http://localhost:1", 3, decoding, templates)  # type: ignore[arg-type]
    with pytest.raises(AttackError, match="at least one paraphrase"):
        Seq2SeqParaphrases("folder", 0)
    with pytest.raises(AttackError, match="'greedy' is no way of decoding; there are beams, sampling"):
        Seq2SeqParaphrases("folder", 1, "greedy")  # type: ignore[arg-type]
    with pytest.raises(AttackError, match="there are 10 templates, and one paraphrase for each, so not 11"):
        Seq2SeqParaphrases("folder", 11, templates=True)
    with pytest.raises(AttackError, match="'word' is nothing to paraphrase; there are sentences, text"):
        Paraphrase(scope="word")  # type: ignore[arg-type]

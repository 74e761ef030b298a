"""The command that asks a language model and sets its scores beside people's."""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regressors.commands import rate
from regressors.errors import RegressorError
from regressors.features.chat import KEY_VARIABLE
from scoring.result import ScoringError
from tests.regressors.features.language_model import LanguageModel, fails, rates, says
from tests.regressors.features.server import Said

Run = Callable[..., str]
SPOILT = {f"text {number}" + " qx" * (number % 5): number % 5 for number in range(12)}
"""Twelve texts, and how many words of each are spoilt."""


@pytest.fixture(autouse=True)
def _apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("PASSABLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv(KEY_VARIABLE, raising=False)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> str:
        parser = argparse.ArgumentParser()
        rate.add(parser.add_subparsers(dest="command", required=True))
        options = parser.parse_args(["rate", *map(str, arguments), "--model", "small"])
        options.run(options)
        return capsys.readouterr().out

    return run


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """Two judgements of each text: what is spoilt, and one more; variants of four originals."""
    path = tmp_path / "judged.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "score", "from"])
        for place, (text, spoilt) in enumerate(SPOILT.items()):
            for score in (max(1, spoilt), 1 + spoilt):
                writer.writerow([text, score, place % 6])
    return path


def of_spoilt(text: str) -> Said:
    """A model that sees what is spoilt, but calls nothing worse than 4, and will not speak of the third text."""
    return says("No.", refusal="No.") if text == list(SPOILT)[2] else rates(min(4, 1 + SPOILT[text]), "Look, a comma.")


def test_its_distribution_stands_beside_that_of_people(run: Run, judged: Path) -> None:
    with LanguageModel(of_text=of_spoilt) as server:
        printed = run(judged, "--text", "text", "--score", "score", "--original", "from", "--address", server.address, "--json")
    found: dict[str, Any] = json.loads(printed)

    rated = {text: min(4, 1 + spoilt) for text, spoilt in SPOILT.items() if text != list(SPOILT)[2]}
    said = {text: [max(1, spoilt), 1 + spoilt] for text, spoilt in SPOILT.items()}
    assert found["model"]["name"] == "small"
    assert found["cost"] == {"requests": 12, "tokens": 1_200, "known_from_before": 0}
    assert (found["texts"], found["without_score"]) == (12, {"refused": 1})
    of_model, of_people = found["ratings"], found["people"]
    assert (of_model["scale"], of_model["counts"]) == ([1, 2, 3, 4, 5], [3, 3, 1, 4, 0])
    assert of_model["shares"] == [3 / 11, 3 / 11, 1 / 11, 4 / 11, 0]
    assert of_model["mean"]["value"] == pytest.approx(np.mean(list(rated.values())))
    assert (of_model["mean"]["n"], of_model["mean"]["left_out"]) == (11, {"not judged": 1})
    assert of_people["counts"] == [sum(scores.count(point) for scores in said.values()) for point in range(1, 6)]
    assert of_people["mean"]["value"] == pytest.approx(np.mean(list(said.values())))
    expected = np.corrcoef(list(rated.values()), [np.mean(said[text]) for text in rated])[0, 1]
    assert (found["pearson"]["value"], found["pearson"]["n"]) == (pytest.approx(expected), 11)
    assert "6 clusters" in found["pearson"]["interval"]["method"] and "6 clusters" in of_model["mean"]["interval"]["method"]
    assert of_model["mean"]["interval"]["low"] < of_model["mean"]["value"] < of_model["mean"]["interval"]["high"]


def test_the_same_for_reading(run: Run, judged: Path) -> None:
    with LanguageModel(of_text=of_spoilt) as server:
        arguments = (judged, "--text", "text", "--score", "score", "--address", server.address)
        first, again = run(*arguments).splitlines(), run(*arguments).splitlines()

    assert first[:2] == ["small: 12 texts, 0 known from before", "12 requests, 1,200 tokens"]
    assert again[:2] == ["small: 12 texts, 12 known from before", "0 requests, 0 tokens"]
    assert first[2:] == again[2:]
    assert [line.split() for line in first[2:7]] == [
        ["the", "model:", "1", "3", "27.3%"],
        ["the", "model:", "2", "3", "27.3%"],
        ["the", "model:", "3", "1", "9.1%"],
        ["the", "model:", "4", "4", "36.4%"],
        ["the", "model:", "5", "0", "0.0%"],
    ]
    assert first[7].startswith("the model: mean     2.545  [") and first[7].endswith("n = 11")
    assert first[13].startswith("people: mean")
    assert first[14].split() == ["without", "a", "score", "1", "refused"]
    assert first[15].startswith("Pearson r") and first[15].endswith("n = 11")
    assert len(first) == 16


def test_scores_and_reasons_go_to_a_file(run: Run, judged: Path, tmp_path: Path) -> None:
    out = tmp_path / "rated.csv"
    with LanguageModel(of_text=of_spoilt) as server:
        printed = run(judged, "--text", "text", "--address", server.address, "--out", out)

    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["text"] for row in rows] == list(SPOILT)
    assert rows[3] == {"text": list(SPOILT)[3], "score": "4", "reason": "Look, a comma.", "problem": ""}
    assert rows[2] == {"text": list(SPOILT)[2], "score": "", "reason": "No.", "problem": "refused"}
    assert "people" not in printed and "Pearson" not in printed


def test_a_spreadsheet_executes_neither_text_nor_reason(run: Run, tmp_path: Path) -> None:
    table, out = tmp_path / "texts.csv", tmp_path / "rated.csv"
    table.write_text("text\n=1+1\n")
    with LanguageModel(rates(2, "@SUM(A1)")) as server:
        run(table, "--text", "text", "--address", server.address, "--out", out)

    assert server.texts == ["=1+1"]
    assert out.read_text() == "text,score,reason,problem\n'=1+1,2,'@SUM(A1),\n"


def test_answers_that_are_no_scores_leave_reasons_not_numbers(run: Run, judged: Path) -> None:
    with LanguageModel(says("Hm.")) as server:
        found = json.loads(run(judged, "--text", "text", "--score", "score", "--address", server.address, "--json"))

    assert found["without_score"] == {"no_score": 12}
    assert (found["ratings"]["counts"], found["ratings"]["shares"]) == ([0] * 5, None)
    assert found["ratings"]["mean"]["reason"]["code"] == "empty"
    assert found["pearson"]["reason"]["code"] == "too_few_texts"


def test_limits_and_the_key_reach_the_server(run: Run, judged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "sesame")
    with LanguageModel(rates(2)) as server:
        arguments = (judged, "--text", "text", "--address", server.address, "--reply-tokens", 50)
        with pytest.raises(RegressorError, match="5 requests sent, the most that is allowed"):
            run(*arguments, "--most-requests", 5)
        with pytest.raises(RegressorError, match=r"0 tokens are used, and the next request may take up to [0-9,]+: .* 100\."):
            run(*arguments, "--most-tokens", 100)
        found = json.loads(run(*arguments, "--json"))

    assert found["cost"] == {"requests": 7, "tokens": 700, "known_from_before": 5}
    assert {asked["max_tokens"] for asked in server.asked} == {50}
    assert set(server.keys) == {"Bearer sesame"}


def test_what_cannot_be_compared_is_refused_before_anything_is_asked(run: Run, judged: Path, tmp_path: Path) -> None:
    none = tmp_path / "none.csv"
    none.write_text("text,score\na,\n")
    with LanguageModel(fails(500)) as server:
        asked = ("--text", "text", "--address", server.address)
        with pytest.raises(ScoringError, match=r"column said: required column is missing"):
            run(judged, *asked, "--score", "said")
        with pytest.raises(ScoringError, match=r"line 2, column from: '0' is not one of 1, 2, 3, 4, 5"):
            run(judged, *asked, "--score", "from")
        with pytest.raises(RegressorError, match="no cell of score holds a score"):
            run(none, *asked, "--score", "score")
        with pytest.raises(ScoringError, match="cannot be written"):
            run(judged, *asked, "--out", tmp_path / "nowhere" / "rated.csv")

    assert server.asked == []

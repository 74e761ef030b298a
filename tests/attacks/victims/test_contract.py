"""What every kind of victim keeps to."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attacks import AttackError
from attacks.engine import Example, run_attack
from attacks.tasks import Task
from attacks.victims import evaluate, load_victim
from attacks.victims.training import STORED, victim_of
from attacks.victims.weights import WEIGHTS
from scoring.model_folder import ModelFolderError, dump_tensors, load_tensors, read_model_folder, write_model_folder
from tests.attacks.toys import Scripted

NAMES = ["linear", "bilstm", "bert", "gemma", "sklearn", "http"]
IN_FOLDERS = NAMES[:-1]
TEXTS = [
    "",
    "…",
    "rain",
    "the official report",
    "SHOCKING secret about rain " * 40,
    "the unbelievable secret ~ was measured",
    "unseen words only",
    "a\ud800b",
    "rain\u0000 town",
    "secret " * 14_285,  # 100,000 characters
    "x" * 5_000,
]


@pytest.fixture(scope="module", params=NAMES)
def victim(request: pytest.FixtureRequest, folder_of: Callable[[str], Path]) -> Any:
    return load_victim(folder_of(request.param))


@pytest.fixture(params=IN_FOLDERS)
def folder(request: pytest.FixtureRequest, folder_of: Callable[[str], Path]) -> Path:
    return folder_of(request.param)


def test_every_kind_is_here(folder_of: Callable[[str], Path]) -> None:
    assert {load_victim(folder_of(name)).kind for name in NAMES} == {*STORED, "http"}


def test_it_has_learned(victim: Any, weather: Task) -> None:
    assert evaluate(victim, weather.attack).accuracy >= 0.9


def test_answers_are_probabilities(victim: Any) -> None:
    answers = victim.predict_proba(TEXTS)
    assert (answers.shape, answers.dtype) == ((len(TEXTS), 2), np.float64)
    np.testing.assert_allclose(answers.sum(axis=1), 1, atol=1e-8)
    assert ((answers >= 0) & (answers <= 1)).all()
    assert victim.predict_proba([]).shape == (0, 2)


def test_answers_do_not_depend_on_the_batch(victim: Any) -> None:
    together = victim.predict_proba(TEXTS)
    assert np.array_equal(together, np.vstack([victim.predict_proba([text]) for text in TEXTS]))
    assert np.array_equal(together, victim.predict_proba([*TEXTS[::-1], *TEXTS])[: len(TEXTS)][::-1])


def test_it_says_who_it_is(victim: Any) -> None:
    assert (victim.name, len(victim.sha256)) == (victim.kind, 64)


def test_a_folder_gives_the_victim_that_was_kept(folder: Path, tmp_path: Path) -> None:
    victim, stored = load_victim(folder), read_model_folder(folder)
    assert victim.sha256 == stored.sha256
    write_model_folder(tmp_path / "again", card=stored.card, files=victim.files())  # type: ignore[union-attr]
    assert np.array_equal(load_victim(tmp_path / "again").predict_proba(TEXTS), victim.predict_proba(TEXTS))


def test_a_damaged_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    largest = max((file for file in (tmp_path / "copy").iterdir()), key=lambda file: file.stat().st_size)
    largest.write_bytes(largest.read_bytes()[:-1] + b"\x01")
    with pytest.raises(ModelFolderError, match="does not match its hash"):
        load_victim(tmp_path / "copy")


def test_an_incomplete_victim_is_refused(folder: Path, tmp_path: Path) -> None:
    stored = read_model_folder(folder)
    for missing in stored.files:
        files = {name: content for name, content in stored.files.items() if name != missing}
        write_model_folder(tmp_path / missing, card=stored.card, files=files)
        with pytest.raises(AttackError, match=f"the victim lacks '{missing}'"):
            load_victim(tmp_path / missing)


@pytest.mark.parametrize("name", ["linear", "bilstm", "bert", "gemma"])
def test_weights_that_are_no_numbers_are_refused(name: str, folder_of: Callable[[str], Path]) -> None:
    stored = read_model_folder(folder_of(name))
    weights = load_tensors(stored.files[WEIGHTS])
    last = sorted(weights)[-1]
    stored.files[WEIGHTS] = dump_tensors(weights | {last: np.full_like(weights[last], np.inf)})
    with pytest.raises(AttackError, match="not all finite"):
        victim_of(stored, "here")


class Failing:
    """A victim that raises, or answers with what are no numbers, at its 50th call and ever after that."""

    def __init__(self, victim: Any, failure: Exception | None) -> None:
        self.victim, self.failure, self.calls = victim, failure, 0
        self.name, self.sha256 = victim.name, victim.sha256

    def predict_proba(self, texts: Any) -> np.ndarray:
        self.calls += 1
        if self.calls < 50:
            answers: np.ndarray = self.victim.predict_proba(texts)
            return answers
        if self.failure:
            raise self.failure
        return np.full((len(texts), 2), np.nan)


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (None, "the victim's answer to 'the .* is not a number"),
        (RuntimeError("the fan fell off"), "RuntimeError: the fan fell off"),
    ],
)
def test_a_failure_at_the_50th_call_costs_what_was_not_finished(victim: Any, failure: Exception | None, message: str) -> None:
    examples = [Example(id, f"the report about rain {id}", 0) for id in range(40)]
    attacker = Scripted("the report about rain on monday", admit=False)
    found = run_attack(examples, Failing(victim, failure), attacker, window=1)
    finished = [outcome.status for outcome in found].index("error")
    assert [outcome.status for outcome in found[finished:]] == ["error"] * (40 - finished)
    assert finished >= 16  # each of them asks three times at most
    assert all(outcome.message for outcome in found[finished:])
    assert re.search(message, found[-1].message)

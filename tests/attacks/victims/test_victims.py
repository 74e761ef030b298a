"""Training, evaluating and keeping victims; what each kind is beside the contract."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from attacks import AttackError
from attacks.tasks import Row, Task
from attacks.victims import KINDS, evaluate, load_victim, train_victim
from attacks.victims.linear import LinearVictim
from attacks.victims.training import parameters_of
from scoring.model_folder import read_model_folder, write_model_folder
from tests.attacks.toys import WordVictim
from tests.attacks.victims.test_contract import TEXTS

TRAINED = ["linear", "bilstm", "bert", "gemma"]
Small = dict[str, tuple[str, dict[str, Any]]]


@pytest.mark.parametrize("name", TRAINED)
def test_training_is_repeatable_and_leaves_torchs_generator_alone(
    name: str, folder_of: Callable[[str], Path], small: Small, weather: Task
) -> None:
    kind, parameters = small[name]
    before = torch.random.get_rng_state()
    again = KINDS[kind].train(weather.train, seed=3, **parameters)
    assert again.files() == read_model_folder(folder_of(name)).files
    assert torch.equal(before, torch.random.get_rng_state())


@pytest.mark.parametrize("name", TRAINED)
def test_the_card_says_what_it_is(name: str, folder_of: Callable[[str], Path], small: Small, weather: Task) -> None:
    card, victim = read_model_folder(folder_of(name)).card, load_victim(folder_of(name))
    kind, parameters = small[name]
    assert (card["kind"], card["task"], card["seed"], card["forced"]) == (kind, "weather", 3, False)
    assert card["parameters"] == parameters_of(kind) | parameters
    result = evaluate(victim, weather.dev)
    assert (card["results"]["accuracy"], card["results"]["f1"], card["results"]["n"]) == (result.accuracy, result.f1, 30)
    assert card["results"]["accuracy_interval"]["method"] == "Wilson, 30 observations"
    assert (card["data"]["train"]["n"], card["data"]["dev"]["n"]) == (100, 30)
    assert {"python", "numpy"} < card["versions"].keys()
    assert card["adversarial"] is None


def test_other_model_folders_are_refused(tmp_path: Path) -> None:
    for kind in ("suspicion", None, []):
        write_model_folder(tmp_path / "other", card={"kind": kind}, files={}, replace=True)
        with pytest.raises(AttackError, match="so this is not a victim"):
            load_victim(tmp_path / "other")


def test_the_linear_victim_equals_the_pipeline_that_it_is_trained_as(weather: Task) -> None:
    labels = [row.label for row in weather.train]
    pipeline = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(C=10.0, max_iter=1000, random_state=0))
    pipeline.fit([row.text for row in weather.train], labels)
    texts = [*TEXTS, *(row.text for row in weather.attack)]
    np.testing.assert_allclose(LinearVictim.train(weather.train).predict_proba(texts), pipeline.predict_proba(texts), atol=1e-12)


def test_the_bilstm_gives_texts_of_equal_word_pieces_the_same_answer(tmp_path: Path, weather: Task) -> None:
    victim = train_victim(weather, "bilstm", tmp_path / "v", force=True, epochs=1, hidden=8, longest=8)
    answers = victim.predict_proba(
        ["Rain  IN town", "rain in town", "rain in town and ever so much more", "rain in town and ever so long"]
    )
    assert np.array_equal(answers[0], answers[1])
    assert np.array_equal(answers[2], answers[3])  # the same six pieces and two markers fill the length of eight
    assert not np.array_equal(answers[1], answers[2])


def test_evaluation_by_hand() -> None:
    rows = [Row(label, "", text) for label, text in [(1, "bad"), (1, "bad"), (1, "good"), (0, "good"), (0, "bad")]]
    result = evaluate(WordVictim({"good": -0.3, "bad": 0.3}), rows)
    assert (result.accuracy, result.n, result.majority) == (0.6, 5, 0.6)
    assert result.f1 == pytest.approx(2 / 3)
    assert result.p_chance == pytest.approx(sum([0.6**5, 5 * 0.6**4 * 0.4, 10 * 0.6**3 * 0.4**2]))
    assert result.at_chance
    wilson = result.accuracy_interval
    assert wilson is not None and (wilson.low, wilson.high) == (pytest.approx(0.2307, abs=1e-4), pytest.approx(0.8824, abs=1e-4))
    assert result.f1_interval is not None and result.f1_interval.low < 2 / 3 < result.f1_interval.high


def test_f1_without_any_positive() -> None:
    assert evaluate(WordVictim({}), [Row(0, "", "x")]).f1 == 0.0


def test_a_victim_at_chance_is_refused_unless_forced(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = [Row(int(label), "", " ".join(rng.choice(list("abcdefgh"), 5) + "x")) for label in rng.integers(2, size=90)]
    task = Task("noise", rows[:60], rows[60:], [])
    with pytest.raises(AttackError, match=r"at chance: accuracy 0\.\d+ on 30 development texts"):
        train_victim(task, "linear", tmp_path / "v")
    assert not (tmp_path / "v").exists()
    assert train_victim(task, "linear", tmp_path / "v", force=True).kind == "linear"
    assert json.loads((tmp_path / "v" / "card.json").read_text())["forced"] is True


def test_wrong_requests_are_refused(tmp_path: Path, weather: Task) -> None:
    with pytest.raises(AttackError, match="unknown kind of victim 'x'; there are linear, bilstm, transformer"):
        train_victim(weather, "x", tmp_path / "v")
    with pytest.raises(AttackError, match="a linear victim has no parameter 'epochs'; it has C"):
        train_victim(weather, "linear", tmp_path / "v", epochs=3)
    one = Task("one", [row for row in weather.train if row.label], weather.dev, [])
    with pytest.raises(AttackError, match="its train set needs texts of both labels"):
        train_victim(one, "linear", tmp_path / "v")


def test_progress_is_told_and_can_stop_training(weather: Task, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []

    def stop(done: int, total: int, message: str) -> None:
        seen.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_victim(weather, "bilstm", tmp_path / "v", progress=stop, epochs=5, hidden=8)
    assert seen == [(1, 5), (2, 5)]
    assert not (tmp_path / "v").exists()

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from attacks.tasks import Task
from attacks.victims import SklearnVictim, load_victim, save_victim, train_victim
from tests.attacks.victims import tiny
from tests.regressors.features.server import Said, Server


@pytest.fixture(scope="session")
def words(weather: Task) -> set[str]:
    return {word for row in weather.train for word in row.text.split()}


@pytest.fixture(scope="session")
def bert(words: set[str], tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny.transformer(tmp_path_factory.mktemp("bases") / "bert", words)


@pytest.fixture(scope="session")
def gemma(words: set[str], tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny.transformer(tmp_path_factory.mktemp("bases") / "gemma", words, "gemma")


@pytest.fixture(scope="session")
def small(bert: str, gemma: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """For each victim that is trained, its kind and parameters with which that takes a moment."""
    return {
        "linear": ("linear", {}),
        "bilstm": ("bilstm", {"epochs": 4, "hidden": 16, "rate": 0.02}),
        "bert": ("transformer", {"base": bert, "epochs": 8, "batch": 8, "rate": 0.01}),
        "gemma": ("transformer", {"base": gemma, "epochs": 4, "batch": 8, "rate": 0.02, "lora": True, "precision": "single"}),
    }


@pytest.fixture(scope="session")
def folder_of(
    weather: Task, small: dict[str, tuple[str, dict[str, Any]]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Path]]:
    """The folder of each victim by name; the one behind an address answers as the linear one does."""
    place = tmp_path_factory.mktemp("victims")
    served: list[Server] = []

    def make(name: str) -> Path:
        folder = place / name
        if folder.exists():
            return folder
        if name == "sklearn":
            pipeline = make_pipeline(CountVectorizer(), MultinomialNB())
            pipeline.fit([row.text for row in weather.train], [row.label for row in weather.train])
            save_victim(SklearnVictim(pipeline), weather, folder)
        elif name == "http":
            served.append(Server(of_body=_answer_of(make("linear"))).__enter__())
            folder.mkdir()
            described = {"kind": "http", "address": served[-1].address, "model": "linear", "batch": 4}
            (folder / "victim.json").write_text(json.dumps(described))
        else:
            kind, parameters = small[name]
            train_victim(weather, kind, folder, seed=3, **parameters)
        return folder

    yield make
    for server in served:
        server.__exit__()


def _answer_of(folder: Path) -> Callable[[bytes], Said]:
    victim = load_victim(folder)

    def answer(body: bytes) -> Said:
        probabilities = np.round(victim.predict_proba(json.loads(body)["texts"]), 6)
        return Said(json.dumps({"probabilities": probabilities.tolist()}).encode())

    return answer


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")

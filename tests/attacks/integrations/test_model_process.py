from __future__ import annotations

import sys
from pathlib import Path

import pytest

from attacks import AttackError
from attacks.integrations.model_process import ModelProcess
from regressors.__main__ import main as regress
from regressors.storage import load
from tests.regressors.commands.conftest import write_table


def trained(folder: Path) -> Path:
    write_table(folder / "judgements.csv", 20, 1)
    columns = ["--text", "text", "--score", "score", "--original", "original", "--variant", "variant"]
    assert regress(["train", str(folder / "judgements.csv"), *columns, "--model", "ridge", "--out", str(folder / "model")]) == 0
    return folder / "model"


def test_a_model_answers_from_its_own_process_as_it_does_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = trained(tmp_path)
    monkeypatch.chdir(tmp_path)
    here, there = load(folder), ModelProcess(folder.name, sys.executable)
    texts = ["the counicl opened\nthe bridge", "", "é\u2028\ud800"]
    assert there.predict(texts).tolist() == here.predict(texts).tolist()
    assert there.predict([]).tolist() == []
    assert (there.sha256, there.card["kind"]) == (here.sha256, here.card["kind"])
    there._process.kill()
    there._process.wait()
    with pytest.raises(AttackError, match="process has ended, with exit code -9"):
        there.predict(texts)


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(AttackError, match="gave no answer; what it said of that stands on standard error"):
        ModelProcess(tmp_path, sys.executable)

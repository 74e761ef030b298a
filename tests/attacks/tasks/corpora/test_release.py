from __future__ import annotations

from pathlib import Path

import pytest

from attacks import AttackError
from attacks.tasks.corpora import KINDS, Corpus, Labelled
from attacks.tasks.corpora.release import is_release


def read(folder: Path) -> Corpus:
    return KINDS["C19"].read(folder, lambda done, total, message: None)


def test_splits_stay_as_released(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("1\ta\tone\ttwo\n0\tb\tthree\tfour\n")
    (tmp_path / "attack.tsv").write_text("0\tc\tC:\\\\new\\nline\tend\n1\td\tsmile \\o/\\n!\tend\n")
    assert is_release(tmp_path)
    corpus = read(tmp_path)
    assert list(corpus.train) == [Labelled(1, "a", ("one", "two")), Labelled(0, "b", ("three", "four"))]
    assert list(corpus.attack) == [Labelled(0, "c", ("C:\\new\nline", "end")), Labelled(1, "d", ("smile \\o/\n!", "end"))]
    assert (list(corpus.dev), corpus.remarks) == ([], {"texts whose backslashes are not doubled": 1})
    (tmp_path / "dev.tsv").write_text("1\te\tfive\tsix\n")
    assert list(read(tmp_path).dev) == [Labelled(1, "e", ("five", "six"))]


def test_faults_name_file_and_line(tmp_path: Path) -> None:
    assert not is_release(tmp_path)
    (tmp_path / "train.tsv").write_text("1\ta\tone\ttwo\n1\ta\tone\n")
    with pytest.raises(AttackError, match=r"train\.tsv, line 2: 1 texts, where this task has 2"):
        read(tmp_path)
    (tmp_path / "train.tsv").write_text("1\ta\tone\ttwo\n")
    with pytest.raises(AttackError, match=r"attack\.tsv: cannot be read"):
        read(tmp_path)

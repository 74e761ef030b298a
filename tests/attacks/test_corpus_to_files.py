"""From a public corpus to BODEGA's files on the command line: what one command writes, the next one reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.__main__ import main
from attacks.results import read_run
from tests.attacks.tasks.corpora.layouts import propaganda

CALM, LOUD = "The council met on day {i} and agreed on a budget.", "Traitors will destroy us all by day {i}! Rise up."


def corpus(folder: Path) -> Path:
    """Two articles whose loud sentences are propaganda."""
    texts = {id: "".join(f"{(LOUD if i % 2 else CALM).format(i=i)}\n" for i in range(n)) for id, n in (("11", 60), ("14", 8))}
    labels = [
        f"{id}\t{at}\t{at + 8}\n" for id, text in texts.items() for at in range(len(text)) if text.startswith("Traitors", at)
    ]
    return propaganda(folder, texts, "".join(labels))


def test_convert_train_run_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task, victim, run, out = (str(tmp_path / name) for name in ("PR2", "victim", "run", "out"))
    assert main(["convert", "PR", str(corpus(tmp_path / "corpus")), task]) == 0
    assert main(["train-victim", "--task-dir", task, "--kind", "linear", "--out", victim]) == 0
    attack = ["run", "--task-dir", task, "--victim", victim, "--attacker", "deepwordbug", "--targeted", "--out", run]
    assert main(attack) == 0
    found = read_run(run)
    assert (found.header["segmentation"], found.summary["segmentation"], found.summary["segmenter"]) == ("PR", "PR", "whole text")
    assert (found.summary["attacked"], found.summary["statuses"]["skipped"]) == (4, 4)
    assert main(["export", run, out]) == 0
    assert sorted(path.name for path in Path(out).iterdir()) == [
        "raw_PR2_True_deepwordbug_linear.tsv",
        "results_PR2_True_deepwordbug_linear.txt",
        "submission_PR2_True_deepwordbug_linear.tsv",
    ]
    figures = dict(line.split(": ") for line in (Path(out) / "results_PR2_True_deepwordbug_linear.txt").read_text().splitlines())
    assert (figures["Subset size"], float(figures["Success score"])) == ("4", found.summary["success"]["value"])
    capsys.readouterr()
    assert main([*attack, "--segmentation", "HN"]) == 2
    assert "holds another run, with other segmentation" in capsys.readouterr().err

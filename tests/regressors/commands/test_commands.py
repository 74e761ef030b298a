"""Commands on good input: compare, explain, and what evaluate says by variant."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import DATA

Run = Callable[..., tuple[int, str, str]]
NAMED = [*DATA, "--original", "original", "--variant", "variant"]
QUICK = [
    *("--models", "ridge", "--baseline", "forest", "--groups", "lexical", "--learner", "ridge", "--transfer", "ridge"),
    *("--repeats", "1", "--folds", "3"),
]


def test_compare_goes_on_tells_progress_and_prints_tables(run: Run, tables: Path, tmp_path: Path) -> None:
    arguments = ["compare", tables / "train.csv", *NAMED, *QUICK, "--test", tables / "test.csv", "--out", tmp_path / "out"]

    code, first, err = run(*arguments)
    assert code == 0
    assert err.splitlines() == [
        "0/8 model forest, repetition 1",
        "1/8 test forest, repetition 1",
        "2/8 model ridge, repetition 1",
        "3/8 test ridge, repetition 1",
        "4/8 ridge of lexical, repetition 1",
        "5/8 ridge from =one, repetition 1",
        "6/8 ridge from plain, repetition 1",
        "7/8 ridge from two, repetition 1",
        "8/8 Measuring",
    ]
    code, second, err = run(*arguments, "--json")
    report = json.loads(second)
    assert code == 0
    assert [line.endswith("(known)") for line in err.splitlines()] == [True] * 8 + [False]
    assert report == json.loads((tmp_path / "out" / "report.json").read_text())
    difference = report["models"][1]["difference_from_baseline"]
    interval = difference["interval"]
    assert f"r less forest's     {difference['value']:.3f}  [{interval['low']:.3f}, {interval['high']:.3f}]  n = 60" in first
    assert f"chosen by r: {report['selected']}" in first
    assert "    share of ceiling    none: No noise ceiling: No item was judged twice" in first
    assert sorted(entry.name for entry in (tmp_path / "out").iterdir()) == [
        "ablation.csv",
        "by_variant.csv",
        "cells",
        "comparison.csv",
        "report.json",
        "transfer.csv",
    ]


def test_compare_tells_how_far_repetitions_differ(run: Run, tables: Path, tmp_path: Path) -> None:
    arguments = ["compare", tables / "train.csv", *DATA, "--original", "original", *QUICK, "--out", tmp_path / "out"]

    code, printed, _ = run(*arguments, "--models", "ridge", "--baseline", "ridge", "--repeats", "2")
    least, greatest = sorted(json.loads((tmp_path / "out" / "report.json").read_text())["models"][0]["protocol"]["r_by_repeat"])

    assert code == 0
    assert f"    r of repetitions    {least:.3f} to {greatest:.3f}  in 2" in printed.splitlines()


def test_evaluate_tells_results_by_variant(run: Run, model: Path, tables: Path) -> None:
    found = json.loads(run("evaluate", model, tables / "test.csv", *NAMED, "--json")[1])
    printed = run("evaluate", model, tables / "test.csv", *NAMED)[1].splitlines()

    by_variant = found["by_variant"]
    assert [(of["variant"], of["n"]) for of in by_variant] == [("=one", 10), ("plain", 10), ("two", 10)]
    assert printed[-3].startswith(
        f"=one                judged {by_variant[0]['mean_judged']:.2f}, predicted {by_variant[0]['mean_predicted']:.2f}, r "
    )


def test_explain_names_words_and_features(run: Run, model: Path) -> None:
    text = "the council opened teh brigdeqx over the river"
    code, printed, _ = run("explain", model, text)
    found = json.loads(run("explain", model, text, "--json")[1])

    assert code == 0
    assert found["model"]["sha256"] == json.loads((model / "card.json").read_text())["sha256"]
    assert found["words"][0]["word"] == "brigdeqx"
    assert printed.splitlines()[:2] == [f"score {found['score']:.3f}", f"{found['words'][0]['effect']:+.3f}  brigdeqx"]
    first = found["features"][0]
    shown = f"lexical {first['feature']} is {first['value']:.3g}, usually {first['median']:.3g}"
    assert f"{first['effect']:+.3f}  {shown}" in printed.splitlines()


def test_a_long_text_s_first_words_are_explained(run: Run, model: Path) -> None:
    assert "the first 200 of 201 words were looked at" in run("explain", model, "word " * 201)[1].splitlines()


@pytest.mark.parametrize("options", [["--repeats", "0"], ["--folds", "x"], ["--seed", "-1"]])
def test_bad_options_end_with_two(options: list[str], run: Run, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        run("compare", "data.csv", *DATA, *options, "--out", tmp_path / "out")
    assert ended.value.code == 2

"""Finished runs as BODEGA's files: their names, their bytes, their times."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attacks import AttackError
from attacks.__main__ import main
from attacks.bodega_files import bodega_files, export_run, marked
from attacks.engine import Outcome, Queries
from attacks.results import Run, score_run, write_run
from tests.attacks.test_runs import Fixed, run

SECONDS = {"attack": 6.0, "scoring": 1.5}


def outcome(id: int, original: str, adversarial: str | None, asked: int, status: Any = None) -> Outcome:
    status = status or ("failed" if adversarial is None else "success")
    return Outcome(id, original, 1, status, adversarial=adversarial, queries=Queries(asked))


ATTACKED = [
    outcome(0, "A b c d", "A b C:\\ x", 7),
    outcome(1, "Rain\nfell\there.", "Rain\nfelt here.", 4),
    outcome(2, "C:\\new", None, 9),
    outcome(3, "skipped", None, 1, "skipped"),
    outcome(4, "x", None, 2, "error"),
]


def finished(outcomes: Sequence[Outcome], scorer: Any = None, **header: Any) -> Run:
    known = {
        "task": {"name": "PR"},
        "victim": {"name": "bilstm", "sha256": "0"},
        "attacker": {"name": "textattack:deepwordbug"},
        "scenario": "untargeted",
        "seed": 0,
    }
    return score_run(known | header, outcomes, scorer=scorer, segmentation="HN")


def test_submission() -> None:
    assert bodega_files(finished(ATTACKED), SECONDS) == {
        "submission_PR2_False_textattack-deepwordbug_BiLSTM.tsv": (
            "succeeded\tnum_queries\toriginal_text\tmodified_text\t\n"
            "True\t7\tA b c d\tA b C:\\ x\t\n"
            "True\t4\tRain\\nfell here.\tRain\\nfelt here.\t\n"
            "False\t9\tC:\\\\new\tATTACK_UNSUCCESSFUL\t\n"
            "False\t2\tx\tATTACK_UNSUCCESSFUL\t\n"
        )
    }


def test_raw_and_results() -> None:
    files = bodega_files(finished(ATTACKED, Fixed(), scenario="targeted", task={"name": "my_task"}), SECONDS, "Deep_Bug 2")
    name = "my-task_True_Deep_Bug-2_BiLSTM"
    assert sorted(files) == [f"raw_{name}.tsv", f"results_{name}.txt", f"submission_{name}.tsv"]
    # Characters: 4 of 10 differ, and 1 of 16; the fixed scorer says 0.5 of every sentence.
    assert files[f"raw_{name}.tsv"] == "0.3\ta b c <d>\ta b c <:\\ x>\n0.46875\train fel<l> here .\train fel<t> here .\n"
    assert files[f"results_{name}.txt"] == (
        "Subset size: 4\n"
        "Success score: 0.5\n"
        "Semantic score: 0.5\n"
        "Character score: 0.76875\n"
        "BODEGA score: 0.1921875\n"
        "Queries per example: 5.5\n"
        "Total attack time: 6.0\n"
        "Time per example: 1.5\n"
        "Total evaluation time: 1.5\n"
    )


def test_small_scores_have_no_exponent() -> None:
    run = finished(ATTACKED[:1], Fixed())
    [score] = run.scores
    assert score is not None
    small = replace(run, scores=[replace(score, bodega=5e-05)])
    [raw] = [text for name, text in bodega_files(small, SECONDS).items() if name.startswith("raw")]
    assert raw.split("\t")[0] == "0.00005"


def test_what_there_is_no_mean_of_is_nan() -> None:
    [results] = [text for name, text in bodega_files(finished([], Fixed()), SECONDS).items() if name.startswith("results")]
    values = [line.partition(": ")[2] for line in results.splitlines()]
    assert values == ["0", "nan", "nan", "nan", "nan", "nan", "6.0", "nan", "1.5"]


@pytest.mark.parametrize(
    ("old", "new", "marks"),
    [
        ("", "", ("", "")),
        ("same", "same", ("same", "same")),
        ("the bridge closes", "the bridge shuts", ("the bridge <close>s", "the bridge <shut>s")),
        ("a b", "a", ("a< b>", "a")),
        ("", "new", ("", "<new>")),
    ],
)
def test_marks(old: str, new: str, marks: tuple[str, str]) -> None:
    assert marked(old, new) == marks


TEXTS = st.text(alphabet="abc .é\u200b", max_size=40)


@given(TEXTS, TEXTS)
def test_marks_leave_the_texts_and_what_they_share(old: str, new: str) -> None:
    first, second = marked(old, new)
    assert (first.replace("<", "").replace(">", ""), second.replace("<", "").replace(">", "")) == (old, new)
    outside = ["".join(part.split(">")[-1] for part in text.split("<")) for text in (first, second)]
    assert outside[0] == outside[1]


def test_half_a_surrogate_is_written_as_an_unknown_character() -> None:
    files = bodega_files(finished([outcome(0, "a \ud800", "b \ud800", 3)], Fixed()), SECONDS)
    assert [text.encode().count("\ufffd".encode()) for text in files.values()] == [2, 0, 2]


def test_runs_are_collected_in_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in (0, 1):
        assert run(tmp_path / str(seed), seed=seed).successes
    out = tmp_path / "all"
    names = [
        f"{kind}_toy_False_random-walk_toy.{end}" for kind, end in (("raw", "tsv"), ("results", "txt"), ("submission", "tsv"))
    ]
    assert main(["export", str(tmp_path / "0"), str(out)]) == 0
    assert sorted(capsys.readouterr().out.splitlines()) == [str(out / name) for name in names]
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    assert sorted(before) == names
    assert export_run(tmp_path / "0", out) == [out / names[2], out / names[1], out / names[0]]
    assert main(["export", str(tmp_path / "1"), str(out)]) == 2
    assert "is there already, of another run; choose another folder or --attacker NAME" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert main(["export", str(tmp_path / "1"), str(out), "--attacker", "second"]) == 0
    assert len(list(out.iterdir())) == 6
    times = [json.loads(line)["seconds"] for line in (tmp_path / "0" / "timing.jsonl").read_text().splitlines()]
    figures = dict(line.split(": ") for line in before[names[1]].decode().splitlines())
    assert [float(figures[name]) for name in ("Total attack time", "Total evaluation time")] == times


def test_in_its_own_folder_a_runs_files_are_renewed(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps(finished(ATTACKED).header))
    for outcomes in (ATTACKED, ATTACKED[:1]):
        write_run(finished(outcomes, Fixed()), tmp_path)
        export_run(tmp_path, tmp_path)
    [raw] = tmp_path.glob("raw_*")
    assert raw.read_text().count("\n") == 1


def test_an_unfinished_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AttackError, match="no finished run here"):
        export_run(tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()

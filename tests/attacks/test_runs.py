"""Runs in folders: their files, resuming, scoring by BODEGA's rule."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attacks import AttackError
from attacks.engine import Example, Outcome
from attacks.results import Run, read_run, score_run
from attacks.runs import Attack, attack_task, seconds_spent
from attacks.tasks import Row, Task
from tests.attacks.toys import Forbids, RandomWalk, WordVictim

VICTIM = WordVictim({"a": -0.11, "b": 0.17, "c": 0.05, "d": -0.23, "e": 0.02, "one": -0.04}, base=0.4)
TASK = Task(
    "toy", [], [], [Row(i % 2, "", text) for i, text in enumerate(["one two three", "two two", "", "one", "a b", "b b b"] * 3)]
)


class Fixed:
    """A semantic scorer that knows the pairs of the published example of BODEGA's rule, and says 0.5 of all others."""

    name, version, sha256 = "fixed", "1", "0"

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        known = {"a b c d": 0.9, "E f g h": 1.3, "i j k l": -0.2}
        return [known.get(original, 0.5) for original, _ in pairs]


def run(out: Path, **options: Any) -> Run:
    chosen: dict[str, Any] = {"constraints": [Forbids("e")], "budget": 12, "scorer": Fixed(), **options}
    progress = chosen.pop("progress", None)
    return attack_task(Attack(**{"task": TASK, "victim": VICTIM, "attacker": RandomWalk(), **chosen}), out, progress=progress)


def test_means_follow_bodegas_rule() -> None:
    modified = ["a b c x", "E f g h!", "i j k l", None, None]
    outcomes = [
        Outcome(i, original, 1, "success" if new else status, adversarial=new)
        for i, (original, new, status) in enumerate(
            zip(["a b c d", "E f g h", "i j k l", "m", "n"], modified, ["", "", "", "failed", "error"], strict=True)
        )
    ]
    skipped = Outcome(5, "not of the scenario", 0, "skipped")
    run = score_run({"seed": 0}, [*outcomes, skipped], scorer=Fixed(), segmentation="HN")
    means = {name: run.summary[name]["value"] for name in ("success", "semantic", "character", "bodega")}
    assert means == pytest.approx({"success": 0.6, "semantic": 0.6333333, "character": 0.8783069, "bodega": 0.3098413}, abs=1e-7)
    assert {name: run.summary[name]["n"] for name in means} == {"success": 5, "semantic": 3, "character": 3, "bodega": 5}
    assert (run.summary["attacked"], run.summary["statuses"]["skipped"]) == (5, 1)
    assert run.scores[5] is None
    assert [score.bodega for score in run.scores if score is not None][3:] == [0.0, 0.0]


def test_intervals_are_seeded_and_hold_the_value() -> None:
    outcomes = [Outcome(i, f"text {i}", 1, "success" if i % 3 else "failed", adversarial=f"text x {i}") for i in range(30)]
    first, again = (score_run({"seed": 4}, outcomes, scorer=Fixed(), segmentation="HN").summary for _ in range(2))
    assert first == again
    for name in ("success", "bodega", "character"):
        interval = first[name]["interval"]
        assert interval["low"] < first[name]["value"] < interval["high"]


def test_what_cannot_be_averaged_says_why() -> None:
    summary = score_run({"seed": 0}, [Outcome(0, "a", 1, "failed")], scorer=Fixed(), segmentation="HN").summary
    assert summary["semantic"]["value"] is None
    assert summary["semantic"]["reason"]["code"] == "nothing_to_average"
    assert (summary["success"]["value"], summary["success"]["interval"]) == (0.0, None)
    nothing = score_run({"seed": 0}, [], scorer=Fixed(), segmentation="HN").summary
    assert nothing["queries"]["asked"]["reason"]["code"] == "nothing_to_average"


def test_files_of_a_run(tmp_path: Path) -> None:
    done = run(tmp_path / "run")
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == [
        "results.jsonl",
        "run.json",
        "summary.json",
        "timing.jsonl",
    ]
    rows = [json.loads(line) for line in (tmp_path / "run" / "results.jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows] == list(range(len(TASK.attack)))
    assert not [key for key in rows[0] if "time" in key or "second" in key]
    assert (rows[0]["attacker"], rows[0]["victim"]) == ("random-walk", "toy")
    assert any(row["status"] == "success" and row["scores"]["bodega"] > 0 for row in rows)
    assert read_run(tmp_path / "run") == done
    header = json.loads((tmp_path / "run" / "run.json").read_text())
    assert header["constraints"] == [{"name": "forbids", "word": "e"}]
    assert (header["victim"]["sha256"], header["seed"], header["budget"], header["scenario"]) == ("toy", 0, 12, "untargeted")


def test_running_again_reads_what_is_there(tmp_path: Path) -> None:
    first = run(tmp_path)
    fresh = WordVictim(VICTIM.weights)
    seen: list[tuple[int, int]] = []
    assert run(tmp_path, victim=fresh, progress=lambda done, total, message: seen.append((done, total))) == first
    assert (fresh.calls, seen) == ([], [(18, 18)])


def test_stopped_and_resumed_runs_leave_the_same_bytes(tmp_path: Path) -> None:
    run(tmp_path / "whole")

    def stop(done: int, total: int, message: str) -> None:
        if done > 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "parts", window=3, progress=stop)
    kept = (tmp_path / "parts" / "partial.jsonl").read_text().count("\n")
    assert 4 < kept < len(TASK.attack)
    assert not (tmp_path / "parts" / "results.jsonl").exists()
    run(tmp_path / "parts", window=7)
    for name in ("run.json", "results.jsonl", "summary.json"):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    notes = [json.loads(line) for line in (tmp_path / "parts" / "timing.jsonl").read_text().splitlines()]
    whole = len(TASK.attack)
    assert [(note["work"], note["examples"]) for note in notes] == [
        ("attack", kept),
        ("attack", whole - kept),
        ("scoring", whole),
    ]
    assert seconds_spent(tmp_path / "parts") == {
        "attack": notes[0]["seconds"] + notes[1]["seconds"],
        "scoring": notes[2]["seconds"],
    }


class Offline(WordVictim):
    """Not reachable from the 50th call on, until it is switched on again."""

    def __init__(self) -> None:
        super().__init__(VICTIM.weights, VICTIM.base)
        self.online = False

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        answers = super().predict_proba(texts)
        if len(self.calls) >= 50 and not self.online:
            raise ConnectionError("no route to the victim")
        return answers


def test_a_victim_that_fails_at_the_50th_call_loses_nothing_and_errors_are_tried_again(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole")
    victim = Offline()
    first = run(tmp_path / "run", victim=victim, window=1)
    errors = first.summary["statuses"]["error"]
    assert 0 < errors < len(TASK.attack)
    assert first.summary["errors"] == {"ConnectionError: no route to the victim": errors}
    assert [o for o in first.outcomes if o.status != "error"] == whole.outcomes[: len(TASK.attack) - errors]
    victim.online = True
    assert run(tmp_path / "run", victim=victim).outcomes == whole.outcomes
    assert (tmp_path / "run" / "results.jsonl").read_bytes() == (tmp_path / "whole" / "results.jsonl").read_bytes()


def test_another_runs_folder_is_refused(tmp_path: Path) -> None:
    run(tmp_path / "run")
    with pytest.raises(AttackError, match="holds another run, with other seed; choose another folder"):
        run(tmp_path / "run", seed=1)
    with pytest.raises(AttackError, match="with other task, constraints"):
        run(tmp_path / "run", texts=3, constraints=[])
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    with pytest.raises(AttackError, match="full: not empty and no run"):
        run(tmp_path / "full")
    (tmp_path / "file").write_text("")
    with pytest.raises(AttackError, match="file: not empty and no run"):
        run(tmp_path / "file")
    (tmp_path / "run" / "run.json").write_text("[1]")
    with pytest.raises(AttackError, match=r"run\.json: not a run's header"):
        run(tmp_path / "run")


def test_reading_what_is_no_finished_run(tmp_path: Path) -> None:
    with pytest.raises(AttackError, match="no finished run here"):
        read_run(tmp_path)
    run(tmp_path / "run")
    (tmp_path / "run" / "results.jsonl").write_text('{"id": 1}\n')
    with pytest.raises(AttackError, match="the run's files cannot be read"):
        read_run(tmp_path / "run")


def test_a_crash_while_writing_leaves_the_run_resumable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(file: int) -> None:
        raise OSError("disk full")

    run(tmp_path / "whole")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_bytes((tmp_path / "whole" / "run.json").read_bytes())
    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="disk full"):
        run(tmp_path / "run")
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == ["partial.jsonl", "run.json", "timing.jsonl"]
    monkeypatch.undo()
    run(tmp_path / "run")
    assert (tmp_path / "run" / "results.jsonl").read_bytes() == (tmp_path / "whole" / "results.jsonl").read_bytes()


def test_bad_texts_end_in_a_status(tmp_path: Path) -> None:
    texts = ["", "word", "?! …", "a " * 50_000, "b" * 100_000, "\ud800 a b"]
    done = run(tmp_path, task=Task("bad", [], [], [Row(0, "", text) for text in texts]))
    assert [outcome.status for outcome in done.outcomes] != ["error"] * 6
    assert done.summary["statuses"]["error"] == 0
    assert [Example(o.id, o.original, o.label).text for o in done.outcomes] == texts

"""The same outcomes for any window, order, interruption and restart."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attacks import AttackError
from attacks.engine import Checkpoint, Example, Outcome, run_attack
from attacks.engine.lockstep import generator_of
from tests.attacks.toys import Forbids, RandomWalk, Scripted, WordVictim

VICTIM = WordVictim({"a": -0.11, "b": 0.17, "c": 0.05, "d": -0.23, "e": 0.02, "one": -0.04, "two": 0.03}, base=0.3)
EXAMPLES = [
    Example(i, text, i % 2) for i, text in enumerate(["one two three", "two two", "", "…", "one", "a b", "b b b c", "two"] * 2)
]


def run(examples: list[Example] = EXAMPLES, victim: WordVictim = VICTIM, **options: Any) -> list[Outcome]:
    return run_attack(examples, victim, RandomWalk(), constraints=[Forbids("e")], budget=9, **options)


REFERENCE = run()


def test_the_reference_is_worth_comparing() -> None:
    assert {outcome.status for outcome in REFERENCE} == {"success", "failed", "budget"}
    assert REFERENCE != run(seed=1)
    assert len({outcome.adversarial for outcome in REFERENCE}) > 4


@settings(max_examples=40, deadline=None)
@given(window=st.integers(1, 20), shuffle=st.randoms(use_true_random=False))
def test_any_window_and_order(window: int, shuffle: random.Random) -> None:
    examples = list(EXAMPLES)
    shuffle.shuffle(examples)
    assert run(examples, window=window) == REFERENCE


@settings(max_examples=10, deadline=None)
@given(chosen=st.sets(st.integers(0, len(EXAMPLES) - 1)))
def test_any_part_of_the_examples(chosen: set[int]) -> None:
    assert run([EXAMPLES[i] for i in chosen]) == [REFERENCE[i] for i in sorted(chosen)]


class Cancelled(Exception):
    pass


@pytest.mark.parametrize("window", [1, 3, 16])
def test_cancelled_at_every_step_and_resumed(tmp_path: Path, window: int) -> None:
    path = tmp_path / "partial.jsonl"
    patience = 0

    def cancel(done: int, total: int, message: str) -> None:
        nonlocal patience
        patience -= 1
        if patience < 0:
            raise Cancelled

    for attempt in range(200):
        patience = attempt
        with Checkpoint(path) as checkpoint:
            try:
                assert run(window=window, checkpoint=checkpoint, progress=cancel) == REFERENCE
                break
            except Cancelled:
                continue
    else:
        pytest.fail("the run never ended")
    assert attempt > 5
    lines = path.read_text().splitlines()
    assert sorted(json.loads(line)["id"] for line in lines) == list(range(len(EXAMPLES)))


def test_progress_counts_finished_examples() -> None:
    seen: list[tuple[int, int]] = []
    run(window=3, progress=lambda done, total, message: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1] == (16, 16)


KILLED = """
import sys, time
from attacks.engine import Checkpoint
from tests.attacks.engine.test_same_results import run
def slowly(done, total, message):
    if done > 5:
        print("ready", flush=True)
        time.sleep(60)
with Checkpoint(sys.argv[1]) as checkpoint:
    run(window=2, progress=slowly, checkpoint=checkpoint)
"""


def test_killed_with_a_torn_line_and_resumed(tmp_path: Path) -> None:
    path = tmp_path / "partial.jsonl"
    root = Path(__file__).parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], cwd=root, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(root)}
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        with pytest.raises(AttackError, match="another process is at work"), Checkpoint(path):
            pass
        process.send_signal(signal.SIGKILL)
    done = path.read_bytes()
    assert 5 < done.count(b"\n") < len(EXAMPLES)
    with path.open("ab") as file:
        file.write(b'{"id": 15, "original": "tw')
    with Checkpoint(path) as checkpoint:
        assert path.read_bytes() == done
        started = time.monotonic()
        assert run(checkpoint=checkpoint) == REFERENCE
        assert time.monotonic() - started < 30
    assert path.read_bytes().startswith(done)


def test_errors_are_tried_again_and_nothing_else(tmp_path: Path) -> None:
    with Checkpoint(tmp_path / "p") as checkpoint:
        checkpoint.append(Outcome(0, "good", 0, "error", "the line was down"))
        checkpoint.append(Outcome(1, "bad", 0, "failed", "kept as it is"))
    victim = WordVictim({"good": -0.3})
    with Checkpoint(tmp_path / "p") as checkpoint:
        outcomes = run_attack([Example(0, "good", 0), Example(1, "bad", 0)], victim, Scripted("x"), checkpoint=checkpoint)
    assert [(outcome.status, outcome.message) for outcome in outcomes] == [("failed", ""), ("failed", "kept as it is")]
    assert "bad" not in victim.sent
    with Checkpoint(tmp_path / "p") as checkpoint:
        assert checkpoint.finished[0].status == "failed"


def test_broken_and_foreign_checkpoints_are_refused(tmp_path: Path) -> None:
    (tmp_path / "broken").write_text('{"id": 0}\n')
    with pytest.raises(AttackError, match="line 1: not an outcome"), Checkpoint(tmp_path / "broken"):
        pass
    with Checkpoint(tmp_path / "other") as checkpoint:
        checkpoint.append(Outcome(0, "another text", 0, "failed"))
        with pytest.raises(AttackError, match="example 0 is of other texts"):
            run(checkpoint=checkpoint)


def test_an_outcome_survives_json_with_any_string() -> None:
    outcome = Outcome(
        3, "lone \ud800 surrogate\u2028", 1, "success", adversarial="\x00\ud800", constraint_scores={"s": [0.1, 1 / 3]}
    )
    assert Outcome.from_dict(json.loads(json.dumps(outcome.as_dict()))) == outcome


def test_generators_are_the_same_in_every_process() -> None:
    assert generator_of(0, 0).integers(10**9, size=2).tolist() == generator_of(0, 0).integers(10**9, size=2).tolist()
    assert generator_of(0, 12).integers(10**9) != generator_of(1, 2).integers(10**9)
    code = "from attacks.engine.lockstep import generator_of; print(generator_of(7, 3).integers(10**9))"
    other = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[3], capture_output=True, check=True, text=True
    )
    assert int(other.stdout) == generator_of(7, 3).integers(10**9)

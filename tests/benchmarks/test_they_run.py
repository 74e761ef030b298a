"""Each benchmark runs, at a size so small that its figures say nothing; nothing here looks at a clock."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import BENCHMARKS

ROOT = Path(__file__).resolve().parents[2]
SMALL = {
    "concurrency": ["--people", "4", "--items", "4", "--repetitions", "1"],
    "load": ["--items", "600", "--seconds", "4", "--annotators", "2", "--clients", "2", "--think", "0.1", "0.2", "--steps", "3"],
    "plans": ["--items", "30", "--people", "4", "--plans"],
    "startup": ["--requests", "2"],
    "lists": ["--items", "60", "--baseline", "20", "--people", "4", "--repetitions", "2"],
    "agreement": ["--judgements", "80", "--draws", "100"],
    "alpha": ["--items", "40", "--draws", "20"],
    "edits": ["--lengths", "600"],
    "texts": ["--pairs", "200", "--encoded", "8", "--length", "2000"],
    "suspicion": ["--texts", "24", "--threads", "1"],
    "fine_tuning": ["--texts", "24", "--epochs", "1", "--threads", "1"],
    "attacks": ["--texts", "4", "--train", "400", "--neural", "3", "--epochs", "1", "--judgements", "24"],
    "importing": ["--rows", "40", "--seconds", "1"],
    "export": ["--judgements", "60", "--annotators", "4"],
}
SAYS = {
    "concurrency": r"^meaning +1 +1 +0 +0 .*\nsuspicion +1 +1 +0 +0 .*\nAll as it should be\.$",
    "load": r"^2 annotators: submit and next +\d+ +0 .*\n(.*\n)*A bare INSERT behind the same server: \d+/s",
    "plans": r"^claim: 8 statements, 10 with BEGIN and COMMIT \(at most 10\)$",
    "startup": r"^Loaded, though only jobs need it: nothing$",
    "lists": r"^page +p50 ms",
    "agreement": r"^80 judgements of ",
    "alpha": r"^40 items, 3 answers each",
    "edits": r"^     600 characters, attacked",
    "texts": r"^  encoder's score +[\d.,]+ pairs/s +[\d.]+ times as long$",
    "suspicion": r"^  default +[\d,]+ texts/s +[\d.]+ times as long as the whole network\n  lexical +[\d,]+ texts/s",
    "fine_tuning": r"^  fine-tuning +[\d,.]+ s of the processor, [\d.]+ times as long; .*\n +0 epochs tried .* 1 on all$",
    "attacks": r"^  in lock step +[\d,.]+ texts/s, +[\d.]+ queries each, success [\d.]+; [\d.]+ times as fast",
    "importing": r"^sqlite: 40 items and 80 slots imported in \d+ s$",
    "export": r"^60 judgements of ",
}
TIMED = ("lists", "agreement", "alpha", "edits", "texts", "suspicion", "fine_tuning", "attacks", "importing", "export")
"""These fail when they are too slow, which on a busy machine says nothing."""


def run(*arguments: str, tmp: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PASSABLE_DATA": str(tmp / "never"), "TMPDIR": str(tmp)}
    environment.pop("DATABASE_URL", None)
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240)


LONG = ("load", "attacks", "export")


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.nightly if name in LONG else ()) for name in SMALL])
def test_it_runs_and_says_what_it_found(name: str, tmp_path: Path, migrated: Path) -> None:
    done = run(name, *SMALL[name], "--begin-with", str(migrated), tmp=tmp_path)
    assert done.returncode in ((0, 1) if name in TIMED else (0,)), done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    assert re.search(SAYS[name], done.stdout, re.MULTILINE), done.stdout
    assert list(tmp_path.iterdir()) == [], "the scratch folder is gone, and no other was touched"


def test_each_is_run_here() -> None:
    assert list(SMALL) == list(BENCHMARKS)


def test_each_is_described() -> None:
    readme = (ROOT / "benchmarks" / "README.md").read_text()
    assert [name for name in BENCHMARKS if f"python -m benchmarks {name}" not in readme] == []


def test_an_unknown_name_is_answered_by_the_list(tmp_path: Path) -> None:
    done = run("nonsense", tmp=tmp_path)
    assert done.returncode == 2
    assert [line.split()[0] for line in done.stderr.splitlines()[1:]] == list(BENCHMARKS)

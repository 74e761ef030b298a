"""The scores on disk: two processes at once, a process killed while it writes, broken files, and the bound."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scoring.result import ScoringError
from scoring.texts import score_cache
from scoring.texts.score_cache import ScoreCache, cache_folder

ROOT = Path(score_cache.__file__).parents[2]
WRITER = """
import sys
from pathlib import Path
from scoring.texts.score_cache import ScoreCache
cache = ScoreCache(Path(sys.argv[1]))
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    cache.keep({b"%d-%d" % (number, part): (number, part) for part in range(50)})
    print(number, flush=True)
"""


def writer(file: Path, first: int, end: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(file), str(first), str(end)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_scores_are_found_again_exactly(score_file: Path) -> None:
    ScoreCache().keep({b"a": (0.1 + 0.2,), b"b": (-1.5, 1e-300, 3.0)})
    assert ScoreCache().find([b"b", b"c", b"a"]) == {b"a": (0.1 + 0.2,), b"b": (-1.5, 1e-300, 3.0)}
    assert score_file.exists()
    assert ScoreCache().find([b"%d" % number for number in range(1_200)] + [b"a"]) == {b"a": (0.1 + 0.2,)}


def test_two_processes_write_at_once(score_file: Path) -> None:
    both = [writer(score_file, 0, 40), writer(score_file, 40, 80)]
    assert [process.communicate(timeout=60) and process.returncode for process in both] == [0, 0]
    keys = [b"%d-%d" % (number, part) for number in range(80) for part in range(50)]
    assert len(ScoreCache().find(keys)) == 4_000


def test_a_killed_process_leaves_whole_writes(score_file: Path) -> None:
    process = writer(score_file, 0, 100_000)
    assert process.stdout is not None
    for _ in range(5):
        process.stdout.readline()
    time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    rest, _ = process.communicate()
    written = 5 + len(rest.split())
    for number in range(written + 2):
        found = ScoreCache().find([b"%d-%d" % (number, part) for part in range(50)])
        assert len(found) == 50 or (number >= written and not found)
    ScoreCache().keep({b"after": (1.0,)})
    assert ScoreCache().find([b"after"]) == {b"after": (1.0,)}


def test_the_oldest_go_when_there_are_too_many(score_file: Path) -> None:
    cache = ScoreCache(most=3)
    for number in range(5):
        cache.keep({b"%d" % number: (number,)})
    cache.keep({b"2": (2.5,)})
    assert cache.find([b"%d" % number for number in range(5)]) == {b"2": (2.5,), b"3": (3,), b"4": (4,)}


def test_a_file_that_is_no_database_is_replaced(score_file: Path) -> None:
    score_file.write_bytes(b"something else " * 1_000)
    ScoreCache().keep({b"a": (1.0,)})
    assert ScoreCache().find([b"a"]) == {b"a": (1.0,)}


def test_values_that_cannot_be_scores_are_not_given(score_file: Path) -> None:
    ScoreCache().keep({b"nan": (float("nan"),), b"fine": (1.0,)})
    with sqlite3.connect(score_file) as database:
        database.execute("INSERT INTO scores (key, value) VALUES (x'61', x'0102')")
    database.close()
    assert ScoreCache().find([b"nan", b"a", b"fine"]) == {b"fine": (1.0,)}


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PASSABLE_CACHE", str(tmp_path / "file"))
    with pytest.raises(
        ScoringError, match=r"scores\.sqlite3: scores cannot be kept there \(.+\); set PASSABLE_CACHE to a folder\."
    ):
        ScoreCache().find([b"a"])


def test_the_folder_is_in_the_home_unless_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PASSABLE_CACHE")
    assert cache_folder() == Path.home() / ".cache" / "passable"

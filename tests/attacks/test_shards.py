"""Runs in shards: any division, and any death of a worker, leaves the bytes of the undivided run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attacks import AttackError
from attacks.results import Run, read_run
from attacks.runs import attack_task
from attacks.settings import RunSettings
from attacks.shards import Shard, begin_run, merge_shards, plan_shards, run_in_processes, run_shard
from attacks.tasks import Task, write_task
from attacks.victims import train_victim

ROOT = Path(__file__).parents[2]
FILES = ("run.json", "results.jsonl", "summary.json")


@pytest.fixture(scope="module")
def wanted(weather: Task, tmp_path_factory: pytest.TempPathFactory) -> RunSettings:
    folder = tmp_path_factory.mktemp("sharded")
    write_task(weather, folder / "weather")
    train_victim(weather, "linear", folder / "victim")
    return RunSettings(
        task_dir=str(folder / "weather"),
        victim=str(folder / "victim"),
        attacker="deepwordbug",
        budget=60,
        seed=3,
        semantic="none",
    )


@pytest.fixture(scope="module")
def whole(wanted: RunSettings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("whole") / "run"
    run = attack_task(wanted.load(), out)
    assert len(run.outcomes) == 30
    assert len(Counter(outcome.status for outcome in run.outcomes)) > 1
    return out


def same(one: Path, other: Path) -> bool:
    assert sorted(path.name for path in one.iterdir()) == sorted(path.name for path in other.iterdir())
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in FILES)


def ids_in_parts(out: Path) -> list[int]:
    return sorted(json.loads(line)["id"] for path in out.glob("partial*") for line in path.read_bytes().splitlines())


@given(n=st.integers(0, 300), shards=st.none() | st.integers(1, 400))
def test_every_example_is_in_one_shard(n: int, shards: int | None) -> None:
    plan = plan_shards(n, shards)
    assert sorted(id for shard in plan for id in shard.ids(n)) == list(range(n))
    sizes = [len(shard.ids(n)) for shard in plan]
    assert max(sizes) - min(sizes) <= 1
    assert len(plan) == 1 if n == 0 else min(sizes) > 0
    assert shards is None or len(plan) <= shards
    assert shards is not None or max(sizes) <= 32


def test_no_shards_are_refused() -> None:
    with pytest.raises(AttackError, match="at least one shard, not 0"):
        plan_shards(3, 0)


def test_settings_survive_json(wanted: RunSettings) -> None:
    rich = replace(wanted, parameters={"max_distance": 3}, constraints={"suspicion": "m", "tau": 2.0}, targeted=True, texts=4)
    assert RunSettings.from_dict(json.loads(json.dumps(rich.as_dict()))) == rich
    with pytest.raises(AttackError, match="unknown setting 'colour'; there are attacker, budget"):
        RunSettings.from_dict(rich.as_dict() | {"colour": 1})
    with pytest.raises(AttackError, match=r"incomplete: .* 'victim' and 'attacker'"):
        RunSettings.from_dict({"task_dir": "t"})
    with pytest.raises(AttackError, match="unknown resource 'books'"):
        replace(rich, constraints={}, resources={"books": "b"}).load()
    with pytest.raises(AttackError, match="unknown constraint 'colour'"):
        replace(rich, constraints={"colour": 1}).load()


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(shards=st.integers(1, 31), data=st.data())
def test_any_division_in_any_order_leaves_the_same_bytes(
    shards: int, data: st.DataObject, wanted: RunSettings, whole: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    out = tmp_path_factory.mktemp("divided") / "run"
    plan = plan_shards(begin_run(wanted, out), shards)
    for shard in data.draw(st.permutations(plan)):
        run_shard(wanted, out, shard)
    merge_shards(wanted, out)
    assert [json.loads(line)["examples"] for line in (out / "timing.jsonl").read_text().splitlines()].count(30 // len(plan)) > 0
    assert same(out, whole)


class Cancelled(Exception):
    pass


def test_stopped_shards_go_on_also_when_divided_anew(wanted: RunSettings, whole: Path, tmp_path: Path) -> None:
    def stop(done: int, total: int, message: str) -> None:
        if done > 4:
            raise Cancelled

    plan = plan_shards(begin_run(wanted, tmp_path / "run"), 2)
    with pytest.raises(Cancelled):
        run_shard(wanted, tmp_path / "run", plan[0], progress=stop)
    kept = (tmp_path / "run" / plan[0].partial).read_text().count("\n")
    assert 4 < kept < 15
    with pytest.raises(AttackError, match=f"{30 - kept} examples are not finished, the first is"):
        merge_shards(wanted, tmp_path / "run")
    for shard in plan_shards(begin_run(wanted, tmp_path / "run"), 3):
        run_shard(wanted, tmp_path / "run", shard)
    assert ids_in_parts(tmp_path / "run") == list(range(30)), "every example was attacked once"
    merge_shards(wanted, tmp_path / "run")
    assert same(tmp_path / "run", whole)
    run_shard(wanted, tmp_path / "run", plan[0])
    assert same(tmp_path / "run", whole), "a shard that comes too late does nothing"
    assert (begin_run(wanted, tmp_path / "run"), merge_shards(wanted, tmp_path / "run")) == (0, read_run(whole))


def test_shards_keep_to_their_run(wanted: RunSettings, tmp_path: Path) -> None:
    with pytest.raises(AttackError, match=r"no run was begun here \(run.json is missing\)"):
        run_shard(wanted, tmp_path / "run", Shard(0, 2))
    begin_run(wanted, tmp_path / "run")
    with pytest.raises(AttackError, match="holds another run, with other seed"):
        run_shard(replace(wanted, seed=4), tmp_path / "run", Shard(0, 2))


def test_a_victim_trained_anew_under_the_same_path_is_loaded_anew(wanted: RunSettings, weather: Task, tmp_path: Path) -> None:
    wanted = replace(wanted, victim=str(tmp_path / "victim"))
    headers = []
    for out, strength in ((tmp_path / "first", 10.0), (tmp_path / "second", 0.5)):
        if headers:
            (tmp_path / "victim").rename(tmp_path / "old")
        victim = train_victim(weather, "linear", tmp_path / "victim", C=strength)
        begin_run(wanted, out)
        run_shard(wanted, out, Shard(0, 1))
        headers.append(merge_shards(wanted, out).header["victim"]["sha256"])
        assert headers[-1] == victim.sha256
    assert headers[0] != headers[1]


def test_in_processes(wanted: RunSettings, whole: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    run = in_two_processes(wanted, tmp_path / "run", seen)
    assert same(tmp_path / "run", whole)
    assert run == read_run(whole)
    assert len(seen) == 4
    assert seen[-1] == (30, 30)
    assert in_two_processes(wanted, tmp_path / "run", seen) == run
    assert len(seen) == 4


def in_two_processes(wanted: RunSettings, out: Path, seen: list[tuple[int, int]]) -> Run:
    return run_in_processes(wanted, out, workers=2, shards=4, progress=lambda done, total, message: seen.append((done, total)))


KILLED = """
import json, os, signal, sys
from pathlib import Path
from attacks.engine import Checkpoint
from attacks.settings import RunSettings
from attacks.shards import Shard, run_shard
out = Path(sys.argv[2])
def die(done, total, message):
    if done > 3:
        with (out / Shard(1, 3).partial).open("ab") as file:
            file.write(b'{"id": 28, "orig')
        os.kill(os.getpid(), signal.SIGKILL)
run_shard(RunSettings.from_dict(json.loads(sys.argv[1])), out, Shard(1, 3), progress=die)
"""


def test_a_killed_worker_costs_nothing_and_doubles_nothing(wanted: RunSettings, whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    begin_run(wanted, out)
    run_shard(wanted, out, Shard(0, 3))
    command = [sys.executable, "-c", KILLED, json.dumps(wanted.as_dict()), str(out)]
    assert subprocess.run(command, cwd=ROOT).returncode == -signal.SIGKILL
    kept = (out / Shard(1, 3).partial).read_bytes().splitlines()
    assert 3 < len(kept) - 1 < 10
    for number in (1, 2):
        run_shard(wanted, out, Shard(number, 3))
    assert ids_in_parts(out) == list(range(30)), "every example was attacked once"
    merge_shards(wanted, out)
    assert (out / "results.jsonl").read_bytes() == (whole / "results.jsonl").read_bytes()


class Deadly(dict[str, int]):
    """No parameters; kills the process that receives them."""

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return _die_unless, (os.getpid(),)


def _die_unless(sender: int) -> dict[str, int]:
    if os.getpid() != sender:
        os.kill(os.getpid(), signal.SIGKILL)
    return {}


def test_the_death_of_one_of_joblibs_processes_is_told(wanted: RunSettings, whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with pytest.raises(AttackError, match="a worker was killed, perhaps for want of memory; run it again to go on"):
        run_in_processes(replace(wanted, parameters=Deadly()), out, workers=2, shards=2)
    assert in_two_processes(wanted, out, []) == read_run(whole)

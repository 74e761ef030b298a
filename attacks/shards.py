"""A run in shards: parts that processes attack side by side, on one machine or on several that share a folder.

`begin_run` makes the folder the run's own, `run_shard` attacks a shard, `merge_shards` writes the results, byte for byte those
of the undivided run. Each takes plain settings, so that it can be called in any process. All can be called again: a shard
goes on where it was stopped or killed, also under another division, and what is finished stays as it is.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from pathlib import Path

from attacks.engine.lockstep import Progress
from attacks.errors import AttackError
from attacks.results import HEADER, RESULTS, Run
from attacks.runs import Attack, attack_part, attack_task, begin, check_header, finish
from attacks.settings import RunSettings

EXAMPLES_PER_SHARD = 32
"""Enough for batches of a good size, few enough that a division is even and progress is seen."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Every ``of``-th example of a run, from that with the id ``number`` on: 0 <= number < of."""

    number: int
    of: int

    @property
    def partial(self) -> str:
        """The file of its finished examples."""
        return f"partial-{self.number}-of-{self.of}.jsonl"

    def ids(self, n_examples: int) -> range:
        return range(self.number, n_examples, self.of)


def plan_shards(n_examples: int, shards: int | None = None) -> list[Shard]:
    """Divide a run's examples into so many shards, none of them empty (but for a run of no examples: one that is).

    By default, shards of at most `EXAMPLES_PER_SHARD` examples.
    """
    if shards is not None and shards < 1:
        raise AttackError(f"a run is divided into at least one shard, not {shards}")
    of = max(1, min(n_examples, ceil(n_examples / EXAMPLES_PER_SHARD) if shards is None else shards))
    return [Shard(number, of) for number in range(of)]


def begin_run(settings: RunSettings, out: str | os.PathLike[str]) -> int:
    """Make the folder ``out`` the run's own, or check that it is; returns how many examples there are to plan shards for.

    A finished run counts none, unless examples ended in an error: then it is opened again. Raises `AttackError` for settings
    that cannot be run, and for a folder that holds another run.
    """
    attack = settings.load()
    return len(attack.examples) if begin(attack, Path(out)) else 0


def run_shard(settings: RunSettings, out: str | os.PathLike[str], shard: Shard, *, progress: Progress | None = None) -> None:
    """Attack a shard's examples that are not finished yet, in a folder that `begin_run` took.

    Raises `AttackError` if another process is at work on the same shard, and for a folder of another run. ``progress`` counts
    the shard's examples; see `attacks.engine.run_attack`.
    """
    out = Path(out)
    attack = _loaded(settings, out)
    check_header(out, attack.searches)  # without loading the semantic scorer, which only the merging needs
    if not (out / RESULTS).is_file():
        attack_part(attack, out, shard.ids(len(attack.examples)), shard.partial, progress=progress)


def merge_shards(settings: RunSettings, out: str | os.PathLike[str]) -> Run:
    """Score the finished examples and write the run's results; reads them if they are there already.

    Raises `AttackError` if an example is missing, or if a process is still at work on a shard.
    """
    out = Path(out)
    attack = _loaded(settings, out)
    check_header(out, attack.header)
    return finish(attack, out)


def run_in_processes(
    settings: RunSettings,
    out: str | os.PathLike[str],
    *,
    workers: int,
    shards: int | None = None,
    progress: Progress | None = None,
) -> Run:
    """A whole run by so many processes, in shards (`plan_shards`); ``progress`` is called after each shard. One process alone
    needs no shards: it is this one, and tells of each example.

    The processes are joblib's: inside ``joblib.parallel_config(backend="dask")`` or ``"ray"`` they may be on other machines that
    share the folders. Raises `AttackError` if one of them was killed; run again, it goes on.
    """
    if workers == 1 and shards is None:
        return attack_task(settings.load(), out, progress=progress)
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    out, attack = Path(out), settings.load()
    total = len(attack.examples)
    if begin(attack, out):
        tasks = [delayed(_run_and_count)(settings, out, shard, total) for shard in plan_shards(total, shards)]
        done = 0
        try:
            for examples in Parallel(n_jobs=workers, return_as="generator_unordered")(tasks):
                done += examples
                if progress is not None:
                    progress(done, total, f"{attack.attacker.name}: attacked texts")
        except TerminatedWorkerError:
            raise AttackError(f"{out}: a worker was killed, perhaps for want of memory; run it again to go on") from None
    return finish(attack, out)


def _run_and_count(settings: RunSettings, out: Path, shard: Shard, total: int) -> int:
    run_shard(settings, out, shard)
    return len(shard.ids(total))


def _loaded(settings: RunSettings, out: Path) -> Attack:
    header = out / HEADER
    return _load_once(json.dumps(settings.as_dict()), header.read_text("utf-8") if header.is_file() else "")


@lru_cache(maxsize=1)
def _load_once(settings: str, header: str) -> Attack:
    """Kept for the next shard of the same run, which the same process often has; a header of other hashes is loaded for anew."""
    return RunSettings.from_dict(json.loads(settings)).load()

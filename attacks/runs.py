"""A run in a folder: attack, score, write; run again, it goes on where it stopped.

The folder holds ``run.json`` (what is run), ``partial*.jsonl`` (finished examples, while it lasts: one file for each process
that takes part), then ``results.jsonl`` (all examples, by id), ``summary.json`` and ``timing.jsonl`` (the only file that holds
times).
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from attacks.constraints.base import Constraint
from attacks.engine.asks import Attacker
from attacks.engine.checkpoint import Checkpoint, read_outcomes
from attacks.engine.lockstep import Progress, check_options, in_order_of_cost, run_attack
from attacks.engine.outcome import Example, Outcome
from attacks.errors import AttackError
from attacks.results import HEADER, RESULTS, Run, read_run, score_run, write_atomically, write_run
from attacks.tasks.layout import Task
from attacks.victims.training import data_sha256
from attacks.victims.victim import Victim
from scoring.texts.semantic import EncoderSimilarity, SemanticScorer, identity

PARTIAL, TIMING = "partial.jsonl", "timing.jsonl"
ATTACKING, SCORING = "attack", "scoring"
"""What times are noted of."""
_ANY_PARTIAL = "partial*.jsonl"


@dataclass(frozen=True, kw_only=True)
class Attack:
    """What a run runs, all loaded: an attacker against a victim on the first ``texts`` rows (default all) of a task's attack set.

    See `attacks.engine.run_attack` for scenario, budget, constraints and window. ``scorer`` is the semantic scorer (None: the
    run has no semantic and no BODEGA score), by default the similarity of the embedded encoder; ``segmentation`` the BODEGA task
    whose way of cutting sentences applies.
    """

    task: Task
    victim: Victim
    attacker: Attacker
    constraints: Sequence[Constraint] = ()
    targeted: bool = False
    budget: int | None = None
    seed: int = 0
    texts: int | None = None
    scorer: SemanticScorer | None = field(default_factory=EncoderSimilarity)
    segmentation: str = "HN"
    window: int = 128

    @cached_property
    def examples(self) -> list[Example]:
        return [Example(id, row.text, row.label) for id, row in enumerate(self.task.attack[: self.texts])]

    @cached_property
    def searches(self) -> dict[str, Any]:
        """What decides the outcomes of the examples: the part of the header that takes no semantic scorer."""
        rows = self.task.attack[: self.texts]
        return {
            "task": {"name": self.task.name, "n": len(rows), "sha256": data_sha256(rows)},
            "victim": {"name": self.victim.name, "sha256": self.victim.sha256},
            "attacker": self.attacker.describe(),
            "constraints": [constraint.describe() for constraint in in_order_of_cost(self.attacker, self.constraints)],
            "scenario": "targeted" if self.targeted else "untargeted",
            "budget": self.budget,
            "seed": self.seed,
        }

    @cached_property
    def header(self) -> dict[str, Any]:
        """What the run is, ready for JSON: equal headers mean equal results."""
        return {
            **self.searches,
            "semantic_scorer": None if self.scorer is None else identity(self.scorer),
            "segmentation": self.segmentation,
        }


def attack_task(attack: Attack, out: str | os.PathLike[str], *, progress: Progress | None = None) -> Run:
    """Run an attack and leave the results in the folder ``out``.

    A folder that holds the same run is continued, or read if it is finished; examples that ended in an error are attacked
    again. Raises `AttackError` if it holds another run. For progress see `attacks.engine.run_attack`.
    """
    out, total = Path(out), len(attack.examples)
    if not begin(attack, out):
        if progress is not None:
            progress(total, total, f"{attack.attacker.name}: already finished")
        return read_run(out)
    attack_part(attack, out, range(total), PARTIAL, progress=progress)
    if progress is not None:
        progress(total, total, f"{attack.attacker.name}: scoring")
    return finish(attack, out)


def begin(attack: Attack, out: Path) -> bool:
    """Take the folder for this run (`settle`). Whether anything is left to do.

    A finished run with examples that ended in an error is opened again.
    """
    settle(attack, out)
    if not (out / RESULTS).is_file():
        return True
    if not read_run(out).summary["statuses"]["error"]:
        return False
    with Checkpoint(out / PARTIAL) as checkpoint:
        _take_back(out / RESULTS, checkpoint)
    return True


def settle(attack: Attack, out: Path) -> None:
    """Make the folder this run's own, or check that it already is. Raises `AttackError` if it holds anything else."""
    check_options([example.id for example in attack.examples], attack.budget, attack.window)
    header = attack.header  # loads what the attacker draws on: said before the folder is made if something is missing
    if (out / HEADER).exists():
        check_header(out, header)
        return
    # Another process may just be writing the same header.
    if out.exists() and (not out.is_dir() or any(not path.name.startswith(f".{HEADER}.") for path in out.iterdir())):
        raise AttackError(f"{out}: not empty and no run; choose another folder")
    out.mkdir(parents=True, exist_ok=True)
    write_atomically(out / HEADER, json.dumps(header, indent=2) + "\n")


def check_header(out: Path, expected: Mapping[str, Any]) -> None:
    """Raises `AttackError` unless the folder's header holds what is expected."""
    try:
        found = json.loads((out / HEADER).read_text("utf-8"))
        different = [name for name in expected if found.get(name) != json.loads(json.dumps(expected[name]))]
    except FileNotFoundError:
        raise AttackError(f"{out}: no run was begun here ({HEADER} is missing)") from None
    except (OSError, ValueError, AttributeError):
        raise AttackError(f"{out / HEADER}: not a run's header; choose another folder") from None
    if different:
        raise AttackError(f"{out}: holds another run, with other {', '.join(different)}; choose another folder")


def attack_part(attack: Attack, out: Path, ids: Collection[int], partial: str, *, progress: Progress | None = None) -> None:
    """Attack those examples of these ids that are not finished; what comes of them grows in the file ``partial`` of ``out``.

    Each process that takes part in a run has a file of its own.
    """
    with Checkpoint(out / partial) as checkpoint:
        elsewhere = _finished(path for path in out.glob(_ANY_PARTIAL) if path.name != partial)
        wanted = (example for example in attack.examples if example.id in ids)
        with _timed(out / TIMING, checkpoint):
            run_attack(
                [example for example in wanted if example.id not in elsewhere or example.id in checkpoint.finished],
                attack.victim,
                attack.attacker,
                constraints=attack.constraints,
                targeted=attack.targeted,
                budget=attack.budget,
                seed=attack.seed,
                window=attack.window,
                progress=progress,
                checkpoint=checkpoint,
            )


def finish(attack: Attack, out: Path) -> Run:
    """Score the finished examples of all parts and write the results; the parts' files go. A finished run is read.

    Raises `AttackError` if an example is missing or a process is still at work on a part.
    """
    if (out / RESULTS).is_file():
        return read_run(out)
    with ExitStack() as held:
        parts = sorted(out.glob(_ANY_PARTIAL))
        outcomes: dict[int, Outcome] = {}
        for part in parts:
            for outcome in held.enter_context(Checkpoint(part)).finished.values():
                if outcome.id not in outcomes or outcomes[outcome.id].status == "error":
                    outcomes[outcome.id] = outcome
        if missing := [example.id for example in attack.examples if example.id not in outcomes]:
            raise AttackError(f"{out}: {len(missing)} examples are not finished, the first is {missing[0]}; run them first")
        ordered = [outcomes[example.id] for example in attack.examples]
        started = time.monotonic()
        run = score_run(attack.header, ordered, scorer=attack.scorer, segmentation=attack.segmentation)
        _note(out / TIMING, SCORING, len(ordered), started)
        write_run(run, out)
        for part in parts:
            part.unlink()
    return run


def _finished(parts: Iterator[Path]) -> set[int]:
    """The ids that need not be tried again, from parts that other processes may be writing."""
    outcomes = (outcome for part in parts for outcome in read_outcomes(part).values())
    return {outcome.id for outcome in outcomes if outcome.status != "error"}


def _take_back(results: Path, checkpoint: Checkpoint) -> None:
    """Continue a finished run whose errors are to be tried again. The results go only when their lines are safe."""
    for line in results.read_text("utf-8").splitlines():
        checkpoint.append(Outcome.from_dict(json.loads(line)))
    results.unlink()


@contextmanager
def _timed(path: Path, checkpoint: Checkpoint) -> Iterator[None]:
    """Note how long this process was at it, whether it finished, failed or was stopped."""
    started, before = time.monotonic(), len(checkpoint.finished)
    try:
        yield
    finally:
        _note(path, ATTACKING, len(checkpoint.finished) - before, started)


def _note(path: Path, work: str, examples: int, started: float) -> None:
    seconds = round(time.monotonic() - started, 3)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"work": work, "examples": examples, "seconds": seconds}) + "\n")


def seconds_spent(out: Path) -> dict[str, float]:
    """How long a run's processes were at it, together: seconds of ``attack`` and of ``scoring``."""
    spent = {ATTACKING: 0.0, SCORING: 0.0}
    if (out / TIMING).is_file():
        for line in (out / TIMING).read_text("utf-8").splitlines():
            note = json.loads(line)
            spent[note.get("work", ATTACKING)] += note["seconds"]
    return spent

"""A run in a folder: attack, score, write; run again, it goes on where it stopped.

The folder holds ``run.json`` (what is run), ``partial.jsonl`` (finished examples, while it lasts), then ``results.jsonl``
(all examples, by id), ``summary.json`` and ``timing.jsonl`` (the only file that holds times).
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attacks.constraints.base import Constraint
from attacks.engine.asks import Attacker
from attacks.engine.checkpoint import Checkpoint
from attacks.engine.lockstep import Progress, check_options, in_order_of_cost, run_attack
from attacks.engine.outcome import Example, Outcome
from attacks.errors import AttackError
from attacks.results import HEADER, RESULTS, Run, read_run, score_run, write_atomically, write_run
from attacks.tasks.layout import Row, Task
from attacks.victims.training import data_sha256
from attacks.victims.victim import Victim
from scoring.texts.semantic import EncoderSimilarity, SemanticScorer, identity

PARTIAL, TIMING = "partial.jsonl", "timing.jsonl"


def attack_task(
    task: Task,
    victim: Victim,
    attacker: Attacker,
    out: str | os.PathLike[str],
    *,
    constraints: Sequence[Constraint] = (),
    targeted: bool = False,
    budget: int | None = None,
    seed: int = 0,
    texts: int | None = None,
    scorer: SemanticScorer | None = None,
    segmentation: str = "HN",
    window: int = 128,
    progress: Progress | None = None,
) -> Run:
    """Attack the first ``texts`` rows (default all) of a task's attack set and leave the results in the folder ``out``.

    See `attacks.engine.run_attack` for scenario, budget, constraints and progress. ``scorer`` is the semantic scorer, by
    default the similarity of the embedded encoder; ``segmentation`` the BODEGA task whose way of cutting sentences
    applies. A folder that holds the same run is continued, or read if it is finished; examples that ended in an error
    are attacked again. Raises `AttackError` if it holds another run.
    """
    out = Path(out)
    scorer = EncoderSimilarity() if scorer is None else scorer
    rows = task.attack[:texts]
    examples = [Example(id, row.text, row.label) for id, row in enumerate(rows)]
    check_options([example.id for example in examples], budget, window)
    header = header_of(task.name, rows, victim, attacker, constraints, targeted, budget, seed, scorer, segmentation)
    _settle(out, header)
    if (out / RESULTS).is_file():
        finished = read_run(out)
        if not finished.summary["statuses"]["error"]:
            if progress is not None:
                progress(len(examples), len(examples), f"{attacker.name}: already finished")
            return finished
    with Checkpoint(out / PARTIAL) as checkpoint:
        if (out / RESULTS).is_file():
            _take_back(out / RESULTS, checkpoint)
        with _timed(out / TIMING, checkpoint):
            outcomes = run_attack(
                examples,
                victim,
                attacker,
                constraints=constraints,
                targeted=targeted,
                budget=budget,
                seed=seed,
                window=window,
                progress=progress,
                checkpoint=checkpoint,
            )
        if progress is not None:
            progress(len(examples), len(examples), f"{attacker.name}: scoring")
        run = score_run(header, outcomes, scorer=scorer, segmentation=segmentation)
        write_run(run, out)
        (out / PARTIAL).unlink()
    return run


def header_of(
    task: str,
    rows: Sequence[Row],
    victim: Victim,
    attacker: Attacker,
    constraints: Sequence[Constraint],
    targeted: bool,
    budget: int | None,
    seed: int,
    scorer: SemanticScorer,
    segmentation: str,
) -> dict[str, Any]:
    """What a run is, ready for JSON: equal headers mean equal results."""
    return {
        "task": {"name": task, "n": len(rows), "sha256": data_sha256(list(rows))},
        "victim": {"name": victim.name, "sha256": victim.sha256},
        "attacker": attacker.describe(),
        "constraints": [constraint.describe() for constraint in in_order_of_cost(attacker, constraints)],
        "scenario": "targeted" if targeted else "untargeted",
        "budget": budget,
        "seed": seed,
        "semantic_scorer": identity(scorer),
        "segmentation": segmentation,
    }


def _settle(out: Path, header: dict[str, Any]) -> None:
    """Make the folder this run's own, or check that it already is."""
    path = out / HEADER
    if not path.exists():
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise AttackError(f"{out}: not empty and no run; choose another folder")
        out.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(header, indent=2) + "\n")
        return
    try:
        found = json.loads(path.read_text("utf-8"))
        different = [name for name in header if found.get(name) != json.loads(json.dumps(header[name]))]
    except (OSError, ValueError, AttributeError):
        raise AttackError(f"{path}: not a run's header; choose another folder") from None
    if different:
        raise AttackError(f"{out}: holds another run, with other {', '.join(different)}; choose another folder")


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
        seconds = round(time.monotonic() - started, 3)
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"examples": len(checkpoint.finished) - before, "seconds": seconds}) + "\n")

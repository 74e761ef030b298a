"""Measuring constraints: the curve of first-order over second-order rates, from an attack setting (Morris 2020, section 3).

Everything lies in one folder, a sub-folder for each constraint: a run at each threshold (`attacks.runs`), and
``second-order.jsonl`` with the most readily accepted spoiled text of each example. Measured again, it goes on where it
stopped.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from attacks.engine.lockstep import Progress
from attacks.errors import AttackError
from attacks.results import Run, write_atomically
from attacks.robustness.curve import accs_of_examples
from attacks.robustness.kinds import Examined
from attacks.robustness.plot import write_plot
from attacks.robustness.search import Spoiled
from attacks.robustness.second_order import Search, spoil_all
from attacks.settings import RunSettings
from attacks.shards import run_in_processes
from scoring.result import Estimate

REPORT: Final = "robustness.json"


@dataclass(frozen=True, eq=False)
class Robustness:
    """A constraint's curve. Rates are shares of the examples, float64 [thresholds], the strictest threshold first.

    ``spoiled`` are the second-order texts; ``too_short`` counts examples with too few words to spoil, which count as not fooled.
    """

    name: str
    constraint: dict[str, Any]
    damages: list[dict[str, Any]]
    thresholds: list[float]
    first: NDArray[np.float64]
    second: NDArray[np.float64]
    accs: Estimate
    spoiled: list[Spoiled]
    fluency: dict[str, Any] | None = None

    @property
    def too_short(self) -> int:
        return sum(each.text is None for each in self.spoiled)

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON, without the texts."""
        return {
            "name": self.name,
            "constraint": self.constraint,
            "damages": self.damages,
            "fluency": self.fluency,
            "curve": {"threshold": self.thresholds, "first": self.first.tolist(), "second": self.second.tolist()},
            "accs": self.accs.as_dict(),
            "examples": len(self.spoiled),
            "too_short": self.too_short,
        }

    @property
    def points(self) -> Iterator[tuple[float, float, float]]:
        """Threshold, first-order rate, second-order rate."""
        return zip(self.thresholds, self.first.tolist(), self.second.tolist(), strict=True)

    def as_csv(self) -> str:
        """The curve as ``python -m attacks accs`` reads it."""
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["threshold", "first", "second"])
        writer.writerows(self.points)
        return file.getvalue()


def measure(
    settings: RunSettings,
    constraints: Sequence[Examined],
    out: str | os.PathLike[str],
    *,
    thresholds: Sequence[float] = (),
    search: Search | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> list[Robustness]:
    """Measure how robust each constraint is in the setting of an attack; writes ``curve.csv`` for each, ``robustness.json``, and
    a plot of all curves (`attacks.robustness.plot`).

    ``thresholds`` are for one constraint; without them each kind's own are taken. Raises `AttackError` for settings that hold
    constraints already, and for a folder that holds something else.
    """
    if any(value not in (None, False) for value in settings.constraints.values()):
        raise AttackError("the constraints are what is measured, so the attack has none of its own")
    if thresholds and len(constraints) != 1:
        raise AttackError("thresholds of your own go with one constraint: each kind has another scale")
    search, out = search or Search(), Path(out)
    found = []
    for number, tested in enumerate(constraints):
        name = _names(constraints)[number]
        shown = None if progress is None else partial(_part, progress, number, len(constraints), name)
        found.append(_measured(name, settings, tested, tested.thresholds(thresholds), out / name, search, workers, shown))
        write_atomically(out / name / "curve.csv", found[-1].as_csv())
    report = {"settings": settings.as_dict(), "constraints": [each.as_dict() for each in found]}
    write_atomically(out / REPORT, json.dumps(report, indent=2, allow_nan=False) + "\n")
    write_plot([(each.name, list(each.points)) for each in found], out)
    return found


def _names(constraints: Sequence[Examined]) -> list[str]:
    """The kinds, with a number behind those that come again."""
    kinds = [tested.kind.name for tested in constraints]
    return [kind if kind not in kinds[:place] else f"{kind}-{kinds[:place].count(kind) + 1}" for place, kind in enumerate(kinds)]


def _measured(
    name: str,
    settings: RunSettings,
    tested: Examined,
    thresholds: list[float],
    out: Path,
    search: Search,
    workers: int,
    progress: Progress | None,
) -> Robustness:
    parts = len(thresholds) + 1

    def shown(number: int, what: str) -> Progress | None:
        return None if progress is None else partial(_part, progress, number, parts, what)

    examples = [(example.id, example.text) for example in settings.load().examples]
    found = spoil_all(examples, tested, out, search, seed=settings.seed, progress=shown(0, "spoiling texts"))
    first = []
    for number, threshold in enumerate(thresholds, 1):
        under = replace(settings, constraints=tested.options(threshold))
        run = run_in_processes(under, out / f"at-{threshold:g}", workers=workers, progress=shown(number, f"at {threshold:g}"))
        first.append(_first_order(run, tested, found.constraint["name"], threshold))
    second = [found.passing(threshold) for threshold in thresholds]
    both = np.array(first).T, np.array(second).T
    return Robustness(
        name=name,
        constraint=found.constraint,
        damages=found.damages,
        thresholds=thresholds,
        first=np.maximum.accumulate(both[0].mean(axis=0)),
        second=np.maximum.accumulate(both[1].mean(axis=0)),
        accs=accs_of_examples(*both, clusters=[text for _, text in examples], seed=settings.seed),
        spoiled=found.spoiled,
        fluency=found.fluency,
    )


def _first_order(run: Run, tested: Examined, name: str, threshold: float) -> list[bool]:
    """Which examples were attacked with success, the threshold met: the suspicion constraint lets an original that is above it
    stay above it, which is no success here."""
    ends = [outcome.constraint_scores.get(name, [None])[-1] for outcome in run.outcomes]
    return [end is not None and bool(tested.passes(np.array(end), threshold)) for end in ends]


def _part(progress: Progress, number: int, parts: int, name: str, done: int, total: int, message: str) -> None:
    progress(number * total + done, parts * total, f"{name}: {message}")

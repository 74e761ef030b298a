"""Attacks as cells of a table: task, victim, attacker, scenario, from run folders and from BODEGA's results files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from annotation.exchange.bodega import is_results, named, results_of
from annotation.exchange.sheets import SourceFile
from attacks.names import victim_name
from attacks.results import HEADER, RESULTS, SUMMARY, read_run
from attacks.robustness.measure import REPORT
from scoring.result import Estimate, Reason
from scoring.table import TableError

from .given import Given

MEASURES: Final = {
    "bodega": "BODEGA score",
    "success": "Success score",
    "semantic": "Semantic score",
    "character": "Character score",
}
"""A run's figure to its name in BODEGA's files."""
NOT_SAID: Final = "not said"
QUERIES, SIZE = "Queries per example", "Subset size"
_FROM_FILE: Final = Reason("results_file", "A results file holds no examples, so there is no interval.")


@dataclass(frozen=True, slots=True)
class Cell:
    """One attack: what was attacked how, the means over its examples, which models scored it, and where it was read."""

    task: str
    victim: str
    attacker: str
    scenario: str
    bodega: Estimate
    success: Estimate
    semantic: Estimate
    character: Estimate
    queries: Estimate
    constraints: str
    scorer: str
    origin: str

    @property
    def scores(self) -> list[Estimate]:
        """In the order of MEASURES."""
        return [getattr(self, name) for name in MEASURES]

    @property
    def attack(self) -> str:
        """The attacker with the constraints that held, its own and the run's: under others it is another attack."""
        return self.attacker if self.constraints in ("none", NOT_SAID) else f"{self.attacker} ({self.constraints})"


def cells_of(given: Given) -> list[Cell]:
    """All attacks in and below the folder, by task, victim and attacker. A results file in a run's folder is that run's, and the
    runs of a measurement of constraints are no attacks to be compared.

    Raises AttackError for a run that cannot be read, TableError for a results file that cannot.
    """
    measured, runs = set(given.folders_with(REPORT)), list(given.folders_with(HEADER, RESULTS, SUMMARY))
    files = [path for path in given.files(".txt") if path.parent not in runs and _is_results(path)]
    cells = [*(_of_run(folder) for folder in runs if measured.isdisjoint(folder.parents)), *map(_of_file, files)]
    return sorted(cells, key=lambda cell: (cell.task, cell.victim, cell.attack, cell.origin))


def _of_run(folder: Path) -> Cell:
    run = read_run(folder)
    header, summary = run.header, run.summary
    estimates = {name: Estimate.from_dict(summary[name]) for name in MEASURES}
    return Cell(
        task=_task(header["task"]["name"]),
        victim=victim_name(header["victim"]["name"]),
        attacker=header["attacker"]["name"],
        constraints=", ".join(each["name"] for each in header["constraints"]) or "none",
        scenario=header["scenario"],
        **estimates,
        queries=Estimate.from_dict(summary["queries"]["asked"]),
        scorer=_scorer(summary),
        origin=str(folder),
    )


def _is_results(path: Path) -> bool:
    return is_results(SourceFile(str(path), path.read_bytes()))


def _of_file(path: Path) -> Cell:
    source = SourceFile(str(path), path.read_bytes())
    what = named(source.name)
    if "attacker" not in what:
        raise TableError(
            source.name, "the name says not what was attacked; BODEGA's are results_TASK_TARGETED_ATTACKER_VICTIM.txt"
        )
    figures = results_of(source)
    n = int(figures[SIZE])
    return Cell(
        task=_task(what["task"]),
        victim=victim_name(what["victim"]),
        attacker=what["attacker"],
        scenario=what["scenario"],
        **{name: _told(figures.get(title), n) for name, title in MEASURES.items()},
        queries=_told(figures.get(QUERIES), n),
        constraints=NOT_SAID,
        scorer=NOT_SAID,
        origin=source.name,
    )


def _told(value: float | None, n: int) -> Estimate:
    method = "mean, as a results file tells it"
    if value is None:
        return Estimate(None, Reason("nothing_to_average", "The file has no number here: no attack succeeded."), n, method)
    return Estimate(value, None, n, method, no_interval=_FROM_FILE)


def _scorer(summary: dict[str, Any]) -> str:
    scorer = summary["semantic_scorer"]
    return "none" if scorer is None else str(scorer["name"])


def _task(name: str) -> str:
    """BODEGA's code calls propaganda PR2, its paper PR."""
    return {"PR": "PR2"}.get(name, name)

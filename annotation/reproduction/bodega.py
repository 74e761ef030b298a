"""Przybyła, Shvets and Saggion, "Verifying the Robustness of Automatic Credibility Assessment", Natural Language Processing 2024
(BODEGA): its tables, of victims and runs of one's own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from annotation.protocols.analysis import Figure, Table
from annotation.protocols.meaning_presets import MODIFICATION_TYPES
from annotation.protocols.plots import intervals
from attacks.names import victim_name
from attacks.tasks.layout import SPLITS, read_task
from scoring.judgements.shares import share
from scoring.model_folder import CARD, read_model_folder
from scoring.result import Estimate, Interval
from scoring.table import Table as File
from scoring.table import read_table

from .attack_cells import MEASURES, Cell, cells_of
from .given import Given
from .published import Part, Published, Row, Section, Status, beside_print, others

OWN = "The paper’s weights and results files are not released;"
SETS = Part(
    "Table 1",
    "Data sets: sizes and share of non-credible texts",
    Status.COMPUTABLE,
    "from task folders, as python -m attacks convert makes them",
)
VICTIMS = Part("Table 3", "F1 of the victims", Status.COMPUTABLE, f"{OWN} from folders of victims that you trained")
VICTIMS_DRAWN = Part("Figure 2", "F1 of the victims, drawn", Status.COMPUTABLE, "as Table 3")
UNTARGETED = Part(
    "Table 4", "Attacks, untargeted", Status.COMPUTABLE,
    f"{OWN} from run folders and results files of your own. Which of Tables 4 and 5 is the untargeted one was not looked up",
)  # fmt: skip
TARGETED = Part("Table 5", "Attacks, targeted", Status.COMPUTABLE, "as Table 4")
BEST = Part("Figure 3", "The best attack on each victim", Status.COMPUTABLE, "as Table 4")
TYPES = Part(
    "Table 6", "Types of modification in successful examples", Status.CAMPAIGN,
    "The labels are not released. An exported campaign with the preset “types of modification” gives it (decisions.csv)",
)  # fmt: skip
LEADERBOARD = Part(
    "Leaderboard", "Mean BODEGA score over domains and victims, as InCrediblAE ranks", Status.COMPUTABLE,
    "from untargeted runs; the teams’ submissions are not released",
)  # fmt: skip
OTHERS = others("Table 2, Figure 1")
PARTS = (SETS, VICTIMS, VICTIMS_DRAWN, UNTARGETED, TARGETED, BEST, TYPES, LEADERBOARD, OTHERS)

DOMAINS: Final = ("PR2", "FC", "RD", "HN", "C19")
SHARED_TASK_CELLS: Final = 15
"""Five domains, each with three victims."""
ATTACK_SETS: Final = {"PR2": "416", "FC": "405", "RD": "415", "HN": "400", "C19": "595"}
LEADERS: Final = {"OpenFact": "0.7458", "BERT-ATTACK": "0.4261"}
"""The first place and the baseline (overview of the lab, Table 15)."""
DECISIONS, DECISION_COLUMNS = "decisions.csv", ("task", "decision", "simulated")
"""As a campaign’s export names it."""
FAILED_TYPE: Final = "semantic_large"
SIMULATED: Final = "Some of these decisions are simulated, which is no evidence about people."
NOT_PRINTED: Final = "What the paper prints was not at hand."


def sections(given: Given) -> Iterator[Section]:
    """All parts, each of what there is of it in and below the folder."""
    victims = victim_cards(given)
    cells = cells_of(given)
    types = [
        file
        for path in given.named(DECISIONS)
        if _is_of_types(file := read_table(path, required=DECISION_COLUMNS, name=str(path)))
    ]
    sets = list(given.folders_with(*(f"{split}.tsv" for split in SPLITS)))
    yield _section(SETS, [data_sets(sets)] if sets else [], "a task folder (train.tsv, dev.tsv, attack.tsv)")
    yield _section(VICTIMS, [victims_table(victims)] if victims else [], "a victim’s folder")
    yield _section(VICTIMS_DRAWN, [victims_drawn(victims)] if victims else [], "a victim’s folder")
    for part, scenario in ((UNTARGETED, "untargeted"), (TARGETED, "targeted")):
        own = [cell for cell in cells if cell.scenario == scenario]
        yield _section(part, [attacks_table(part, own)] if own else [], f"a run or results file, {scenario}")
    yield _section(BEST, [best_attacks(cells)] if cells else [], "a run or results file")
    yield _section(TYPES, types_table(types) if types else [], "the exported decisions of a campaign of types")
    own = [cell for cell in cells if cell.scenario == "untargeted"]
    yield _section(LEADERBOARD, leaderboard(own) if own else [], "a run or results file, untargeted")
    yield Section(OTHERS, (), OTHERS.reason)


def _section(part: Part, tables: Sequence[Table], needs: str) -> Section:
    return Section(part, tables, "" if tables else f"{needs}; there is none in the data given")


def data_sets(folders: Sequence[Path]) -> Table:
    """Table 1: how many texts each split has, and how many of them are non-credible."""
    rows = []
    for task in map(read_task, folders):
        labels = [row.label == 1 for split in SPLITS for row in getattr(task, split)]
        printed = Published(ATTACK_SETS.get(task.name, ""), "released attack sets" if task.name in ATTACK_SETS else "")
        rows += [Row(f"{task.name}, {split}", len(getattr(task, split))) for split in ("train", "dev")]
        rows += [
            Row(f"{task.name}, attack", len(task.attack), printed),
            Row(f"{task.name}, non-credible", share(labels), style="share"),
        ]
    return beside_print("table-1", "Data sets", rows)


def victim_cards(given: Given) -> list[tuple[str, Mapping[str, Any]]]:
    """The cards of all victims, by task and kind. Raises ModelFolderError for a folder that does not match its card."""
    cards = [(str(folder), read_model_folder(folder).card) for folder in given.folders_with(CARD) if _is_victim(folder)]
    return sorted(cards, key=lambda found: (found[1]["task"], found[1]["kind"], found[0]))


def _is_victim(folder: Path) -> bool:
    """Other folders have cards, too: tasks, models of suspicion."""
    try:
        card = json.loads((folder / CARD).read_text("utf-8"))
    except ValueError:
        return False
    return isinstance(card, dict) and str(card.get("what", "")).startswith("victim: ")


def victims_table(cards: Sequence[tuple[str, Mapping[str, Any]]]) -> Table:
    """Table 3: how good the victims are."""
    rows = [
        [_victim(card), _figure(card, "f1"), _figure(card, "accuracy"), card["results"]["n"], folder] for folder, card in cards
    ]
    note = f"On the development set; the paper’s are on its own. {NOT_PRINTED}"
    return Table("table-3", "Victims", ["victim", "F1", "accuracy", "texts", "folder"], rows, note)


def victims_drawn(cards: Sequence[tuple[str, Mapping[str, Any]]]) -> Table:
    """Figure 2: F1 with its interval."""
    found = [(_victim(card), _figure(card, "f1")) for _, card in cards]
    plot = intervals(found, row="victim", value="F1", scale=(0, 1))
    return Table("figure-2", "F1 of the victims", ["victim", "F1"], [list(row) for row in found], plot=plot)


def _victim(card: Mapping[str, Any]) -> str:
    return f"{card['task']}, {victim_name(card['kind'])}"


def _figure(card: Mapping[str, Any], name: str) -> Estimate:
    results = card["results"]
    bounds = results.get(f"{name}_interval")
    return Estimate(results[name], None, results["n"], name, interval=Interval(**bounds) if bounds else None)


def attacks_table(part: Part, cells: Sequence[Cell]) -> Table:
    """Tables 4 and 5: a row for each attack."""
    rows = [
        [f"{cell.task}, {cell.victim}, {cell.attacker}", cell.constraints, *cell.scores,
         Figure("queries", "queries", cell.queries, "count"), cell.bodega.n, cell.scorer]
        for cell in cells
    ]  # fmt: skip
    columns = ["task, victim, attacker", "constraints", *MEASURES, "queries", "texts", "semantic scorer"]
    note = f"Compare only rows of one semantic scorer; the paper’s is BLEURT-20. {NOT_PRINTED}"
    return Table(part.name.lower().replace(" ", "-"), part.shows, columns, rows, note)


def best_attacks(cells: Sequence[Cell]) -> Table:
    """Figure 3: on each victim the attack with the highest BODEGA score."""
    best: dict[tuple[str, str, str], Cell] = {}
    for cell in cells:
        place = (cell.scenario, cell.task, cell.victim)
        if cell.bodega.value is not None and cell.bodega.value > _score(best.get(place)):
            best[place] = cell
    named = [(", ".join((cell.task, cell.victim, cell.scenario)), cell) for _, cell in sorted(best.items())]
    plot = intervals([(name, cell.bodega) for name, cell in named], row="victim", value="BODEGA score", scale=(0, 1))
    rows = [[name, cell.attack, cell.bodega] for name, cell in named]
    note = f"The highest of several is too high by chance: its interval does not know that it was chosen. {NOT_PRINTED}"
    return Table("figure-3", "The best attack on each victim", ["victim", "attacker", "BODEGA"], rows, note, plot=plot)


def _score(cell: Cell | None) -> float:
    return -1.0 if cell is None or cell.bodega.value is None else cell.bodega.value


def _is_of_types(file: File) -> bool:
    """Whether the decisions are about types of modification; other campaigns are exported under the same name."""
    types = {label.key for label in MODIFICATION_TYPES.labels}
    found = {row["decision"] for row in file.rows} - {""}
    return bool(found) and found <= types


def types_table(files: Sequence[File]) -> list[Table]:
    """Table 6: how many examples have which type, by task, and how many kept their meaning."""
    decided = [(row["task"], row["decision"]) for file in files for row in file.rows if row["decision"]]
    simulated = any(file.boolean(row, "simulated") for file in files for row in file.rows)
    tasks = sorted({task for task, _ in decided})
    counts = Counter(decided)
    rows = [[label.name, *(counts[task, label.key] for task in tasks), sum(type == label.key for _, type in decided)]
            for label in MODIFICATION_TYPES.labels]  # fmt: skip
    kept = share([type != FAILED_TYPE for _, type in decided])
    printed = Published("82.5 %", "section on manual analysis", "of 80 examples; “semantic, large” counts as failure")
    note = SIMULATED if simulated else ""
    title = "Types of modification"
    return [
        Table("table-6", title, ["type", *(task or "no task" for task in tasks), "all"], rows, note),
        beside_print("table-6-kept", "Meaning kept", [Row("meaning kept", kept, printed, "share")], note),
    ]


def leaderboard(cells: Sequence[Cell]) -> list[Table]:
    """Attackers by their mean BODEGA score over domains and victims, each cell counting alike, with the mean of its runs."""
    scores: dict[str, dict[tuple[str, str], list[float]]] = {}
    for cell in cells:
        if cell.task in DOMAINS and cell.bodega.value is not None:
            scores.setdefault(cell.attack, {}).setdefault((cell.task, cell.victim), []).append(cell.bodega.value)
    mean = {attacker: fmean(map(fmean, found.values())) for attacker, found in scores.items()}
    ordered = sorted(mean, key=lambda attacker: (-mean[attacker], attacker))
    rows = [[attacker, mean[attacker], f"{len(scores[attacker])} of {SHARED_TASK_CELLS}"] for attacker in ordered]
    note = "Means over fewer cells than others have are no ranking. Cells: PR2, FC, RD, HN and C19, three victims each."
    where = "overview of the lab (Barrón-Cedeño et al., CLEF 2024), Table 15"
    printed = [Row(name, None, Published(score, where)) for name, score in LEADERS.items()]
    return [
        Table("leaderboard", "Leaderboard", ["attacker", "mean BODEGA score", "cells"], rows, note),
        beside_print("leaderboard-printed", "What is printed of the shared task", printed),
    ]

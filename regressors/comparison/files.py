"""A comparison's report as files: all of it as JSON, and tables for spreadsheets."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from defusedcsv import csv

from regressors.comparison.cells import write_whole

Report = Mapping[str, Any]
Line = dict[str, Any]

_MEASURES = ("r", "spearman", "rmse", "rmse_constant", "rmse_gain", "share_of_ceiling", "difference_from_baseline")


def write_report(report: Report, folder: Path) -> None:
    """`report.json`, and the tables that have lines. RegressorError if a file cannot be written."""
    write_whole(folder / "report.json", json.dumps(report, indent=2, ensure_ascii=True, allow_nan=False) + "\n")
    tables = {
        "comparison": [_model(data, entry) for data, entry in _models(report)],
        "by_variant": [_variant(data, entry, found) for data, entry in _models(report) for found in entry["by_variant"]],
        "ablation": [_ablation(entry) for entry in report["ablation"]],
        "transfer": [_transfer(entry) for entry in report["transfer"]],
    }
    for name, lines in tables.items():
        if lines:
            write_whole(folder / f"{name}.csv", _csv(lines))


def _models(report: Report) -> list[tuple[str, Report]]:
    found = [("cross-validation", entry) for entry in report["models"]]
    return found + [("test", entry) for entry in (report["test"] or {"models": []})["models"]]


def _model(data: str, entry: Report) -> Line:
    spread = entry["protocol"]["r_spread"] or {}
    line = {"model": entry["model"], "data": data, "n": entry["r"]["n"]}
    for name in _MEASURES:
        line |= _estimate(name, entry[name])
    return line | {f"r_{name}_of_repetitions": _number(spread.get(name)) for name in ("least", "greatest", "standard_deviation")}


def _variant(data: str, entry: Report, found: Report) -> Line:
    plain = {"model": entry["model"], "data": data, "variant": found["variant"], "n": found["n"]}
    means = {name: _number(found[name]) for name in ("mean_judged", "mean_predicted")}
    return plain | means | _estimate("r", found["r"]) | _estimate("rmse", found["rmse"])


def _ablation(entry: Report) -> Line:
    plain = {"set": entry["set"], "groups": " ".join(entry["groups"]), "n": entry["r"]["n"]}
    return plain | _estimate("r", entry["r"]) | _estimate("difference_from_all", entry["difference_from_all"])


def _transfer(entry: Report) -> Line:
    return {name: entry[name] for name in ("trained_on", "tested_on")} | {"n": entry["r"]["n"]} | _estimate("r", entry["r"])


def _estimate(name: str, estimate: Report) -> Line:
    interval = estimate["interval"] or {}
    why = estimate["reason"] or estimate["no_interval"] or {}
    return {
        name: _number(estimate["value"]),
        f"{name}_low": _number(interval.get("low")),
        f"{name}_high": _number(interval.get("high")),
        f"{name}_reason": why.get("code", ""),
    }


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}"


def _csv(lines: Sequence[Line]) -> str:
    """Cells that a spreadsheet would execute begin with an apostrophe."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(lines[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()

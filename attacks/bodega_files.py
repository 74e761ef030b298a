"""A finished run as BODEGA's own files, for its scripts, for shared tasks, and for whoever reads them already.

- ``results_TASK_TARGETED_ATTACKER_VICTIM.txt``: nine figures, each after its name.
- ``raw_….tsv``: a line per success: BODEGA score, original and adversarial text, both as BODEGA normalises them for the character
  score, with what was deleted and what was inserted in ``<`` and ``>``.
- ``submission_….tsv``: a line per attacked text, as the shared task InCrediblAE collected them (Przybyła et al. 2024).

Where BODEGA's code notes the time of the scoring as that of the attack, here both are what they say.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from attacks.engine.outcome import Outcome
from attacks.errors import AttackError
from attacks.names import victim_name
from attacks.results import Run, read_run, write_atomically
from attacks.runs import ATTACKING, SCORING, seconds_spent
from attacks.tasks.layout import decode_loosely, encode
from scoring.texts.characters import encodable
from scoring.texts.matching import same_and_changed
from scoring.texts.tokens import normalise

FAILED = "ATTACK_UNSUCCESSFUL"
SUBMISSION_COLUMNS = ("succeeded", "num_queries", "original_text", "modified_text")
_NO_PART_OF_A_NAME = re.compile(r"[^\w.+-]|_", re.ASCII)
_NO_PART_OF_AN_ATTACKERS_NAME = re.compile(r"[^\w.+-]", re.ASCII)


def export_run(folder: str | os.PathLike[str], out: str | os.PathLike[str], *, attacker: str | None = None) -> list[Path]:
    """Write BODEGA's files of the finished run in ``folder`` to the folder ``out``, which is made if need be; returns them.

    ``attacker`` stands for the attacker in their names, which do not tell apart two runs of one attacker with other settings. So
    elsewhere than in the run's own folder, a file that is there with other content is refused (`AttackError`), and nothing is
    written. A run without semantic scores has a submission only.
    """
    folder, out = Path(folder), Path(out)
    run = read_run(folder)
    files = {out / name: content for name, content in bodega_files(run, seconds_spent(folder), attacker).items()}
    if out.resolve() != folder.resolve():
        for path, content in files.items():
            if path.exists() and path.read_bytes() != content.encode():
                raise AttackError(f"{path} is there already, of another run; choose another folder or --attacker NAME")
    out.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        write_atomically(path, content)
    return list(files)


def bodega_files(run: Run, seconds: Mapping[str, float], attacker: str | None = None) -> dict[str, str]:
    """The files by name. ``seconds`` are those of `attacks.runs.seconds_spent`."""
    name = _name(run, attacker)
    files = {f"submission_{name}.tsv": _submission(run)}
    if run.summary["semantic_scorer"] is not None:
        files |= {f"results_{name}.txt": _results(run, seconds), f"raw_{name}.tsv": _raw(run)}
    return {name: encodable(content) for name, content in files.items()}


def _name(run: Run, attacker: str | None) -> str:
    """Task, scenario, attacker, victim, between underscores: of these only the attacker may hold some, so that it can be read."""
    task = {"PR": "PR2"}.get(run.header["task"]["name"], run.header["task"]["name"])
    parts = [
        _NO_PART_OF_A_NAME.sub("-", task),
        str(run.header["scenario"] == "targeted"),
        _NO_PART_OF_AN_ATTACKERS_NAME.sub("-", attacker or run.header["attacker"]["name"]),
        _NO_PART_OF_A_NAME.sub("-", victim_name(run.header["victim"]["name"])),
    ]
    return "_".join(parts)


def _results(run: Run, seconds: Mapping[str, float]) -> str:
    """Means that there are none of are nan, as in BODEGA."""
    means = {name: run.summary[name]["value"] for name in ("success", "semantic", "character", "bodega")}
    attacked = run.summary["attacked"]
    figures: dict[str, float | None] = {
        "Subset size": attacked,
        **{f"{'BODEGA' if name == 'bodega' else name.capitalize()} score": value for name, value in means.items()},
        "Queries per example": run.summary["queries"]["asked"]["value"],
        "Total attack time": seconds[ATTACKING],
        "Time per example": seconds[ATTACKING] / attacked if attacked else None,
        "Total evaluation time": seconds[SCORING],
    }
    return "".join(f"{name}: {'nan' if value is None else value}\n" for name, value in figures.items())


def _raw(run: Run) -> str:
    lines = []
    for outcome, score in zip(run.outcomes, run.scores, strict=True):
        if outcome.succeeded and score is not None:
            old, new = marked(normalise(outcome.original), normalise(outcome.adversarial or ""))
            lines.append(f"{np.format_float_positional(score.bodega or 0.0, trim='0')}\t{old}\t{new}\n")
    return "".join(lines)


def marked(old: str, new: str) -> tuple[str, str]:
    """Both texts with ``<`` and ``>`` around what only one of them has, in time linear in their length."""
    first: list[str] = []
    second: list[str] = []
    for same, a, b, c, d in same_and_changed(list(old), list(new)):
        first.append(_around(old[a:b], same))
        second.append(_around(new[c:d], same))
    return "".join(first), "".join(second)


def _around(stretch: str, same: bool) -> str:
    return stretch if same or not stretch else f"<{stretch}>"


def _submission(run: Run) -> str:
    lines = [SUBMISSION_COLUMNS, *map(_submitted, run.attacked)]
    return "".join("\t".join([*line, "\n"]) for line in lines)


def _submitted(outcome: Outcome) -> tuple[str, str, str, str]:
    modified = FAILED if outcome.adversarial is None else _one_line(outcome.adversarial)
    return str(outcome.succeeded), str(outcome.queries.asked), _one_line(outcome.original), modified


def _one_line(text: str) -> str:
    """Line breaks as ``\\\\n`` and backslashes as they are, as in the shared task. Where that would be read as something else,
    backslashes are doubled as in the files of a task."""
    encoded = encode(text)
    plain = encoded.replace("\\\\", "\\")
    return plain if decode_loosely(plain) == decode_loosely(encoded) else encoded

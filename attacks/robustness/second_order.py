"""The second-order texts of many examples, kept in a folder while they are looked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from attacks.engine.lockstep import Progress
from attacks.errors import AttackError
from attacks.results import write_atomically
from attacks.robustness.damage import describe
from attacks.robustness.fluency import FluentEnough
from attacks.robustness.kinds import Examined
from attacks.robustness.search import Spoiled, spoil

TEXTS, HEADER = "second-order.jsonl", "second-order.json"
_AT_ONCE: Final = 32  # examples spoiled in lock step, and lost at most when the process is killed


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """How texts are spoiled: see `attacks.robustness.search.spoil`.

    ``language_model``, for `FluentEnough`, limits the perplexity of texts that are spoiled by antonyms alone to ``times`` that of
    their originals; what spoils a text otherwise is meant to read badly, or reads as well as before.
    """

    wanted: int = 3
    beam: int = 4
    most: int = 60
    language_model: str | None = None
    times: float = 2.0

    def limit_for(self, tested: Examined) -> FluentEnough | None:
        """The limit on fluency for texts that are to fool this constraint."""
        return FluentEnough(self.language_model, self.times) if self.language_model and tested.kind.fluent else None

    def describe(self) -> dict[str, Any]:
        return {"wanted": self.wanted, "beam": self.beam, "most": self.most}


@dataclass(frozen=True, slots=True)
class SecondOrder:
    """The spoiled texts in the order of the examples; the constraint that was fooled, the damages, and the limit on fluency."""

    tested: Examined
    spoiled: list[Spoiled]
    constraint: dict[str, Any]
    damages: list[dict[str, Any]]
    fluency: dict[str, Any] | None = None

    def passing(self, threshold: float) -> list[bool]:
        """For which examples the constraint accepts a spoiled text at this threshold."""
        scores = map(self.tested.score, self.spoiled)
        return [score is not None and bool(self.tested.passes(np.array(score), threshold)) for score in scores]


def spoil_all(
    examples: Sequence[tuple[int, str]],
    tested: Examined,
    out: Path,
    search: Search,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> SecondOrder:
    """Spoil the text of each example, id and text; those that an earlier process finished are read from the folder.

    Raises `AttackError` for a folder that holds another search, or none at all but something else.
    """
    constraint = tested.at_its_loosest()
    damages = tested.kind.damages([text for _, text in examples])
    described, ways = constraint.describe(), describe(damages)
    fluent = search.limit_for(tested)
    fluency = None if fluent is None else fluent.describe()
    header = {"constraint": described, "damages": ways, "search": search.describe(), "fluency": fluency, "seed": seed}
    _settle(out, header)
    finished = {each.id: each for each in _read(out / TEXTS)}
    if any(finished[id].original != text for id, text in examples if id in finished):
        raise AttackError(f"{out / TEXTS}: holds other texts; choose another folder")

    def accept(originals: Sequence[str], candidates: Sequence[str]) -> np.ndarray:
        return tested.readiness(constraint.check_pairs(originals, candidates)[0]) if len(candidates) else np.empty(0)

    waiting = [example for example in examples if example[0] not in finished]
    for start in range(0, len(waiting), _AT_ONCE):
        new = spoil(waiting[start : start + _AT_ONCE], accept, damages, seed=seed, fluent=fluent, **search.describe())
        with (out / TEXTS).open("a", encoding="utf-8") as file:
            file.write("".join(json.dumps(each.as_dict()) + "\n" for each in new))
        finished |= {each.id: each for each in new}
        if progress is not None:
            progress(len(finished), len(examples), f"{len(finished)} of {len(examples)} texts")
    return SecondOrder(tested, [finished[id] for id, _ in examples], described, ways, fluency)


def _settle(out: Path, header: dict[str, Any]) -> None:
    """Make the folder this search's own, or check that it already is."""
    path = out / HEADER
    if path.exists():
        if json.loads(path.read_text("utf-8")) != json.loads(json.dumps(header)):
            raise AttackError(f"{out}: another constraint or search was measured here; choose another folder")
        return
    if out.exists() and any(out.iterdir()):
        raise AttackError(f"{out}: not empty, and no measurement; choose another folder")
    out.mkdir(parents=True, exist_ok=True)
    write_atomically(path, json.dumps(header, indent=2) + "\n")


def _read(path: Path) -> list[Spoiled]:
    """What is whole of the file: a last line that was torn is spoiled anew."""
    if not path.exists():
        return []
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        path.write_bytes(whole)
    return [Spoiled.from_dict(json.loads(line)) for line in whole.splitlines()]

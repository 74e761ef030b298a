"""A constraint study: the same attack without and with the suspicion constraint, at several limits ("Suspiciousness of
Adversarial Texts to Human", Tonni, Faustini, Dras 2024, section 5).

That a model's own score falls under the model's own constraint proves nothing; what people say of the pairs does
(`Study.pairs`). The study says what there is to ask them about, and what the constraint costs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from attacks.compare import Comparison, compare
from attacks.constraints.suspicion import SuspicionModel
from attacks.engine.lockstep import Progress
from attacks.errors import AttackError
from attacks.results import Run, read_run
from attacks.set_aside import MARGIN, set_aside, suspicion_of
from attacks.settings import RunSettings
from attacks.shards import run_in_processes
from scoring.judgements.clustered import compare_all
from scoring.judgements.shares import share
from scoring.result import Estimate

WITHOUT: Final = "without"
BOUNDS: Final = (1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0)
"""Ends of the intervals that scores are counted in; a score at an end belongs to the interval above, the last takes both ends."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An original and what the attack made of it without and with the constraint, each with its predicted suspicion."""

    id: int
    original: str
    free: str
    bound: str
    suspicion_of_original: float
    suspicion_free: float
    suspicion_bound: float

    @property
    def lowered(self) -> bool:
        return self.suspicion_bound < self.suspicion_free

    @property
    def fooled(self) -> bool:
        """Whether it fell so far below the original's own that the model is rather being fooled (`attacks.set_aside`)."""
        return self.suspicion_of_original - self.suspicion_bound > MARGIN + 1e-9


@dataclass(frozen=True, slots=True)
class Flow:
    """What became of the successes of the free attack that lie over tau: how many there are, how many of them the bound attack
    made less suspicious, and how many of these are left when those are set aside that fool the model."""

    over: int
    lowered: int
    kept: int

    @property
    def share_lowered(self) -> Estimate:
        return share([True] * self.lowered + [False] * (self.over - self.lowered))

    def as_dict(self) -> dict[str, Any]:
        counts = {"over": self.over, "lowered": self.lowered, "kept": self.kept}
        return counts | {"share_lowered": self.share_lowered.as_dict()}


@dataclass(frozen=True, slots=True)
class Cost:
    """What the limit costs in one measure: with it minus without it, over all texts attacked, and p that it costs nothing. One
    text of each original and yes or no: McNemar's exact test; else a t-test with errors clustered by original."""

    difference: Estimate
    p_value: Estimate

    def as_dict(self) -> dict[str, Any]:
        return {"difference": self.difference.as_dict(), "p_value": self.p_value.as_dict()}


@dataclass(frozen=True, slots=True)
class AtLimit:
    """The attack under one tau beside the free one. ``costs`` are by measure: success, bodega, queries (none where nothing was
    attacked or scored). ``before`` and ``after`` count the successes of both by interval of predicted suspicion (`BOUNDS`);
    ``pairs`` are the examples on which both succeed with different texts."""

    tau: float
    comparison: Comparison
    costs: Mapping[str, Cost]
    flow: Flow
    before: tuple[int, ...]
    after: tuple[int, ...]
    pairs: tuple[Pair, ...]

    @property
    def worth_asking(self) -> list[Pair]:
        """The pairs to ask people about: over tau without the constraint, less suspicious with it, none that fools the model."""
        return [pair for pair in self.pairs if pair.suspicion_free > self.tau and pair.lowered and not pair.fooled]

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON, without the texts."""
        paths = [[pair.id, pair.suspicion_of_original, pair.suspicion_free, pair.suspicion_bound] for pair in self.pairs]
        return {
            "tau": self.tau,
            "comparison": self.comparison.as_dict(),
            "costs": {measure: cost.as_dict() for measure, cost in self.costs.items()},
            "flow": self.flow.as_dict(),
            "intervals": {"bounds": list(BOUNDS), "before": list(self.before), "after": list(self.after)},
            "scores": paths,
            "worth_asking": [pair.id for pair in self.worth_asking],
        }


def study_settings(settings: RunSettings, taus: Sequence[float]) -> dict[str, RunSettings]:
    """The runs of a study by the name of their folder: the free one, which only observes suspicion, and one for each tau.

    ``settings`` name the suspicion model and no limit. Raises `AttackError` if there is no model, a limit already, no tau, one
    twice, or one of more than six digits.
    """
    wanted = {name: value for name, value in settings.constraints.items() if value not in (None, False)}
    if "suspicion" not in wanted:
        raise AttackError("a study needs a suspicion model: --suspicion MODEL")
    if limits := sorted({"margin", "observe"} & wanted.keys()):
        raise AttackError(f"a study sets the limits itself, so it takes no --{limits[0]}")
    if not taus:
        raise AttackError("a study needs at least one --tau")
    names = [f"tau-{tau:g}" for tau in taus]
    if len(set(names)) < len(names) or not np.isfinite(taus).all():
        raise AttackError("each --tau of a study must be a number of its own, usually between 1 and 5")
    if rounded := [tau for tau, name in zip(taus, names, strict=True) if float(name.removeprefix("tau-")) != tau]:
        raise AttackError(f"each --tau of a study has six digits at most, for runs are named by it; {rounded[0]!r} has more")
    rest = {name: value for name, value in wanted.items() if name != "tau"}

    def under(**rule: Any) -> RunSettings:
        return replace(settings, constraints=rest | rule)

    return {WITHOUT: under(observe=True)} | {name: under(tau=tau) for tau, name in sorted(zip(taus, names, strict=True))}


def run_study(
    settings: RunSettings,
    taus: Sequence[float],
    out: str | os.PathLike[str],
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> list[AtLimit]:
    """Run the attack without and with each limit, in folders of ``out``, and compare. Run again, it goes on where it stopped.

    Same examples, same seed. ``progress`` counts the runs' examples one after another.
    """
    from regressors.storage import load

    runs = study_settings(settings, taus)
    for number, (name, each) in enumerate(runs.items()):
        shown = None if progress is None else partial(_shifted, progress, number, len(runs), name)
        run_in_processes(each, Path(out) / name, workers=workers, progress=shown)
    return read_study(out, load(Path(settings.constraints["suspicion"])))


def read_study(out: str | os.PathLike[str], model: SuspicionModel) -> list[AtLimit]:
    """The finished study of a folder, a limit each, the strictest first. Raises `AttackError` if a run is not finished."""
    out = Path(out)
    free = read_run(out / WITHOUT)
    bound = {float(folder.name.removeprefix("tau-")): folder for folder in out.glob("tau-*") if folder.is_dir()}
    if not bound:
        raise AttackError(f"{out}: no study here; it would hold runs named tau-…")
    return [at_limit(free, read_run(bound[tau]), model, tau) for tau in sorted(bound)]


def at_limit(free: Run, bound: Run, model: SuspicionModel, tau: float) -> AtLimit:
    """Two runs of the same examples, without and with the constraint at ``tau``."""
    before, after = (suspicion_of(run.outcomes, model, run.header) for run in (free, bound))
    return AtLimit(
        tau=tau,
        comparison=compare(free, bound, model),
        costs=_costs(free, bound),
        flow=_flow(free, before, after, bound, tau),
        before=_counted([score for _, score in before.values()]),
        after=_counted([score for _, score in after.values()]),
        pairs=tuple(_pairs(free, bound, before, after)),
    )


Suspicion = Mapping[int, tuple[float, float]]
Measured = list[tuple[str, float]]
"""The value of each attacked text, with its original."""


def _costs(free: Run, bound: Run) -> dict[str, Cost]:
    without, under = _measured(free), _measured(bound)
    return {name: _cost(without[name], under[name]) for name in without if without[name] and under[name]}


def _cost(without: Measured, under: Measured) -> Cost:
    [found] = compare_all({"with": under, "without": without})
    return Cost(found.difference, found.p_value)


def _measured(run: Run) -> dict[str, Measured]:
    """By measure; no BODEGA scores where the run has no semantic ones."""
    scores = [score for score in run.scores if score is not None]
    bodega = [score.bodega for score in scores if score.bodega is not None]
    originals = [outcome.original for outcome in run.attacked]
    return {
        "success": [(outcome.original, float(outcome.succeeded)) for outcome in run.attacked],
        "bodega": list(zip(originals, bodega, strict=True)) if len(bodega) == len(scores) else [],
        "queries": [(outcome.original, float(outcome.queries.asked)) for outcome in run.attacked],
    }


def _flow(free: Run, before: Suspicion, after: Suspicion, bound: Run, tau: float) -> Flow:
    over = [id for id, (_, score) in before.items() if score > tau]
    lowered = [id for id in over if id in after and after[id][1] < before[id][1]]
    kept = {outcome.id for outcome in set_aside(bound.outcomes, after).kept}
    return Flow(len(over), len(lowered), len(kept.intersection(lowered)))


def _pairs(free: Run, bound: Run, before: Suspicion, after: Suspicion) -> Iterator[Pair]:
    ours, theirs = free.successes, bound.successes
    for id in sorted(ours.keys() & theirs.keys()):
        one, other = ours[id].adversarial, theirs[id].adversarial
        if one is not None and other is not None and one != other:
            (own, score), (_, under) = before[id], after[id]
            yield Pair(id, ours[id].original, one, other, own, score, under)


def _counted(scores: Sequence[float]) -> tuple[int, ...]:
    """Scores outside the scale, which a regressor may give, count in the interval at that end."""
    inside = np.clip(np.asarray(scores, dtype=np.float64), BOUNDS[0], BOUNDS[-1])
    return tuple(int(count) for count in np.histogram(inside, BOUNDS)[0])


def intervals() -> list[str]:
    """The intervals in words, as tables head them."""
    return [f"{low:g} to {high:g}" for low, high in pairwise(BOUNDS)]


def _shifted(progress: Progress, number: int, runs: int, name: str, done: int, total: int, message: str) -> None:
    progress(number * total + done, runs * total, f"{name}: {message}")

"""What a measurement of constraints found, as tables: for its page, for reports and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import JudgedSample, RobustnessMeasurement, Variant
from annotation.protocols.analysis import Figure, Table
from annotation.protocols.plots import Plot
from annotation.protocols.votes import votes_of
from annotation.services.robustness import spoiled_kind
from scoring.judgements.clustered import compare_all
from scoring.judgements.shares import share
from scoring.judgements.suspected import SUSPECTED_FROM, suspected_by_median
from scoring.result import Estimate
from scoring.wording import counted

ACCS_NOTE = (
    "ACCS: area under first-order over second-order rates, divided by the product of both at the loosest threshold; 1 if all "
    "attacks on the victim come in before any on the constraint, 0 the other way round. In brackets: 95 % intervals, bootstrap "
    "over texts. Texts with too few words to spoil count as not fooled."
)


def overview(measurement: RobustnessMeasurement) -> Table:
    """A line for each constraint, and all curves in one plot."""
    columns = ["constraint", "model", "ACCS", "first order, loosest", "second order, loosest", "texts", "too short", "why none"]
    rows: list[list[Any]] = []
    for found, (_, model) in zip(measurement.result, measurement.constraints, strict=True):
        accs, curve = Estimate.from_dict(found["accs"]), found["curve"]
        why = accs.reason or accs.no_interval
        ends = (curve["first"][-1], curve["second"][-1])
        rows.append(
            [found["name"], model or "–", accs, *ends, found["examples"], found["too_short"], why.message if why else "–"]
        )
    styles = dict.fromkeys(columns[3:5], "share")
    return Table("robustness", "How robust each constraint is", columns, rows, ACCS_NOTE, styles, plot_of(measurement.result))


def plot_of(result: Sequence[Mapping[str, Any]]) -> Plot:
    """All curves: first-order over second-order rates."""
    from attacks.robustness.plot import marks_of, values_of

    names = [found["name"] for found in result]
    curves = [(found["name"], _points(found)) for found in result]
    about = (
        f"A line for each of {', '.join(names)}, a point for each threshold: to the right the share of texts whose spoiled "
        "version the constraint accepts, upwards the share that is attacked with success under it."
    )
    return Plot(about, values_of(curves), marks_of(names))


def _points(found: Mapping[str, Any]) -> list[tuple[float, float, float]]:
    """Threshold, first-order rate, second-order rate."""
    return list(zip(*(found["curve"][part] for part in ("threshold", "first", "second")), strict=True))


def curves(measurement: RobustnessMeasurement) -> list[Table]:
    """Of each constraint both rates at every threshold, the strictest first."""
    columns = ["threshold", "first order", "second order"]
    styles = dict.fromkeys(columns[1:], "share")
    return [
        Table(
            f"curve-{found['name']}",
            f"{found['name']}: rates by threshold",
            columns,
            [[f"{at:g}", *rates] for at, *rates in _points(found)],
            _how(found),
            styles,
        )
        for found in measurement.result
    ]


def _how(found: Mapping[str, Any]) -> str:
    ways = ", ".join(damage["name"] for damage in found["damages"])
    limit = found.get("fluency")
    read = f"; they had to read at most {limit['times']:g} times as surprising as their originals" if limit else ""
    return f"Texts were spoiled by: {ways}{read}."


@dataclass(frozen=True, slots=True)
class Verdict:
    """What people said of a sample: the share of texts that they find suspicious among the spoiled ones and among their
    originals, and the difference with its test. `judged` of `planned` texts are judged."""

    sample: JudgedSample
    table: Table
    judged: int
    planned: int

    @property
    def standing(self) -> str:
        """How far it is, where it is not done."""
        if self.judged == self.planned:
            return ""
        return f"Fewer than planned: {self.judged:,} of {counted(self.planned, 'text')} judged so far."


def verdict_on(sample: JudgedSample) -> Verdict:
    """From the answers that count."""
    items = votes_of(sample.campaign)
    scores = {item.item_id: [vote.value for vote in item.votes] for item in items}
    variant = {item.item_id: item.variant for item in items}
    found = suspected_by_median(scores, variant, cluster_of={item.item_id: item.original_id for item in items})
    planned = Counter(variant.values())
    titles = {spoiled_kind(sample.constraint): "spoiled texts", Variant.UNCHANGED: "their originals"}
    rows: list[list[Any]] = [
        [title, _share(found.get(kind, []), planned[kind]), len(found.get(kind, [])), planned[kind]]
        for kind, title in titles.items()
    ]
    tests = compare_all({kind: found[kind] for kind in titles if found.get(kind)})
    rows += [["difference", Figure("difference", "", each.difference, style="points"), None, None] for each in tests]
    rows += [["p of the difference", Figure("p", "", each.p_value, style="p"), None, None] for each in tests]
    table = Table(
        f"judged-{sample.pk}",
        f"{sample.constraint} at {sample.threshold:g}: texts that people find suspicious",
        ["", "share suspicious", "judged", "planned"],
        rows,
        f"Suspicious: the median of a text’s answers is {SUSPECTED_FROM} or more. In brackets: 95 % intervals. "
        "pp: percentage points." + "".join(f" {each.p_value.method}." for each in tests),
        {"share suspicious": "share"},
    )
    return Verdict(sample, table, sum(map(len, found.values())), len(items))


def _share(verdicts: Sequence[tuple[Any, float]], planned: int) -> Estimate:
    missing = planned - len(verdicts)
    return share(
        [bool(value) for _, value in verdicts],
        clusters=[cluster for cluster, _ in verdicts],
        left_out={"not judged": missing} if missing else {},
    )

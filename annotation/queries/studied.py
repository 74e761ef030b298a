"""What a constraint study found, as tables, and what people said of its pairs. All figures are those that were stored with it or
follow from the votes; nothing is attacked or predicted here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from annotation.models import Campaign, Claim, ConstraintStudy, Item, Outcome, StudyCampaign, User
from annotation.protocols.analysis import Figure, Table
from annotation.protocols.plots import over_limits, paired, side_by_side
from annotation.protocols.votes import ItemVotes, votes_of
from scoring.result import Estimate
from scoring.wording import counted

from .analysed import analysed
from .lists import organised_by

SIDES = ("without", "with")
MEASURES: Mapping[str, tuple[str, str, str]] = {
    "success": ("attacks that succeed", "share", "points"),
    "bodega": ("BODEGA score", "number", "number"),
    "queries": ("queries per text", "count", "count"),
}
"""What a limit may cost: in words, how it is shown, and how a difference is."""
LOOKS: Mapping[str, str] = {"less": "lowered", "equally": "equal", "more": "raised"}
"""With the limit, to the model: and how a comparison calls the number of such texts."""
MOST_EXAMPLES = 10
COST_NOTE = (
    "Means over all texts attacked, with 95 % intervals, by bootstrap over originals. Difference: under the limit, less without "
    "it. p, that there is none: McNemar's exact test for success where every original has one text, else a t-test with errors "
    "clustered by original."
)
FLOW_NOTE = (
    "Over the limit: successes without it whose predicted suspicion is above it. Lowered: of these, those that the held attack "
    "changes with success, too, into a text of lower predicted suspicion. Kept: of these, those not more than 0.2 below their "
    "original's own, a sign that the model is being fooled. Share lowered: of those over the limit, with Wilson's interval. "
    "Tonni, Faustini and Dras (2024, section 5) have 61, 42 and 23. That the model's own score falls under its own limit proves "
    "nothing; what people say of the pairs does."
)


def studies_seen_by(user: User) -> QuerySet[ConstraintStudy]:
    """Studies hold nothing about people: every organiser sees all of them. What people said is their campaigns'."""
    studies = ConstraintStudy.objects.all() if user.is_organiser else ConstraintStudy.objects.none()
    return studies.select_related("model").order_by("-created_at", "-pk")


def study_tables(study: ConstraintStudy) -> list[Table]:
    """All that follows without people: the cost over limits, the flow, and of each limit the scores before and after."""
    found = study.result or []
    if not found:
        return []
    costs = [_cost_table(found, measure) for measure in MEASURES if Estimate.from_dict(_side(found[0], 0)[measure]).n]
    return [_flow_table(found), *costs, *(table for each in found for table in (_interval_table(each), _score_table(each)))]


def _flow_table(found: Sequence[Mapping[str, Any]]) -> Table:
    columns = ["limit", "over the limit", "lowered", "kept", "share lowered", "to ask people about"]
    rows = []
    for each in found:
        flow, share = each["flow"], Estimate.from_dict(each["flow"]["share_lowered"])
        counts = [flow[name] for name in ("over", "lowered", "kept")]
        rows.append([f"{each['tau']:g}", *counts, share, len(each["worth_asking"])])
    plot = side_by_side([(str(row[0]), row[1:4]) for row in rows], columns[1:4], row="limit", value="texts")
    return Table("flow", "What became of suspicious successes", columns, rows, FLOW_NOTE, {"share lowered": "share"}, plot)


def _cost_table(found: Sequence[Mapping[str, Any]], measure: str) -> Table:
    name, style, of_difference = MEASURES[measure]
    free = Estimate.from_dict(_side(found[0], 0)[measure])
    held = [(each["tau"], Estimate.from_dict(_side(each, 1)[measure])) for each in found]
    rows: list[list[Any]] = [["none", Figure(measure, name, free, style=style), None, None]]
    for each, (tau, estimate) in zip(found, held, strict=True):
        cost = each["costs"].get(measure)
        tests = [Estimate.from_dict(cost[name]) for name in ("difference", "p_value")] if cost else [None, None]
        rows.append([f"{tau:g}", Figure(measure, name, estimate, style=style), *tests])
    scale = None if measure == "queries" else (0.0, 1.0)
    plot = over_limits(held, limit="limit", value=name, without=free, scale=scale)
    columns, styles = ["limit", name, "difference", "p"], {"difference": of_difference, "p": "p"}
    note = f"{COST_NOTE} pp: percentage points." if of_difference == "points" else COST_NOTE
    return Table(measure, f"{name[0].upper()}{name[1:]} over limits", columns, rows, note, styles, plot)


def _interval_table(each: Mapping[str, Any]) -> Table:
    bounds, counts = each["intervals"]["bounds"], [each["intervals"][name] for name in ("before", "after")]
    names = [f"{low:g} to {high:g}" for low, high in pairwise(bounds)]
    rows = list(zip(names, *counts, strict=True))
    plot = side_by_side([(name, sides) for name, *sides in rows], SIDES, row="predicted suspicion", value="successes")
    title = f"Predicted suspicion of successes, limit {each['tau']:g}"
    note = "A score between two intervals counts in the upper one."
    return Table(_key("intervals", each["tau"]), title, ["predicted suspicion", *SIDES], rows, note, plot=plot)


def _score_table(each: Mapping[str, Any]) -> Table:
    """Of the texts that both attacks change with success."""
    comparison = each["comparison"]
    means = {name: Estimate.from_dict(stored) for name, stored in comparison["paired"].items()}
    rows: list[list[Any]] = [
        ["mean predicted suspicion without", means["first"]],
        ["mean predicted suspicion with", means["second"]],
        ["mean difference, with less without", means["difference"]],
        *([f"texts that look {how} suspicious", comparison[name]] for how, name in LOOKS.items()),
        ["set aside with the limit: more than 0.2 below the original", comparison["second"]["set_aside"]],
    ]
    pairs = [(free, held) for _, _, free, held in each["scores"]]
    plot = paired(pairs, SIDES, value="predicted suspicion", against=each["tau"])
    title = f"Text by text where both succeed, limit {each['tau']:g}"
    note = "Of texts on which both attacks succeed; lines are drawn for those that they change differently."
    note += " Intervals: 95 %, by bootstrap over originals."
    return Table(_key("scores", each["tau"]), title, ["", "value"], rows, note, plot=plot)


def _side(each: Mapping[str, Any], place: int) -> Mapping[str, Any]:
    side: Mapping[str, Any] = each["comparison"][("first", "second")[place]]
    return side


def _key(name: str, tau: float) -> str:
    return f"{name}-{tau:g}".replace(".", "_")


@dataclass(frozen=True, slots=True)
class PairVotes:
    """One pair, its predicted suspicion, and of how many votes how many took the held text for a person's."""

    tau: float
    number: int
    original: str
    free: str
    held: str
    suspicion: tuple[float, float, float]
    """Of the original, the free text, the held text."""
    campaign: str = ""
    for_held: int | None = None
    votes: int = 0

    @property
    def said(self) -> str:
        return "not asked" if self.for_held is None else f"{self.for_held} of {self.votes}"


@dataclass(frozen=True, slots=True)
class Asked:
    """A campaign about the pairs at a limit, and what it has come to. `decided` pairs have a majority; `checks` are known answers
    that people gave: right ones, all."""

    link: StudyCampaign
    figures: Sequence[Figure]
    pairs: int
    decided: int
    annotators: int
    checks: tuple[int, int]
    votes: Mapping[int, ItemVotes]
    """By example of the held text."""

    @property
    def campaign(self) -> Campaign:
        return self.link.campaign

    @property
    def short(self) -> bool:
        """Whether fewer pairs are decided than were planned."""
        return self.decided < self.link.planned

    @property
    def standing(self) -> str:
        """How many pairs there are beside those that were planned, in words."""
        said = f"{counted(self.decided, 'pair')} decided of {self.pairs:,}; {self.link.planned:,} were planned"
        return f"{said}: fewer than planned, so a preference may be missed" if self.short else said

    def as_dict(self) -> dict[str, Any]:
        link = self.link
        facts = {"campaign": link.campaign.name, "simulated": link.campaign.simulated, "tau": link.tau}
        plan = {"planned": link.planned, "preferred": link.preferred, "power": link.power, "fewer_than_planned": self.short}
        counts = {"pairs": self.pairs, "decided": self.decided, "annotators": self.annotators}
        known = {"right": self.checks[0], "of": self.checks[1]}
        return facts | plan | counts | {"checks": known, "figures": {each.key: each.as_dict() for each in self.figures}}


def asked_people(study: ConstraintStudy, user: User | None = None) -> list[Asked]:
    """The study's campaigns with what came of them; of a person, those whose results they may see."""
    links = study.asked_people.select_related("campaign").exclude(campaign__state=Campaign.State.DELETED)
    if user is not None:
        links = links.filter(campaign__in=organised_by(user))
    return [_asked(link) for link in links]


def _asked(link: StudyCampaign) -> Asked:
    votes = votes_of(link.campaign)
    analysis = analysed(link.campaign, votes)
    examples = dict(Item.objects.filter(campaign=link.campaign, example__isnull=False).values_list("pk", "example"))
    decided = next(figure.estimate.n for figure in analysis.figures if figure.key == "preferred")
    checks = Claim.objects.filter(campaign=link.campaign, use=Item.Use.ATTENTION, state__in=Claim.GIVEN)
    known = checks.aggregate(all=Count("pk"), right=Count("pk", filter=Q(judgement__label=F("item__gold"))))
    return Asked(
        link=link,
        figures=analysis.figures,
        pairs=len(votes),
        decided=decided,
        annotators=len({vote.annotator_id for item in votes for vote in item.votes}),
        checks=(known["right"], known["all"]),
        votes={examples[item.item_id]: item for item in votes if item.item_id in examples},
    )


def pairs_at(study: ConstraintStudy, asked: Sequence[Asked]) -> list[PairVotes]:
    """The pairs that are worth asking about, limit by limit, with the votes of each campaign that asked about them."""
    free, *held = _outcomes(study)
    return [
        pair
        for each, outcomes in zip(study.result or [], held, strict=True)
        for pair in _pairs(each, free, outcomes, [one for one in asked if one.link.tau == each["tau"]])
    ]


def _outcomes(study: ConstraintStudy) -> list[dict[int, Outcome]]:
    """The successes of each run of the study, the free one's first, by their place in the attack set from 0."""
    runs = list(study.links.values_list("run", flat=True))
    found = Outcome.objects.filter(run__in=runs, example__isnull=False)
    rows = found.select_related("example__before", "example__after").order_by("number")
    by_run: dict[int, dict[int, Outcome]] = {run: {} for run in runs}
    for outcome in rows:
        by_run[outcome.run_id][outcome.number - 1] = outcome
    return list(by_run.values())


def _pairs(
    each: Mapping[str, Any], free: Mapping[int, Outcome], held: Mapping[int, Outcome], asked: Sequence[Asked]
) -> list[PairVotes]:
    scores = {id: (own, without, under) for id, own, without, under in each["scores"]}
    askers: Sequence[Asked | None] = asked or [None]
    return [_pair(each["tau"], id, scores[id], free[id], held[id], one) for one in askers for id in each["worth_asking"]]


def _pair(
    tau: float, id: int, scores: tuple[float, float, float], free: Outcome, held: Outcome, asked: Asked | None
) -> PairVotes:
    one, other = free.example, held.example
    assert one is not None and other is not None
    item = asked.votes.get(other.pk) if asked else None
    cast = item.votes if item else []
    return PairVotes(
        tau=tau,
        number=id + 1,
        original=one.before.text,
        free=one.after.text,
        held=other.after.text,
        suspicion=scores,
        campaign=asked.campaign.name if asked and item else "",
        for_held=sum(vote.label == "first" for vote in cast) if item else None,
        votes=len(cast),
    )


def chosen_examples(pairs: Sequence[PairVotes]) -> list[PairVotes]:
    """Some pairs: those with votes first, in order of how many took the held text for a person's."""
    return sorted(pairs, key=lambda pair: (pair.for_held is None, -(pair.for_held or 0), pair.tau, pair.number))[:MOST_EXAMPLES]


def example_table(pairs: Sequence[PairVotes]) -> Table:
    """The chosen pairs in full."""
    columns = ["original", *SIDES, "limit", "suspicion without", "suspicion with", "votes for with"]
    rows = [
        [pair.original, pair.free, pair.held, f"{pair.tau:g}", pair.suspicion[1], pair.suspicion[2], pair.said]
        for pair in chosen_examples(pairs)
    ]
    note = "The pairs that most people decided for the limit come first; pairs.csv has all. Suspicion as predicted."
    return Table("examples", "Examples with votes", columns, rows, note)


def vote_table(asked: Sequence[Asked]) -> Table:
    """What people said, a line for each campaign."""
    columns = ["campaign", "limit", "pairs decided", "planned", "with the limit preferred", "p", "left side chosen", "annotators"]
    rows = []
    for each in asked:
        figure = {one.key: one for one in each.figures}
        title = f"{each.campaign.title}{' (simulated)' if each.campaign.simulated else ''}"
        shares = [figure["preferred"], figure["p"], figure["left"]]
        rows.append([title, f"{each.link.tau:g}", each.decided, each.link.planned, *shares, each.annotators])
    short = [each.campaign.title for each in asked if each.short]
    note = "Each pair counts once, by the majority of its votes. p: exact binomial test over pairs, two-sided."
    note += f" Fewer pairs than planned: {'; '.join(short)}." if short else ""
    return Table("votes", "What people say: which text was written by a person?", columns, rows, note)

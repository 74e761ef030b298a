"""The manual evaluation of InCrediblAE: Przybyła, Wu, Shvets, Mu, Sheang, Song and Saggion, "Overview of the CLEF-2024 CheckThat!
Lab Task 6 on Robustness of Credibility Assessment with Adversarial Examples (InCrediblAE)", CEUR-WS 3740, 2024, section 4.3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from annotation.exchange import incrediblae
from annotation.protocols.analysis import Table
from annotation.protocols.label_tables import HOW, confusion_table
from annotation.protocols.meaning_presets import INCREDIBLAE
from annotation.protocols.plots import intervals
from annotation.services.recording import RecordedItem
from scoring.judgements.agreement import cohen_kappa, raw_agreement
from scoring.judgements.annotators import confidence_and_correctness
from scoring.judgements.decisions import Outcome, Vote, decide_third_annotator
from scoring.judgements.likert import means
from scoring.judgements.shares import share

from .given import Given
from .published import Part, Published, Row, Section, Status, beside_print, others

LABELS = tuple(label.key for label in INCREDIBLAE.labels)
NAMES = {label.key: label.name for label in INCREDIBLAE.labels}
OVERVIEW, DATA_SET = "overview, sections 3.2 and 4.3", "README of the released data set"
LAB = "overview of the whole lab (Barrón-Cedeño et al., CLEF 2024), section 5.6"

MATERIAL = Part("Section 3.2", "What was judged, and how often", Status.COMPUTABLE, "from the released judgements")
AGREEMENT = Part(
    "Section 4.3", "Agreement of the first with the second judgement", Status.COMPUTABLE, "from the released judgements"
)
DECISIONS = Part("Section 4.3", "Decisions: how many, and by which rule", Status.COMPUTABLE, "from the released judgements")
CONFIDENCE = Part("Section 4.3", "Confidence", Status.COMPUTABLE, "from the released judgements")
TEAMS = Part(
    "Table 8", "Share of examples that keep the meaning, by team", Status.NOT_RELEASED,
    "The released file has no column that says which team made a text.",
)  # fmt: skip
LEADERBOARD = Part(
    "Leaderboard", "Mean BODEGA score of each team", Status.NOT_RELEASED,
    "The submissions are not released. manage.py reproduce bodega makes the same leaderboard of your own runs.",
)  # fmt: skip
OTHERS = others("Other tables and figures")
PARTS = (MATERIAL, AGREEMENT, DECISIONS, CONFIDENCE, TEAMS, LEADERBOARD, OTHERS)

KEPT_BY_TEAM = {
    "SINAI": "99 %",
    "MMU_NLP": "96 %",
    "TurQUaz": "62 %",
    "Palöri": "14 %",
    "OpenFact": "11 %",
    "TextTrojaners": "7 %",
}
"""Of 100 examples of each team."""


def sections(given: Given) -> Iterator[Section]:
    """All parts, from the released file. Raises TableError at the first cell that is not as published."""
    study = incrediblae.read(given.table(incrediblae.COLUMNS, "incrediblae"))
    items = list(study.items)
    outcomes = [decide_third_annotator(votes_of(item), tie="first") for item in items]
    yield Section(MATERIAL, [material(items, outcomes)])
    yield Section(AGREEMENT, agreement(items))
    yield Section(DECISIONS, [decided(items, outcomes), rules(outcomes)])
    yield Section(CONFIDENCE, confidence(items))
    yield Section(TEAMS, [teams()], TEAMS.reason)
    yield Section(LEADERBOARD, (), LEADERBOARD.reason)
    yield Section(OTHERS, (), OTHERS.reason)


def votes_of(item: RecordedItem) -> list[Vote]:
    return [Vote(answer.label, answer.confidence) for answer in item.answers]


def material(items: Sequence[RecordedItem], outcomes: Sequence[Outcome]) -> Table:
    """How many pairs and judgements there are, and of which kind the third ones are."""
    thirds = [item for item in items if len(item.answers) > 2]
    conflicts = sum(item.answers[0].label != item.answers[1].label for item in thirds)
    split = [item for item in thirds if len({answer.label for answer in item.answers}) == 3]
    no_team = "100 for each of six teams are printed; the file does not say whose the 80 more are"
    on_conflict = "a third person is said to judge on conflicts only"
    return beside_print("material", "What was judged", [
        Row("pairs", len(items), Published("600", OVERVIEW, no_team)),
        Row("distinct originals", len({item.original_key for item in items})),
        Row("judgements", sum(len(item.answers) for item in items)),
        Row("third judgements", len(thirds)),
        Row("third judgements on conflicts", conflicts),
        Row("third judgements on pairs already agreed", len(thirds) - conflicts, Published("none", OVERVIEW, on_conflict)),
        Row("pairs with three different labels", len(split)),
        Row("of these, tied in confidence", sum(outcome.how == "first" for outcome in outcomes),
            Published(note="the released label is the first annotator's")),
    ])  # fmt: skip


def agreement(items: Sequence[RecordedItem]) -> list[Table]:
    """Of the first column with the second, whoever that was: the file pools several pairs of annotators."""
    first, second = ([item.answers[place].label for item in items] for place in (0, 1))
    originals = [item.original_key for item in items]
    kappa = cohen_kappa(first, second, LABELS, clusters=originals)
    pooled = "pools several pairs of annotators"
    rows = [
        Row("Cohen's kappa", kappa, Published("0.52", OVERVIEW, pooled)),
        Row("Cohen's kappa, as in the data set's README", kappa, Published("0.5240984623870923", DATA_SET, pooled)),
        Row("raw agreement", raw_agreement(first, second, LABELS, clusters=originals), style="share"),
    ]
    return [
        beside_print("agreement", "Agreement", rows, "Intervals: bootstrap over originals."),
        confusion_table(first, second, LABELS, NAMES),
    ]


def decided(items: Sequence[RecordedItem], outcomes: Sequence[Outcome]) -> Table:
    """How many pairs have which label by the rule of the shared task, and whether that is the released label."""
    originals = [item.original_key for item in items]
    counts = Counter(outcome.label for outcome in outcomes)
    printed = {"preserve": "318", "change": "246", "no_sense": "116"}
    shares = {label: share([outcome.label == label for outcome in outcomes], clusters=originals) for label in LABELS}
    same = [outcome.label == item.published_label for item, outcome in zip(items, outcomes, strict=True)]
    rows = [
        *(Row(NAMES[label], counts[label], Published(printed[label], DATA_SET)) for label in LABELS),
        *(Row(f"share: {NAMES[label]}", shares[label], style="share") for label in LABELS),
        Row("equal to the released label", sum(same)),
    ]
    named = [(NAMES[label], shares[label]) for label in LABELS]
    plot = intervals(named, row="label", value="share of pairs", style="share", scale=(0, 1))
    return beside_print("decisions", "Decisions", rows, "Intervals of shares: bootstrap over originals.", plot)


def rules(outcomes: Sequence[Outcome]) -> Table:
    """How many pairs were decided by which step of the rule."""
    counts = Counter(outcome.how for outcome in outcomes)
    rows = [Row(HOW[how], counts[how]) for how in ("agreed", "majority", "confidence", "first")]
    return beside_print("rules", "Decisions by rule", rows, "“Agreed” holds whatever a third person said.")


def confidence(items: Sequence[RecordedItem]) -> list[Table]:
    """How sure people were, and whether surer ones are more often with the others."""
    originals = {number: item.original_key for number, item in enumerate(items)}
    sure = {
        (number, answer.position): [answer.confidence]
        for number, item in enumerate(items) for answer in item.answers if answer.confidence is not None
    }  # fmt: skip
    found = means(
        sure,
        variant_of={key: f"judgement {key[1]}" for key in sure},
        cluster_of={key: originals[key[0]] for key in sure},
    )
    rows = [[row.variant, row.n, *row.counts, row.mean] for row in found.variants]
    rows.append(["all", found.overall.n, *found.counts, found.overall])
    levels = Table(
        "confidence", "How sure they were", ["judgement", "n", *(f"{point}" for point in found.scale), "mean"], rows,
        "5: very sure. Nothing is printed to compare it with.",
    )  # fmt: skip
    report = confidence_and_correctness(
        {number: [(answer.label, answer.confidence) for answer in item.answers] for number, item in enumerate(items)},
        cluster_of=originals,
    )
    agree = [[level, of_level.n, of_level] for level, of_level in report.levels.items()]
    columns = ["how sure", "answers", "as most others say"]
    title = "Are surer answers more often as the others say?"
    return [levels, Table("sure-and-right", title, columns, agree, styles={columns[2]: "share"})]


def teams() -> Table:
    """What is printed of the teams, which the released file does not tell apart."""
    rows = [Row(team, None, Published(printed, LAB, "of 100 examples")) for team, printed in KEPT_BY_TEAM.items()]
    return beside_print("table-8", "Meaning kept, by team", rows)

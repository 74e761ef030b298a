"""Tonni, Faustini and Dras, "Suspiciousness of Adversarial Texts to Human", 2024: what people said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from rapidfuzz.distance import Levenshtein

from annotation.exchange import mturk
from annotation.exchange.originals import SIMILARITY, keys_of_originals
from annotation.exchange.study import UNCHANGED
from annotation.protocols.analysis import Table
from annotation.protocols.comparison_tables import compared_table, variance_table
from annotation.protocols.plots import intervals, parts
from scoring.judgements.ceiling import noise_ceiling
from scoring.judgements.deviation import median_deviation
from scoring.judgements.likert import by_variant, means, splits
from scoring.judgements.variance import anova, blocked_test, tukey
from scoring.result import Estimate
from scoring.table import Row as Line
from scoring.table import Table as File
from scoring.texts.metrics import all_metrics, summary

from . import suspicion_models, suspicion_study
from .given import Given
from .published import Part, Published, Row, Section, Status, beside_print, others

AGGREGATE_COLUMNS = ("text", "suspicion.score", "group", "common")
POINTS = (1, 2, 3, 4, 5)
SINGLE, AGGREGATE = "from single judgements", "from the aggregate file"
KEYS = {SINGLE: "table-5", AGGREGATE: "table-5-aggregate"}
FROM_JUDGEMENTS = "from the released judgements"

MATERIAL = Part("Section 3.1", "How many judgements there are", Status.COMPUTABLE, FROM_JUDGEMENTS)
SCORES = Part(
    "Table 5", "Scores of the texts by attacker, with means, analysis of variance and Tukey’s test", Status.COMPUTABLE,
    "from the released judgements, and beside it from the released aggregate file",
)  # fmt: skip
DEVIATION = Part(
    "Table 6", "Deviation δ from the median of three judgements", Status.COMPUTABLE, "from the texts judged three times"
)
SPLITS = Part(
    "Tables 7 and 8", "The scale cut in two: 4 or 5 among answers that are not 3; 2 or more", Status.COMPUTABLE,
    "from the released judgements. The printed tables were not at hand, so they may cut otherwise",
)  # fmt: skip
INSTRUCTIONS = Part(
    "Table 9", "Two instructions: “does not significantly alter” and the plain one", Status.CAMPAIGN,
    "The judgements under the second instruction are not released. Two campaigns with two instructions, compared on their "
    "pages or by python -m scoring instructions, give it.",
)  # fmt: skip
METRICS = Part(
    "Table 10", "Pearson’s r of text metrics with suspicion", Status.COMPUTABLE,
    "from the released judgements: the file does not say of which original a text is a variant; the nearest of the originals in "
    f"it counts, at a likeness of {SIMILARITY} or more. Metrics of models (BERTScore, BLEURT, MeaningBERT) need their weights",
)  # fmt: skip
FIGURES = Part(
    "Figures 1 and 2", "Distribution of the scores", Status.COMPUTABLE,
    "from the released judgements. The printed figures were not at hand, so they may show something else",
)  # fmt: skip
OTHERS = others("Tables 1 to 4")
PARTS = (
    OTHERS,
    MATERIAL, SCORES, DEVIATION, SPLITS, INSTRUCTIONS, METRICS, FIGURES, *suspicion_models.PARTS, *suspicion_study.PARTS,
)  # fmt: skip

MEANS = {"original": "2.05", "pruthi": "2.55", "alzantot": "2.23", "textfooler": "2.24", "bae": "2.68"}
COUNTS = {1: "944", 2: "1,062", 3: "254", 4: "521", 5: "234"}
DEVIATIONS = {
    "original": Published("0.50", "Table 6"),
    "pruthi": Published("0.64", "Table 6"),
    "alzantot": Published("0.59", "Table 6"),
    "textfooler": Published("0.61", "Table 6", "0.593 from its own printed counts"),
    "bae": Published("0.71", "Table 6"),
}
DEVIATION_SUMS = {0: "43", 1: "104", 2: "57", 3: "88", 4: "23"}

Item = int


@dataclass(frozen=True, slots=True)
class Judged:
    """Items, each a text of one variant: its scores, and what it is a variant of. `text_of` and `original_of` are by item."""

    scores: Mapping[Item, Sequence[int]]
    variant_of: Mapping[Item, str]
    original_of: Mapping[Item, str]
    text_of: Mapping[Item, str]

    @property
    def labels(self) -> dict[Item, list[int]]:
        """One label for each item, the median of its scores; of an even number of them the lower of the middle two."""
        return {item: [sorted(scores)[(len(scores) - 1) // 2]] for item, scores in self.scores.items()}

    @property
    def repeated(self) -> dict[Item, Sequence[int]]:
        return {item: scores for item, scores in self.scores.items() if len(scores) > 1}


def sections(given: Given) -> Iterator[Section]:
    """All parts, from the released judgements. Raises TableError at the first cell that is not as published."""
    judged = judgements(given.table(mturk.COLUMNS, "suspiciousness"))
    files = given.tables(AGGREGATE_COLUMNS)
    aggregate = aggregated(files[0]) if files else None
    yield Section(OTHERS, (), OTHERS.reason)
    yield Section(MATERIAL, [material(judged)])
    files_read = {SINGLE: judged} | ({AGGREGATE: aggregate} if aggregate else {})
    yield Section(SCORES, [*scores(files_read)], "" if aggregate else NO_AGGREGATE)
    yield Section(DEVIATION, deviation(judged))
    yield Section(SPLITS, [cut_in_two(judged)])
    yield Section(INSTRUCTIONS, [instructions()], INSTRUCTIONS.reason)
    yield Section(METRICS, [metrics(judged)])
    yield Section(FIGURES, [distribution(where, each) for where, each in files_read.items()])
    yield from suspicion_models.sections(given, judged)
    yield from suspicion_study.sections(given)


NO_AGGREGATE = (
    f"the aggregate file (columns {', '.join(AGGREGATE_COLUMNS)}), which the printed figures are from; "
    "manage.py fetch suspiciousness fetches it"
)


def judgements(file: File) -> Judged:
    """The single judgements, gathered by text and variant."""
    study = mturk.read(file)
    items = list(enumerate(study.items))
    return Judged(
        {number: [int(answer.label) for answer in item.answers] for number, item in items},
        {number: item.first.kind for number, item in items},
        {number: item.original_key for number, item in items},
        {number: item.first.text for number, item in items},
    )


def aggregated(file: File) -> Judged:
    """The aggregate file: a row is a text with one label. Raises TableError at the first cell that is not as published."""
    texts = [file.text(row, "text") for row in file.rows]
    originals = keys_of_originals(texts)
    return Judged(
        {number: [file.integer(row, "suspicion.score", POINTS[0], POINTS[-1])] for number, row in enumerate(file.rows)},
        {number: _variant(file, row) for number, row in enumerate(file.rows)},
        {number: originals[text] for number, text in enumerate(texts)},
        dict(enumerate(texts)),
    )


def _variant(file: File, row: Line) -> str:
    return mturk.GROUPS[file.choice(row, "group", tuple(mturk.GROUPS))]


def material(judged: Judged) -> Table:
    """How many judgements and texts there are, single and repeated ones."""
    total = sum(map(len, judged.scores.values()))
    single = [item for item, scores in judged.scores.items() if len(scores) == 1]
    where = "section 3.1"
    complete = "the complete file has 3,645: 2,700 single ones and three of each of 315 texts"
    twice = "two numbers are printed; the complete file has 2,700"
    return beside_print("material", "Judgements", [
        Row("judgements", total, Published("3,715", where, complete)),
        Row("texts judged once", len(single), Published("2,770", where, twice)),
        Row("texts judged once, the other number", len(single), Published("2,707", where, twice)),
        Row("distinct texts among them", len({judged.text_of[item] for item in single}),
            Published(note="24 texts were produced by two attackers each")),
        Row("texts judged several times", len(judged.repeated), Published(note="315 in the complete file")),
        Row("judgements of these", sum(map(len, judged.repeated.values())), Published(note="945 in the complete file")),
    ])  # fmt: skip


def scores(files: Mapping[str, Judged]) -> Iterator[Table]:
    """Table 5 with its tests, from each of the files, and whether they agree."""
    for where, judged in files.items():
        yield _scores(where, judged)
        yield from _tests(where, judged)
    if AGGREGATE in files:
        yield _labels_beside(files[SINGLE], files[AGGREGATE])


def _scores(where: str, judged: Judged) -> Table:
    labels = judged.labels
    report = means(labels, variant_of=judged.variant_of, cluster_of=judged.original_of)
    note = "One label for each text: the median of its judgements. Intervals: bootstrap over originals."
    not_medians = "printed from the aggregate file, whose labels of texts judged three times are not their medians"
    rows = [
        Row("texts", len(labels)),
        *(Row(f"score {point}", count, Published(COUNTS[point], "Table 5", not_medians))
          for point, count in zip(report.scale, report.counts, strict=True)),
        *(Row(f"mean, {each.variant}", each.mean, Published(MEANS[each.variant], "Table 5")) for each in report.variants),
    ]  # fmt: skip
    plot = intervals([(each.variant, each.mean) for each in report.variants], row="variant", value="mean suspicion")
    return beside_print(KEYS[where], f"Table 5, {where}", rows, note, plot)


def distribution(where: str, judged: Judged) -> Table:
    """How many texts of each variant have which label."""
    report = means(judged.labels, variant_of=judged.variant_of, cluster_of=judged.original_of)
    counts = [[each.variant, *each.counts, each.n] for each in report.variants]
    columns = ["variant", *(f"{point}" for point in POINTS), "texts"]
    drawn = parts([(each.variant, each.counts) for each in report.variants], columns[1:6], row="variant", part="score")
    return Table(f"{KEYS[where]}-distribution", f"Scores by attacker, {where}", columns, counts, plot=drawn)


def _tests(where: str, judged: Judged) -> Iterator[Table]:
    """The tests that the paper did, which take judgements as independent, and the one within originals, which does not."""
    key = KEYS[where]
    observed = by_variant(judged.labels, judged.variant_of, judged.original_of)
    groups = {variant: [score for _, score in values] for variant, values in observed.items()}
    tests = [
        ("analysis of variance, judgements taken as independent", anova(groups)),
        ("within originals, one mean of each variant", blocked_test(observed)),
    ]
    variance = variance_table(tests)
    yield Table(f"{key}-variance", f"Do variants differ? {where}", variance.columns, variance.rows, styles=variance.styles)
    pairs = tukey(groups)
    yield from compared_table(f"{key}-tukey", f"Tukey’s test, {where}", pairs)
    printed = Published(
        "0.06 < p < 0.07", "section 3", "0.09 on the aggregate file; the same variants are told apart from originals"
    )
    close = [pair for pair in pairs if {pair.first, pair.second} in ({UNCHANGED, "alzantot"}, {UNCHANGED, "textfooler"})]
    told = [Row(f"Tukey’s p, {pair.first} and {pair.second}", pair.p_value, printed, "p") for pair in close]
    yield beside_print(f"{key}-close", f"The two comparisons that are printed, {where}", told)


def _labels_beside(judged: Judged, aggregate: Judged) -> Table:
    """The aggregate label of a text judged several times beside the median of its judgements."""
    known = {(aggregate.text_of[item], aggregate.variant_of[item]): label for item, (label,) in aggregate.scores.items()}
    found = {(judged.text_of[item], judged.variant_of[item]): median(scores) for item, scores in judged.repeated.items()}
    both = [(known[text], label) for text, label in found.items() if text in known]
    rows = [
        Row("texts judged several times, in both files", len(both)),
        Row("aggregate label is the median", sum(told == label for told, label in both)),
        Row("aggregate label is one higher", sum(told == label + 1 for told, label in both)),
    ]
    return beside_print("aggregate-labels", "Are the labels of the aggregate file medians?", rows)


def deviation(judged: Judged) -> list[Table]:
    """Table 6 from the file, and δ from the printed counts alone."""
    report = median_deviation(judged.scores, at_least=3, variant_of=judged.variant_of, cluster_of=judged.original_of)
    of_counts = "0.607 from the printed counts"
    rows = [
        Row("δ", report.overall, Published("0.61", "Table 6", of_counts)),
        Row("δ from the printed counts alone", deviation_of_counts(), Published("0.61", "Table 6", of_counts)),
        *(Row(f"δ, {each.variant}", each.mean, DEVIATIONS[each.variant]) for each in report.variants),
        *(Row(f"texts with C·δ = {total}", report.counts.get(total, 0), Published(printed, "Table 6"))
          for total, printed in DEVIATION_SUMS.items()),
        Row("noise ceiling of the median", noise_ceiling(judged.scores, label="median", seed=0, cluster_of=judged.original_of),
            Published(note="the best r that any model of Table 11 can reach; about 0.56 on the 315 texts of the complete file")),
    ]  # fmt: skip
    note = "C: judgements of a text, three here; 0 is full agreement. Intervals: bootstrap over originals."
    plot = intervals([(each.variant, each.mean) for each in report.variants], row="variant", value="δ")
    return [beside_print("table-6", "Table 6", rows, note, plot)]


def deviation_of_counts() -> Estimate:
    """δ of as many texts as are printed for each C·δ: three judgements, of which one differs from two equal ones by so much."""
    printed = [total for total, count in DEVIATION_SUMS.items() for _ in range(int(count))]
    return median_deviation({number: [1, 1, 1 + total] for number, total in enumerate(printed)}, at_least=3).overall


def cut_in_two(judged: Judged) -> Table:
    """Both splits of the scale, over labels, for all texts and by variant."""
    found = splits(judged.labels, variant_of=judged.variant_of, cluster_of=judged.original_of)
    rows = [
        Row(f"{title}, {variant}", each, style="share")
        for variant, both in found.items()
        for title, each in (("4 or 5", both.symmetric), ("2 or more", both.one_vs_other))
    ]
    return beside_print("tables-7-8", "The scale cut in two", rows, "4 or 5: of the labels that are not 3. 2 or more: of all.")


def instructions() -> Table:
    """What is printed of the second instruction."""
    note = "the level shifts (Welch’s p = 1.4e-6 on the printed counts), the order of the attackers does not"
    where = "Table 9"
    rows = [
        Row("mean, one instruction", None, Published("2.35", where, note)),
        Row("mean, the other", None, Published("2.60", where)),
    ]
    return beside_print("table-9", "Two instructions", rows)


def metrics(judged: Judged) -> Table:
    """Table 10: how metrics of a text against its original follow the labels, where the file has an original."""
    pairs = [(item, original) for item, original in nearest_originals(judged).items() if original is not None]
    columns = all_metrics([(original, judged.text_of[item]) for item, original in pairs], {})
    human = [float(judged.labels[item][0]) for item, _ in pairs]
    found = summary(columns, [original for _, original in pairs], human)
    rows = [Row(name, Estimate.from_dict(each["pearson"]), Published(source="Table 10")) for name, each in found.items()]
    adversarial = sum(variant != UNCHANGED for variant in judged.variant_of.values())
    note = (
        f"{len(pairs):,} of {adversarial:,} adversarial texts have an original in the file. Intervals: bootstrap over originals."
    )
    return beside_print("table-10", "Text metrics and suspicion, Pearson’s r", rows, note)


def nearest_originals(judged: Judged) -> dict[Item, str | None]:
    """For each adversarial text, the most similar of the originals that it may be a variant of; None where there is none."""
    originals: dict[str, list[str]] = {}
    for item, variant in judged.variant_of.items():
        if variant == UNCHANGED:
            originals.setdefault(judged.original_of[item], []).append(judged.text_of[item])
    return {
        item: min(
            originals.get(judged.original_of[item], ()),
            key=lambda original: (Levenshtein.normalized_distance(original, judged.text_of[item]), original),
            default=None,
        )
        for item, variant in judged.variant_of.items()
        if variant != UNCHANGED
    }

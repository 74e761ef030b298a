"""Question: any question about one text with a set of labels, such as whether it is grammatical, or how a reader would
label it in the task that the attack was about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from annotation.models import Campaign, Slot
from annotation.protocols.votes import CastVote, ItemVotes, majority
from scoring.judgements.agreement import cohen_kappa, raw_agreement

from .analysis import Analysis, Figure, Table
from .base import Exposition, Outcome, Preset, Protocol, ShownText, judged_text, plain
from .comparison_tables import confidence_table
from .label_tables import confusion_table, decisions_table, how_table, variants_of
from .labels import LabelSpec
from .plots import parts
from .pools import level_of, pool_figures, pool_tables, pooled

GRAMMAR = Preset(
    title="Grammaticality",
    about="How correct is the language of one text? Three people each; the majority counts.",
    labels=(
        LabelSpec(1, "ungrammatical", "hardly language", "Sentences break the rules so that reading stops."),
        LabelSpec(2, "faulty", "faulty", "Mistakes that a careful writer would not make; it can still be read."),
        LabelSpec(3, "grammatical", "correct", "Nothing that an editor would have to mend."),
    ),
    settings={
        "question": "How correct is the language of this text?",
        "slots": 3,
        "weights": "quadratic",
        "guidelines": (
            "Judge spelling, grammar and wording, not whether the text is true or well argued. Headlines may leave out words; "
            "that alone is no mistake."
        ),
    },
)

TASK_LABEL = Preset(
    title="The reader's own label",
    about="What would a reader answer where the classifier was misled? Change the two labels to those of the task.",
    labels=(
        LabelSpec(0, "credible", "credible", "I would take it for what a trustworthy source says."),
        LabelSpec(1, "non_credible", "not credible", "I would take it for misleading, one-sided or false."),
    ),
    settings={
        "question": "How does this text strike you?",
        "slots": 3,
        "guidelines": "Answer for yourself, from the text alone. Nothing needs to be looked up.",
    },
)


class Question(Protocol):
    key = "question"
    title = "Question"
    asks = "One question about one text"
    exclusive = True
    human = ("mean answer", "number")
    settings = frozenset({"confidence", "confidence_levels", "tie", "weights", "long_only", "long_from"})
    presets = {"grammaticality": GRAMMAR, "task-label": TASK_LABEL}

    def exposition(self, slot: Slot) -> Exposition:
        return Exposition([ShownText("Text", plain(judged_text(slot.item)))])

    def decide(self, campaign: Campaign, votes: Sequence[CastVote]) -> Outcome:
        how, label = majority(votes, tie=campaign.settings["tie"])
        return Outcome(how, label)

    def human_scores(self, campaign: Campaign, items: Sequence[ItemVotes]) -> dict[int, float]:
        return {item.item_id: fmean(vote.value for vote in item.votes) for item in items if item.votes}

    def analyse(self, campaign: Campaign, items: Sequence[ItemVotes]) -> Analysis:
        labels = [label.key for label in self.labels_of(campaign)]
        names = {label.key: label.name for label in self.labels_of(campaign)}
        slots = campaign.settings["slots"]
        first, second = ([item.label_at(place, slots) for item in items] for place in (1, 2))
        originals = [item.original_id for item in items]
        weights = campaign.settings["weights"]
        both = (first, second, labels)
        kappa = cohen_kappa(*both, clusters=originals, weights=None if weights == "none" else weights)
        title = "Cohen's kappa" if weights == "none" else f"Cohen's kappa, {weights} weights"
        figures = [
            Figure("kappa", pooled(title, campaign, items), kappa, scale=(0, 1)),
            Figure("raw_agreement", "Raw agreement", raw_agreement(*both, clusters=originals), style="share", scale=(0, 1)),
            *pool_figures(items, self.labels_of(campaign), level=level_of(weights)),
        ]
        return Analysis(
            "Decision: the label that most people chose, once no answer that is still wanted can change it; "
            f"{'a tie is won by the label given first' if campaign.settings['tie'] == 'first' else 'a tie stays unresolved'}. "
            "Agreement is that of the first two answers to each item, pooled over people. Intervals: over originals.",
            figures,
            [
                _by_variant(items, labels, names),
                decisions_table(items, labels, names),
                how_table(items),
                confusion_table(first, second, labels, names),
                *confidence_table(items),
                *pool_tables(campaign, items, self.labels_of(campaign), level=level_of(weights)),
            ],
        )


def _by_variant(items: Sequence[ItemVotes], labels: Sequence[str], names: dict[str, str]) -> Table:
    given: list[tuple[str, list[int]]] = []
    for variant, own in variants_of(items).items():
        counts = Counter(vote.label for item in own for vote in item.votes)
        given.append((variant, [counts[label] for label in labels]))
    shown = [names[label] for label in labels]
    rows = [[variant, sum(counted), *counted] for variant, counted in given]
    plot = parts(given, shown, row="variant", part="answer")
    return Table("by_variant", "Answers by variant", ["variant", "answers", *shown], rows, plot=plot)

"""Meaning: does the modified text still say the same? Two annotators, and a third, blind person on conflict.

The labels and the rule are those of the CLEF 2024 CheckThat! shared task 6, InCrediblAE (Przybyła et al. 2024,
sections 3.2 and 4.3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from annotation.models import Campaign, Slot
from annotation.protocols.votes import CastVote, ItemVotes
from scoring.judgements.agreement import cohen_kappa, confusion, gwet_ac1, raw_agreement
from scoring.judgements.decisions import Vote, decide_third_annotator
from scoring.judgements.shares import share
from scoring.result import Estimate
from scoring.texts.diff import word_diff

from .analysis import Analysis, Figure, Table
from .base import Exposition, LabelSpec, Outcome, Preset, Protocol, ShownText, plain

HOW = {
    "agreed": "both annotators agreed",
    "majority": "a third person made the majority",
    "confidence": "three differed; the surest one counts",
    "first": "three differed and were equally sure; the first one counts",
    "unresolved": "three differed; no rule decides",
    "open": "waiting for a judgement",
}


class Meaning(Protocol):
    key = "meaning"
    title = "Meaning"
    asks = "Does the meaning survive?"
    exclusive = False
    preset = Preset(
        labels=(
            LabelSpec(0, "preserve", "keeps the meaning", "A reader would learn the same facts."),
            LabelSpec(1, "change", "changes the meaning", "A fact, name, number or claim differs."),
            LabelSpec(2, "no_sense", "makes no sense", "A sentence cannot be understood."),
        ),
        settings={
            "question": "Compared with the original, the modified text…",
            "slots": 2,
            "confidence": True,
            "differences": True,
            "tie": "unresolved",
        },
        guidelines=(
            "Read both texts as an ordinary reader would. Odd letters, typing mistakes and clumsy wording do not change "
            "the meaning as long as a reader would learn the same facts."
        ),
    )

    def exposition(self, slot: Slot) -> Exposition:
        item = slot.item
        assert item.second is not None
        original, modified = item.first.text, item.second.text
        if not item.campaign.settings["differences"]:
            return Exposition([ShownText("Original", plain(original)), ShownText("Modified", plain(modified))])
        diff = word_diff(original, modified)
        texts = [ShownText("Original", diff.original), ShownText("Modified", diff.adversarial)]
        return Exposition(texts, note=diff.summary, marked=True)

    def decide(self, campaign: Campaign, votes: Sequence[CastVote]) -> Outcome:
        outcome = decide_third_annotator([Vote(vote.label, vote.confidence) for vote in votes], tie=campaign.settings["tie"])
        waits_for_third = outcome.how == "open" and len(votes) >= 2
        return Outcome(outcome.how, outcome.label, open=waits_for_third)

    def analyse(self, campaign: Campaign, items: Sequence[ItemVotes]) -> Analysis:
        labels = [label.key for label in self.labels_of(campaign)]
        names = {label.key: label.name for label in self.labels_of(campaign)}
        first = [item.label_at(1) for item in items]
        second = [item.label_at(2) for item in items]
        originals = [item.original_id for item in items]
        both = (first, second, labels)
        scale = (0, 1)
        figures = [
            Figure("kappa", "Cohen's kappa", cohen_kappa(*both, clusters=originals), scale=scale),
            Figure(
                "raw_agreement",
                "Raw agreement",
                raw_agreement(*both, clusters=originals),
                style="share",
                detail=_conflicts(first, second),
                scale=scale,
            ),
            Figure("ac1", "Gwet's AC1", gwet_ac1(*both, clusters=originals), detail="less moved by uneven labels", scale=scale),
            Figure(
                "kept",
                "Meaning kept",
                _kept(items, labels[0]),
                style="share",
                detail=f"decided “{names[labels[0]]}”",
                scale=scale,
            ),
        ]
        tables = [
            _confusion(first, second, labels, names),
            _decisions(items, labels, names),
            _how(items),
            _third_judgements(items),
            _kept_by_variant(items, labels[0]),
        ]
        return Analysis(self._method(campaign, items), figures, tables)

    def _method(self, campaign: Campaign, items: Sequence[ItemVotes]) -> str:
        pairs = {tuple(vote.annotator_id for vote in item.votes[:2]) for item in items if len(item.votes) >= 2}
        who = "pooled over several pairs of annotators, " if len(pairs) > 1 or campaign.imported else ""
        return (
            f"Agreement is that of the first two judgements of each item ({who}first against second), "
            "whatever a third person said. Decision: both agree; else a third, blind person and the majority; "
            "if all three differ, the highest confidence; "
            f"a tie there is {'won by the first' if campaign.settings['tie'] == 'first' else 'left unresolved'}. "
            "Intervals: over originals, since variants of one original are not independent."
        )


def _conflicts(first: Sequence[str | None], second: Sequence[str | None]) -> str:
    both = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    conflicts = sum(a != b for a, b in both)
    return f"{conflicts} {'conflict' if conflicts == 1 else 'conflicts'} in {len(both)} {'item' if len(both) == 1 else 'items'}"


def _kept(items: Sequence[ItemVotes], preserved: str) -> Estimate:
    decided = [item for item in items if item.decided_label is not None]
    return share(
        [item.decided_label == preserved for item in decided],
        clusters=[item.original_id for item in decided],
        left_out={"not decided": len(items) - len(decided)},
    )


def _confusion(first: Sequence[str | None], second: Sequence[str | None], labels: Sequence[str], names: dict[str, str]) -> Table:
    counts = confusion(first, second, labels)
    rows = [[names[label], *(int(n) for n in row)] for label, row in zip(labels, counts, strict=True)]
    return Table("confusion", "Who called it what", ["first \\ second", *(names[label] for label in labels)], rows)


def _decisions(items: Sequence[ItemVotes], labels: Sequence[str], names: dict[str, str]) -> Table:
    counts = Counter(item.decided_label for item in items if item.decided_label)
    total = sum(counts.values())
    rows = [[names[label], counts[label], counts[label] / total if total else None] for label in labels]
    published = [item for item in items if item.published_label and item.decided_label]
    same = sum(item.published_label == item.decided_label for item in published)
    note = f"{same} of {len(published)} equal the published decisions." if published else ""
    return Table("decisions", "Decisions", ["label", "items", "share"], rows, note)


def _how(items: Sequence[ItemVotes]) -> Table:
    counts = Counter(item.decided_how or "open" for item in items)
    return Table("how", "How they came about", ["", "items"], [[HOW[how], counts[how]] for how in HOW if counts[how]])


def _third_judgements(items: Sequence[ItemVotes]) -> Table:
    thirds = [item for item in items if item.label_at(3) is not None]
    settling = sum(item.label_at(1) != item.label_at(2) for item in thirds)
    rows = [
        ["on a conflict, where they decide", settling],
        ["on an agreed item, where they change nothing", len(thirds) - settling],
    ]
    return Table("thirds", "Third judgements", ["", "judgements"], rows)


def _kept_by_variant(items: Sequence[ItemVotes], preserved: str) -> Table:
    variants = sorted({item.variant for item in items})
    rows = []
    for variant in variants:
        own = [item for item in items if item.variant == variant]
        estimate = _kept(own, preserved)
        rows.append([variant, estimate.n, estimate])
    return Table("kept_by_variant", "Meaning kept, by attacker", ["attacker", "decided", "kept"], rows)

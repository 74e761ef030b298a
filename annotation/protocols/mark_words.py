"""Mark words: n words of this text were altered. Which?

The item is a pair, so that it is known which words were altered; people see the altered text only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from annotation.models import Campaign, Item, Judgement, Slot
from annotation.numbers import whole
from annotation.protocols.votes import CastVote, ItemVotes
from scoring.judgements.words_found import Marked, marked_by_most, words_found
from scoring.result import Estimate
from scoring.texts.diff import altered_words
from scoring.texts.tokens import is_word, pieces
from scoring.wording import counted

from .analysis import Analysis, Figure, Table
from .base import Answer, AnswerError, Exposition, Outcome, Preset, Protocol, ShownText, judged_text, plain, word_by_word
from .label_tables import variants_of
from .labels import Change
from .plots import intervals

MOST = 1_000
"""So many words can be asked for; nobody marks more."""


class MarkWords(Protocol):
    key = "mark_words"
    title = "Mark words"
    asks = "Which words were altered?"
    exclusive = True
    pair = True
    human = ("altered words found", "share")
    settings = frozenset({"confidence", "confidence_levels"})
    labels = Change.NOTHING
    presets = {
        "number-given": Preset(
            title="Which words were altered?",
            about="One altered text. People are told how many words were altered and mark as many.",
            labels=(),
            settings={
                "question": "Which words were altered by a computer?",
                "slots": 3,
                "guidelines": (
                    "The text was changed by a program, and you are told how many of its words. Mark as many, even where you "
                    "have to guess. A word is what stands between two spaces."
                ),
            },
        )
    }

    def unaskable(self, before: str | None, text: str) -> str:
        altered = len(altered_words(before, text)) if before is not None else 0
        return f"{altered:,} words were altered; people can be asked to mark {MOST:,} at most" if altered > MOST else ""

    def exposition(self, slot: Slot) -> Exposition:
        text = judged_text(slot.item)
        wanted = len(_altered(slot.item))
        return Exposition([ShownText("Text", plain(text), word_by_word(text))], words_wanted=wanted)

    def read_answer(self, item: Item, data: Mapping[str, Any]) -> Answer:
        """`words`: positions of the marked words, as repeated form values or as a list; exactly as many as were altered."""
        marked = _positions(data)
        wanted, there = len(_altered(item)), sum(map(is_word, pieces(judged_text(item))))
        if any(position >= there for position in marked):
            raise AnswerError("One of the marked words is not in this text. Load the page again.")
        if len(marked) != wanted:
            said = counted(len(marked), "is", "are") if marked else "none is"
            raise AnswerError(f"Mark exactly {counted(wanted, 'word')}; {said} marked.")
        return Answer(None, self._read_confidence(item.campaign, data), self._read_comment(data), marked)

    def said(self, slot: Slot, judgement: Judgement) -> str:
        words = {piece.word: piece.text for piece in word_by_word(judged_text(slot.item))}
        return ", ".join(f"“{words[place]}”" for place in sorted(judgement.words or [])) or "no word"

    def decide(self, campaign: Campaign, votes: Sequence[CastVote]) -> Outcome:
        if not votes:
            return Outcome("open")
        return Outcome("per_word", value=float(len(marked_by_most(_marked(votes)))))

    def human_scores(self, campaign: Campaign, items: Sequence[ItemVotes]) -> dict[int, float]:
        return {
            pk: fmean(len(text.altered & marked) / len(text.altered) for marked in text.answers)
            for pk, text in _known(campaign, items).items()
            if text.altered and text.answers
        }

    def analyse(self, campaign: Campaign, items: Sequence[ItemVotes]) -> Analysis:
        known = _known(campaign, items)
        originals = {item.item_id: item.original_id for item in items}
        report = words_found(known, cluster_of=originals)
        figures = [
            Figure("found", "Altered words found", report.found, style="share", scale=(0, 1),
                   detail="of all altered words, once for each answer"),
            Figure("chance", "Found by chance", report.by_chance, style="share", scale=(0, 1),
                   detail="by marking as many words at random"),
            Figure("found_by_most", "Found by most people", report.found_by_most, style="share", scale=(0, 1),
                   detail="words that more than half of an item's people marked"),
        ]  # fmt: skip
        rows: list[tuple[str, int, int, Estimate, Estimate]] = []
        for variant, own in variants_of([item for item in items if known[item.item_id].altered]).items():
            marked = {item.item_id: known[item.item_id] for item in own}
            found = words_found(marked, cluster_of=originals)
            answers, altered = (
                sum(len(each.answers) for each in marked.values()),
                sum(len(each.altered) for each in marked.values() if each.answers),
            )
            rows.append((variant, answers, altered, found.found, found.by_chance))
        columns = ["attacker", "answers", "altered words", "found", "by chance"]
        styles = {"found": "share", "by chance": "share"}
        shares = [(variant, share) for variant, _, _, share, _ in rows]
        plot = intervals(shares, row="attacker", value="altered words found", style="share", scale=(0, 1))
        return Analysis(
            "People knew how many words were altered and marked as many, so the share found is both precision and recall. A word "
            "is altered where the comparison with the original says so. Decision: the words that more than half of the "
            "people marked; its number is how many these are. Intervals: over originals.",
            figures,
            [Table("by_attacker", "Altered words found, by attacker", columns, rows, styles=styles, plot=plot)],
        )


def _altered(item: Item) -> frozenset[int]:
    assert item.second is not None
    return altered_words(item.first.text, item.second.text)


def _positions(data: Mapping[str, Any]) -> list[int]:
    given = data.getlist("words") if hasattr(data, "getlist") else data.get("words") or []
    given = [given] if isinstance(given, str | int) else given
    positions = {whole(str(word)) for word in given} if isinstance(given, list | tuple) else {None}
    if None in positions:
        raise AnswerError("Marked words are given by their positions, from 0.")
    return sorted(position for position in positions if position is not None)


def _marked(votes: Sequence[CastVote]) -> list[set[int]]:
    return [set(vote.words or ()) for vote in votes]


def _known(campaign: Campaign, items: Sequence[ItemVotes]) -> dict[int, Marked]:
    votes = {item.item_id: item.votes for item in items}
    texts = Item.objects.filter(campaign=campaign).values_list("pk", "first__text", "second__text")
    return {
        pk: Marked(altered_words(before, after or ""), sum(map(is_word, pieces(after or ""))), _marked(votes[pk]))
        for pk, before, after in texts.iterator()
        if pk in votes
    }

"""Mark words: n words of this text were altered. Which?

The item is a pair, so that it is known which words were altered; people see the altered text only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Campaign, Item, Judgement, Slot
from annotation.protocols.votes import CastVote, ItemVotes
from scoring.judgements.shares import share
from scoring.result import Estimate, Reason
from scoring.texts.diff import altered_words
from scoring.texts.tokens import is_word, pieces
from scoring.wording import counted

from .analysis import Analysis, Figure, Table
from .base import Answer, AnswerError, Exposition, Outcome, Preset, Protocol, ShownText, judged_text, plain, word_by_word
from .kinds import clean
from .label_tables import variants_of
from .labels import Change


class MarkWords(Protocol):
    key = "mark_words"
    title = "Mark words"
    asks = "Which words were altered?"
    exclusive = True
    pair = True
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
        return Answer(None, self._read_confidence(item.campaign, data), clean(data.get("comment") or ""), marked)

    def said(self, slot: Slot, judgement: Judgement) -> str:
        words = {piece.word: piece.text for piece in word_by_word(judged_text(slot.item))}
        return ", ".join(f"“{words[place]}”" for place in sorted(judgement.words or [])) or "no word"

    def decide(self, campaign: Campaign, votes: Sequence[CastVote]) -> Outcome:
        if not votes:
            return Outcome("open")
        return Outcome("per_word", value=float(len(_by_majority(votes))))

    def analyse(self, campaign: Campaign, items: Sequence[ItemVotes]) -> Analysis:
        known = _known(campaign)
        shown = [item for item in items if known[item.item_id].altered]
        nothing_to_find = len(items) - len(shown)
        figures = [
            Figure("found", "Altered words found", _found(shown, known, nothing_to_find), style="share", scale=(0, 1),
                   detail="of all altered words, once for each answer"),
            Figure("chance", "Found by chance", _by_chance(shown, known), style="share", scale=(0, 1),
                   detail="by marking as many words at random"),
            Figure("found_by_most", "Found by most people", _found_by_most(shown, known), style="share", scale=(0, 1),
                   detail="words that more than half of an item's people marked"),
        ]  # fmt: skip
        rows = []
        for variant, own in variants_of(shown).items():
            found = _found(own, known)
            altered = sum(len(known[item.item_id].altered) for item in own)
            rows.append([variant, sum(len(item.votes) for item in own), altered, found, _by_chance(own, known)])
        columns = ["attacker", "answers", "altered words", "found", "by chance"]
        styles = {"found": "share", "by chance": "share"}
        return Analysis(
            "People knew how many words were altered and marked as many, so the share found is both precision and recall. A word "
            "is altered where the comparison with the original says so. Decision: a word by word, those that more than half "
            "marked; its number is how many. Intervals: over originals.",
            figures,
            [Table("by_attacker", "Altered words found, by attacker", columns, rows, styles=styles)],
        )


@dataclass(frozen=True, slots=True)
class _Known:
    """The altered words of an item's text, and how many words it has."""

    altered: frozenset[int]
    words: int


def _altered(item: Item) -> frozenset[int]:
    assert item.second is not None
    return altered_words(item.first.text, item.second.text)


def _positions(data: Mapping[str, Any]) -> list[int]:
    given = data.getlist("words") if hasattr(data, "getlist") else data.get("words") or []
    given = [given] if isinstance(given, str | int) else given
    if not isinstance(given, list | tuple) or not all(str(word).isascii() and str(word).isdigit() for word in given):
        raise AnswerError("Marked words are given by their positions, from 0.")
    return sorted({int(word) for word in given})


def _by_majority(votes: Sequence[CastVote]) -> set[int]:
    counts = Counter(word for vote in votes for word in vote.words or ())
    return {word for word, count in counts.items() if 2 * count > len(votes)}


def _known(campaign: Campaign) -> dict[int, _Known]:
    texts = Item.objects.filter(campaign=campaign).values_list("pk", "first__text", "second__text")
    return {
        pk: _Known(altered_words(before, after or ""), sum(map(is_word, pieces(after or ""))))
        for pk, before, after in texts.iterator()
    }


def _found(items: Sequence[ItemVotes], known: Mapping[int, _Known], nothing_to_find: int = 0) -> Estimate:
    found = [
        (item.original_id, word in (vote.words or ()))
        for item in items
        for vote in item.votes
        for word in known[item.item_id].altered
    ]
    left_out = {"no altered word to be seen": nothing_to_find} if nothing_to_find else {}
    return share([marked for _, marked in found], clusters=[original for original, _ in found], left_out=left_out)


def _found_by_most(items: Sequence[ItemVotes], known: Mapping[int, _Known]) -> Estimate:
    found = [
        (item.original_id, word in marked)
        for item in items
        if item.votes
        for marked in [_by_majority(item.votes)]
        for word in known[item.item_id].altered
    ]
    return share([marked for _, marked in found], clusters=[original for original, _ in found])


def _by_chance(items: Sequence[ItemVotes], known: Mapping[int, _Known]) -> Estimate:
    """The share that marking n of the N words of each text at random finds on average: n/N, weighted as the answers are."""
    method = "expected share when as many words are marked at random"
    to_find = expected = 0.0
    for item in items:
        altered, answers = len(known[item.item_id].altered), len(item.votes)
        to_find += answers * altered
        expected += answers * altered * altered / known[item.item_id].words
    n = sum(len(item.votes) for item in items)
    if not to_find:
        return Estimate(None, Reason("empty", "There is nothing to take a share of."), 0, method)
    return Estimate(expected / to_find, None, n, method)

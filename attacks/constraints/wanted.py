"""Constraints as settings say them: by the names of the command line's options, ready for JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path
from typing import Any

from attacks.constraints.base import Constraint
from attacks.constraints.bert_score import BertScoreAtLeast
from attacks.constraints.edits import CharacterScoreAtLeast, WordsChangedAtMost
from attacks.constraints.kept import PartOfSpeechKept, ProtectedWordsKept
from attacks.constraints.meaning import MeaningAtLeast
from attacks.constraints.similarity import EncoderSimilarityAtLeast
from attacks.constraints.suspicion import TAU, SuspicionAtMost
from attacks.errors import AttackError
from attacks.substitutes.protected import Protected

WANTED = {
    "suspicion": "folder of a suspicion model",
    "tau": f"highest predicted suspicion allowed, or the original's own where that is higher (default {TAU})",
    "margin": "instead of tau: how far predicted suspicion may rise above the original's own",
    "observe": "refuse nothing by suspicion, only keep the scores; `sweep` then tells what limits would have done",
    "meaning": "folder of a meaning model",
    "preserved": "lowest predicted chance of “preserved” allowed (default 0.5)",
    "bertscore": "folder of an encoder for BERTScore",
    "f1": "lowest F1 of BERTScore allowed (default 0.9)",
    "similarity": "lowest cosine of the embedded sentence encoder allowed, -1 to 1",
    "character": "lowest character score allowed, 0 to 1",
    "words_changed": "highest share of the words changed allowed, 0 to 1",
    "keep": "what no candidate may lose: numbers, names, or both with a comma",
    "keep_words": "words that no candidate may lose, with commas",
    "part_of_speech": "a word may only stand where one stood that can be the same part of speech",
}
"""What can be wanted, and what it means."""
_PART_OF = {"tau": "suspicion", "margin": "suspicion", "observe": "suspicion", "preserved": "meaning", "f1": "bertscore"}


def make_constraints(wanted: Mapping[str, Any]) -> list[Constraint]:
    """The constraints of some of `WANTED`; loads their models. What is None, False or empty is not wanted.

    AttackError for what is unknown or does not go together.
    """
    if unknown := sorted(wanted.keys() - WANTED.keys()):
        raise AttackError(f"unknown constraint {unknown[0]!r}; there are {', '.join(WANTED)}")
    given = {name: value for name, value in wanted.items() if value is not None and value is not False and value != ""}
    for part, whole in _PART_OF.items():
        if part in given and whole not in given:
            raise AttackError(f"{_option(part)} needs {_option(whole)} MODEL")
    rules = [rule for rule in ("tau", "margin", "observe") if rule in given]
    if len(rules) > 1:
        raise AttackError(f"{' and '.join(map(_option, rules))} are different rules for --suspicion; give one of them")
    return [make(given) for names, make in _MAKE.items() if not given.keys().isdisjoint(names)]


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _suspicion(given: Mapping[str, Any]) -> Constraint:
    from regressors.storage import load

    tau = inf if "observe" in given else given.get("tau")
    return SuspicionAtMost(load(Path(given["suspicion"])), tau, given.get("margin"))


def _meaning(given: Mapping[str, Any]) -> Constraint:
    from scoring.texts.meaning.trained import MeaningModel

    return MeaningAtLeast(MeaningModel.load(Path(given["meaning"])), given.get("preserved", 0.5))


def _bert_score(given: Mapping[str, Any]) -> Constraint:
    from scoring.texts.bert_score import BertScore

    return BertScoreAtLeast(BertScore(Path(given["bertscore"])), given.get("f1", 0.9))


def _protected(given: Mapping[str, Any]) -> Constraint:
    words = [word.strip() for word in given.get("keep_words", "").split(",")]
    return ProtectedWordsKept(Protected.of(given.get("keep", ""), filter(None, words)))


_MAKE: Mapping[tuple[str, ...], Callable[[Mapping[str, Any]], Constraint]] = {
    ("words_changed",): lambda given: WordsChangedAtMost(given["words_changed"]),
    ("character",): lambda given: CharacterScoreAtLeast(given["character"]),
    ("keep", "keep_words"): _protected,
    ("part_of_speech",): lambda given: PartOfSpeechKept(),
    ("similarity",): lambda given: EncoderSimilarityAtLeast(given["similarity"]),
    ("bertscore",): _bert_score,
    ("suspicion",): _suspicion,
    ("meaning",): _meaning,
}
"""By the settings of which any one is a wish for it."""

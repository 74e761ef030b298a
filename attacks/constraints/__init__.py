"""Constraints: what a candidate must be besides misleading."""

from __future__ import annotations

from attacks.constraints.base import Checked, Constraint, PairConstraint
from attacks.constraints.bert_score import BertScoreAtLeast
from attacks.constraints.edits import CharacterScoreAtLeast, EditDistanceAtMost, WordsChangedAtMost
from attacks.constraints.kept import PartOfSpeechKept, ProtectedWordsKept
from attacks.constraints.meaning import MeaningAtLeast
from attacks.constraints.similarity import EncoderSimilarityAtLeast
from attacks.constraints.suspicion import SuspicionAtMost

__all__ = [
    "BertScoreAtLeast",
    "CharacterScoreAtLeast",
    "Checked",
    "Constraint",
    "EditDistanceAtMost",
    "EncoderSimilarityAtLeast",
    "MeaningAtLeast",
    "PairConstraint",
    "PartOfSpeechKept",
    "ProtectedWordsKept",
    "SuspicionAtMost",
    "WordsChangedAtMost",
]

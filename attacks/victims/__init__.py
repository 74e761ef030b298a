"""Victims: the classifiers under attack. One interface, texts to probabilities."""

from __future__ import annotations

from attacks.victims.service import ServiceVictim
from attacks.victims.sklearn_pipeline import SklearnVictim
from attacks.victims.training import KINDS, load_victim, save_victim, train_victim
from attacks.victims.victim import Evaluation, Victim, evaluate

__all__ = [
    "KINDS",
    "Evaluation",
    "ServiceVictim",
    "SklearnVictim",
    "Victim",
    "evaluate",
    "load_victim",
    "save_victim",
    "train_victim",
]

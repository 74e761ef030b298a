"""Victims: the classifiers under attack. One interface, texts to probabilities."""

from __future__ import annotations

from attacks.victims.training import KINDS, load_victim, train_victim
from attacks.victims.victim import Evaluation, Victim, evaluate

__all__ = ["KINDS", "Evaluation", "Victim", "evaluate", "load_victim", "train_victim"]

"""`manage.py train_meaning --campaign NAME [--preserved LABEL …] [--seed N] [--name MODEL]`"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.management.base import CommandParser

from annotation.management.training import TrainingCommand
from annotation.models import Campaign, LearnedModel
from annotation.services.training import train_meaning_model


class Command(TrainingCommand):
    help = "Train a model of what people say keeps the meaning on a campaign's decisions, evaluate it, and keep it."
    learns_from = "a meaning campaign with decided items"
    figures = {
        "auc": "AUC",
        "auc_word_level": "AUC, words changed",
        "auc_character_level": "AUC, letters only",
        "brier": "Brier score",
    }

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--preserved",
            nargs="+",
            default=[],
            metavar="LABEL",
            help="the answers that mean “meaning kept”, by their names in files; those of the campaign's settings if not given",
        )

    def train(self, campaigns: Sequence[Campaign], options: Mapping[str, Any], **common: Any) -> LearnedModel:
        return train_meaning_model(campaigns=campaigns, preserved=options["preserved"], **common)

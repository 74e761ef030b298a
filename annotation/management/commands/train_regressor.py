"""`manage.py train_regressor --campaign NAME [--seed N] [--name MODEL]`"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandParser

from annotation.management.training import TrainingCommand
from annotation.models import Campaign, LearnedModel
from annotation.services.training import train_suspicion_model


class Command(TrainingCommand):
    help = "Train the suspicion model on a campaign's judgements, evaluate it, and keep it."
    learns_from = "a campaign of judgements from 1 to 5"
    figures = {"r": "Pearson's r", "rmse": "RMSE", "rmse_constant": "RMSE of a constant", "noise_ceiling": "Noise ceiling of r"}

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--confidence-at-least", type=int, choices=range(1, 6), default=1, metavar="N", help="leave out less sure answers"
        )

    def train(self, campaign: Campaign, options: Mapping[str, Any], **common: Any) -> LearnedModel:
        return train_suspicion_model(campaign=campaign, confidence_at_least=options["confidence_at_least"], **common)

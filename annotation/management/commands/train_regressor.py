"""`manage.py train_regressor --campaign NAME … [--model KIND] [--seed N] [--name MODEL]`"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.management.base import CommandParser

from annotation.management.training import TrainingCommand
from annotation.models import Campaign, LearnedModel
from annotation.services.training import train_suspicion_model
from regressors.names import DEFAULT, NAMES


class Command(TrainingCommand):
    help = "Train the suspicion model on the judgements of one or several campaigns, evaluate it, and keep it."
    learns_from = "campaigns that asked how suspicious single texts look, all of them on one scale"
    figures = {"r": "Pearson's r", "rmse": "RMSE", "rmse_constant": "RMSE of a constant", "noise_ceiling": "Noise ceiling of r"}

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--model", choices=NAMES, default=DEFAULT, help="what is trained (default: %(default)s)")
        parser.add_argument(
            "--confidence-at-least", type=int, choices=range(1, 6), default=1, metavar="N", help="leave out less sure answers"
        )

    def train(self, campaigns: Sequence[Campaign], options: Mapping[str, Any], **common: Any) -> LearnedModel:
        chosen = {name: options[name] for name in ("model", "confidence_at_least")}
        return train_suspicion_model(campaigns=campaigns, **chosen, **common)

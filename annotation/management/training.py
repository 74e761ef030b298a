"""What the commands that train models share: what they ask for, progress, and how good the model is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.core.management.base import CommandParser

from annotation.exchange.origin import SIMULATED
from annotation.models import Campaign, LearnedModel
from annotation.services.training import DEFAULT_SEED
from scoring.arguments import SEED
from scoring.result import Estimate
from scoring.wording import shown_circumstances, shown_value

from .command import DomainCommand, campaign_named


class TrainingCommand(DomainCommand):
    """Trains a model on a campaign, or several, and says what its evaluation came to."""

    figures: ClassVar[Mapping[str, str]]
    """What is told of the card's evaluation: key, title."""
    learns_from: ClassVar[str]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", required=True, nargs="+", metavar="NAME", help=self.learns_from)
        parser.add_argument("--seed", type=SEED, default=DEFAULT_SEED)
        parser.add_argument(
            "--name", default="", metavar="MODEL", help="name of the new model; the first campaign's if not given"
        )

    @abstractmethod
    def train(self, campaigns: Sequence[Campaign], options: Mapping[str, Any], **common: Any) -> LearnedModel:
        """The new model; `common` are seed, name and progress."""

    def handle(self, *args: Any, **options: Any) -> None:
        campaigns = [campaign_named(name) for name in options["campaign"]]
        model = self.train(campaigns, options, seed=options["seed"], name=options["name"], progress=self._progress)
        if model.simulated:
            self.stdout.write(SIMULATED)
        for key, title in self.figures.items():
            estimate = Estimate.from_dict(model.card["evaluation"][key])
            self.stdout.write(f"{title + ':':22}{shown_value(estimate)} ({shown_circumstances(estimate)})")
        self.stdout.write(f"Saved as “{model.name}” in {model.folder}, SHA-256 {model.sha256}.")

    def _progress(self, done: int, total: int, message: str) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r{done} of {total}: {message}".ljust(70), ending="")
            self.stderr.write("" if done < total else "\n", ending="")

"""`manage.py train_regressor --campaign NAME [--seed N] [--name MODEL]`"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandParser

from annotation.exchange.origin import SIMULATED
from annotation.management.command import DomainCommand, campaign_named
from annotation.services.training import DEFAULT_SEED, train_suspicion_model
from scoring.result import Estimate, Interval, Reason
from scoring.wording import shown_circumstances, shown_value

FIGURES = {"r": "Pearson's r", "rmse": "RMSE", "rmse_constant": "RMSE of a constant", "noise_ceiling": "Noise ceiling of r"}


class Command(DomainCommand):
    help = "Train the suspicion model on a campaign's judgements, evaluate it, and keep it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", required=True, metavar="NAME", help="a campaign of judgements from 1 to 5")
        parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
        parser.add_argument("--name", default="", metavar="MODEL", help="name of the new model; the campaign's if not given")

        parser.add_argument(
            "--confidence-at-least", type=int, choices=range(1, 6), default=1, metavar="N", help="leave out less sure answers"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = campaign_named(options["campaign"])
        model = train_suspicion_model(
            campaign=campaign,
            seed=options["seed"],
            name=options["name"],
            confidence_at_least=options["confidence_at_least"],
            progress=self._progress,
        )
        if model.simulated:
            self.stdout.write(SIMULATED)
        for key, title in FIGURES.items():
            estimate = _estimate(model.card["evaluation"][key])
            self.stdout.write(f"{title + ':':22}{shown_value(estimate)} ({shown_circumstances(estimate)})")
        self.stdout.write(f"Saved as “{model.name}” in {model.folder}, SHA-256 {model.sha256}.")

    def _progress(self, done: int, total: int, message: str) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r{done} of {total}: {message}".ljust(70), ending="")
            self.stderr.write("" if done < total else "\n", ending="")


def _estimate(stored: Mapping[str, Any]) -> Estimate:
    """The estimate that a card holds as JSON."""
    interval, reason = stored["interval"], stored["reason"]
    return Estimate(
        value=stored["value"],
        reason=reason and Reason(**reason),
        n=stored["n"],
        method=stored["method"],
        left_out=stored["left_out"],
        interval=interval and Interval(**interval),
    )

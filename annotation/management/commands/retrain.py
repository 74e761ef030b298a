"""`manage.py retrain start|next|train|answer|show SERIES …`: rounds of judging, and versions that learn from them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.demo.asking import simulate
from annotation.exchange.rounds import SIMULATED_ROUNDS, report_of
from annotation.management.command import DomainCommand, campaign_named
from annotation.models import AttackRun, Series
from annotation.queries.rounds import rounds_of
from annotation.services.rounds import Next, next_round, start_series
from annotation.services.versions import train_version
from regressors.names import DEFAULT, NAMES
from regressors.selection import STRATEGIES
from scoring.arguments import LIMIT, MANY, SEED, Number
from scoring.wording import counted, shown_cell


class Command(DomainCommand):
    help = "Rounds of judging: begin a series, select what is judged next, train a version, show how versions and people compare."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        start = verbs.add_parser("start", help="begin a series with what was judged in campaigns")
        start.add_argument("series")
        start.add_argument("--campaign", required=True, nargs="+", metavar="NAME", help="asked how suspicious single texts look")
        start.add_argument("--model", choices=NAMES, default=DEFAULT, help="what is trained (default: %(default)s)")
        start.add_argument("--test-share", type=Number(0, 1), default=0.25, metavar="SHARE", help="of originals (default: 0.25)")
        start.add_argument("--anchors", type=LIMIT, default=20, metavar="N", help="texts judged in every round (default: 20)")
        start.add_argument("--seed", type=SEED, default=0)
        following = verbs.add_parser("next", help="select what is judged next, and make its campaign")
        following.add_argument("series")
        following.add_argument(
            "--run", required=True, nargs="+", metavar="NAME", help="attack runs whose successes may be selected"
        )
        following.add_argument("--by", choices=STRATEGIES, default="uncertain", help="default: %(default)s")
        following.add_argument("--size", type=MANY, required=True, metavar="N", help="how many texts")
        following.add_argument("--seed", type=SEED, default=0)
        for verb, about in (
            ("train", "train the version of the last round"),
            ("answer", "have simulated readers answer the last round of a simulated series"),
            ("show", "show how versions and people compare"),
        ):
            verbs.add_parser(verb, help=about).add_argument("series")

    def handle(self, *args: Any, verb: str, series: str, **options: Any) -> None:
        if verb == "start":
            self._start(series, **options)
        else:
            getattr(self, f"_{verb}")(_named(series), **options)

    def _start(self, name: str, *, campaign: list[str], model: str, test_share: float, anchors: int, seed: int, **_: Any) -> None:
        campaigns = [campaign_named(each) for each in campaign]
        how: dict[str, Any] = {"learner": model, "test_share": test_share, "anchors": anchors, "seed": seed}
        made = start_series(name=name, campaigns=campaigns, **how)
        self.stdout.write(f"Began “{made.name}”. Train its first version: manage.py retrain train {made.name}")

    def _next(self, series: Series, *, run: list[str], by: str, size: int, seed: int, **_: Any) -> None:
        made = next_round(series=series, wanted=Next(runs=[_run(name) for name in run], strategy=by, size=size, seed=seed))
        campaign = made.campaigns.get()
        said = f"Round {made.number}: {made.planned:,} of {counted(made.candidates, 'text')} selected for “{campaign.name}”."
        self.stdout.write(said)

    def _train(self, series: Series, **_: Any) -> None:
        model = train_version(series=series)
        self.stdout.write(f"Saved as “{model.name}” in {model.folder}, SHA-256 {model.sha256}.")

    def _answer(self, series: Series, **_: Any) -> None:
        for place in rounds_of(series)[-1].places.all():
            simulate(campaign=place.campaign, seed=series.seed)
            self.stdout.write(f"“{place.campaign.name}” is answered.")

    def _show(self, series: Series, **_: Any) -> None:
        report = report_of(series, rounds_of(series))
        if series.simulated:
            self.stdout.write(SIMULATED_ROUNDS)
        for table in report.tables:
            self.stdout.write(f"\n{table.title}\n{' | '.join(table.columns)}")
            for row in table.cells:
                self.stdout.write(" | ".join(shown_cell(cell, style) for cell, style in row))
        self.stdout.write("")
        for finding in report.findings:
            self.stdout.write(finding)


def _named(name: str) -> Series:
    found = Series.objects.filter(name=name).first()
    if found is None:
        names = ", ".join(Series.objects.order_by("name").values_list("name", flat=True)[:20]) or "none yet"
        raise CommandError(f"There is no series named “{name}”. Series: {names}.")
    return found


def _run(name: str) -> AttackRun:
    found = AttackRun.objects.filter(name=name).first()
    if found is None:
        raise CommandError(f"There is no attack run named “{name}”.")
    return found

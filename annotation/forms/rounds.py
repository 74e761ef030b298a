"""The forms about rounds of retraining: beginning a series, and selecting what is judged next."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.models import AttackRun, Campaign, Round, Series, User
from annotation.queries.lists import learnable_by, runs_seen_by
from annotation.services.rounds import LONGEST_NAME, Next
from regressors.names import DEFAULT, NAMES

from .files import RunsField
from .models import LARGEST_SEED, CampaignChoice

MOST_ANCHORS = 500
MOST_SELECTED = 100_000
STRATEGIES = {
    Round.Strategy.UNCERTAIN: "the more uncertain the newest version, the likelier",
    Round.Strategy.DISAGREEING: "the more the versions disagree, the likelier",
    Round.Strategy.RANDOM: "at random",
}


def _seed() -> forms.IntegerField:
    return forms.IntegerField(
        label="Seed", min_value=0, max_value=LARGEST_SEED, initial=0, help_text="The same seed draws the same."
    )


class StartSeriesForm(forms.Form):
    """What has been judged, how much of it is set apart, and what is trained."""

    campaigns = CampaignChoice(
        queryset=Campaign.objects.none(),
        label="Judged in",
        to_field_name="name",
        widget=forms.CheckboxSelectMultiple,
        help_text="Several must have asked the same on the same scale.",
    )
    name = forms.SlugField(
        label="Name of the series", max_length=LONGEST_NAME, help_text="Its models and campaigns are named after it."
    )
    learner = forms.ChoiceField(
        label="Kind of model", choices=[(name, f"{name}: {said}") for name, said in NAMES.items()], initial=DEFAULT
    )
    test_share = forms.IntegerField(
        label="Originals in the test set, in per cent",
        min_value=1,
        max_value=90,
        initial=25,
        help_text="Drawn at random now, the same for every version.",
    )
    anchors = forms.IntegerField(
        label="Anchors",
        min_value=0,
        max_value=MOST_ANCHORS,
        initial=20,
        help_text="Texts that people judge again in every round, so that rounds can be compared.",
    )
    seed = _seed()

    def __init__(self, user: User, given: Any = None, *, proposed: str = "") -> None:
        super().__init__(given, initial={"campaigns": [proposed]})
        self.fields["campaigns"].queryset = learnable_by(user)  # type: ignore[attr-defined]

    @property
    def wanted(self) -> dict[str, Any]:
        """What `start_series` is told."""
        given = dict(self.cleaned_data)
        return given | {"campaigns": list(given["campaigns"]), "test_share": given["test_share"] / 100}


class NextRoundForm(forms.Form):
    """From which attack runs how many texts are selected, and how."""

    runs = RunsField(queryset=AttackRun.objects.none(), label="Successes of", widget=forms.CheckboxSelectMultiple)
    strategy = forms.ChoiceField(
        label="Select",
        choices=list(STRATEGIES.items()),
        help_text="Every text has a chance, which is recorded, so that the selected ones stand for all.",
    )
    size = forms.IntegerField(label="How many texts", min_value=1, max_value=MOST_SELECTED, initial=50)
    seed = _seed()

    def __init__(self, user: User, series: Series, given: Any = None) -> None:
        super().__init__(given)
        self.series = series
        self.fields["runs"].queryset = runs_seen_by(user)  # type: ignore[attr-defined]

    @property
    def wanted(self) -> Next:
        given = self.cleaned_data
        return Next(runs=list(given["runs"]), strategy=given["strategy"], size=given["size"], seed=given["seed"])

    @property
    def arguments(self) -> dict[str, Any]:
        """What the job that selects is told."""
        wanted = self.wanted
        said = {"strategy": wanted.strategy, "size": wanted.size, "seed": wanted.seed}
        return {"series": self.series.name, "runs": [run.name for run in wanted.runs], **said}

"""The forms about constraint studies: starting one, and asking people about its pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from annotation.errors import DomainError
from annotation.models import ConstraintStudy, User
from annotation.queries.campaigns import name_for
from annotation.services.attacking import MOST_PARTS
from annotation.services.campaigns import RESERVED_NAMES
from annotation.services.studies import LONGEST, MOST_LIMITS, StudyWanted, check_study_name
from annotation.services.study_campaigns import Asking
from scoring.table import as_number

from .attacks import ConstrainedForm, ModelChoice, constraints_of, free_name


class StartStudyForm(ConstrainedForm):
    """An attack, the suspicion model, several limits on what it predicts, and constraints that hold without a limit, too."""

    model = ModelChoice("Suspicion model", help_text="The limits are on what it predicts.")
    taus = forms.CharField(
        label="Suspicion at most",
        max_length=100,
        help_text=f"Up to {MOST_LIMITS} limits, with commas between them. The attack is repeated under each.",
    )
    parts = forms.IntegerField(label="Parts", min_value=1, max_value=MOST_PARTS, help_text="Of each run; workers share them.")
    called = forms.CharField(label="Name", max_length=LONGEST, required=False, help_text="Empty: task, victim and attacker.")

    defaults: Mapping[str, Any] = {"seed": 0, "parts": 1, "taus": "2, 2.5, 3"}

    def __init__(self, user: User, given: Any = None, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(user, given, initial=initial)
        self.fields["model"].required = True
        self.fields["model"].empty_label = None  # type: ignore[attr-defined]

    def clean_taus(self) -> list[float]:
        limits = [as_number(part) for part in self.cleaned_data["taus"].split(",")]
        numbers = sorted({limit for limit in limits if limit is not None})
        if len(numbers) < len(limits):
            raise forms.ValidationError("Write numbers with commas between them, such as 2, 2.5, 3; none twice.")
        if len(numbers) > MOST_LIMITS:
            raise forms.ValidationError(f"At most {MOST_LIMITS} limits.")
        return numbers

    def clean_called(self) -> str:
        name: str = self.cleaned_data["called"]
        try:
            if name:
                check_study_name(name)
        except DomainError as refused:
            raise forms.ValidationError(str(refused)) from refused
        return name

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        model, taus = given.get("model"), given.get("taus")
        if model and taus:
            low, high = model.card["data"]["scale"]
            if not (low <= taus[0] and taus[-1] <= high):
                self.add_error("taus", f"The model says something from {low:g} to {high:g}; choose limits in between.")
        return given

    @property
    def study(self) -> StudyWanted:
        """What was asked for."""
        given = self.cleaned_data
        task, victim, attacker = given["task"].name, given["victim"].name, given["attacker"]
        attack = self.attack(
            given["called"] or free_name(f"{task}-{victim}-{attacker}-study", ConstraintStudy.objects, longest=LONGEST),
            model=given["model"].name,
            constraints=constraints_of(given),
            parts=given["parts"],
        )
        return StudyWanted(attack=attack, taus=given["taus"])


class AskPeopleForm(forms.Form):
    """Which pairs people are asked about, and what the test is to find."""

    tau = forms.TypedChoiceField(label="Limit", coerce=float)
    preferred = forms.FloatField(
        label="Chance of the better text",
        initial=0.65,
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "any"}),
        help_text="That a vote goes to it.",
    )
    power = forms.FloatField(
        label="Chance of finding that",
        initial=0.8,
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "any"}),
        help_text="The power, at the level 0.05.",
    )
    most = forms.IntegerField(
        label="Pairs at most", required=False, min_value=1, max_value=1_000_000, help_text="Empty: all. Fewer are drawn by lot."
    )
    title = forms.CharField(
        label="Title of the campaign",
        max_length=160,
        required=False,
        help_text="Annotators read it. Empty: the task and the question.",
    )

    def __init__(self, study: ConstraintStudy, given: Any = None) -> None:
        super().__init__(given)
        self.study = study
        pairs = {f"{each['tau']:g}": len(each["worth_asking"]) for each in study.result or []}
        limits = [(tau, f"{tau} ({count:,} {'pair' if count == 1 else 'pairs'} to ask about)") for tau, count in pairs.items()]
        self.fields["tau"].choices = limits  # type: ignore[attr-defined]

    @property
    def asking(self) -> Asking:
        """What was asked for."""
        given = self.cleaned_data
        return Asking(tau=given["tau"], preferred=given["preferred"], power=given["power"], most=given["most"])

    @property
    def title_and_name(self) -> tuple[str, str]:
        """Of the campaign. Annotators see both, so that they say nothing of a limit."""
        title = self.cleaned_data["title"] or f"{self.study.asked['task']}: which text did a person write?"
        return title, name_for(title[:70], besides=RESERVED_NAMES) or f"study-{self.study.pk}"

"""How many items a study needs: what an organiser wants, and the answer of the planner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms

from scoring.judgements.plan import Clustering, Plan, plan_kappa, plan_preference, plan_share
from scoring.result import ScoringError
from scoring.table import as_number

MOST_PER_ORIGINAL = 1_000


class PlanForm(forms.Form):
    """One kind of plan. Bound and valid, it has a `plan`, or says why there is none."""

    title: str
    about: str
    plan: Plan | None = None

    def clean(self) -> dict[str, Any]:
        asked: dict[str, Any] = super().clean() or {}
        if not self.errors:
            try:
                self.plan = self.answer(asked)
            except ScoringError as refused:
                raise forms.ValidationError(str(refused)) from refused
        return asked

    def answer(self, asked: dict[str, Any]) -> Plan:
        raise NotImplementedError


def _part(label: str, initial: float, help_text: str = "", *, low: float = 0.0, high: float = 1.0) -> forms.FloatField:
    widget = forms.NumberInput(attrs={"step": "any"})
    return forms.FloatField(label=label, initial=initial, min_value=low, max_value=high, help_text=help_text, widget=widget)


class ClusteredForm(PlanForm):
    """Items of one original are alike."""

    per_original = forms.IntegerField(
        label="Items of each original", initial=1, min_value=1, max_value=MOST_PER_ORIGINAL, help_text="Such as one per attacker."
    )
    alike = _part("How alike these are", 0.0, "Correlation of results, 0 to 1.")

    @property
    def clustering(self) -> Clustering:
        return Clustering(self.cleaned_data["per_original"], self.cleaned_data["alike"])


class KappaForm(ClusteredForm):
    title = "Agreement of two people"
    about = "Items that two people judge, so that Cohen’s kappa is known well enough."
    kappa = _part("Kappa that you expect", 0.6, "Such as that of a first try.", low=-1.0)
    half_width = _part("Known up to ±", 0.1, "Half the width of the 95 % interval.")
    parts = forms.CharField(
        label="How often each answer is expected",
        initial="0.5, 0.5",
        max_length=200,
        help_text="Together they are 1.",
    )
    field_order = ("kappa", "half_width", "parts", "per_original", "alike")

    def clean_parts(self) -> list[float]:
        parts = [as_number(part) for part in self.cleaned_data["parts"].split(",")]
        numbers = [part for part in parts if part is not None]
        if len(numbers) < len(parts):
            raise forms.ValidationError("Write numbers with commas between them, such as 0.6, 0.3, 0.1.")
        return numbers

    def answer(self, asked: dict[str, Any]) -> Plan:
        return plan_kappa(asked["kappa"], 2 * asked["half_width"], asked["parts"], self.clustering)


class ShareForm(ClusteredForm):
    title = "A share, such as: meaning kept"
    about = "Items, so that the share of them that is decided one way is known well enough."
    share = _part("Share that you expect", 0.5, "0.5 needs the most items.")
    half_width = _part("Known up to ±", 0.05, "Half the width of the 95 % interval.")
    judgements = forms.IntegerField(
        label="Judgements of each item", initial=2, min_value=1, max_value=100, help_text="That decide it."
    )
    field_order = ("share", "half_width", "judgements", "per_original", "alike")

    def answer(self, asked: dict[str, Any]) -> Plan:
        return plan_share(asked["share"], 2 * asked["half_width"], judgements=asked["judgements"], clustering=self.clustering)


class PreferenceForm(PlanForm):
    title = "A preference test"
    about = "Items, so that the test finds which of two variants people prefer, if they do."
    preferred = _part("Chance of the better variant", 0.65, "That a vote goes to it.")
    power = _part("Chance of finding that", 0.8, "The power, at the level 0.05.")
    votes = forms.IntegerField(label="Votes on each item", initial=1, min_value=1, max_value=99, help_text="An odd number.")

    def answer(self, asked: dict[str, Any]) -> Plan:
        return plan_preference(asked["preferred"], asked["power"], votes=asked["votes"])


FORMS: dict[str, Callable[..., PlanForm]] = {"kappa": KappaForm, "share": ShareForm, "preference": PreferenceForm}
"""By what the address says is `wanted`."""

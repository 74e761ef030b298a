"""The form that looks through a run's texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from annotation.models import LearnedModel
from annotation.queries.outcomes import ORDERS, STATUSES, Wanted

LARGEST = 2**31 - 1


class OutcomeFilterForm(forms.Form):
    """Filters and order of a run's texts, from the address."""

    show = forms.ChoiceField(required=False)
    q = forms.CharField(label="Text contains", required=False, max_length=200, strip=False)
    order = forms.ChoiceField(label="In order of", required=False)
    by = forms.ChoiceField(label="Suspicion by", required=False)
    page = forms.IntegerField(required=False, min_value=1, max_value=LARGEST)

    def __init__(self, models: Iterable[LearnedModel], data: Any) -> None:
        super().__init__(data)
        self.models = {str(model.pk): model for model in models}
        self.fields["show"].choices = [("", "any"), *STATUSES.items()]  # type: ignore[attr-defined]
        orders = {key: title for key, (title, _) in ORDERS.items()}
        self.fields["order"].choices = [("", orders.pop("number")), *orders.items()]  # type: ignore[attr-defined]
        self.fields["by"].choices = [(key, model.name) for key, model in self.models.items()]  # type: ignore[attr-defined]

    @property
    def has_wrong_choice(self) -> bool:
        """Whether the address names something that is not offered."""
        return any(name in self.errors for name in ("show", "order", "by", "page"))

    @property
    def offered(self) -> list[forms.BoundField]:
        """The fields that the page shows: a choice of one thing is none."""
        return [self["q"], self["order"], *([self["by"]] if len(self.models) > 1 else [])]

    @property
    def model(self) -> LearnedModel | None:
        """Whose predictions are shown: the one asked for, else the first."""
        return self.models.get(self.cleaned_data["by"]) or next(iter(self.models.values()), None)

    @property
    def wanted(self) -> Wanted:
        given = self.cleaned_data
        return Wanted(status=given["show"], text=given["q"], order=given["order"] or "number", model=self.model)

    def given(self) -> dict[str, str]:
        """What was asked for, without the place in the list."""
        return {name: value for name, value in self.data.items() if name in self.fields and value and name != "page"}

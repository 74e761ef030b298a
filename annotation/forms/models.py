"""The form for training a model on a campaign's judgements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from annotation.errors import DomainError
from annotation.models import Campaign
from annotation.protocols import protocol_of
from annotation.services.training import check_name

LEAST = {"1": "1 or surer (all)", "2": "2 or surer", "3": "3 or surer", "4": "4 or surer", "5": "5"}


class TrainForm(forms.Form):
    """What the model is to be called, and, where people said how sure they are, from which answers it learns."""

    model = forms.CharField(label="Name of the model", max_length=120, required=False)
    confidence_at_least = forms.ChoiceField(label="Learn from answers as sure as", choices=LEAST.items(), required=False)

    def __init__(self, campaign: Campaign, given: Mapping[str, Any] | None = None, *, there: int = 0) -> None:
        """`there` are models that learned from the campaign before: the name that is proposed is another one."""
        super().__init__(given, initial={"model": f"{campaign.name}-{there + 1}" if there else campaign.name})
        self.campaign = campaign
        if not (protocol_of(campaign).scale and campaign.settings["confidence"]):
            del self.fields["confidence_at_least"]

    def clean_model(self) -> str:
        name: str = self.cleaned_data["model"] or self.campaign.name
        try:
            check_name(name)
        except DomainError as refused:
            raise forms.ValidationError(str(refused)) from refused
        return name

    @property
    def arguments(self) -> dict[str, object]:
        """What the job that trains is told."""
        least = int(self.cleaned_data.get("confidence_at_least") or 1)
        chosen = {"confidence_at_least": least} if least > 1 else {}
        return {"campaign": self.campaign.name, "name": self.cleaned_data["model"], **chosen}

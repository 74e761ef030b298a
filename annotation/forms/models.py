"""The forms about models: training one on a campaign, or on several; bringing one in; trying one on a text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from django import forms

from annotation.errors import DomainError
from annotation.exchange.model_files import MOST_BYTES
from annotation.models import Campaign, User
from annotation.protocols import protocol_of
from annotation.queries.lists import learnable_by
from annotation.queries.training_table import asks_how_sure, scale_of
from annotation.services.model_keeping import check_name
from annotation.services.predicting import LONGEST
from regressors.names import DEFAULT, NAMES

LEAST = {"1": "1 or surer (all)", "2": "2 or surer", "3": "3 or surer", "4": "4 or surer", "5": "5"}
LARGEST_SEED = 2**32 - 1


class ModelNameField(forms.CharField):
    """A name that no model has yet; empty is allowed where something else gives one."""

    def clean(self, value: str) -> str:
        name: str = super().clean(value)
        return checked(name) if name else ""


def checked(name: str) -> str:
    """The name, or why no model can have it."""
    try:
        check_name(name)
    except DomainError as refused:
        raise forms.ValidationError(str(refused)) from refused
    return name


def _sureness() -> forms.ChoiceField:
    return forms.ChoiceField(label="Learn from answers as sure as", choices=LEAST.items(), required=False)


class TrainForm(forms.Form):
    """On the campaign's own page: what the model is to be called, and, where people said how sure they are, from which answers it
    learns."""

    model = forms.CharField(label="Name of the model", max_length=120, required=False)
    confidence_at_least = _sureness()

    def __init__(self, campaign: Campaign, given: Mapping[str, Any] | None = None, *, there: int = 0) -> None:
        """`there` are models that learned from the campaign before: the name that is proposed is another one."""
        super().__init__(given, initial={"model": f"{campaign.name}-{there + 1}" if there else campaign.name})
        self.campaign = campaign
        if not (protocol_of(campaign).scale and asks_how_sure(campaign)):
            del self.fields["confidence_at_least"]

    def clean_model(self) -> str:
        return checked(self.cleaned_data["model"] or self.campaign.name)

    @property
    def arguments(self) -> dict[str, object]:
        """What the job that trains is told."""
        least = int(self.cleaned_data.get("confidence_at_least") or 1)
        chosen = {"confidence_at_least": least} if least > 1 else {}
        return {"campaign": self.campaign.name, "name": self.cleaned_data["model"], **chosen}


class CampaignChoice(forms.ModelMultipleChoiceField):
    """Campaigns by title, with what they asked."""

    def label_from_instance(self, obj: Campaign) -> str:
        return f"{obj.title} ({protocol_of(obj).title.lower()}{', simulated' if obj.simulated else ''})"


class TrainModelForm(forms.Form):
    """A suspicion model from one or several campaigns, of a kind that is chosen."""

    campaigns = CampaignChoice(
        queryset=Campaign.objects.none(),
        label="Learn from",
        to_field_name="name",
        widget=forms.CheckboxSelectMultiple,
        help_text="Several must have asked the same on the same scale. A text in two of them has the judgements of both.",
    )
    model = ModelNameField(label="Name of the model", max_length=120, required=False, help_text="Empty: the first campaign's.")
    kind = forms.ChoiceField(
        label="Kind of model",
        choices=[(name, f"{name}: {said}") for name, said in NAMES.items()],
        help_text="Numbers: what is counted of words and characters. Layers: what a small language model sees.",
    )
    confidence_at_least = _sureness()
    seed = forms.IntegerField(
        label="Seed", min_value=0, max_value=LARGEST_SEED, help_text="The same data, kind and seed give the same figures."
    )

    def __init__(self, user: User, given: Any = None, *, proposed: str = "") -> None:
        super().__init__(given, initial={"campaigns": [proposed], "kind": DEFAULT, "seed": 0})
        self.fields["campaigns"].queryset = learnable_by(user)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        chosen = list(given.get("campaigns") or [])
        if not chosen:
            return given
        try:
            scale_of(*chosen)
        except DomainError as refused:
            self.add_error("campaigns", str(refused))
        unasked = [campaign.title for campaign in chosen if not asks_how_sure(campaign)]
        if int(given.get("confidence_at_least") or 1) > 1 and unasked:
            self.add_error("confidence_at_least", f"“{unasked[0]}” did not ask how sure people were. Choose all answers.")
        if given.get("model") == "":
            try:
                given["model"] = checked(chosen[0].name)
            except forms.ValidationError as refused:
                self.add_error("model", refused)
        return given

    @property
    def arguments(self) -> dict[str, object]:
        """What the job that trains is told."""
        given = self.cleaned_data
        first, *others = [campaign.name for campaign in given["campaigns"]]
        return {
            "campaign": first,
            "also": others,
            "name": given["model"],
            "model": given["kind"],
            "seed": given["seed"],
            "confidence_at_least": int(given["confidence_at_least"] or 1),
        }


class UploadModelForm(forms.Form):
    """A model folder as a zip file."""

    file = forms.FileField(
        label="Model folder, as a zip file",
        widget=forms.FileInput(attrs={"accept": ".zip"}),
        help_text=f"At most {MOST_BYTES // 1_000_000} MB.",
    )
    name = ModelNameField(label="Name of the model", max_length=120, required=False, help_text="Empty: the file's name.")

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("file") and given.get("name") == "":
            try:
                given["name"] = checked(PurePosixPath(given["file"].name).stem)
            except forms.ValidationError as refused:
                self.add_error("name", refused)
        return given


class TryForm(forms.Form):
    """A text to try a model on."""

    text = forms.CharField(
        label="Text",
        max_length=LONGEST,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=f"Up to {LONGEST:,} characters. It is kept for an hour, for you alone.",
    )

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"].replace("\r\n", "\n")
        if not text.strip():
            raise forms.ValidationError("There is no text yet. Type one.")
        return text

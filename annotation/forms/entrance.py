"""Forms about how people come in and what they are told: the entrance, the information sheet, the consent form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from annotation.models import Campaign, Entrance, InformationSheet
from annotation.services.crowd import PLATFORMS
from annotation.services.sheets import HEADINGS, WRITTEN_HERE, default_sections

BY_INVITATION = ""
KINDS = (
    (BY_INVITATION, "Only by invitation link"),
    (Entrance.Kind.OPEN, "Anybody may register"),
    (Entrance.Kind.CROWD, "A crowd platform sends people"),
)
OF_THE_CROWD = ("platform", "participant_parameter", "study_parameter", "session_parameter", "completion_code", "completion_url")
"""Fields that the page shows only where a crowd platform sends people."""
NAME: dict[str, Any] = {"max_length": 40, "required": False, "widget": forms.TextInput(attrs={"autocapitalize": "none"})}
PLAIN = {"autocapitalize": "none", "spellcheck": "false"}


class EntranceForm(forms.Form):
    """How people come into a campaign besides by invitation link."""

    kind = forms.ChoiceField(label="Who may join", choices=KINDS, required=False, widget=forms.RadioSelect)
    platform = forms.ChoiceField(
        label="Platform",
        choices=[(key, platform.title) for key, platform in PLATFORMS.items()],
        required=False,
        help_text="The names below can stay empty where they are the platform's usual ones.",
    )
    participant_parameter = forms.CharField(label="Name of the participant's id in the address", **NAME)
    study_parameter = forms.CharField(label="Name of the study's id", **NAME)
    session_parameter = forms.CharField(label="Name of the session's id", **NAME)
    completion_code = forms.CharField(
        label="Completion code",
        max_length=60,
        required=False,
        help_text="Shown when somebody's share is done.",
        widget=forms.TextInput(attrs=PLAIN),
    )
    completion_url = forms.URLField(
        label="Address to go back to",
        max_length=500,
        required=False,
        assume_scheme="https",
        help_text="Empty for Prolific: it is made from the code.",
    )
    criteria = forms.CharField(
        label="Who is asked (recruitment criteria)",
        required=False,
        help_text="For instance: native speakers of English, 18 or older. It stands on the sheet.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    pay_per_item = forms.DecimalField(label="Pay for each answer", min_value=0, max_digits=8, decimal_places=4, required=False)
    minimum_hourly_pay = forms.DecimalField(
        label="Least pay for an hour",
        min_value=0,
        max_digits=8,
        decimal_places=2,
        required=False,
        help_text="If people earn less by measured time, the People page says so.",
    )
    currency = forms.RegexField(
        "^[A-Za-z]{3}$",
        label="Currency",
        required=False,
        help_text="Three letters, such as EUR.",
        widget=forms.TextInput(attrs=PLAIN),
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("kind") == Entrance.Kind.CROWD:
            preset = PLATFORMS.get(given.get("platform") or "other", PLATFORMS["other"])
            for name in ("participant", "study", "session"):
                given[f"{name}_parameter"] = given.get(f"{name}_parameter") or getattr(preset, name)
        else:
            given |= dict.fromkeys(OF_THE_CROWD, "")
            for name in OF_THE_CROWD:
                self.errors.pop(name, None)
        if given.get("pay_per_item") is not None and not given.get("currency") and "currency" not in self.errors:
            self.add_error("currency", "Say in which currency the pay is.")
        given["currency"] = given.get("currency", "").upper()
        return given


class SheetForm(forms.Form):
    """One field for each section, the consent form, and what withdrawing does."""

    on_withdrawal = forms.ChoiceField(
        label="When somebody withdraws", choices=InformationSheet.OnWithdrawal.choices, widget=forms.RadioSelect
    )
    consent_form = forms.CharField(
        label="Consent form",
        help_text="One statement in each line; people tick every one.",
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    language = forms.CharField(label="Language of the sheet", max_length=12, help_text="Its code, such as en or de.")

    def __init__(self, *args: Any, campaign: Campaign, sheet: InformationSheet, **kwargs: Any) -> None:
        self.parts = _editable(campaign, sheet)
        kwargs["initial"] = {
            "on_withdrawal": sheet.on_withdrawal,
            "consent_form": "\n".join(sheet.consent_form),
            "language": sheet.language,
            **{f"section_{part['key']}": part["text"] for part in self.parts},
        }
        super().__init__(*args, **kwargs)
        for part in self.parts:
            self.fields[f"section_{part['key']}"] = forms.CharField(
                label=part["heading"] or "Information", required=False, widget=forms.Textarea(attrs={"rows": 5})
            )

    @property
    def section_fields(self) -> list[forms.BoundField]:
        return [self[f"section_{part['key']}"] for part in self.parts]

    @property
    def sections(self) -> list[dict[str, str]]:
        """The sections as they were sent."""
        return [part | {"text": self.cleaned_data[f"section_{part['key']}"]} for part in self.parts]

    @property
    def statements(self) -> list[str]:
        return str(self.cleaned_data["consent_form"]).splitlines()


def _editable(campaign: Campaign, sheet: InformationSheet) -> Sequence[dict[str, str]]:
    """The sheet's own sections and, empty, those that an ethics board asks for and it has not."""
    written = {part["key"]: dict(part) for part in sheet.sections if part["key"] not in WRITTEN_HERE}
    offered = [part["key"] for part in default_sections(campaign) if part["key"] not in WRITTEN_HERE]
    order = [*(key for key in written if key not in HEADINGS), *offered]
    return [written.get(key) or {"key": key, "heading": HEADINGS[key], "text": ""} for key in order]

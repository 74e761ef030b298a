"""Forms about campaigns. They check what was sent and turn it into values."""

from __future__ import annotations

from django import forms

from annotation.exchange.importing import FORMATS
from annotation.protocols import PROTOCOLS
from annotation.services.campaigns import CAMPAIGN_NAME, RESERVED_NAMES

BETWEEN = "/"
"""Between protocol and preset in what the form sends."""


class CampaignNameField(forms.CharField):
    """A name that can be an address."""

    def __init__(self) -> None:
        super().__init__(
            label="Name of the campaign",
            max_length=80,
            help_text="Letters, digits, hyphens and underscores; it becomes part of the address and cannot be changed.",
            widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
        )

    def clean(self, value: str) -> str:
        name: str = super().clean(value)
        if not CAMPAIGN_NAME.fullmatch(name):
            raise forms.ValidationError("Use only letters, digits, hyphens and underscores.")
        if name in RESERVED_NAMES:
            raise forms.ValidationError(f"“{name}” is an address of this site. Choose another name.")
        return name


class NewCampaignForm(forms.Form):
    """A campaign from a preset."""

    preset = forms.ChoiceField(
        label="What people are asked",
        choices=[
            (f"{key}{BETWEEN}{preset}", chosen.title)
            for key, protocol in PROTOCOLS.items()
            for preset, chosen in protocol.presets.items()
        ],
        error_messages={"required": "Choose what people are asked."},
    )
    title = forms.CharField(label="Title", max_length=160, help_text="People see it. It can be changed at any time.")
    name = CampaignNameField()

    def clean_preset(self) -> tuple[str, str]:
        protocol, _, preset = self.cleaned_data["preset"].partition(BETWEEN)
        return protocol, preset


class CampaignFromFileForm(forms.Form):
    """A file that becomes a campaign."""

    name = CampaignNameField()
    format = forms.ChoiceField(label="What is in the file", choices=[(key, known.title) for key, known in FORMATS.items()])
    file = forms.FileField(label="File", help_text="CSV or TSV with a header line, in UTF-8.")


class CopyForm(forms.Form):
    """A copy's name and title."""

    title = forms.CharField(label="Title", max_length=160)
    name = CampaignNameField()

"""Forms about campaigns. They check what was sent and turn it into values."""

from __future__ import annotations

from django import forms

from annotation.exchange.importing import CAMPAIGN_NAME, FORMATS
from annotation.services.campaigns import RESERVED_NAMES


class NewCampaignForm(forms.Form):
    """A file that becomes a campaign."""

    name = forms.CharField(
        label="Name of the campaign",
        max_length=80,
        help_text="Letters, digits, hyphens and underscores; it becomes part of the address.",
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )
    format = forms.ChoiceField(label="What is in the file", choices=[(key, known.title) for key, known in FORMATS.items()])
    file = forms.FileField(label="File", help_text="CSV or TSV with a header line, in UTF-8.")

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if not CAMPAIGN_NAME.fullmatch(name):
            raise forms.ValidationError("Use only letters, digits, hyphens and underscores.")
        if name in RESERVED_NAMES:
            raise forms.ValidationError(f"“{name}” is an address of this site. Choose another name.")
        return name

"""Forms: they check what was sent and turn it into values."""

from __future__ import annotations

from datetime import timedelta

from django import forms
from django.contrib.auth.validators import UnicodeUsernameValidator

from annotation.exchange.importing import CAMPAIGN_NAME, FORMATS
from annotation.services.campaigns import RESERVED_NAMES


class JoinForm(forms.Form):
    """A new account for somebody with an invitation link."""

    username = forms.CharField(
        label="Name",
        max_length=150,
        strip=True,
        validators=[UnicodeUsernameValidator()],
        help_text="The organiser sees it; no export does. It need not be your real one.",
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )
    password = forms.CharField(
        label="Password",
        strip=False,
        help_text="At least 8 characters, not only digits, not a common one.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class InvitationForm(forms.Form):
    """How often an invitation link works, and for how long."""

    uses = forms.IntegerField(label="People", min_value=1, max_value=1000, initial=10)
    days = forms.IntegerField(label="Days", min_value=1, max_value=365, initial=30)

    def clean_days(self) -> timedelta:
        return timedelta(days=self.cleaned_data["days"])


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

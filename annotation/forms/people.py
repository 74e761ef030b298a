"""Forms about people: joining, inviting. They check what was sent and turn it into values."""

from __future__ import annotations

from datetime import timedelta

from django import forms
from django.contrib.auth.validators import UnicodeUsernameValidator


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

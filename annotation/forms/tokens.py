"""The form for a new API token."""

from __future__ import annotations

from datetime import timedelta

from django import forms

from annotation.services.tokens import LONGEST


class TokenForm(forms.Form):
    """What a token is for, and how long it works."""

    name = forms.CharField(label="What will use it", max_length=80, help_text="A program or machine, so that you know it again.")
    days = forms.IntegerField(label="Days it works", min_value=1, max_value=LONGEST.days, initial=30)

    def clean_days(self) -> timedelta:
        return timedelta(days=self.cleaned_data["days"])

"""Forms about people: joining, signing in, inviting, how somebody stands. They check what was sent and turn it into values."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError

from annotation.errors import TooMany
from annotation.models import Campaign, Membership, Role, Team
from annotation.services import limits

ROLES = (
    (Role.ANNOTATOR, "annotator: answers"),
    (Role.ADJUDICATOR, "adjudicator: decides conflicts, sees answers without names"),
    (Role.ORGANISER, "organiser: sees and changes everything"),
)
PLAIN = {"autocapitalize": "none", "spellcheck": "false"}


class JoinForm(forms.Form):
    """A new account for somebody with an invitation link."""

    username = forms.CharField(
        label="Name",
        max_length=150,
        strip=True,
        validators=[UnicodeUsernameValidator()],
        help_text="The organiser sees it; no export does. It need not be your real one.",
        widget=forms.TextInput(attrs={"autocomplete": "username", **PLAIN}),
    )
    password = forms.CharField(
        label="Password",
        strip=False,
        help_text="At least 8 characters, not only digits, not a common one.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class SignInForm(AuthenticationForm):
    """Name and password, so many wrong ones in a while and no more. `address` is where the request came from."""

    def __init__(self, *args: Any, address: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.address = address

    def clean(self) -> dict[str, Any]:
        tries = limits.sign_in_limits(str(self.cleaned_data.get("username", "")), self.address)
        try:
            limits.count(*tries)
        except TooMany as refused:
            raise ValidationError(str(refused), code="too_many", params={"seconds": refused.seconds}) from refused
        checked = super().clean()
        limits.take_back(*tries)
        limits.forget(*tries[0])
        return checked


class InvitationForm(forms.Form):
    """What an invitation link lets people be, how often it works, and for how long."""

    role = forms.ChoiceField(label="Role", choices=ROLES, initial=Role.ANNOTATOR)
    team = forms.ModelChoiceField(label="Team", queryset=Team.objects.none(), required=False, empty_label="no team")
    uses = forms.IntegerField(label="How many people", min_value=1, max_value=1000, initial=10)
    days = forms.IntegerField(label="For how many days", min_value=1, max_value=365, initial=30)

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        teams = self.fields["team"]
        assert isinstance(teams, forms.ModelChoiceField)
        teams.queryset = campaign.teams.all()

    def clean_days(self) -> timedelta:
        return timedelta(days=self.cleaned_data["days"])


class TeamForm(forms.Form):
    """A new team."""

    name = forms.CharField(
        label="Name of the team",
        max_length=60,
        help_text="As in the file of its texts, if it made any.",
        widget=forms.TextInput(attrs=PLAIN),
    )


class DrawForm(forms.Form):
    """The number from which groups are drawn: the same number draws the same groups."""

    seed = forms.IntegerField(label="Seed", min_value=0, max_value=2**31 - 1, initial=1)


class MemberForm(forms.Form):
    """A person's role, team and quota."""

    role = forms.ChoiceField(label="Role", choices=ROLES)
    team = forms.ModelChoiceField(label="Team", queryset=Team.objects.none(), required=False, empty_label="no team")
    quota = forms.IntegerField(
        label="Most answers wanted",
        min_value=1,
        max_value=1_000_000,
        required=False,
        help_text="Empty: as many as the campaign's settings say.",
    )

    def __init__(self, *args: Any, member: Membership, **kwargs: Any) -> None:
        kwargs["initial"] = {"role": member.role, "team": member.team_id, "quota": member.quota}
        super().__init__(*args, **kwargs)
        teams = self.fields["team"]
        assert isinstance(teams, forms.ModelChoiceField)
        teams.queryset = member.campaign.teams.all()

"""The form that sends a run's successes to a campaign: a new draft, or one that takes items."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet

from annotation.models import AttackRun, Campaign
from annotation.protocols import PROTOCOLS, protocol_of
from annotation.queries.campaigns import name_for
from annotation.services.campaigns import RESERVED_NAMES
from annotation.services.sending import PREFERENCE, Sending

from .campaigns import BETWEEN
from .files import RunsField

NEW = "new:"
"""Before protocol and preset in what the form sends where a campaign is to be made."""


class RunField(forms.ModelChoiceField):
    """An attack run by its name."""

    def label_from_instance(self, obj: Any) -> str:
        return RunsField.label_from_instance(self, obj)  # type: ignore[arg-type]


class SendForm(forms.Form):
    """Where the successes go, and in which shape."""

    to = forms.ChoiceField(label="To")
    title = forms.CharField(
        label="Title of the new campaign", max_length=160, required=False, help_text="Empty: the run and what is asked."
    )
    originals = forms.BooleanField(
        label="Each original besides, once", required=False, help_text="Where people see one text at a time."
    )
    beside = RunField(
        queryset=AttackRun.objects.none(),
        label="Beside the texts of",
        required=False,
        empty_label="the originals",
        to_field_name="name",
        help_text="In a preference campaign: which two texts of one original people compare.",
    )
    set_aside = forms.BooleanField(label="Also the successes that were set aside", required=False)

    def __init__(
        self, run: AttackRun, given: Any = None, *, campaigns: QuerySet[Campaign], runs: QuerySet[AttackRun]
    ) -> None:  # fmt: skip
        super().__init__(given, initial={"originals": True})
        self.run = run
        states = (Campaign.State.DRAFT, Campaign.State.OPEN, Campaign.State.PAUSED)
        takes = campaigns.filter(state__in=states, imported=False, simulated=False).order_by("title", "pk")
        self._campaigns = {campaign.name: campaign for campaign in takes}
        presets = [
            (f"{NEW}{key}{BETWEEN}{preset}", f"{protocol.title}: {chosen.title}")
            for key, protocol in PROTOCOLS.items()
            for preset, chosen in protocol.presets.items()
        ]
        there = [
            (name, f"{campaign.title} ({protocol_of(campaign).title.lower()}, {campaign.get_state_display()})")
            for name, campaign in self._campaigns.items()
        ]
        choices = [("A new draft", presets), *([("A campaign of yours", there)] if there else [])]
        self.fields["to"].choices = choices  # type: ignore[attr-defined]
        self.fields["beside"].queryset = runs.filter(task=run.task)  # type: ignore[attr-defined]
        if not run.summary.get("set_aside", {}).get("count"):
            del self.fields["set_aside"]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("to") and self._asked_by(given["to"]) != PREFERENCE and given.get("beside"):
            self.add_error("beside", "Only a preference campaign shows texts of two runs side by side.")
        return given

    def _asked_by(self, to: str) -> str:
        return to.removeprefix(NEW).partition(BETWEEN)[0] if to.startswith(NEW) else self._campaigns[to].protocol

    @property
    def wanted(self) -> Sending:
        """What was asked for."""
        given = self.cleaned_data
        how: dict[str, Any] = {name: given[name] for name in ("originals", "beside", "set_aside") if given.get(name)}
        if not given["to"].startswith(NEW):
            return Sending(campaign=self._campaigns[given["to"]], **how)
        protocol, _, preset = given["to"].removeprefix(NEW).partition(BETWEEN)
        title = given["title"] or f"{self.run.name}: {PROTOCOLS[protocol].title.lower()}"
        name = name_for(title[:70], besides=RESERVED_NAMES) or f"run-{self.run.pk}"
        return Sending(name=name, title=title[:160], protocol=protocol, preset=preset, **how)

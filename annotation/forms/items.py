"""Looking through a campaign's items: what can be asked for, and nothing else."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.models import Campaign, Item, Membership
from annotation.queries.items import STATES, Filters, makers_and_tasks

LARGEST = 2**31 - 1


class ItemFilterForm(forms.Form):
    """Filters of the items page, from the address."""

    show = forms.ChoiceField(required=False)
    q = forms.CharField(label="Text contains", required=False, max_length=200, strip=False)
    label = forms.ChoiceField(label="Decided as", required=False)
    made_by = forms.ChoiceField(label="Made by", required=False)
    task = forms.ChoiceField(label="Task", required=False)
    use = forms.ChoiceField(label="Used for", required=False)
    annotator = forms.ChoiceField(label="Answered by", required=False)
    answers = forms.IntegerField(label="Number of answers", required=False, min_value=0, max_value=1000)
    first = forms.IntegerField(label="From number", required=False, min_value=1, max_value=LARGEST)
    last = forms.IntegerField(label="To number", required=False, min_value=1, max_value=LARGEST)
    after = forms.IntegerField(required=False, min_value=0, max_value=LARGEST)
    before = forms.IntegerField(required=False, min_value=0, max_value=LARGEST)

    CHOSEN = ("show", "label", "made_by", "task", "use", "annotator")
    """A value of these that is not offered is an address that does not exist, not a mistake in typing."""
    PLACES = ("after", "before")

    def __init__(self, campaign: Campaign, data: Any) -> None:
        super().__init__(data)
        self._labels = {label.key: label for label in sorted(campaign.labels.all(), key=lambda label: label.value)}
        members = Membership.objects.filter(campaign=campaign, role=Membership.Role.ANNOTATOR)
        members = members.exclude(state=Membership.State.WITHDRAWN).select_related("user").order_by("joined_at", "pk")
        self._members = {str(member.pk): member for member in members}
        makers, tasks = makers_and_tasks(campaign)
        self._offer("show", {key: title for key, (title, _) in STATES.items()})
        self._offer("label", {key: label.name for key, label in self._labels.items()})
        self._offer("made_by", {maker: maker for maker in makers})
        self._offer("task", {task: task for task in tasks})
        self._offer("use", dict(Item.Use.choices))
        self._offer("annotator", {key: member.user.username for key, member in self._members.items()})

    def _offer(self, field: str, choices: dict[str, str]) -> None:
        self.fields[field].choices = [("", "any"), *choices.items()]  # type: ignore[attr-defined]

    @property
    def has_wrong_choice(self) -> bool:
        return any(field in self.errors for field in (*self.CHOSEN, *self.PLACES))

    @property
    def offered(self) -> list[forms.BoundField]:
        """The fields that the page shows: a choice of one thing is none."""
        hidden = ("show", *self.PLACES)
        return [field for field in self if field.name not in hidden and len(getattr(field.field, "choices", "any")) > 2]

    @property
    def member(self) -> Membership | None:
        """Whose answers are asked for."""
        return self._members.get(self.cleaned_data["annotator"])

    def filters(self) -> Filters:
        chosen = self.cleaned_data
        return Filters(
            label=self._labels.get(chosen["label"]),
            made_by=chosen["made_by"],
            task=chosen["task"],
            use=chosen["use"],
            annotator=self.member,
            answers=chosen["answers"],
            first=chosen["first"],
            last=chosen["last"],
            text=chosen["q"],
        )

    def given(self) -> dict[str, str]:
        """What was asked for, without the place in the list: the rest of every link to another page of it."""
        return {
            name: str(value) for name, value in self.data.items() if name in self.fields and value and name not in self.PLACES
        }

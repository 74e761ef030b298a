"""The forms that bring what attacks need: tasks and victims, uploaded or trained here."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from django import forms

from annotation.errors import DomainError
from annotation.exchange.attack_files import MOST_BYTES_OF_A_TASK, MOST_BYTES_OF_A_VICTIM
from annotation.models import Task
from annotation.services.attacking import LONGEST, check_name

from .models import LARGEST_SEED

TRAINED_HERE = {"linear": "linear: TF-IDF of words and word pairs, logistic regression", "bilstm": "BiLSTM"}
"""Kinds of victims that a page can have trained; others need a base model of the machine, or an address."""


class NameField(forms.CharField):
    """A name that nothing of its kind has yet; empty is allowed where something else gives one."""

    def __init__(self, what: str, **more: Any) -> None:
        super().__init__(label="Name", max_length=LONGEST[what], required=False, **more)
        self.what = what

    def clean(self, value: str) -> str:
        name: str = super().clean(value)
        return checked(self.what, name) if name else ""


def checked(what: str, name: str) -> str:
    """The name, or why no task, victim or attack run can have it."""
    try:
        check_name(what, name)
    except DomainError as refused:
        raise forms.ValidationError(str(refused)) from refused
    return name


class TaskChoice(forms.ModelChoiceField):
    """Tasks by name, with how many texts there are to attack."""

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.name} ({sum(obj.counts['attack']):,} texts to attack)"


class _UploadForm(forms.Form):
    """A folder as a zip file, and what it is to be called."""

    what: str
    file: forms.FileField
    name: NameField

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("file") and given.get("name") == "":
            try:
                given["name"] = checked(self.what, PurePosixPath(given["file"].name).stem)
            except forms.ValidationError as refused:
                self.add_error("name", refused)
        return given


def _zip_field(what: str, most: int) -> forms.FileField:
    return forms.FileField(
        label=f"{what} folder, as a zip file",
        widget=forms.FileInput(attrs={"accept": ".zip"}),
        help_text=f"At most {most // 1_000_000:,} MB.",
    )


class UploadTaskForm(_UploadForm):
    what = "task"
    file = _zip_field("Task", MOST_BYTES_OF_A_TASK)
    name = NameField("task", help_text="Empty: the file's name.")


class UploadVictimForm(_UploadForm):
    what = "victim"
    file = _zip_field("Victim", MOST_BYTES_OF_A_VICTIM)
    name = NameField("victim", help_text="Empty: the file's name.")


class TrainVictimForm(forms.Form):
    """A victim of a kind, trained on a task."""

    task = TaskChoice(queryset=Task.objects.order_by("name"), label="Task", to_field_name="name", empty_label=None)
    kind = forms.ChoiceField(label="Kind of victim", choices=TRAINED_HERE.items())
    seed = forms.IntegerField(label="Seed", min_value=0, max_value=LARGEST_SEED, initial=0)
    name = NameField("victim", help_text="Empty: task and kind.")

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("name") == "" and given.get("task") and given.get("kind"):
            try:
                given["name"] = checked("victim", f"{given['task']}-{given['kind']}")
            except forms.ValidationError as refused:
                self.add_error("name", refused)
        return given

    @property
    def arguments(self) -> dict[str, Any]:
        """What the job is told."""
        given = self.cleaned_data
        return {"task": given["task"].name, "kind": given["kind"], "seed": given["seed"], "name": given["name"]}

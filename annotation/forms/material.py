"""The forms that bring what attacks need: tasks and victims, uploaded, trained here, or behind an address."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from django import forms

from annotation.errors import DomainError
from annotation.exchange.attack_files import MOST_BYTES_OF_A_TASK, MOST_BYTES_OF_A_VICTIM
from annotation.models import Task
from annotation.services.attacking import LONGEST, check_name
from annotation.services.places import model_folders
from annotation.services.service_victims import check_service

from .choosable import attackers
from .models import LARGEST_SEED
from .parameters import ParametersForm, refetching

TRAINED_HERE = {
    "linear": "linear: TF-IDF of words and word pairs, logistic regression",
    "bilstm": "BiLSTM",
    "transformer": "Transformer, fine-tuned",
}
FORMATS = {"probabilities": "probabilities: two for each text", "huggingface": "Hugging Face: labels with scores"}
ADVERSARY, DRAWN, MOST_TEXTS = "textattack:deepwordbug", 1_000, 1_000_000
"""Who attacks for adversarial training, and on how many texts, unless it is said."""


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


class TrainVictimForm(ParametersForm):
    """A victim of a kind, trained on a task."""

    task = TaskChoice(queryset=Task.objects.order_by("name"), label="Task", to_field_name="name", empty_label=None)
    kind = forms.ChoiceField(
        label="Kind of victim",
        choices=TRAINED_HERE.items(),
        widget=forms.Select(attrs=refetching("train_victim", "kind-settings")),
    )
    base = forms.ChoiceField(label="Pretrained Transformer to start from", required=False)
    adversarial = forms.BooleanField(
        label="Adversarial training",
        required=False,
        help_text="The victim is attacked on its training texts, and trained anew on what misled it as well.",
    )
    adversary = forms.ChoiceField(label="Attacked by", required=False)
    adversary_texts = forms.IntegerField(
        label="Training texts", required=False, min_value=1, max_value=MOST_TEXTS, help_text=f"Drawn. Empty: {DRAWN:,}."
    )
    adversary_budget = forms.IntegerField(
        label="Queries per text", required=False, min_value=2, max_value=MOST_TEXTS, help_text="At most. Empty: no limit."
    )
    seed = forms.IntegerField(label="Seed", min_value=0, max_value=LARGEST_SEED, initial=0)
    name = NameField("victim", help_text="Empty: task and kind.")

    def __init__(self, given: Any = None, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(given, initial={"adversary": ADVERSARY, **(initial or {})})
        self.fields["base"].choices = [("", "embedded MiniLM"), *((name, name) for name in model_folders())]  # type: ignore[attr-defined]
        here = [(each.name, each.name) for each in attackers() if not each.missing]
        self.fields["adversary"].choices = here  # type: ignore[attr-defined]
        self.ask_for(self.chosen, _parameters_of(self.chosen))

    @property
    def chosen(self) -> str:
        """The kind whose parameters are asked for: the one that was chosen, else the first."""
        said = self["kind"].value()
        return said if said in TRAINED_HERE else next(iter(TRAINED_HERE))

    @property
    def starts_from_a_base(self) -> bool:
        return self.chosen == "transformer"

    @property
    def hardens(self) -> bool:
        """Whether adversarial training is asked for, or was to be."""
        return any(self[name].errors or self[name].value() for name in ("adversarial", "adversary_texts", "adversary_budget"))

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        given["parameters"] = self.parameters(lambda **how: None)
        if given.get("base") and given.get("kind") != "transformer":
            given["base"] = ""
        if not given.get("adversarial") and (given.get("adversary_texts") or given.get("adversary_budget")):
            self.add_error("adversarial", "Tick this, or leave empty what is asked about it.")
        if given.get("name") == "" and given.get("task") and given.get("kind"):
            try:
                hard = "-adversarial" if given.get("adversarial") else ""
                given["name"] = checked("victim", f"{given['task']}-{given['kind']}{hard}")
            except forms.ValidationError as refused:
                self.add_error("name", refused)
        return given

    @property
    def arguments(self) -> dict[str, Any]:
        """What the job is told."""
        given = self.cleaned_data
        adversary = {
            "attacker": given["adversary"] or ADVERSARY,
            "texts": given["adversary_texts"] or DRAWN,
            "budget": given["adversary_budget"],
        }
        same = {name: given[name] for name in ("kind", "seed", "name", "parameters", "base")}
        return {"task": given["task"].name, **same, "adversary": adversary if given["adversarial"] else None}


def _parameters_of(kind: str) -> dict[str, Any]:
    """Without the base, which is chosen from what lies on the server."""
    from attacks.victims.training import parameters_of

    return {name: default for name, default in parameters_of(kind).items() if name != "base"}


class ServiceVictimForm(forms.Form):
    """A victim that somebody else runs, behind an HTTP address."""

    address = forms.CharField(label="Address", max_length=300, widget=forms.TextInput(attrs={"inputmode": "url"}),
                              help_text="Asked by POST, for instance https://models.example.org/predict")  # fmt: skip
    model = forms.CharField(
        label="Its model", max_length=120, help_text="What runs there cannot be seen: give another model another name."
    )
    format = forms.ChoiceField(label="Format", choices=FORMATS.items())
    credible = forms.CharField(label="Its label for credible", max_length=80, initial="LABEL_0")
    non_credible = forms.CharField(label="Its label for non-credible", max_length=80, initial="LABEL_1")
    batch = forms.IntegerField(label="Texts per request", min_value=1, max_value=1_000, initial=32, help_text="At most.")
    per_minute = forms.IntegerField(
        label="Requests per minute", min_value=0, max_value=100_000, initial=0, help_text="At most. 0: no limit."
    )
    timeout = forms.IntegerField(label="Seconds to wait", min_value=1, max_value=600, initial=60, help_text="For an answer.")
    attempts = forms.IntegerField(label="Attempts", min_value=1, max_value=10, initial=5, help_text="Before it counts as down.")
    key_header = forms.RegexField(
        r"^[A-Za-z][A-Za-z0-9-]*$",
        label="Header for the key",
        max_length=60,
        required=False,
        help_text="Empty: none is sent. Authorization: as a bearer token. The key is the server's PASSABLE_VICTIM_KEY, and goes "
        "only to hosts that PASSABLE_VICTIM_HOSTS names.",
    )
    name = NameField("victim", help_text="Empty: that of its model.")

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("address") and "key_header" in given:
            try:
                check_service(given["address"], given["key_header"])
            except DomainError as refused:
                self.add_error("address", str(refused))
        if given.get("credible") and given["credible"] == given.get("non_credible"):
            self.add_error("non_credible", "The two labels must be different.")
        if given.get("name") == "" and given.get("model"):
            try:
                given["name"] = checked("victim", given["model"])
            except forms.ValidationError as refused:
                self.add_error("name", refused)
        return given

    @property
    def arguments(self) -> dict[str, Any]:
        """What the job is told."""
        given = self.cleaned_data
        same = ("address", "model", "format", "batch", "per_minute", "timeout", "attempts", "key_header")
        labels = [given["credible"], given["non_credible"]]
        return {"name": given["name"], "description": {**{name: given[name] for name in same}, "labels": labels}}

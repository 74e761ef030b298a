"""The forms about attacks: starting a run; bringing a task or a victim; training a victim; looking through a run's texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from django import forms
from django.conf import settings

from annotation.errors import DomainError
from annotation.exchange.attack_files import MOST_BYTES_OF_A_TASK, MOST_BYTES_OF_A_VICTIM
from annotation.exchange.model_cards import LARGEST_END
from annotation.models import AttackRun, LearnedModel, Task, User, Victim
from annotation.queries.lists import models_seen_by
from annotation.queries.outcomes import ORDERS, STATUSES, Wanted
from annotation.services.attacking import LONGEST, MOST_PARTS, AttackWanted, check_name
from attacks.names import victim_name

from .models import LARGEST_SEED

MOST = 1_000_000
LARGEST = 2**31 - 1
SCENARIOS = {
    "untargeted": "untargeted: away from whatever the victim answers",
    "targeted": "targeted: only non-credible texts that the victim recognises",
}
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


@dataclass(frozen=True, slots=True)
class Choosable:
    """An attacker of the library: where it is from, its settings with their defaults, and what it lacks here."""

    name: str
    unit: str
    source: str
    settings: Mapping[str, Any]
    missing: list[str]


def attackers() -> list[Choosable]:
    """All of them, those that can be chosen and those that cannot."""
    from attacks.attackers import ATTACKERS
    from attacks.resources import Resources

    here = Resources.at(**settings.ATTACK_RESOURCES)
    return [
        Choosable(
            name=name,
            unit=maker.unit,
            source=maker.source,
            settings=dict(maker.parameters()),
            missing=[f"{need.name}: {_as_setting(lacks)}" for need in maker.needs if (lacks := need.missing(here))],
        )
        for name, maker in ATTACKERS.items()
    ]


def _as_setting(lacks: str) -> str:
    """What is missing, with the server's settings in place of the options of the command line."""
    return re.sub(r"--([a-z-]+)( [A-Z|]+)?", lambda option: f"the setting ATTACK_{option[1].upper().replace('-', '_')}", lacks)


class TaskChoice(forms.ModelChoiceField):
    """Tasks by name, with how many texts there are to attack."""

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.name} ({sum(obj.counts['attack']):,} texts to attack)"


class VictimChoice(forms.ModelChoiceField):
    """Victims by name, with what they are."""

    def label_from_instance(self, obj: Any) -> str:
        trained = f", trained on {obj.trained_on}" if obj.trained_on else ""
        return f"{obj.name} ({victim_name(obj.kind)}{trained})"


class StartAttackForm(forms.Form):
    """An attack run: what is attacked, by whom, and how."""

    task = TaskChoice(queryset=Task.objects.order_by("name"), label="Task", to_field_name="name", empty_label=None)
    victim = VictimChoice(queryset=Victim.objects.order_by("name"), label="Victim", to_field_name="name", empty_label=None)
    attacker = forms.ChoiceField(label="Attacker")
    parameters = forms.CharField(
        label="Settings of the attacker",
        max_length=2_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
        help_text="NAME=VALUE, one a line. Empty: as its paper has them.",
    )
    scenario = forms.ChoiceField(label="Scenario", choices=SCENARIOS.items())
    texts = forms.IntegerField(
        label="Texts", required=False, min_value=1, max_value=MOST, help_text="The first so many. Empty: all."
    )
    budget = forms.IntegerField(
        label="Queries per text", required=False, min_value=2, max_value=MOST, help_text="At most. Empty: no limit."
    )
    seed = forms.IntegerField(label="Seed", min_value=0, max_value=LARGEST_SEED, help_text="The same seed attacks the same way.")
    model = forms.ModelChoiceField(
        queryset=LearnedModel.objects.none(),
        label="Suspicion model",
        required=False,
        to_field_name="name",
        empty_label="none",
        help_text="It says how suspicious the changed texts look.",
    )
    tau = forms.FloatField(
        label="Suspicion at most",
        required=False,
        min_value=-LARGEST_END,
        max_value=LARGEST_END,
        help_text="The attack then keeps to it at every step. Empty: the model is only asked afterwards.",
    )
    parts = forms.IntegerField(label="Parts", min_value=1, max_value=MOST_PARTS, help_text="So many workers may share the texts.")
    name = NameField("attack run", help_text="Empty: task, victim and attacker.")

    def __init__(self, user: User, given: Any = None, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(given, initial={"seed": 0, "parts": 1, **(initial or {})})
        self.attackers = attackers()
        here = [each for each in self.attackers if not each.missing]
        units: dict[str, list[tuple[str, str]]] = {}
        for each in here:
            units.setdefault(each.unit.capitalize(), []).append((each.name, each.name))
        self.fields["attacker"].choices = list(units.items())  # type: ignore[attr-defined]
        suspicion = models_seen_by(user).filter(kind=LearnedModel.Kind.SUSPICION)
        self.fields["model"].queryset = suspicion  # type: ignore[attr-defined]
        self.fields["model"].label_from_instance = lambda model: model.name  # type: ignore[attr-defined]

    @property
    def lacking(self) -> list[Choosable]:
        """The attackers that cannot be chosen."""
        return [each for each in self.attackers if each.missing]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        model, tau = given.get("model"), given.get("tau")
        if tau is not None and model is None and "model" not in self.errors:
            self.add_error("model", "Choose the model whose predictions are to be held to the limit.")
        if tau is not None and model is not None:
            low, high = model.card["data"]["scale"]
            if not low <= tau <= high:
                self.add_error("tau", f"The model says something from {low:g} to {high:g}; choose a limit in between.")
        if given.get("attacker") and "parameters" in given:
            given["parameters"] = self._parameters(given["attacker"], given["parameters"])
        if given.get("name") == "" and not self.errors:
            given["name"] = _free_name(f"{given['task']}-{given['victim']}-{given['attacker']}{'' if tau is None else '-held'}")
        return given

    def _parameters(self, attacker: str, said: str) -> dict[str, Any]:
        from attacks.commands import settings_of
        from attacks.errors import AttackError

        known = next(each.settings for each in self.attackers if each.name == attacker)
        try:
            return settings_of([line.strip() for line in said.splitlines() if line.strip()], dict(known))
        except AttackError as refused:
            self.add_error("parameters", str(refused).removeprefix("--set "))
            return {}

    @property
    def wanted(self) -> AttackWanted:
        """What the job is told."""
        given = self.cleaned_data
        return AttackWanted(
            name=given["name"],
            task=given["task"].name,
            victim=given["victim"].name,
            attacker=given["attacker"],
            parameters=given["parameters"],
            targeted=given["scenario"] == "targeted",
            budget=given["budget"],
            seed=given["seed"],
            texts=given["texts"],
            model=given["model"].name if given["model"] else None,
            tau=given["tau"],
            parts=given["parts"],
        )


def _free_name(name: str) -> str:
    """The name, or with a number after it the first that no run has."""
    name = name.replace("/", "-")[: LONGEST["attack run"] - 5]
    taken = set(AttackRun.objects.filter(name__startswith=name).values_list("name", flat=True))
    return next(each for number in range(1, len(taken) + 2) if (each := name if number == 1 else f"{name}-{number}") not in taken)


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


class OutcomeFilterForm(forms.Form):
    """Filters and order of a run's texts, from the address."""

    show = forms.ChoiceField(required=False)
    q = forms.CharField(label="Text contains", required=False, max_length=200, strip=False)
    order = forms.ChoiceField(label="In order of", required=False)
    by = forms.ChoiceField(label="Suspicion by", required=False)
    page = forms.IntegerField(required=False, min_value=1, max_value=LARGEST)

    def __init__(self, models: Iterable[LearnedModel], data: Any) -> None:
        super().__init__(data)
        self.models = {str(model.pk): model for model in models}
        self.fields["show"].choices = [("", "any"), *STATUSES.items()]  # type: ignore[attr-defined]
        orders = {key: title for key, (title, _) in ORDERS.items()}
        self.fields["order"].choices = [("", orders.pop("number")), *orders.items()]  # type: ignore[attr-defined]
        self.fields["by"].choices = [(key, model.name) for key, model in self.models.items()]  # type: ignore[attr-defined]

    @property
    def has_wrong_choice(self) -> bool:
        """Whether the address names something that is not offered."""
        return any(name in self.errors for name in ("show", "order", "by", "page"))

    @property
    def offered(self) -> list[forms.BoundField]:
        """The fields that the page shows: a choice of one thing is none."""
        return [self["q"], self["order"], *([self["by"]] if len(self.models) > 1 else [])]

    @property
    def model(self) -> LearnedModel | None:
        """Whose predictions are shown: the one asked for, else the first."""
        return self.models.get(self.cleaned_data["by"]) or next(iter(self.models.values()), None)

    @property
    def wanted(self) -> Wanted:
        given = self.cleaned_data
        return Wanted(status=given["show"], text=given["q"], order=given["order"] or "number", model=self.model)

    def given(self) -> dict[str, str]:
        """What was asked for, without the place in the list."""
        return {name: value for name, value in self.data.items() if name in self.fields and value and name != "page"}

"""The form that starts an attack run: what is attacked, by whom, how, and what the changed texts must be besides misleading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.db.models import Manager

from annotation.exchange.model_cards import LARGEST_END
from annotation.models import AttackRun, LearnedModel, Task, User, Victim
from annotation.queries.lists import models_seen_by
from annotation.services.attacking import LONGEST, MOST_PARTS, AttackWanted
from annotation.services.places import model_folders
from attacks.names import victim_name

from .choosable import Choosable, attackers
from .material import NameField, TaskChoice
from .models import LARGEST_SEED
from .parameters import ParametersForm, refetching

MOST = 1_000_000
SCENARIOS = {
    "untargeted": "untargeted: away from whatever the victim answers",
    "targeted": "targeted: only non-credible texts that the victim recognises",
}
RULES = {"tau": "at most", "margin": "above its original's at most", "observe": "refuse nothing"}
"""How a suspicion model may hold an attack: one of these fields."""
PART_OF = {**dict.fromkeys(RULES, "model"), "preserved": "meaning", "f1": "bertscore"}
"""Fields of a constraint that mean nothing without another."""
SUSPICION = ("model", *RULES)
OTHER_CONSTRAINTS = (
    "meaning", "preserved", "bertscore", "f1", "similarity", "character", "words_changed", "keep_numbers",
    "keep_names", "keep_words", "part_of_speech",
)  # fmt: skip
MORE = ("parts", "name")


class VictimChoice(forms.ModelChoiceField):
    """Victims by name, with what they are."""

    def label_from_instance(self, obj: Any) -> str:
        trained = f", trained on {obj.trained_on}" if obj.trained_on else ""
        return f"{obj.name} ({victim_name(obj.kind)}{trained})"


class ModelChoice(forms.ModelChoiceField):
    """A learned model by its name, or none."""

    def __init__(self, label: str, **more: Any) -> None:
        none = LearnedModel.objects.none()
        super().__init__(none, label=label, required=False, to_field_name="name", empty_label="none", **more)

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.name} (simulated)" if obj.simulated else str(obj.name)


def _limit(label: str, low: float, high: float, help_text: str = "") -> forms.FloatField:
    return forms.FloatField(label=label, required=False, min_value=low, max_value=high, help_text=help_text)


class AttackForm(ParametersForm):
    """What is attacked, by whom, and how."""

    task = TaskChoice(queryset=Task.objects.order_by("name"), label="Task", to_field_name="name", empty_label=None)
    victim = VictimChoice(queryset=Victim.objects.order_by("name"), label="Victim", to_field_name="name", empty_label=None)
    attacker = forms.ChoiceField(
        label="Attacker",
        widget=forms.Select(attrs=refetching("start_attack", "attacker-settings")),
    )
    scenario = forms.ChoiceField(label="Scenario", choices=SCENARIOS.items())
    texts = forms.IntegerField(
        label="Texts", required=False, min_value=1, max_value=MOST, help_text="The first so many. Empty: all."
    )
    budget = forms.IntegerField(
        label="Queries per text", required=False, min_value=2, max_value=MOST, help_text="At most. Empty: no limit."
    )
    seed = forms.IntegerField(label="Seed", min_value=0, max_value=LARGEST_SEED, help_text="The same seed attacks the same way.")

    defaults: Mapping[str, Any] = {"seed": 0}

    def __init__(self, given: Any = None, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(given, initial={**self.defaults, **(initial or {})})
        self.attackers = attackers()
        units: dict[str, list[tuple[str, str]]] = {}
        for each in self._here.values():
            units.setdefault(each.unit.capitalize(), []).append((each.name, each.name))
        self.fields["attacker"].choices = list(units.items())  # type: ignore[attr-defined]
        self.ask_for(self.chosen.name, self.chosen.settings)

    @property
    def _here(self) -> dict[str, Choosable]:
        return {each.name: each for each in self.attackers if not each.missing}

    @property
    def chosen(self) -> Choosable:
        """The attacker whose parameters are asked for: the one that was chosen, else the first."""
        said = self["attacker"].value()
        return self._here.get(said) or next(iter(self._here.values()))

    @property
    def lacking(self) -> list[Choosable]:
        """The attackers that cannot be chosen."""
        return [each for each in self.attackers if each.missing]

    def clean(self) -> dict[str, Any]:
        from attacks.attackers import make_attacker
        from attacks.resources import Resources

        given = super().clean() or {}
        if "attacker" in given:
            here = Resources.at(**settings.ATTACK_RESOURCES)
            given["parameters"] = self.parameters(lambda **how: make_attacker(given["attacker"], here, **how))
        return given

    def attack(self, name: str, **more: Any) -> AttackWanted:
        """The attack that was asked for, under that name; `more` is what not every form asks for."""
        given = self.cleaned_data
        return AttackWanted(
            name=name,
            task=given["task"].name,
            victim=given["victim"].name,
            attacker=given["attacker"],
            parameters=given["parameters"],
            targeted=given["scenario"] == "targeted",
            budget=given["budget"],
            seed=given["seed"],
            texts=given["texts"],
            **more,
        )


class ConstrainedForm(AttackForm):
    """An attack, a suspicion model, and what the changed texts must be besides misleading and unsuspicious."""

    model = ModelChoice("Suspicion model", help_text="It says how suspicious the changed texts look.")
    meaning = ModelChoice("Meaning model", help_text="It says how likely people find that the meaning is kept.")
    preserved = _limit("Chance of “preserved” at least", 0, 1, "Empty: 0.5.")
    bertscore = forms.ChoiceField(label="Encoder for BERTScore", required=False)
    f1 = _limit("F1 of BERTScore at least", -1, 1, "Empty: 0.9.")
    similarity = _limit("Cosine of sentences at least", -1, 1, "By the embedded encoder.")
    character = _limit("Character score at least", 0, 1, "1: nothing changed.")
    words_changed = _limit("Share of words changed at most", 0, 1)
    keep_numbers = forms.BooleanField(label="Keep numbers", required=False)
    keep_names = forms.BooleanField(label="Keep names", required=False)
    part_of_speech = forms.BooleanField(
        label="Keep parts of speech",
        required=False,
        help_text="A word only where one stood that can be the same part of speech. A misspelt word is none.",
    )
    keep_words = forms.CharField(
        label="Words to keep", required=False, max_length=2_000, help_text="With commas between them."
    )  # fmt: skip

    asked_constraints: ClassVar[Sequence[str]] = OTHER_CONSTRAINTS

    def __init__(self, user: User, given: Any = None, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(given, initial=initial)
        for field, kind in (("model", LearnedModel.Kind.SUSPICION), ("meaning", LearnedModel.Kind.MEANING)):
            self.fields[field].queryset = models_seen_by(user).filter(kind=kind)  # type: ignore[attr-defined]
        self.fields["bertscore"].choices = [("", "none"), *((name, name) for name in model_folders())]  # type: ignore[attr-defined]

    @property
    def offered_models(self) -> dict[str, bool]:
        """Whether there is anything to choose in each field of a model."""
        there = {name: self.fields[name].queryset.exists() for name in ("model", "meaning")}  # type: ignore[attr-defined]
        return there | {"bertscore": len(self.fields["bertscore"].choices) > 1}  # type: ignore[attr-defined]

    @property
    def constrained(self) -> bool:
        """Whether a constraint is asked for, or was to be."""
        return any(self[name].errors or self[name].value() for name in self.asked_constraints)

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        for part, whole in PART_OF.items():
            if part in self.fields and _is_asked(given.get(part)) and not given.get(whole) and not self.has_error(whole):
                self.add_error(whole, f"Choose one: “{self.fields[part].label}” says nothing without it.")
        return given


class StartAttackForm(ConstrainedForm):
    """An attack run, and what the changed texts must be besides misleading."""

    tau = _limit("Suspicion at most", -LARGEST_END, LARGEST_END, "Or the original's own, where that is higher.")
    margin = _limit("Or: above the original's by at most", 0, LARGEST_END)
    observe = forms.BooleanField(
        label="Or: refuse nothing, keep the score of every step",
        required=False,
        help_text="What limits would have done can then be told without another run.",
    )
    parts = forms.IntegerField(label="Parts", min_value=1, max_value=MOST_PARTS, help_text="So many workers may share the texts.")
    name = NameField("attack run", help_text="Empty: task, victim and attacker.")

    defaults: Mapping[str, Any] = {"seed": 0, "parts": 1}

    asked_constraints = (*SUSPICION, *OTHER_CONSTRAINTS)

    @property
    def more(self) -> bool:
        """Whether what is seldom asked for was."""
        return any(self[name].errors or self[name].value() not in (None, "", self.defaults.get(name)) for name in MORE)

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        self._check_rules(given)
        if given.get("name") == "" and not self.errors:
            held = any(given.get(rule) not in (None, False) for rule in ("tau", "margin"))
            given["name"] = free_name(f"{given['task']}-{given['victim']}-{given['attacker']}{'-held' if held else ''}")
        return given

    def _check_rules(self, given: Mapping[str, Any]) -> None:
        rules = [rule for rule in RULES if _is_asked(given.get(rule))]
        for rule in rules[1:]:
            self.add_error(rule, "The suspicion model holds an attack by one rule. Choose between them.")
        model, tau = given.get("model"), given.get("tau")
        if tau is not None and model is not None:
            low, high = model.card["data"]["scale"]
            if not low <= tau <= high:
                self.add_error("tau", f"The model says something from {low:g} to {high:g}; choose a limit in between.")

    @property
    def wanted(self) -> AttackWanted:
        """What the job is told."""
        given = self.cleaned_data
        return self.attack(
            given["name"],
            model=given["model"].name if given["model"] else None,
            constraints=constraints_of(given),
            parts=given["parts"],
        )


def _is_asked(value: Any) -> bool:
    return value not in (None, False, "")


def constraints_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of `attacks.constraints.wanted.WANTED` that were asked for; models by their names, encoders by their folders'."""
    same = ("tau", "margin", "observe", "preserved", "bertscore", "f1", "similarity", "character", "words_changed",
            "keep_words", "part_of_speech")  # fmt: skip
    found = {name: given[name] for name in same if _is_asked(given.get(name))}
    if kept := [kind for kind in ("numbers", "names") if given[f"keep_{kind}"]]:
        found["keep"] = ",".join(kept)
    if not found.keys().isdisjoint(RULES):
        found["suspicion"] = given["model"].name
    if given["meaning"]:
        found["meaning"] = given["meaning"].name
    return found


def free_name(name: str, rows: Manager[Any] | None = None, *, longest: int = LONGEST["attack run"]) -> str:
    """The name, or with a number after it the first that none of the rows, by default of attack runs, has."""
    name = name.replace("/", "-")[: longest - 5]
    taken = set((rows or AttackRun.objects).filter(name__startswith=name).values_list("name", flat=True))
    return next(each for number in range(1, len(taken) + 2) if (each := name if number == 1 else f"{name}-{number}") not in taken)

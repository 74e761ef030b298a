"""Fields for the parameters of attackers and of kinds of victims, made of their names and defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.urls import reverse_lazy

from attacks.errors import AttackError

LARGEST = 10**9
LONGEST = 200
YES_NO = (("true", "yes"), ("false", "no"))


def refetching(address: str, part: str) -> dict[str, Any]:
    """Attributes of the choice between things that have parameters: those of the one that is chosen are fetched into the part of
    the page with this id. Without a script, a button does it."""
    return {
        "hx-post": reverse_lazy(address),
        "hx-vals": '{"show": "yes"}',
        "hx-target": f"#{part}",
        "hx-select": f"#{part}",
        "hx-swap": "outerHTML",
    }


class ParametersForm(forms.Form):
    """A form that asks for the parameters of one thing of several: what was entered for another is not looked at."""

    def ask_for(self, whose: str, defaults: Mapping[str, Any]) -> None:
        """Add a field for each of the parameters; left empty, it is the default."""
        self._whose, self._defaults = whose, dict(defaults)
        for name, default in defaults.items():
            self.fields[self._field(name)] = _field_for(name, default)

    @property
    def parameter_fields(self) -> list[forms.BoundField]:
        return [self[self._field(name)] for name in self._defaults]

    @property
    def parameters_given(self) -> bool:
        """Whether one of them is, or was meant to be, another than its default."""
        return any(field.errors or str(field.value()) != str(field.initial) for field in self.parameter_fields)

    def parameters(self, make: Callable[..., object]) -> dict[str, Any]:
        """Those that are not as by default. What `make`, which takes them by name, refuses is told at the field."""
        cleaned = {name: self.cleaned_data.get(self._field(name)) for name in self._defaults}
        known = {name: _typed(value, self._defaults[name]) for name, value in cleaned.items() if value not in (None, "")}
        given = {name: value for name, value in known.items() if value != self._defaults[name]}
        for name, value in given.items():
            self._try(make, {name: value}, self._field(name))
        if not self.errors:
            self._try(make, given, None)
        return given

    def _try(self, make: Callable[..., object], parameters: Mapping[str, Any], field: str | None) -> None:
        try:
            make(**parameters)
        except AttackError as refused:
            self.add_error(field, str(refused))

    def _field(self, name: str) -> str:
        return f"{self._whose}.{name}"


def _field_for(name: str, default: Any) -> forms.Field:
    common: dict[str, Any] = {"label": name.replace("_", " "), "required": False, "initial": default}
    if isinstance(default, bool):
        return forms.ChoiceField(choices=YES_NO, **common | {"initial": str(default).lower()})
    if isinstance(default, int):
        return forms.IntegerField(min_value=-LARGEST, max_value=LARGEST, **common)
    if isinstance(default, float):
        return forms.FloatField(min_value=-LARGEST, max_value=LARGEST, **common)
    return forms.CharField(max_length=LONGEST, **common)


def _typed(value: Any, default: Any) -> Any:
    return value == "true" if isinstance(default, bool) else value

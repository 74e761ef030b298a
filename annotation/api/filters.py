"""Filters that take exactly what the schema says that they take."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django_filters import NumberFilter, TypedChoiceFilter
from drf_spectacular.utils import extend_schema_field

LARGEST = 2**31 - 1


class _Digits(forms.IntegerField):
    """Digits and nothing else: the form's own field would also take “1.0”."""

    re_decimal = re.compile(r"(?!)")


@extend_schema_field({"type": "integer", "minimum": 0, "maximum": LARGEST})
class WholeNumber(NumberFilter):
    """A number from 0."""

    field_class = _Digits

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, min_value=0, max_value=LARGEST, **kwargs)


@extend_schema_field({"type": "boolean"})
class YesOrNo(TypedChoiceFilter):
    """`true` or `false`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        choices = [("true", "true"), ("false", "false")]
        super().__init__(*args, choices=choices, coerce=lambda given: given == "true", **kwargs)

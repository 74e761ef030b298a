"""Reading what callers send: bodies of bounded size and depth, and values that every database can hold.

All values of a body are looked at before any field sees them: a refusal often quotes what it refuses, and not every text can be
quoted, nor every number be turned into a float.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from django import forms
from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.serializers import (
    BooleanField,
    CharField,
    Field,
    FloatField,
    IntegerField,
    Serializer,
    ValidationError,
)

from annotation.numbers import whole

from .problems import TooLarge

DEEPEST = 20
UNSTORABLE = "Text may hold neither NUL nor half of a surrogate pair."
LARGEST_NUMBER = 2**53
"""Beyond it, JSON numbers are not the same in every program."""
NESTED = (dict, list)
LONGEST_CHOICE = 200
"""Characters of what names one of several things."""
TOLD = 10
"""How many wrong values of one body are named."""
_unstorable = re.compile("[\0\ud800-\udfff]").search


class BoundedJSONParser(BaseParser):
    """JSON up to API_LARGEST_BODY bytes. The framework reads for its own class, and for those made of it, through `request.body`,
    which holds to the limit of pages instead."""

    media_type = JSONParser.media_type

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        length = whole(str((parser_context or {})["request"].META.get("CONTENT_LENGTH") or 0))
        if length is None or length > settings.API_LARGEST_BODY:
            raise TooLarge(f"The body may hold {settings.API_LARGEST_BODY:,} bytes. Send it in parts.")
        try:
            found = JSONParser().parse(stream, media_type, parser_context)
        except RecursionError as deep:
            raise ParseError("The JSON is nested too deeply.") from deep
        if wrong := {_pointer(place): said for place, said in islice(_wrong_in(found), TOLD)}:
            raise ValidationError(wrong)
        return found


class Body(Serializer[Any]):
    """What a call is sent. A name that is not known is refused: a misspelt one that is ignored would change something else."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping) and (unknown := sorted(set(data) - set(self.fields))):
            raise ValidationError({str(name)[:80]: "There is no such field." for name in unknown[:10]})
        return super().to_internal_value(data)


class Text(CharField):
    """A JSON string. The framework's own field would also take a number, and store something else than was sent."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(IntegerField):
    """A JSON number that is a whole one."""

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return super().to_internal_value(data)


class Number(FloatField):
    """A JSON number."""

    def to_internal_value(self, data: Any) -> float:
        if not isinstance(data, int | float) or isinstance(data, bool):
            self.fail("invalid")
        return super().to_internal_value(data)


class YesNo(BooleanField):
    """`true` or `false`."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


def as_json(field: forms.Field, *, required: bool = False) -> Field[Any, Any, Any, Any]:
    """What a page's form has as a field, as a value of a body. What can be left out may be null as well."""
    said = f"{field.label}. {field.help_text}".strip()
    how: dict[str, Any] = {"required": required, "allow_null": not required, "help_text": said}
    if isinstance(field, forms.BooleanField):
        return YesNo(**how)
    if isinstance(field, forms.IntegerField):
        how |= {"min_value": field.min_value, "max_value": field.max_value}
        return Number(**how) if isinstance(field, forms.FloatField) else Whole(**how)
    return Text(max_length=getattr(field, "max_length", None) or LONGEST_CHOICE, **how)


def _wrong_in(value: Any, depth: int = 0) -> Iterator[tuple[tuple[Any, ...], str]]:
    """What no database holds, wherever it stands in a value: the way there, and what is wrong. A name that cannot be
    stored could not be told either, so it ends the search."""
    if not isinstance(value, NESTED):
        if said := _wrong(value):
            yield (), said
    elif depth == DEEPEST:
        yield (), "This is nested too deeply."
    else:
        parts: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
        for name, below in parts:
            if isinstance(name, str) and _unstorable(name):
                raise ParseError(f"The name of a field is wrong. {UNSTORABLE}")
            # A body may hold millions of values, so only what holds others is gone into.
            if isinstance(below, NESTED):
                for place, said in _wrong_in(below, depth + 1):
                    yield (name, *place), said
            elif said := _wrong(below):
                yield (name,), said


def _wrong(value: Any) -> str:
    if isinstance(value, str):
        return UNSTORABLE if _unstorable(value) else ""
    return "" if value is None or -LARGEST_NUMBER <= value <= LARGEST_NUMBER else "A number must be finite and at most 2^53."


def _pointer(place: tuple[Any, ...]) -> str:
    return "/".join(str(name)[:80] for name in place) or "non_field_errors"

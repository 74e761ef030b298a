"""Reading what callers send: bodies of bounded size and depth, and values that every database can hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.serializers import (
    BooleanField,
    CharField,
    FloatField,
    IntegerField,
    JSONField,
    Serializer,
    ValidationError,
)

from .problems import TooLarge

DEEPEST = 20
UNSTORABLE = "Text may hold neither NUL nor half of a surrogate pair."
LARGEST_NUMBER = 2**53
"""Beyond it, JSON numbers are not the same in every program."""


class BoundedJSONParser(JSONParser):
    """JSON up to API_LARGEST_BODY bytes. The framework's own reads on until memory ends, past Django's limit."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        length = str((parser_context or {})["request"].META.get("CONTENT_LENGTH") or 0)
        if not length.isdecimal() or int(length) > settings.API_LARGEST_BODY:
            raise TooLarge(f"The body may hold {settings.API_LARGEST_BODY:,} bytes. Send it in parts.")
        try:
            found = super().parse(stream, media_type, parser_context)
        except RecursionError as deep:
            raise ParseError("The JSON is nested too deeply.") from deep
        if any(not storable(key) for key in _keys(found)):
            raise ParseError(f"The name of a field is wrong. {UNSTORABLE}")
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


class StorableJSON(JSONField):
    """JSON without what some database refuses: NUL, halves of surrogate pairs, numbers that are not finite or too large."""

    def to_internal_value(self, data: Any) -> Any:
        _check(data, 0)
        return super().to_internal_value(data)


def storable(text: str) -> bool:
    """Whether every database holds this text, and every answer that quotes it can be sent."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def _keys(value: Any) -> Iterator[str]:
    """The names of all fields of all objects."""
    level = [value]
    while level:
        below: list[Any] = []
        for each in level:
            if isinstance(each, dict):
                yield from each
                below += each.values()
            elif isinstance(each, list):
                below += each
        level = below


def _check(value: Any, depth: int) -> None:
    if depth > DEEPEST:
        raise ValidationError("This is nested too deeply.")
    if isinstance(value, str):
        if not storable(value):
            raise ValidationError(UNSTORABLE)
    elif isinstance(value, int | float) and not (math.isfinite(value) and abs(value) <= LARGEST_NUMBER):
        raise ValidationError("A number must be finite and at most 2^53.")
    elif isinstance(value, Mapping):
        for key, below in value.items():
            _check(key, depth + 1)
            _check(below, depth + 1)
    elif isinstance(value, list):
        for below in value:
            _check(below, depth + 1)

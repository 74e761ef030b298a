"""The question beside an item. It is the same for one item after the other, so it is rendered once for all that it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

register = template.Library()


@dataclass(frozen=True, slots=True)
class Button:
    """One answer that can be given: what it stores, and how it looks."""

    key: str
    value: str
    name: str
    definition: str


@dataclass(frozen=True, slots=True)
class Question:
    """All that the form of an answer says: what is asked, and what is chosen so far."""

    text: str
    buttons: tuple[Button, ...]
    scale: bool
    levels: tuple[str, ...]
    """Of confidence, from the lowest; empty where nobody is asked how sure they are."""
    may_comment: bool
    label: str
    confidence: str
    comment: str
    problem: str


@register.simple_tag(takes_context=True)
def question(context: Mapping[str, Any]) -> SafeString:
    """The fields of the answer to the page's claim."""
    settings, draft = context["campaign"].settings, context["claim"].draft
    return _rendered(
        Question(
            text=settings["question"],
            buttons=tuple(Button(option.key, option.label.key, option.name, option.definition) for option in context["options"]),
            scale=context["protocol"].scale,
            levels=tuple(settings["confidence_levels"]) if settings["confidence"] else (),
            may_comment=settings["comment"],
            label=draft.get("label", ""),
            confidence=draft.get("confidence", ""),
            comment=draft.get("comment", ""),
            problem=str(context.get("problem") or ""),
        )
    )


@lru_cache(maxsize=256)
def _rendered(question: Question) -> SafeString:
    return render_to_string("working/question.html", {"question": question})

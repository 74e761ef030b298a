"""Which texts are variants of one original, where a file does not say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from annotation.services.examples import ExampleRecord
from annotation.services.recording import key_of
from scoring.texts.near_duplicates import group_near_duplicates

SIMILARITY = 0.7
"""Normalised Levenshtein similarity from which on two texts count as variants of one original."""


def keys_of_originals(texts: Sequence[str]) -> dict[str, str]:
    """Text → key of its original, made from the group's first text in the order of the strings."""
    distinct = sorted(set(texts))
    groups = group_near_duplicates(distinct, SIMILARITY)
    keys: dict[int, str] = {}
    return {text: keys.setdefault(group, key_of(text)) for text, group in zip(distinct, groups, strict=True)}


def is_alone(example: ExampleRecord) -> bool:
    """Whether nothing says which original the text is a variant of."""
    return example.original is None and not example.original_key


def with_originals(examples: Sequence[ExampleRecord]) -> list[ExampleRecord]:
    """The examples, those that stand alone grouped by likeness."""
    keys = keys_of_originals([example.adversarial for example in examples if is_alone(example)])
    return [replace(each, original_key=keys[each.adversarial]) if is_alone(each) else each for each in examples]

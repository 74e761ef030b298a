"""Syntactic templates for paraphrases: the top two levels of a parse in the Penn Treebank's labels (Iyyer et al. 2018,
"Adversarial Example Generation with Syntactically Controlled Paraphrase Networks", NAACL, section 3.3)."""

from __future__ import annotations

from string import Formatter
from typing import Final

from scoring.texts.model_files import ModelFiles

TEMPLATES: Final = (
    "( ROOT ( S ( NP ) ( VP ) ( . ) ) ) EOP",
    "( ROOT ( S ( VP ) ( . ) ) ) EOP",
    "( ROOT ( NP ( NP ) ( . ) ) ) EOP",
    "( ROOT ( FRAG ( SBAR ) ( . ) ) ) EOP",
    "( ROOT ( S ( S ) ( , ) ( CC ) ( S ) ( . ) ) ) EOP",
    "( ROOT ( S ( LST ) ( VP ) ( . ) ) ) EOP",
    "( ROOT ( SBARQ ( WHADVP ) ( SQ ) ( . ) ) ) EOP",
    "( ROOT ( S ( PP ) ( , ) ( NP ) ( VP ) ( . ) ) ) EOP",
    "( ROOT ( S ( ADVP ) ( NP ) ( VP ) ( . ) ) ) EOP",
    "( ROOT ( S ( SBAR ) ( , ) ( NP ) ( VP ) ( . ) ) ) EOP",
)
"""The ten most frequent ones, as the authors' code lists them, and OpenAttack's attacker SCPN after it, which BODEGA uses."""

INPUT: Final = "template_input"
"""Of a model's config.json: how a template stands beside a text in what the model reads, such as "{text} <sep> {template}"."""


def checked_input(files: ModelFiles) -> str:
    """`INPUT` of a model. ScoringError where there is none, or where it does not have both places."""
    form = files.config.get(INPUT)
    if form is None:
        raise files.error(
            f"its config.json does not say how a template stands in its input: add “{INPUT}”, such as "
            "“{text} <sep> {template}”, if the model has learned to read templates, or attack without them"
        )
    if not isinstance(form, str) or sorted(_places(form)) != ["template", "text"]:
        raise files.error(f"“{INPUT}” of its config.json must hold {{template}} and {{text}} once each, and no other braces")
    return form


def _places(form: str) -> list[str]:
    try:
        return [name for _, name, _, _ in Formatter().parse(form) if name is not None]
    except ValueError:
        return []

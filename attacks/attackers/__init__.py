"""Attackers by name. Each module states its algorithm's variant and source.

Two attackers joined by ``+`` are one that tries the first, then the second.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attacks.attackers.bae import BAE
from attacks.attackers.base import Cited, Maker, NamedAttacker
from attacks.attackers.beam import Beam
from attacks.attackers.bert_attack import BertAttack
from attacks.attackers.deepwordbug import TEXTATTACK as TEXTATTACK_DEEPWORDBUG
from attacks.attackers.deepwordbug import DeepWordBug, GreedyDeepWordBug
from attacks.attackers.ensemble import Ensemble
from attacks.attackers.exhaustive import Exhaustive
from attacks.attackers.genetic import Genetic
from attacks.attackers.homoglyphs import Homoglyphs, ImportantHomoglyphs
from attacks.attackers.in_turn import ImportantSynonyms, MaskedShift
from attacks.attackers.invisible import Invisible
from attacks.attackers.paraphrase import SCPN, Paraphrase
from attacks.attackers.pruthi import Pruthi
from attacks.attackers.pso import SememePSO
from attacks.attackers.pwws import PWWS
from attacks.attackers.random_edits import RandomCharacters
from attacks.attackers.random_words import RandomWords
from attacks.attackers.recipes import characters as character_recipes
from attacks.attackers.recipes import words as word_recipes
from attacks.attackers.splitting import Splitting
from attacks.attackers.textfooler import TextFooler
from attacks.errors import AttackError
from attacks.resources import Resources

_MAKERS: tuple[Maker, ...] = (
    # characters
    DeepWordBug,
    GreedyDeepWordBug,
    Homoglyphs,
    ImportantHomoglyphs,
    Invisible,
    Pruthi,
    RandomCharacters,
    Splitting,
    # words
    BAE,
    Beam,
    BertAttack,
    Exhaustive,
    Genetic,
    ImportantSynonyms,
    MaskedShift,
    PWWS,
    RandomWords,
    SememePSO,
    TextFooler,
    # sentences
    Paraphrase,
    # recipes
    SCPN,
    character_recipes.IterativeHomoglyphs,
    character_recipes.GeneticSplitting,
    character_recipes.MMU_NLP,
    word_recipes.MMU_NLP_LEXICAL,
    word_recipes.OPENFACT,
    word_recipes.PALORI,
    word_recipes.TEXTTROJANERS,
    TEXTATTACK_DEEPWORDBUG,
)
ATTACKERS: Mapping[str, Maker] = {maker.name: maker for maker in _MAKERS}


def make_attacker(name: str, resources: Resources | None = None, **parameters: Any) -> NamedAttacker | Cited:
    """An attacker by name, or several with ``+`` between them. Raises `AttackError` for an unknown name or parameter, and says
    what to install or to give if something is missing."""
    resources = Resources() if resources is None else resources
    if "+" in name:
        if parameters:
            raise AttackError(f"{name} is several attackers, and it is not clear whose {next(iter(parameters))!r} is set")
        return Ensemble([make_attacker(part, resources) for part in name.split("+")])
    if name not in ATTACKERS:
        raise AttackError(f"unknown attacker {name!r}; there are {', '.join(ATTACKERS)}")
    maker = ATTACKERS[name]
    for need in maker.needs:
        if missing := need.missing(resources):
            raise AttackError(f"attacker {name} needs the {need.name}: {missing}")
    known = maker.parameters()
    if unknown := sorted(parameters.keys() - known.keys()):
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise AttackError(f"attacker {name} has no parameter {unknown[0]!r}; {has}")
    for parameter, value in parameters.items():
        _check(name, parameter, value)
    return maker.made_with(resources, **parameters)


def _check(name: str, parameter: str, value: Any) -> None:
    """Whole numbers count something, and others are shares, cosines or probabilities; attackers may ask for less themselves."""
    if isinstance(value, int) and not isinstance(value, bool) and value < 1:
        raise AttackError(f"attacker {name}: {parameter} must be a whole number of at least 1, not {value}")
    if isinstance(value, float) and not -1 <= value <= 1:
        raise AttackError(f"attacker {name}: {parameter} must be a number between -1 and 1, not {value}")


__all__ = ["ATTACKERS", "DeepWordBug", "TextFooler", "make_attacker"]

"""The commands of ``python -m attacks``, a module for each, which makes its command known by `add`; here is what they share."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from attacks.constraints import Constraint, MeaningAtLeast, SuspicionAtMost
from attacks.errors import AttackError
from attacks.resources import Resources
from scoring.arguments import Number
from scoring.result import Estimate

Commands: TypeAlias = "_SubParsersAction[ArgumentParser]"


def add_resources(parser: ArgumentParser) -> None:
    """What attackers may draw on."""
    group = parser.add_argument_group("what attackers draw on")
    group.add_argument("--vectors", type=Path, metavar="FILE", help="word vectors: word2vec or GloVe (default: embedded GloVe)")
    group.add_argument("--masked-lm", metavar="FOLDER", help="masked language model, by folder or hub name")
    group.add_argument(
        "--paraphraser", metavar="FOLDER|ADDRESS", help="sequence-to-sequence model, or an OpenAI-compatible service"
    )
    group.add_argument("--sememes", type=Path, metavar="FILE", help="words and their sememes (default: WordNet)")


def resources_of(options: Namespace) -> Resources:
    return Resources(options.vectors, options.masked_lm, options.paraphraser, options.sememes)


def add_constraints(parser: ArgumentParser) -> None:
    """What candidates must be besides misleading."""
    group = parser.add_argument_group("constraints")
    group.add_argument("--suspicion", type=Path, metavar="MODEL", help="folder of a suspicion model")
    group.add_argument("--tau", type=Number(), help="highest predicted suspicion allowed (default 2.5)")
    group.add_argument("--meaning", type=Path, metavar="MODEL", help="folder of a meaning model")
    group.add_argument(
        "--preserved", type=Number(0, 1), metavar="P", help="lowest predicted chance of “preserved” allowed (default 0.5)"
    )


def constraints_of(options: Namespace) -> list[Constraint]:
    """The constraints that the options ask for."""
    if options.tau is not None and options.suspicion is None:
        raise AttackError("--tau needs --suspicion MODEL")
    if options.preserved is not None and options.meaning is None:
        raise AttackError("--preserved needs --meaning MODEL")
    constraints: list[Constraint] = []
    if options.suspicion is not None:
        from regressors.storage import load

        constraints.append(SuspicionAtMost(load(options.suspicion), 2.5 if options.tau is None else options.tau))
    if options.meaning is not None:
        from scoring.texts.meaning.trained import MeaningModel

        constraints.append(
            MeaningAtLeast(MeaningModel.load(options.meaning), 0.5 if options.preserved is None else options.preserved)
        )
    return constraints


def figure(estimate: Estimate) -> str:
    return f"{estimate.value:.4f} (n = {estimate.n})" if estimate.value is not None else "none (n = 0)"


def progress() -> Callable[[int, int, str], None]:
    """Shows progress on standard error: one line that changes on a terminal, else a line whenever something changed."""
    last = ""

    def show(done: int, total: int, message: str) -> None:
        nonlocal last
        line = f"{done} of {total}  {message}"
        if line != last and sys.stderr.isatty():
            print(f"\r\x1b[K{line}", end="\n" if done == total else "", file=sys.stderr, flush=True)
        elif line != last:
            print(line, file=sys.stderr)
        last = line

    return show


def settings_of(pairs: list[str], known: dict[str, Any]) -> dict[str, Any]:
    """``NAME=VALUE`` settings, each in the type of its default."""
    return dict(_setting(pair, known) for pair in pairs)


def _setting(pair: str, known: dict[str, Any]) -> tuple[str, Any]:
    name, equals, value = pair.partition("=")
    if not equals or name not in known:
        raise AttackError(f"--set {pair[:60]}: expected NAME=VALUE, where NAME is one of {', '.join(known) or 'none'}")
    kind = type(known[name])
    if kind is bool:
        if value not in ("true", "false"):
            raise AttackError(f"--set {pair[:60]}: expected true or false")
        return name, value == "true"
    try:
        return name, kind(value)
    except ValueError:
        raise AttackError(f"--set {pair[:60]}: expected a value like {known[name]!r}") from None

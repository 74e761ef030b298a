"""The commands of ``python -m attacks``, a module for each, which makes its command known by `add`; here is what they share."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, TypeAlias

from attacks.constraints.wanted import WANTED
from attacks.errors import AttackError
from attacks.resources import Resources
from scoring.arguments import Number
from scoring.result import Estimate

Commands: TypeAlias = "_SubParsersAction[ArgumentParser]"


_PARAPHRASER: Final = (
    "sequence-to-sequence model, by folder or hub name, or NAME@URL of a model behind an OpenAI-compatible address"
)
_CAUSAL_LM: Final = "causal language model, by folder or hub name, or “embedded”; with it, genetic ranks near words"


def add_resources(parser: ArgumentParser) -> None:
    """What attackers may draw on."""
    group = parser.add_argument_group("what attackers draw on")
    group.add_argument("--vectors", metavar="FILE", help="word vectors: word2vec or GloVe (default: embedded GloVe)")
    group.add_argument("--masked-lm", metavar="FOLDER", help="masked language model, by folder or hub name")
    group.add_argument("--paraphraser", metavar="MODEL", help=_PARAPHRASER)
    group.add_argument("--causal-lm", metavar="FOLDER", help=_CAUSAL_LM)
    group.add_argument("--sememes", metavar="FILE", help="words and their sememes (default: WordNet)")


def add_constraints(parser: ArgumentParser, *, without: Collection[str] = ()) -> None:
    """What candidates must be besides misleading."""
    group = parser.add_argument_group("constraints")
    for name, form in _FORMS.items():
        if name not in without:
            group.add_argument(f"--{name.replace('_', '-')}", help=WANTED[name], **form)


_SWITCH: Final = {"action": "store_const", "const": True}
_FORMS: Final[Mapping[str, dict[str, Any]]] = {
    "suspicion": {"metavar": "MODEL"},
    "tau": {"type": Number()},
    "margin": {"type": Number(0)},
    "observe": _SWITCH,
    "meaning": {"metavar": "MODEL"},
    "preserved": {"type": Number(0, 1), "metavar": "P"},
    "bertscore": {"metavar": "MODEL"},
    "f1": {"type": Number(-1, 1)},
    "similarity": {"type": Number(-1, 1), "metavar": "COSINE"},
    "character": {"type": Number(0, 1), "metavar": "SCORE"},
    "words_changed": {"type": Number(0, 1), "metavar": "SHARE"},
    "keep": {"metavar": "KINDS"},
    "keep_words": {"metavar": "WORDS"},
    "part_of_speech": _SWITCH,
}
"""How each of `WANTED` is typed."""


def constraints_of(options: Namespace) -> dict[str, Any]:
    """The constraints that the options ask for, as `attacks.constraints.wanted.make_constraints` takes them."""
    return _given(options, WANTED)


def resources_of(options: Namespace) -> dict[str, str]:
    """The resources that the options give, as `Resources.at` takes them."""
    return _given(options, Resources.__dataclass_fields__)


def _given(options: Namespace, names: Iterable[str]) -> dict[str, Any]:
    return {name: value for name in names if (value := getattr(options, name, None)) is not None}


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

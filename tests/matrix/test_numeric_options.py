"""Every option of every command that takes a number: what is no such number is refused by name."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import isfinite
from typing import Any

import pytest
from django.core.management import CommandError, get_commands, load_command_class

from attacks import __main__ as attacks
from regressors import __main__ as regressors
from scoring import __main__ as scoring
from scoring.arguments import Number, WholeNumber

NOT_EVEN_NUMBERS = ("x", "nan", "inf", "1e400", "٣", "1_000", "0x10", "--5", " ")
BEYOND_ALL = ("9" * 30, "-" + "9" * 30, "9" * 5_000)

Option = tuple[str, argparse.ArgumentParser, argparse.Action]


def leaves(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parser of each command, however deep it lies."""
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not below:
        yield parser
    for action in below:
        for sub in action.choices.values():
            yield from leaves(sub)


def parsers() -> Iterator[argparse.ArgumentParser]:
    yield from leaves(scoring._parser())
    yield from leaves(attacks._parser())
    yield from leaves(regressors._parser())
    for name, app in get_commands().items():
        if app == "annotation":
            yield load_command_class(app, name).create_parser("manage.py", name)


def numeric() -> list[Option]:
    return [
        (f"{parser.prog} {action.option_strings[-1]}", parser, action)
        for parser in parsers()
        for action in parser._actions
        if action.option_strings and (action.type in (int, float) or isinstance(action.type, WholeNumber | Number))
        if action.dest != "verbosity"  # Django's own
    ]


OPTIONS = numeric()
RANGED = [option for option in OPTIONS if isinstance(option[2].type, WholeNumber | Number) and option[2].nargs is None]
ANSWERED_ELSEWHERE = "python -m scoring plan"
"""Whose own sentences refuse what is out of range; see below."""
CHOSEN = {"manage.py export --confidence-at-least", "manage.py train_regressor --confidence-at-least"}
"""Of few numbers, which are listed as choices."""


def test_no_option_takes_just_any_number() -> None:
    bare = {name for name, _, action in OPTIONS if action.type in (int, float)}
    assert {name for name in bare if not name.startswith(ANSWERED_ELSEWHERE)} == CHOSEN
    assert len(RANGED) >= 12


@pytest.mark.parametrize(("parser", "action"), [option[1:] for option in RANGED], ids=[option[0] for option in RANGED])
def test_what_is_no_such_number_is_refused_by_name(
    parser: argparse.ArgumentParser, action: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    option, low, high = action.option_strings[-1], action.type.least, action.type.most
    beyond = [f"{low - 1}", f"{high + 1}", *BEYOND_ALL] if isinstance(action.type, WholeNumber) else []
    beyond += [f"{low - 0.01}", f"{high + 0.01}"] if action.type == Number(0, 1) else []
    for wrong in (*NOT_EVEN_NUMBERS, *beyond):
        with pytest.raises((SystemExit, CommandError)) as refused:
            parser.parse_args([f"{option}={wrong}"])
        said = capsys.readouterr().err + str(refused.value)
        assert f"argument {option}: {wrong[:40]!r} is not a " in said
    ends = [end for end in (low, high) if isfinite(end)]
    for right in ends or (-1.5, 2.5):
        assert action.type(str(right)) == right


PLANS = {
    "kappa": ["--kappa=0.6", "--width=0.2", "--parts=0.5,0.5"],
    "share": ["--share=0.5", "--width=0.2"],
    "preference": ["--preferred=0.65", "--items=30"],
}


@pytest.mark.parametrize("kind", PLANS)
def test_a_plan_of_any_number_is_an_answer_or_one_line(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [action for name, _, action in OPTIONS if name.startswith(f"{ANSWERED_ELSEWHERE} {kind} ")]
    assert len(asked) >= 4
    for action in asked:
        for number in (*NOT_EVEN_NUMBERS, *BEYOND_ALL, "-1", "0", "1e-300", "1e300", "2", "1001"):
            try:
                code = scoring.main(["plan", kind, *PLANS[kind], f"{action.option_strings[-1]}={number}"])
            except SystemExit as end:
                code = int(end.code or 0)
            err = capsys.readouterr().err
            assert code == 0 or (code == 2 and err.count("\n") == 1 and "Traceback" not in err)

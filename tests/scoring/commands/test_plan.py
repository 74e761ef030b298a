from __future__ import annotations

import json
from collections.abc import Callable

import pytest

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    ("command", "items", "judgements"),
    [
        ("kappa --kappa 0.5 --width 0.1 --parts 0.6,0.3,0.1", 996, 1992),
        ("share --share 0.8 --width 0.1", 245, 245),
        ("share --share 0.8 --width 0.1 --per-original 5 --alike 0.2 --judgements 2", 440, 880),
        ("preference --preferred 0.7 --power 0.8 --votes 5", 17, 85),
        ("preference --preferred 0.7 --items 23", 23, 23),
    ],
)
def test_plans(run: Run, command: str, items: int, judgements: int) -> None:
    for form in (f"plan {command} --json", f"plan --json {command}"):
        code, out, err = run(*form.split())
        found = json.loads(out)
        assert (code, err, found["items"], found["judgements"]) == (0, "", items, judgements)


def test_text_sets_the_assumptions_apart(run: Run) -> None:
    _, out, _ = run("plan", "share", "--share", "0.8", "--width", "0.1")
    assert out.splitlines()[-1] == "assuming: a share of 0.8; one item of each original"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "the following arguments are required: WHAT"),
        ("kappa --kappa 0.5 --width 0.1 --parts half,half", "--parts takes numbers, such as 0.6,0.3,0.1; not half,half."),
        ("kappa --kappa 0.5 --width 0.1 --parts 0_1,0.5", "--parts takes numbers, such as 0.6,0.3,0.1; not 0_1,0.5."),
        ("kappa --kappa 0.5 --width 1e-200 --parts .5,.5", "more than 1,000,000 items"),
        ("kappa --kappa 2 --width 0.1 --parts 0.5,0.5", "The kappa that is expected lies between"),
        ("kappa --kappa nan --width 0.1 --parts 0.5,0.5", "The kappa that is expected lies between"),
        ("preference --preferred 0.7", "Give --power, to be told the items, or --items"),
        ("preference --preferred 0.7 --power 0.8 --votes 2", "odd in number"),
    ],
)
def test_errors_are_one_line(run: Run, command: str, message: str) -> None:
    code, out, err = run("plan", *command.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err

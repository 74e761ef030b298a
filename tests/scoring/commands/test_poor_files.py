"""Every command over every kind of poor file: a result with reasons, or an error in one line; never a traceback, never nan."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

Run = Callable[..., tuple[int, str, str]]

COMMANDS = {
    "agreement": ["agreement", "--annotators", "a,b"],
    "agreement, long": ["agreement", "--item", "i", "--annotator", "g", "--label", "a"],
    "deviation": ["deviation", "--item", "i", "--score", "s", "--group", "g"],
    "likert": ["likert", "--item", "i", "--score", "s", "--group", "g", "--original", "o"],
    "instructions": ["instructions", "--item", "i", "--score", "s", "--group", "g", "--instruction", "a"],
    "preference": ["preference", "--item", "i", "--choice", "a", "--choices", "x,y"],
    "suspected": ["suspected", "--item", "i", "--vote", "a", "--yes", "x", "--group", "g"],
    "ranking": ["ranking", "--attacker", "g", "--label", "a", "--preserved", "x"],
    "bodega": ["bodega", "--original", "o", "--adversarial", "m"],
    "edits": ["edits", "--original", "o", "--adversarial", "m"],
    "metrics": ["metrics", "--original", "o", "--adversarial", "m", "--human", "s"],
    "calibrate": ["calibrate", "--task", "HN", "--original", "o", "--adversarial", "m", "--label", "a", "--preserved", "x"],
    "meaning": ["meaning", "evaluate", "--original", "o", "--adversarial", "m", "--label", "a", "--preserved", "x"],
}
HEADER = b"i,g,a,b,s,o,m\n"
FILES = {
    "empty": b"",
    "a header alone": HEADER,
    "one item": HEADER + b"1,p,x,y,3,one text,another text\n",
    "one label": HEADER + b"1,p,x,x,3,the end,teh end\n2,q,x,x,3,a film,a movie\n3,p,x,x,3,a rain,rain\n",
    "no common item": HEADER + b"1,p,x,,3,the end,teh end\n2,q,,y,4,a film,a movie\n",
    "empty cells": HEADER + b"1,p,,x,,,\n,,,,,,\n2,q,y,y,3,a film,a movie\n",
    "unequal raters": HEADER + b"1,p,x,x,3,the end,teh end\n1,q,y,,4,the end,the edn\n1,r,x,,5,the end,an end\n2,p,y,,1,it,it\n",
    "all equal": HEADER + b"1,p,x,x,3,the end,the end\n" * 3,
    "long texts": HEADER + b"1,p,x,y,3,%s,%s\n2,q,y,y,4,the end,teh end\n" % (b"ab " * 33_333, b"c" * 100_000),
    "lone surrogates": HEADER + b"1,p,x,y,3,\xed\xa0\x80,b\n",
    "numbers that are none": HEADER + b"1,p,nan,nan,nan,nan,nan\n2,q,inf,nan,inf,nan,NaN\n",
}


def no_constant(name: str) -> NoReturn:
    raise AssertionError(f"{name} in JSON")


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_poor_file_gives_reasons_or_one_line(run: Run, tmp_path: Path, command: str, file: str) -> None:
    path = tmp_path / "poor.csv"
    path.write_bytes(FILES[file])
    name, *options = COMMANDS[command]
    words = [name, options.pop(0)] if name == "meaning" else [name]
    code, out, err = run(*words, path, *options, "--json")
    if code:
        assert (code, out) == (2, "")
        assert re.fullmatch(r"scoring: [^\n]+\n", err)
    else:
        json.loads(out, parse_constant=no_constant)

"""`python -m regressors predict`: scores of the texts of a file, or of the lines of standard input, as JSON lines."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final, TextIO

import numpy as np

from regressors.commands import Commands
from regressors.errors import RegressorError
from regressors.rows import check_text
from scoring.table import read_table

_PREDICTED_AT_ONCE: Final = 1_024


def add(commands: Commands) -> None:
    parser = commands.add_parser("predict", help="score the texts of a file, or the lines of standard input, as JSON lines")
    parser.add_argument("model", type=Path, metavar="MODEL")
    parser.add_argument("data", nargs="?", type=Path, metavar="FILE")
    parser.add_argument("--text", metavar="COL", help="the column of texts; needed with FILE")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    from regressors.storage import load

    if (options.data is None) != (options.text is None):
        raise RegressorError("Give a FILE together with --text COL, or neither and the texts as lines on standard input.")
    if options.data is None:
        texts: Iterable[str] = _lines(sys.stdin)
    else:
        table = read_table(options.data, required=[options.text])
        texts = [row[options.text] for row in table.rows]
    trained = load(options.model)
    with_interval = "reason" not in trained.card["calibration"]
    remaining = iter(texts)
    while batch := list(islice(remaining, _PREDICTED_AT_ONCE)):
        problems = {text: problem for text in batch if (problem := check_text(text))}
        usable = [text for text in batch if text not in problems]
        columns = trained.predict_interval(usable) if with_interval else (trained.predict(usable),)
        scored = zip(*(np.round(column, 6).tolist() for column in columns), strict=True)
        for text in batch:
            if text in problems:
                line = {"text": text, "score": None, "reason": problems[text]}
            else:
                line = {"text": text} | dict(zip(("score", "low", "high"), next(scored), strict=False))
            print(json.dumps(line, ensure_ascii=True))


def _lines(stream: TextIO) -> Iterator[str]:
    """Read as UTF-8 whatever the locale says: under another one, what is typed would be scored as other letters."""
    for number, line in enumerate(getattr(stream, "buffer", stream), start=1):
        yield _decoded(line, number).rstrip("\r\n")


def _decoded(line: bytes | str, number: int) -> str:
    try:
        # A stream that stands in for standard input may have no bytes.
        return line if isinstance(line, str) else line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise RegressorError(f"Standard input is not UTF-8 (line {number}, byte 0x{error.object[error.start]:02x}).") from error

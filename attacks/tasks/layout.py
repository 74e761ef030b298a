"""Task folders in the layout of BODEGA (Przybyła et al. 2023, "Verifying the Robustness of Automatic Credibility Assessment").

A folder holds ``train.tsv``, ``dev.tsv`` and ``attack.tsv``: UTF-8, no header, tab-separated columns
``label source text`` (pair tasks add a fourth column, the second text). Label 1 means non-credible. Inside a text a
backslash is written ``\\\\`` and a newline ``\\n``; tabs are not allowed and become spaces on writing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from attacks.errors import AttackError

SPLITS = ("train", "dev", "attack")
PAIR_SEPARATOR = " ~ "
_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
_MEANING = {"\\": "\\", "n": "\n"}


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled text.

    ``label`` is 0 (credible) or 1 (non-credible); ``source`` says where the text is from; the two texts of a pair
    task are joined by ``PAIR_SEPARATOR``, as its victims read them.
    """

    label: int
    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Task:
    """A data set: its name and its three splits. The splits are lists of `Row`, in the order of their files."""

    name: str
    train: list[Row] = field(repr=False)
    dev: list[Row] = field(repr=False)
    attack: list[Row] = field(repr=False)


def encode(text: str) -> str:
    """The text as it stands in a file: tabs become spaces, backslashes are doubled, newlines become ``\\n``.

    Other line endings (``\\r\\n``, ``\\r``) become newlines first, so that a row is always one line.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def decode(text: str) -> str:
    """Undo `encode` in one pass from left to right, so that ``C:\\\\new`` stays a path and gets no newline.

    Raises `AttackError` for a backslash that starts no known escape; the message gives its position (from 1).
    """

    def meaning(found: re.Match[str]) -> str:
        if found[1] not in _MEANING:
            raise AttackError(
                f"character {found.start() + 1}: a backslash must be followed by a backslash or by n; "
                "write a single backslash as two"
            )
        return _MEANING[found[1]]

    return _ESCAPE.sub(meaning, text)


def read_rows(path: str | os.PathLike[str]) -> list[Row]:
    """Read one file of a task folder.

    Raises `AttackError` naming file, line and column for a missing or empty file, bytes that are not UTF-8, a wrong
    number of columns, a label other than 0 and 1, or a broken escape. Empty texts are allowed: they are data.
    """
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise AttackError(f"{path}: cannot be read ({error.strerror})") from None
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    if not lines:
        raise AttackError(f"{path}: the file is empty; expected lines of label, source, text")
    return [_read_row(line.removesuffix(b"\r"), f"{path}, line {number}") for number, line in enumerate(lines, 1)]


def _read_row(line: bytes, where: str) -> Row:
    try:
        columns = line.decode("utf-8").split("\t")
    except UnicodeDecodeError as error:
        raise AttackError(f"{where}: byte {error.start + 1} is not UTF-8; save the file as UTF-8") from None
    if len(columns) not in (3, 4):
        raise AttackError(f"{where}: {len(columns)} tab-separated columns, expected 3 (label, source, text) or 4")
    if columns[0] not in ("0", "1"):
        raise AttackError(f"{where}, column 1: label {columns[0]!r} is neither 0 (credible) nor 1 (non-credible)")
    texts = []
    for number, column in enumerate(columns[2:], 3):
        try:
            texts.append(decode(column))
        except AttackError as error:
            raise AttackError(f"{where}, column {number}, {error}") from None
    return Row(label=int(columns[0]), source=columns[1], text=PAIR_SEPARATOR.join(texts))


def read_task(folder: str | os.PathLike[str]) -> Task:
    """Read a task folder; its name is the folder's. Raises `AttackError` (see `read_rows`)."""
    folder = Path(folder)
    if not folder.is_dir():
        raise AttackError(f"{folder}: no such task folder; it should hold train.tsv, dev.tsv and attack.tsv")
    return Task(folder.resolve().name, *(read_rows(folder / f"{split}.tsv") for split in SPLITS))


def write_rows(path: str | os.PathLike[str], rows: Iterable[Row]) -> None:
    """Write one file of a task folder. A pair stays one text with its separator, which reads back as the same row."""
    lines = [f"{row.label}\t{encode(row.source)}\t{encode(row.text)}\n" for row in rows]
    Path(path).write_text("".join(lines), encoding="utf-8", newline="")


def write_task(task: Task, folder: str | os.PathLike[str]) -> None:
    """Write the three files of a task into ``folder``, which is made if need be."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        write_rows(folder / f"{split}.tsv", getattr(task, split))

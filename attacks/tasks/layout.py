"""Task folders in the layout of BODEGA (Przybyła et al. 2023, "Verifying the Robustness of Automatic Credibility Assessment").

A folder holds ``train.tsv``, ``dev.tsv`` and ``attack.tsv``: UTF-8, no header, tab-separated columns
``label source text`` (pair tasks add a fourth column, the second text). Label 1 means non-credible. Inside a text a
backslash is written ``\\\\`` and a newline ``\\n``; tabs are not allowed and become spaces on writing.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from attacks.errors import AttackError
from scoring.texts.alignment import TASKS

SPLITS = ("train", "dev", "attack")
CARD = "card.json"
"""Beside the splits of a converted corpus: what they were made of."""
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
    """A data set: its name and its three splits. The splits are lists of `Row`, in the order of their files.

    ``kind`` says which of BODEGA's tasks it is (`scoring.texts.alignment.TASKS`), None if it is none of them.
    """

    name: str
    train: list[Row] = field(repr=False)
    dev: list[Row] = field(repr=False)
    attack: list[Row] = field(repr=False)
    kind: str | None = None


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


def decode_loosely(text: str) -> str:
    """Undo `encode`; of a text with other backslashes, only the ``\\n``. Many programs write a backslash as it is."""
    try:
        return decode(text)
    except AttackError:
        return text.replace("\\n", "\n")


def line_of(label: int, source: str, *texts: str) -> str:
    """A line of a file of a task folder: label, source, and one or two texts."""
    return "\t".join([str(label), *map(encode, (source, *texts))]) + "\n"


def read_rows(path: str | os.PathLike[str]) -> list[Row]:
    """Read one file of a task folder.

    Raises `AttackError` naming file, line and column for a missing or empty file, bytes that are not UTF-8, a wrong
    number of columns, a label other than 0 and 1, or a broken escape. Empty texts are allowed: they are data.
    """
    return [_row_of(columns, where) for where, columns in read_columns(path)]


def read_columns(path: str | os.PathLike[str]) -> Iterator[tuple[str, list[str]]]:
    """Where each line of a file stands, and its columns: label, source, one or two texts, these still encoded.

    Raises `AttackError` as `read_rows` does, but for broken escapes.
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
    for number, line in enumerate(lines, 1):
        where = f"{path}, line {number}"
        yield where, _columns_of(line.removesuffix(b"\r"), where)


def _columns_of(line: bytes, where: str) -> list[str]:
    try:
        columns = line.decode("utf-8").split("\t")
    except UnicodeDecodeError as error:
        raise AttackError(f"{where}: byte {error.start + 1} is not UTF-8; save the file as UTF-8") from None
    if len(columns) not in (3, 4):
        raise AttackError(f"{where}: {len(columns)} tab-separated columns, expected 3 (label, source, text) or 4")
    if columns[0] not in ("0", "1"):
        raise AttackError(f"{where}, column 1: label {columns[0]!r} is neither 0 (credible) nor 1 (non-credible)")
    return columns


def _row_of(columns: list[str], where: str) -> Row:
    texts = []
    for number, column in enumerate(columns[2:], 3):
        try:
            texts.append(decode(column))
        except AttackError as error:
            raise AttackError(f"{where}, column {number}, {error}") from None
    return Row(label=int(columns[0]), source=decode_loosely(columns[1]), text=PAIR_SEPARATOR.join(texts))


def read_task(folder: str | os.PathLike[str]) -> Task:
    """Read a task folder; its name is the folder's. Which of BODEGA's tasks it is, its card says, or else its name, if anything.

    Raises `AttackError` (see `read_rows`).
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise AttackError(f"{folder}: no such task folder; it should hold train.tsv, dev.tsv and attack.tsv")
    train, dev, attack = (read_rows(folder / f"{split}.tsv") for split in SPLITS)
    return Task(folder.resolve().name, train, dev, attack, _kind_of(folder))


def _kind_of(folder: Path) -> str | None:
    kind = {"PR2": "PR"}.get(name := folder.resolve().name, name)  # BODEGA's code calls it so
    if (card := folder / CARD).is_file():
        try:
            kind = json.loads(card.read_text("utf-8"))["task"]
        except (OSError, ValueError, KeyError, TypeError):
            raise AttackError(f"{card}: not the card of a task; write the task's folder again, or remove the card") from None
    return kind if kind in TASKS else None


def write_rows(path: str | os.PathLike[str], rows: Iterable[Row]) -> None:
    """Write one file of a task folder. A pair stays one text with its separator, which reads back as the same row."""
    lines = [line_of(row.label, row.source, row.text) for row in rows]
    Path(path).write_text("".join(lines), encoding="utf-8", newline="")


def write_task(task: Task, folder: str | os.PathLike[str]) -> None:
    """Write the three files of a task into ``folder``, which is made if need be."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        write_rows(folder / f"{split}.tsv", getattr(task, split))

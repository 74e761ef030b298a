"""What readers of corpora give, and what they share."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from attacks.errors import AttackError
from scoring.texts.characters import encodable

ATTACKED = 400
"""About so many texts of a test split are attacked, as in BODEGA."""

Progress = Callable[[int, int, str], None]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text of a corpus, or the two of a pair. ``label`` is 1 if it is not credible, else 0."""

    label: int
    source: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus read: its splits in its own order, the files it came from, and how much was left out or mended, by the reason.

    ``files`` are groups under a name, as a corpus may hold millions of them.
    """

    train: Sequence[Labelled]
    dev: Sequence[Labelled]
    attack: Sequence[Labelled]
    files: Mapping[str, Sequence[Path]]
    remarks: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Kind:
    """A task, the corpus that it is made of, and the function that reads a folder of it.

    ``about`` says what label 1 means, ``source`` where the corpus is described, ``layout`` which files are expected.
    ``texts`` is 2 for tasks of pairs.
    """

    task: str
    about: str
    source: str
    layout: str
    texts: int
    read: Callable[[Path, Progress], Corpus]


def divided(test: Sequence[T]) -> tuple[list[T], list[T]]:
    """The attack set and the development set: every (n // 400)-th text of a test split, from the first on, and the others.

    Fewer than 800 texts are all attacked.
    """
    step = max(len(test) // ATTACKED, 1)
    return list(test[::step]), [each for i, each in enumerate(test) if i % step]


def find_files(folder: Path, pattern: str) -> list[Path]:
    """The files under a folder whose last parts match, in order."""
    return sorted(path for path in folder.rglob(pattern) if path.is_file())


def the_file(folder: Path, pattern: str) -> Path:
    """The one file under a folder that matches. Raises `AttackError` if there is none, or several."""
    found = find_files(folder, pattern)
    if len(found) != 1:
        several = f"{len(found)} files are called {pattern}, among them {found[0]} and {found[1]}" if found else ""
        raise AttackError(f"{folder}: {several or f'there is no file {pattern}'}; expected exactly one")
    return found[0]


def read_text(path: Path) -> str:
    """A whole file, its line ends as ``\\n``. Raises `AttackError` if it cannot be read or is not UTF-8."""
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise AttackError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise AttackError(f"{path}: byte {error.start + 1} is not UTF-8") from None


def read_json(content: bytes, where: str) -> dict[str, Any]:
    """A JSON object. Raises `AttackError` for anything else."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise AttackError(f"{where}: not JSON ({error})") from None
    if not isinstance(value, dict):
        raise AttackError(f"{where}: not a JSON object")
    return value


def json_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Where each line stands, and the object in it. Holds one line at a time."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                where = f"{path}, line {number}"
                yield where, read_json(line, where)


def text_of(values: Mapping[str, Any], name: str, where: str) -> str:
    """A field that must hold a text. Half a pair of surrogates, which no file can hold, becomes U+FFFD."""
    if not isinstance(values.get(name), str):
        raise AttackError(f"{where}, field {name}: {'not a text' if name in values else 'missing'}")
    return encodable(values[name])

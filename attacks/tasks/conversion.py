"""A public corpus made into a task folder: train.tsv, dev.tsv, attack.tsv, and a card that says how."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from attacks.errors import AttackError
from attacks.tasks.corpora import KINDS, Corpus, Kind, Labelled
from attacks.tasks.corpora.corpus import Progress
from attacks.tasks.corpora.release import is_release, reader
from attacks.tasks.layout import CARD, SPLITS, line_of
from attacks.tasks.trimming import PIECES, changes

SEED = 1
"""That of BODEGA's shuffling."""
DEVELOPED = 10
"""Where no text is left for the development set, it takes every so many-th of the training set."""


def convert(
    task: str,
    source: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    pieces: int = PIECES,
    seed: int = SEED,
    compat: Literal["bodega"] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Make the corpus of a task (`KINDS`) in the folder ``source`` a task folder ``out``, and return its card.

    The splits are BODEGA's, shuffled with ``seed``; texts to attack are cut after ``pieces`` word pieces (0: never). A folder
    that holds a converted task is read in place of a corpus: it keeps its splits and their order. With ``compat="bodega"``
    texts come out as BODEGA's code attacks them, with what it loses on the way.
    Raises `AttackError` for an unknown task, for files that are missing or not as expected (naming file, line and field) and
    if ``out`` holds anything; nothing is left half-written.
    """
    source, out = Path(source), Path(out)
    if task not in KINDS:
        raise AttackError(f"unknown task {task!r}; there are {', '.join(KINDS)}")
    if compat is not None and pieces != PIECES:
        raise AttackError(f"BODEGA cuts texts after {PIECES} word pieces; leave that setting out")
    if not source.is_dir():
        raise AttackError(f"{source}: no such folder; it should hold {KINDS[task].layout}")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise AttackError(f"{out}: not empty; choose another folder")
    kind, released = KINDS[task], is_release(source)
    corpus = (reader(kind.texts) if released else kind.read)(source, progress or (lambda done, total, message: None))
    splits = _splits(corpus, None if released else seed)
    if empty := [split for split in SPLITS if not splits[split]]:
        raise AttackError(f"{source}: no text for {empty[0]}.tsv; is this the whole corpus?")
    every, attacked = changes(pieces, bodega=compat == "bodega")
    for split, rows in splits.items():
        splits[split] = [_changed(row, (every, attacked) if split == "attack" else (every,)) for row in rows]
    card = _card(kind, source, corpus, splits)
    card |= {"released": released, "seed": None if released else seed, "pieces": pieces, "compat": compat}
    _write(out, splits, card)
    return card


def _splits(corpus: Corpus, seed: int | None) -> dict[str, list[Labelled]]:
    train, dev, attack = list(corpus.train), list(corpus.dev), list(corpus.attack)
    if not dev:
        corpus.remarks["training texts moved to the development set, which was empty"] += len(train[::DEVELOPED])
        train, dev = [row for i, row in enumerate(train) if i % DEVELOPED], train[::DEVELOPED]
    if seed is not None:
        generator = random.Random(seed)
        for rows in (train, attack, dev):  # BODEGA's order of shuffling, so that its attack sets come out
            generator.shuffle(rows)
    return {"train": train, "dev": dev, "attack": attack}


def _changed(row: Labelled, steps: Sequence[Any]) -> Labelled:
    texts = row.texts
    for step in steps:
        texts = tuple(map(step, texts))
    return Labelled(row.label, row.source, texts)


def _card(kind: Kind, source: Path, corpus: Corpus, splits: Mapping[str, Sequence[Labelled]]) -> dict[str, Any]:
    return {
        "what": f"task: {kind.task}",
        "task": kind.task,
        "label 1": kind.about,
        "corpus": kind.source,
        "splits": {
            split: {"n": len(rows), "non-credible": (ones := sum(row.label for row in rows)), "share": round(ones / len(rows), 6)}
            for split, rows in splits.items()
        },
        "remarks": {remark: count for remark, count in corpus.remarks.items() if count},
        "files": {name: _identity(paths, source) for name, paths in corpus.files.items()},
    }


def _identity(paths: Iterable[Path], source: Path) -> dict[str, Any]:
    """One file's SHA-256; of several, that of the lines ``sha256  path`` which sha256sum would print for them."""
    hashes = {path.relative_to(source).as_posix(): _sha256(path) for path in paths}
    if len(hashes) == 1:
        [(name, sha256)] = hashes.items()
        return {"file": name, "sha256": sha256}
    listed = "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(hashes.items()))
    return {"files": len(hashes), "sha256": hashlib.sha256(listed.encode()).hexdigest()}


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(out: Path, splits: Mapping[str, Sequence[Labelled]], card: Mapping[str, Any]) -> None:
    """The folder whole or not at all."""
    out = out.absolute()
    staged = out.with_name(f".{out.name}.{os.getpid()}")
    staged.mkdir(parents=True)
    try:
        for split, rows in splits.items():
            with (staged / f"{split}.tsv").open("w", encoding="utf-8", newline="") as file:
                file.writelines(line_of(row.label, row.source, *row.texts) for row in rows)
        (staged / CARD).write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        staged.replace(out)
    finally:
        shutil.rmtree(staged, ignore_errors=True)

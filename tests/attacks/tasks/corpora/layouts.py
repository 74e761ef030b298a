"""Small corpora in the layouts of the public ones, written by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def hyperpartisan(folder: Path, training: Sequence[tuple[int, str, str, str]], test: Sequence[tuple[int, str, str, str]]) -> Path:
    """Articles of number, hyperpartisan, title and inner XML, in the two files of each split."""
    for split, date, articles in (("training", 20181122, training), ("test", 20181212, test)):
        where = folder / f"articles-{split}-bypublisher-{date}"
        where.mkdir(parents=True)
        texts = "".join(
            f'<article id="{id:07}" published-at="2016-01-01" title="{t}">{x}</article>\n' for id, _, t, x in articles
        )
        (where / f"{where.name}.xml").write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n<articles>\n{texts}</articles>\n')
        labels = "".join(
            f'<article id="{id:07}" hyperpartisan="{h}" bias="left" url="https://x.example/{id}" labeled-by="publisher"/>\n'
            for id, h, _, _ in articles
        )
        truth = folder / f"ground-truth-{split}-bypublisher-{date}.xml"
        truth.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n<articles>\n{labels}</articles>\n')
    return folder


def propaganda(folder: Path, articles: Mapping[str, str], labels: str, name: str = "train-task1-SI.labels") -> Path:
    """Articles by number, and the lines of one file of labels."""
    (folder / "datasets" / "train-articles").mkdir(parents=True)
    for id, text in articles.items():
        (folder / "datasets" / "train-articles" / f"article{id}.txt").write_text(text)
    (folder / "datasets" / name).parent.mkdir(exist_ok=True)
    (folder / "datasets" / name).write_text(labels)
    return folder


def fever(folder: Path, train: Sequence[Any], test: Sequence[Any], *pages: Sequence[Any]) -> Path:
    """Claims for training and for the test split, and files of pages."""
    (folder / "wiki-pages" / "wiki-pages").mkdir(parents=True)
    files = {"train.jsonl": train, "shared_task_dev.jsonl": test}
    files |= {f"wiki-pages/wiki-pages/wiki-{number:03}.jsonl": page for number, page in enumerate(pages, 1)}
    for name, lines in files.items():
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def thread(folder: Path, event: str, kind: str, source: Mapping[int, Any], replies: Mapping[int, Any]) -> None:
    """A thread of an event, named after its first post. Both kinds of threads get their folder."""
    for each in ("rumours", "non-rumours"):
        (folder / event / each).mkdir(parents=True, exist_ok=True)
    where = folder / event / kind / str(min(source))
    for part, tweets in (("source-tweets", source), ("reactions", replies)):
        if tweets:
            (where / part).mkdir(parents=True)
        for id, tweet in tweets.items():
            (where / part / f"{id}.json").write_text(json.dumps(tweet))

"""PR: sentences of news that hold a span of propaganda or none (SemEval-2020 task 11, Da San Martino et al. 2020)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from attacks.errors import AttackError
from attacks.tasks.corpora.corpus import Corpus, Kind, Labelled, Progress, divided, find_files, read_text

LABEL_FILES = ("train-task1-SI.labels", "train-task2-TC.labels", "train-*/article*.task1-SI.labels")
"""Span identification and technique classification mark the same spans; their test sets were never published."""
TEST_DIGITS = ("4", "9")
"""Articles whose number ends in these are the test split."""

Span = tuple[int, int]


def read(folder: Path, progress: Progress) -> Corpus:
    """One text per line of an article, in the order of the labels; within a split those with propaganda come first.

    An article is taken if it has a span at all, as in BODEGA. Blank lines between paragraphs are no texts.
    """
    label_files = next((files for pattern in LABEL_FILES if (files := find_files(folder, pattern))), [])
    if not label_files:
        raise AttackError(f"{folder}: there is none of {', '.join(LABEL_FILES)}")
    spans: dict[str, list[Span]] = {}
    for file in label_files:
        for id, span in _spans(file):
            spans.setdefault(id, []).append(span)
    folders = [path for path in folder.rglob("train-articles") if path.is_dir()]
    if len(folders) != 1:
        raise AttackError(f"{folder}: {len(folders)} folders are called train-articles; expected exactly one")
    articles = {id: folders[0] / f"article{id}.txt" for id in spans}
    found: list[tuple[str, Labelled]] = []
    progress(0, len(articles), "PR: articles")
    for id, article in articles.items():
        found += [(id, labelled) for labelled in _sentences(id, article, spans[id])]
    progress(len(articles), len(articles), "PR: read")
    found.sort(key=lambda each: -each[1].label)
    attack, dev = divided([labelled for id, labelled in found if id.endswith(TEST_DIGITS)])
    train = [labelled for id, labelled in found if not id.endswith(TEST_DIGITS)]
    unmarked = set(find_files(folders[0], "article*.txt")) - set(articles.values())
    remarks = Counter({"articles left out: no span is marked in them": len(unmarked)})
    return Corpus(train, dev, attack, {"labels": label_files, "articles": list(articles.values())}, remarks)


KIND = Kind(
    task="PR",
    about="a sentence that overlaps a span of propaganda",
    source="SemEval-2020 task 11, training set (Da San Martino et al. 2020), doi.org/10.5281/zenodo.3952415",
    layout="train-articles/articleNUMBER.txt and train-task1-SI.labels (or train-task2-TC.labels, or a file per article)",
    texts=1,
    read=read,
)


def _spans(path: Path) -> Iterator[tuple[str, Span]]:
    """The article's number and its span, from lines of number, perhaps technique, begin and end between tabs."""
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip():
            continue
        columns = [column.strip() for column in line.split("\t")]
        where = f"{path}, line {number}"
        if len(columns) not in (3, 4):
            raise AttackError(f"{where}: {len(columns)} tab-separated columns, expected article, (technique,) begin, end")
        for name, column in (("article", columns[0]), ("begin", columns[-2]), ("end", columns[-1])):
            if not (column.isascii() and column.isdigit()):
                raise AttackError(f"{where}, {name}: {column[:40]!r} is no whole number")
        yield columns[0], (int(columns[-2]), int(columns[-1]))


def _sentences(id: str, article: Path, spans: list[Span]) -> Iterator[Labelled]:
    text = read_text(article)
    for begin, end in spans:
        if not begin < end or begin >= len(text):
            raise AttackError(f"{article}: a span from {begin} to {end} is marked in it, but it has {len(text)} characters")
    start = 0
    for line in text.split("\n"):
        stop = start + len(line)
        if line:
            marked = any(begin < stop and end > start for begin, end in spans)
            yield Labelled(int(marked), f"SemEval2020T11-{id}", (line,))
        start = stop + 1

"""HN: news of publishers known to be hyperpartisan or not (SemEval-2019 task 4, Kiesel et al. 2019), in XML."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from attacks.errors import AttackError
from attacks.tasks.corpora.corpus import Corpus, Kind, Labelled, Progress, divided, the_file

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

EVERY = 10
"""Of the 600,000 training articles, those whose number this divides."""
LABELS = {"true": 1, "false": 0}


def read(folder: Path, progress: Progress) -> Corpus:
    """A tenth of the articles of the training set; of the test set by publisher, all."""
    files = {
        f"{what}, {split}": [the_file(folder, f"{what}-{split}-bypublisher*.xml")]
        for split in ("training", "test")
        for what in ("ground-truth", "articles")
    }
    progress(0, 2, "HN: training articles")
    train = _split(files["ground-truth, training"][0], files["articles, training"][0], EVERY)
    progress(1, 2, "HN: test articles")
    attack, dev = divided(_split(files["ground-truth, test"][0], files["articles, test"][0], 1))
    progress(2, 2, "HN: read")
    return Corpus(train, dev, attack, files)


KIND = Kind(
    task="HN",
    about="news by a hyperpartisan publisher, left or right",
    source="SemEval-2019 task 4, articles by publisher (Kiesel et al. 2019), doi.org/10.5281/zenodo.5776081",
    layout="articles-{training,test}-bypublisher-DATE.xml and ground-truth-{training,test}-bypublisher-DATE.xml",
    texts=1,
    read=read,
)


def _split(truth: Path, articles: Path, every: int) -> list[Labelled]:
    """The articles in the order of the ground truth: the title, then the text with its own line breaks."""
    wanted: dict[str, tuple[int, str]] = {}
    for id, element in _articles(truth, every):
        label = element.get("hyperpartisan", "").lower()
        if label not in LABELS:
            raise AttackError(f"{truth}, article {id}, attribute hyperpartisan: {label!r} is neither true nor false")
        wanted[id] = LABELS[label], element.get("url", "")
    texts: dict[str, str] = {}
    for id, element in _articles(articles, every):
        title = element.get("title")
        if title is None:
            raise AttackError(f"{articles}, article {id}, attribute title: missing")
        if id in wanted:
            texts[id] = f"{title}\n{''.join(element.itertext())}"
    if lost := next((id for id in wanted if id not in texts), None):
        raise AttackError(f"{articles}: there is no article {lost}, which {truth.name} has a label for")
    return [Labelled(label, url, (texts[id],)) for id, (label, url) in wanted.items()]


def _articles(path: Path, every: int) -> Iterator[tuple[str, Element]]:
    """Every so many-th article by its number. One at a time is in memory: the file has a gigabyte."""
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    root = None
    try:
        for event, element in iterparse(path, events=("start", "end")):
            if root is None:
                root = element
            if event == "end" and element.tag == "article":
                id = element.get("id", "")
                if not (id.isascii() and id.isdigit()):
                    raise AttackError(f"{path}, attribute id: {id!r} is not the number of an article")
                if int(id) % every == 0:
                    yield id, element
                root.clear()
    except ParseError as error:
        raise AttackError(f"{path}: not XML ({error})") from None
    except DefusedXmlException as error:
        raise AttackError(f"{path}: declares entities, which no article needs ({type(error).__name__})") from None

"""FC: claims with what Wikipedia says about them (FEVER, Thorne et al. 2018), as lines of JSON."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attacks.errors import AttackError
from attacks.tasks.corpora.corpus import Corpus, Kind, Labelled, Progress, divided, find_files, json_lines, text_of, the_file

LABELS = {"REFUTES": 1, "SUPPORTS": 0}
UNDECIDED = "NOT ENOUGH INFO"
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]"}

Sentence = tuple[str, int]
"""A sentence of Wikipedia: the page's title and the sentence's number on it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim and its sets of evidence, each of which is enough by itself."""

    label: int
    text: str
    evidence: list[list[Sentence]]


def read(folder: Path, progress: Progress) -> Corpus:
    """One text per claim and set of evidence: all sentences of the set under the titles of their pages, then the claim.

    First the claims are read, then the five million pages, of which only those sentences stay that the claims need.
    """
    splits = {"train": the_file(folder, "train.jsonl"), "test": the_file(folder, "shared_task_dev.jsonl")}
    pages = find_files(folder, "wiki-[0-9]*.jsonl")
    if not pages:
        raise AttackError(f"{folder}: there are no pages of Wikipedia, wiki-pages/wiki-NUMBER.jsonl")
    remarks: Counter[str] = Counter()
    claims = {split: list(_claims(path, remarks)) for split, path in splits.items()}
    needed = {sentence for split in claims.values() for claim in split for evidence in claim.evidence for sentence in evidence}
    sentences = _sentences(pages, needed, progress)
    found = {split: [each for claim in claims[split] for each in _pairs(claim, sentences, remarks)] for split in splits}
    attack, dev = divided(found["test"])
    files = {"claims, train": [splits["train"]], "claims, test": [splits["test"]], "pages": pages}
    return Corpus(found["train"], dev, attack, files, remarks)


KIND = Kind(
    task="FC",
    about="a claim that the evidence refutes",
    source="FEVER, claims for training and labelled development, and its pages of Wikipedia (Thorne et al. 2018), fever.ai",
    layout="train.jsonl, shared_task_dev.jsonl and wiki-pages/wiki-NUMBER.jsonl",
    texts=2,
    read=read,
)


def plain(text: str) -> str:
    """With brackets for what stands for them, in composed characters: pages and claims write titles differently."""
    for name, bracket in _BRACKETS.items():
        text = text.replace(name, bracket)
    return unicodedata.normalize("NFC", text)


def _claims(path: Path, remarks: Counter[str]) -> Iterator[Claim]:
    for where, values in json_lines(path):
        label = text_of(values, "label", where)
        if label == UNDECIDED:
            remarks[f"claims left out: {UNDECIDED}"] += 1
        elif label not in LABELS:
            raise AttackError(f"{where}, field label: {label[:40]!r} is none of {', '.join([*LABELS, UNDECIDED])}")
        else:
            yield Claim(LABELS[label], text_of(values, "claim", where), _evidence(values.get("evidence"), where))


def _evidence(sets: Any, where: str) -> list[list[Sentence]]:
    """Of each set the titles and numbers of its sentences; what else FEVER says about them is not needed."""
    try:
        found = [[(title, number) for _, _, title, number in evidence] for evidence in sets]
        if all(isinstance(title, str) and isinstance(number, int) for each in found for title, number in each):
            return [[(plain(title), number) for title, number in each] for each in found]
    except (TypeError, ValueError):
        pass
    raise AttackError(f"{where}, field evidence: expected lists of [annotation, evidence, title, number of the sentence]")


def _sentences(pages: list[Path], needed: set[Sentence], progress: Progress) -> dict[Sentence, str]:
    titles = {title for title, _ in needed}
    found: dict[Sentence, str] = {}
    for done, path in enumerate(pages):
        progress(done, len(pages), f"FC: {path.name}")
        for where, values in json_lines(path):
            title = plain(text_of(values, "id", where))
            if title in titles:
                found.update(_needed(title, text_of(values, "lines", where), needed))
    progress(len(pages), len(pages), "FC: read")
    return found


def _needed(title: str, lines: str, needed: set[Sentence]) -> Iterable[tuple[Sentence, str]]:
    """Of a page's lines, which are number, sentence and the words that link elsewhere between tabs."""
    for line in lines.split("\n"):
        number, *rest = line.split("\t")
        if rest and number.isdecimal() and (title, int(number)) in needed:
            yield (title, int(number)), plain(rest[0])


def _pairs(claim: Claim, sentences: dict[Sentence, str], remarks: Counter[str]) -> Iterator[Labelled]:
    """As in BODEGA, a set ends before a sentence that Wikipedia lacks, and what two sets say alike is one text."""
    seen: set[str] = set()
    for evidence in claim.evidence:
        parts: list[str] = []
        titles: list[str] = []
        for title, number in evidence:
            if (title, number) not in sentences:
                remarks["sets of evidence cut short: a sentence is not on its page"] += 1
                break
            if not titles or title != titles[-1]:
                titles.append(title)
                parts.append(f"{title.replace('_', ' ')}.")
            parts.append(sentences[title, number])
        text = " ".join(parts)
        if not parts:
            remarks["sets of evidence left out: nothing of them is in Wikipedia"] += 1
        elif text in seen:
            remarks["sets of evidence left out: another one of the claim says the same"] += 1
        else:
            seen.add(text)
            yield Labelled(claim.label, f"Wikipedia:{'/'.join(titles)}", (text, claim.text))

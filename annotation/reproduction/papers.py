"""The papers that can be reproduced, by the names that commands know them by, and the page that lists their tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from . import bodega, incrediblae, second_order, suspiciousness
from .given import Given
from .published import Part, Section


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: how it is cited, its tables and figures, and what computes them."""

    title: str
    citation: str
    parts: Sequence[Part]
    sections: Callable[[Given], Iterable[Section]]


PAPERS: Final = {
    "incrediblae": Paper(
        "InCrediblAE: the manual evaluation",
        "Przybyła, Wu, Shvets, Mu, Sheang, Song and Saggion, “Overview of the CLEF-2024 CheckThat! Lab Task 6 on Robustness of "
        "Credibility Assessment with Adversarial Examples (InCrediblAE)”, CEUR-WS 3740, 2024",
        incrediblae.PARTS,
        incrediblae.sections,
    ),
    "suspiciousness": Paper(
        "Suspiciousness of adversarial texts",
        "Tonni, Faustini and Dras, “Suspiciousness of Adversarial Texts to Human”, 2024",
        suspiciousness.PARTS,
        suspiciousness.sections,
    ),
    "bodega": Paper(
        "BODEGA: victims and attacks",
        "Przybyła, Shvets and Saggion, “Verifying the Robustness of Automatic Credibility Assessment”, Natural Language "
        "Processing, 2024",
        bodega.PARTS,
        bodega.sections,
    ),
    "second-order": Paper(
        "Second-order adversarial examples",
        "Morris, “Second-Order NLP Adversarial Examples”, BlackboxNLP 2020",
        second_order.PARTS,
        second_order.sections,
    ),
}


def listed() -> Iterator[str]:
    """Every part of every paper, as the lines of a page in Markdown: `docs/reference/papers.md` holds them."""
    for name, paper in PAPERS.items():
        yield from (f"## {paper.title}", "", f"{paper.citation}. `manage.py reproduce {name}`.", "")
        yield from ("| part | what it shows | | from what, or why not |", "| --- | --- | --- | --- |")
        yield from (f"| {part.name} | {part.shows} | {part.status} | {part.reason} |" for part in paper.parts)
        yield ""

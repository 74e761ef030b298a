"""Words that occur nowhere by chance, so that a page that holds one shows what leaked, and from which campaign."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal["inside", "text", "person", "answer", "gold", "ruling", "code"]
"""inside: title, guidelines, sheet. text: what is judged. person: names, addresses, platforms' ids, teams. answer: labels'
comments, reasons of skips, flags. gold: explanations of known answers. ruling: adjudicators' notes. code: of completion."""

KINDS: tuple[Kind, ...] = ("inside", "text", "person", "answer", "gold", "ruling", "code")
_MARK = re.compile(rf"qz([a-z]+?)q({'|'.join(KINDS)})")


class Mark(NamedTuple):
    campaign: str
    kind: str


def mark(campaign: str, kind: Kind) -> str:
    """The word that stands in all of the campaign's rows of that kind."""
    return f"qz{_letters(campaign)}q{kind}"


def marks_in(body: str) -> set[Mark]:
    """Whatever was marked and stands in the page."""
    return {Mark(*found) for found in _MARK.findall(body.lower())}


def marks_of(campaign: str, *kinds: str) -> set[Mark]:
    return {Mark(_letters(campaign), kind) for kind in kinds or KINDS}


def _letters(name: str) -> str:
    return re.sub("[^a-z]", "", name.lower())

"""The protocols. `PROTOCOLS` is the one place that lists them."""

from __future__ import annotations

from annotation.models import Campaign

from .base import Answer, AnswerError, Exposition, Option, Outcome, Preset, Protocol
from .binary import Binary
from .mark_words import MarkWords
from .meaning import Meaning
from .preference import Preference
from .question import Question
from .suspicion import Suspicion

PROTOCOLS: dict[str, Protocol] = {
    protocol.key: protocol for protocol in (Meaning(), Suspicion(), Binary(), Preference(), MarkWords(), Question())
}


def protocol_of(campaign: Campaign) -> Protocol:
    """The protocol that the campaign follows."""
    return PROTOCOLS[campaign.protocol]


def exclusion_of(campaign: Campaign) -> str | None:
    """The group in which one person sees one variant of an original; None where people may see several.

    Linked campaigns are such a group whatever their protocols.
    """
    return campaign.exclusion_group if campaign.link_group or protocol_of(campaign).exclusive else None


__all__ = [
    "PROTOCOLS",
    "Answer",
    "AnswerError",
    "Exposition",
    "Option",
    "Outcome",
    "Preset",
    "Protocol",
    "exclusion_of",
    "protocol_of",
]

"""The protocols. `PROTOCOLS` is the one place that lists them."""

from __future__ import annotations

from annotation.models import Campaign

from .base import Answer, AnswerError, Exposition, Option, Outcome, Protocol
from .meaning import Meaning
from .preference import Preference
from .suspicion import Suspicion

PROTOCOLS: dict[str, Protocol] = {protocol.key: protocol for protocol in (Meaning(), Suspicion(), Preference())}


def protocol_of(campaign: Campaign) -> Protocol:
    """The protocol that the campaign follows."""
    return PROTOCOLS[campaign.protocol]


__all__ = ["PROTOCOLS", "Answer", "AnswerError", "Exposition", "Option", "Outcome", "Protocol", "protocol_of"]

"""What is kept of a platform's participant who withdrew: enough to know them again, too little to say who they are."""

from __future__ import annotations

from django.utils.crypto import salted_hmac

from annotation.models import Campaign, CrowdFingerprint

PURPOSE = "annotation.services.fingerprints"


def remember(*, campaign: Campaign, participant: str) -> None:
    """Keep that this participant withdrew from the campaign."""
    CrowdFingerprint.objects.get_or_create(campaign=campaign, digest=_digest(campaign, participant))


def has_withdrawn(*, campaign: Campaign, participant: str) -> bool:
    """Whether this participant has withdrawn from the campaign."""
    return CrowdFingerprint.objects.filter(campaign=campaign, digest=_digest(campaign, participant)).exists()


def _digest(campaign: Campaign, participant: str) -> str:
    """Keyed by the server's secret: ids can be listed, so a bare hash would give them away to whoever reads the database."""
    return salted_hmac(PURPOSE, f"{campaign.pk}:{participant}", algorithm="sha256").hexdigest()

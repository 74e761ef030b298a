"""Which rows a verb holds first."""

from __future__ import annotations

from annotation.models import Campaign


def hold(campaign: Campaign | int) -> Campaign:
    """The campaign as it is now, kept from other verbs of organisers until the transaction ends; answers come in meanwhile.

    Whoever locks rows below a campaign and writes to its log holds it before those rows: the log refers to it, and a change of
    settings or links, which holds it whole and then wants the rows, would otherwise wait for the one that waits for it.
    """
    return Campaign.objects.select_for_update(no_key=True).get(pk=campaign if isinstance(campaign, int) else campaign.pk)


def hold_whole(campaign: Campaign | int) -> Campaign:
    """The campaign as it is now, kept from answers and from handing out work too: what they mean is about to change."""
    return Campaign.objects.select_for_update().get(pk=campaign if isinstance(campaign, int) else campaign.pk)

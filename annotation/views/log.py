"""The activity log: who did what to a campaign, and when."""

from __future__ import annotations

from operator import itemgetter

from django.http import Http404, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.numbers import whole
from annotation.queries.log import events_of, page_of, verbs_of
from annotation.services.activity import VERBS, in_words

from .access import Request, organised, signed_in
from .frame import campaign_page

EVENTS_PER_PAGE = 50


@never_cache
@require_safe
@signed_in
def log(request: Request, name: str) -> HttpResponse:
    """The newest first."""
    campaign = organised(request, name)
    verb, before = request.GET.get("verb", ""), request.GET.get("before", "")
    if (verb and verb not in VERBS) or (before and whole(before) is None):
        raise Http404
    events, more = page_of(events_of(campaign, verb=verb), size=EVENTS_PER_PAGE, before=whole(before))
    context = {
        "verb": verb,
        "verbs": sorted(((known, VERBS[known].title) for known in verbs_of(campaign)), key=itemgetter(1)),
        "events": [(event, in_words(event)) for event in events],
        "more": events[-1].pk if more else None,
        "later": bool(before),
    }
    return campaign_page(request, "campaigns/log.html", campaign, "log", context)

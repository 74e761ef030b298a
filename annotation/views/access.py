"""Who may open what: one function per kind of object. Whoever may not see it gets 404, so that ids tell nothing; whoever may not
act in it any more is told so."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from annotation.models import (
    AttackRun,
    Campaign,
    Claim,
    Flag,
    Invitation,
    Item,
    Job,
    Judgement,
    LearnedModel,
    Membership,
    RobustnessMeasurement,
    Team,
    Upload,
    User,
)
from annotation.protocols import protocol_of
from annotation.queries.conflicts import ruled_on
from annotation.queries.items import whole
from annotation.queries.jobs import tried_by
from annotation.queries.lists import (
    adjudicated_by,
    claims_of,
    joined_by,
    measurements_seen_by,
    models_seen_by,
    organised_by,
    runs_seen_by,
)
from annotation.queries.own import Standing, standings


class Request(HttpRequest):
    """A request as views behind `signed_in` get it."""

    user: User
    htmx: HtmxDetails


View = Callable[..., HttpResponseBase]
State = Membership.State
SAFE_METHODS = ("GET", "HEAD")


class NotActive(Exception):
    """The person is in the campaign, but paused or deactivated, or has withdrawn. `signed_in` shows a page that says so."""

    def __init__(self, member: Membership) -> None:
        self.member = member


def signed_in(view: View) -> View:
    """Send strangers to the sign-in page. A script's request gets 401 instead, for a redirect would look like success."""

    @wraps(view)
    def checked(request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            try:
                return view(request, *args, **kwargs)
            except NotActive as stopped:
                return standing_page(request, stopped.member)
        if request.htmx or request.headers.get("Sec-Fetch-Mode") == "cors":
            return HttpResponse("You are signed out.", status=401, content_type="text/plain")
        # After signing in, an address that only takes POST would answer 405.
        return redirect_to_login(request.get_full_path() if request.method in SAFE_METHODS else "/")

    return checked


def organisers_only(view: View) -> View:
    """For pages that belong to no campaign."""

    @signed_in
    @wraps(view)
    def checked(request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_organiser:
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return checked


def organised(request: Request, name: str) -> Campaign:
    """A campaign that the person organises."""
    return get_object_or_404(organised_by(request.user), name=name)


def adjudicated(request: Request, name: str) -> Campaign:
    """A campaign in which the person rules on conflicts: as adjudicator or as organiser."""
    return get_object_or_404(adjudicated_by(request.user), name=name)


def answered(request: Request, name: str) -> Campaign:
    """A campaign that the person answers in. Raises NotActive for annotators who may get nothing now."""
    return own_membership(request, name, State.ACTIVE).campaign


def joined(request: Request, name: str) -> Campaign:
    """A campaign that the person organises, adjudicates or answers in."""
    campaign = joined_by(request.user).filter(name=name).first()
    return campaign if campaign is not None else own_membership(request, name, State.ACTIVE).campaign


def own_membership(request: Request, name: str, *states: str) -> Membership:
    """The person's place as an annotator of that campaign, in one of the states. Raises NotActive in any other."""
    members = request.user.memberships.select_related("campaign", "user", "team")
    member = get_object_or_404(members, campaign__name=name, role=Membership.Role.ANNOTATOR)
    if member.state not in states:
        raise NotActive(member)
    return member


def annotating(request: Request, name: str) -> Standing:
    """The person's place as an annotator of that campaign, however they stand, with all that handing out work has to know."""
    return get_object_or_404(standings(request.user), campaign__name=name)


def looking_back(request: Request, name: str) -> Standing:
    """The same for what somebody answered: whoever was deactivated, or has withdrawn, reads none of it any more."""
    member = annotating(request, name)
    if member.state not in (State.ACTIVE, State.PAUSED):
        raise NotActive(member)
    return member


def own_claim(request: Request, name: str, claim_id: int) -> Claim:
    """A claim that the person holds or held in that campaign. An answer that is on its way when somebody is paused or deactivated
    is not lost: `submit` says whether it counts."""
    own_membership(request, name, State.ACTIVE, State.PAUSED, State.DEACTIVATED)
    return get_object_or_404(claims_of(request.user, name), pk=claim_id)


def member_of(request: Request, name: str, pk: int) -> Membership:
    """Somebody in a campaign that the person organises."""
    members = Membership.objects.select_related("campaign", "user", "team", "group")
    return get_object_or_404(members, campaign=organised(request, name), pk=pk)


def team_of(request: Request, name: str, pk: int) -> Team:
    """A team of a campaign that the person organises."""
    return get_object_or_404(Team.objects.select_related("campaign"), campaign=organised(request, name), pk=pk)


def item_in(request: Request, name: str, number: int) -> Item:
    """An item of a campaign that the person organises, with everything about it."""
    return get_object_or_404(whole(organised(request, name)), number=number)


def answer_in(request: Request, name: str, pk: int) -> Judgement:
    """An answer in a campaign that the person organises."""
    answers = Judgement.objects.select_related("claim__item", "claim__campaign", "claim__annotator")
    return get_object_or_404(answers, claim__campaign=organised(request, name), pk=pk)


def flag_in(request: Request, name: str, pk: int) -> Flag:
    """A flag on an item of a campaign that the person organises."""
    return get_object_or_404(Flag.objects.select_related("item__campaign"), item__campaign=organised(request, name), pk=pk)


def conflict_in(request: Request, name: str, number: int) -> Item:
    """An item that the person may decide, as adjudicator or organiser. Who answered it stays hidden."""
    return get_object_or_404(ruled_on(adjudicated(request, name)), number=number)


def invitation_of(request: Request, name: str, pk: int) -> Invitation:
    """An invitation link of a campaign that the person organises."""
    return get_object_or_404(Invitation.objects.select_related("campaign"), campaign=organised(request, name), pk=pk)


def upload_of(request: Request, name: str, pk: int) -> Upload:
    """A file that was uploaded for a campaign that the person organises."""
    return get_object_or_404(Upload.objects.select_related("campaign"), campaign=organised(request, name), pk=pk)


def standing_page(request: Request, member: Membership) -> HttpResponse:
    """Why there is no work for this person: not an error, and nothing that they stored is lost."""
    context = {"campaign": member.campaign, "member": member, "protocol": protocol_of(member.campaign)}
    if request.htmx:
        return HttpResponseClientRedirect(reverse("work", args=[member.campaign.name]))
    return render(request, "people/standing.html", context, status=200 if request.method in SAFE_METHODS else 409)


def seen_model(request: Request, pk: int) -> LearnedModel:
    """A model trained on campaigns that the person organises, or uploaded."""
    return get_object_or_404(models_seen_by(request.user), pk=pk)


def tried_text(request: Request, model: int, pk: int) -> Job:
    """A text that the person has tried on the model within the last hour."""
    return get_object_or_404(tried_by(request.user), arguments__model=model, pk=pk)


def seen_run(request: Request, pk: int) -> AttackRun:
    """An attack run."""
    return get_object_or_404(runs_seen_by(request.user), pk=pk)


def seen_measurement(request: Request, pk: int) -> RobustnessMeasurement:
    """A measurement of constraints."""
    return get_object_or_404(measurements_seen_by(request.user), pk=pk)

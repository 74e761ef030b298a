"""A campaign's people as its organisers see them: who is in, who may come in, teams and groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.errors import DomainError
from annotation.exchange.people import PEOPLE_FILES, people_csv
from annotation.exchange.snapshot import in_one_snapshot
from annotation.forms.people import DrawForm, InvitationForm, MemberForm, TeamForm
from annotation.models import Campaign, Entrance, Membership, Team, User
from annotation.numbers import whole
from annotation.queries.crowd import crowd_standings
from annotation.queries.people import (
    checks_skipped_by,
    consents_of,
    held_by,
    hourly_pay,
    invitations_of,
    members_of,
    pace_of,
    teams_of,
)
from annotation.services import members, teams
from annotation.services.activity import log
from annotation.services.crowd import gives_no_way_back, let_in_again, pasted_at_platform, platform_of
from annotation.services.people import invite as make_invitation
from annotation.services.people import revoke as revoke_invitation
from annotation.services.sheets import unfilled
from scoring.wording import counted

from .access import Request, invitation_of, member_of, organised, signed_in, team_of
from .frame import campaign_page
from .telling import tell

PEOPLE_PER_PAGE = 50

Act = Callable[..., Any]
ON_MEMBER: dict[str, tuple[Act, str]] = {
    "pause": (members.pause, "{person} is paused: nothing new is handed out to them."),
    "resume": (members.resume, "{person} can go on."),
    "deactivate": (members.deactivate, "{person} is deactivated. What they held went back; their answers stay."),
    "let-in": (let_in_again, "{person} can come in again from another browser."),
}
ASKED_FIRST = {"deactivate": "people/deactivate.html", "hand-over": "people/hand_over.html"}
ON_TEAM: dict[str, tuple[Act, str]] = {
    "withdraw": (teams.withdraw_team, "The texts of “{team}” are out of every figure and are handed out no more."),
    "return": (teams.return_team, "The texts of “{team}” are in again."),
    "organisers": (teams.name_organisers_team, "“{team}” is the organisers' team: third people come from it."),
}


@never_cache
@require_safe
@signed_in
def people(request: Request, name: str) -> HttpResponse:
    """Everybody in the campaign, with how they stand and what they did."""
    return _people(request, organised(request, name))


@never_cache
@require_safe
@signed_in
def people_file(request: Request, name: str, file: str) -> StreamingHttpResponse:
    """Whom the crowd platform sent, by its ids; who agreed to which sheet."""
    campaign = organised(request, name)
    if file not in PEOPLE_FILES:
        raise Http404
    log(campaign=campaign, by=request.user, verb="exported", file=file)
    headers = {"Content-Disposition": f'attachment; filename="{campaign.name}-{file}"'}
    parts = in_one_snapshot(campaign, (part.encode() for part in people_csv(campaign, file)))
    return StreamingHttpResponse(parts, content_type="text/csv; charset=utf-8", headers=headers)


@never_cache
@require_POST
@signed_in
def invite(request: Request, name: str) -> HttpResponse:
    """Make an invitation link and show it, this once: only its hash is kept."""
    campaign = organised(request, name)
    form = InvitationForm(request.POST, campaign=campaign)
    if not form.is_valid():
        return _people(request, campaign, {"invitation": form}, status=422)
    wanted = form.cleaned_data
    token = make_invitation(
        campaign=campaign, by=request.user, role=wanted["role"], team=wanted["team"], uses=wanted["uses"], lasts=wanted["days"]
    )
    return _people(request, campaign, {"link": request.build_absolute_uri(f"/join/{token}/")})


@require_POST
@signed_in
def revoke(request: Request, name: str, pk: int) -> HttpResponse:
    """Let nobody else in by a link."""
    revoke_invitation(invitation=invitation_of(request, name, pk), by=request.user)
    messages.success(request, "The link does not work any more. Whoever joined by it stays.")
    return redirect("people", name)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def member(request: Request, name: str, pk: int) -> HttpResponse:
    """One person: how they stand, and their role, team and quota to be changed."""
    found = member_of(request, name, pk)
    form = MemberForm(request.POST or None, member=found)
    problem = None
    if form.is_valid():
        try:
            _change_member(found, form.cleaned_data, request.user)
        except DomainError as refused:
            problem = refused
        else:
            messages.success(request, f"{found.user.username} is changed.")
            return redirect("people", name)
    shown = members_of(found.campaign).get(pk=found.pk)
    context = {
        "member": shown,
        "pace": pace_of(shown.times),
        "checks_skipped": checks_skipped_by(shown),
        "form": form,
        "problem": problem,
        "owns": found.campaign.created_by_id == found.user_id,
        "own_campaign": found.campaign.created_by_id == request.user.pk,
        "sent": crowd_standings(found.campaign, [shown]).get(shown.pk),
        "consents": consents_of(shown),
        "platform": platform_of(found.campaign.entrance).title if hasattr(found.campaign, "entrance") else "a crowd platform",
    }
    return campaign_page(request, "people/member.html", found.campaign, "people", context, 422 if form.is_bound else 200)


def _change_member(found: Membership, wanted: dict[str, Any], by: User) -> None:
    if wanted["role"] != found.role:
        members.change_role(member=found, role=wanted["role"], by=by)
    if wanted["team"] != found.team:
        members.move_to_team(member=found, team=wanted["team"], by=by)
    if wanted["quota"] != found.quota:
        members.set_quota(member=found, quota=wanted["quota"], by=by)


@require_POST
@signed_in
def act_on_member(request: Request, name: str, pk: int, verb: str) -> HttpResponse:
    """Pause, let go on, deactivate, or let in again."""
    found = member_of(request, name, pk)
    if verb not in ON_MEMBER:
        raise Http404
    act, done = ON_MEMBER[verb]
    tell(request, lambda: act(member=found, by=request.user), done.format(person=found.user.username))
    return redirect("member", name, pk)


@never_cache
@require_safe
@signed_in
def ask_about_member(request: Request, name: str, pk: int, verb: str) -> HttpResponse:
    """Says what deactivating somebody, or handing the campaign over to them, comes to, before it is done."""
    found = member_of(request, name, pk)
    if verb not in ASKED_FIRST:
        raise Http404
    context = {"member": found, "held": held_by(found)}
    return campaign_page(request, ASKED_FIRST[verb], found.campaign, "people", context)


@require_POST
@signed_in
def transfer(request: Request, name: str) -> HttpResponse:
    """Hand the campaign over to another organiser."""
    campaign = organised(request, name)
    # Somebody who is not in the campaign cannot be named here, so nothing tells which accounts exist.
    number = whole(request.POST.get("member", ""))
    chosen = campaign.memberships.filter(pk=number).select_related("user").first() if number is not None else None
    to = request.user if campaign.created_by_id is None else chosen.user if chosen else None
    if to is None:
        raise Http404
    done = f"{to.username} owns the campaign now." if to != request.user else "The campaign is yours now."
    tell(request, lambda: members.transfer(campaign=campaign, to=to, by=request.user), done)
    return redirect("people", name)


@require_POST
@signed_in
def add_team(request: Request, name: str) -> HttpResponse:
    """A new team."""
    campaign = organised(request, name)
    form = TeamForm(request.POST)
    if not form.is_valid():
        return _people(request, campaign, {"team_form": form}, status=422)
    team = form.cleaned_data["name"]
    try:
        teams.make_team(campaign=campaign, name=team, by=request.user)
    except DomainError as refused:
        form.add_error("name", str(refused))
        return _people(request, campaign, {"team_form": form}, status=422)
    messages.success(request, f"The team “{team}” is there.")
    return redirect("people", name)


@require_POST
@signed_in
def act_on_team(request: Request, name: str, pk: int, verb: str) -> HttpResponse:
    """Take a team's texts out of the figures or in again, or make it the organisers' team."""
    team: Team = team_of(request, name, pk)
    if verb not in ON_TEAM:
        raise Http404
    act, done = ON_TEAM[verb]
    tell(request, lambda: act(team=team, by=request.user), done.format(team=team.name))
    return redirect("people", name)


@require_POST
@signed_in
def draw_groups(request: Request, name: str) -> HttpResponse:
    """Pair participants with the organisers' team and deal the items to the groups."""
    campaign = organised(request, name)
    form = DrawForm(request.POST)
    if not form.is_valid():
        return _people(request, campaign, {"draw_form": form}, status=422)
    try:
        drawn = teams.draw_groups(campaign=campaign, by=request.user, seed=form.cleaned_data["seed"])
    except DomainError as refused:
        form.add_error(None, str(refused))
        return _people(request, campaign, {"draw_form": form}, status=422)
    spare = f" In no group, for thirds: {', '.join(drawn.spare)}." if drawn.spare else ""
    groups = counted(drawn.groups, "group was", "groups were")
    dealt = counted(drawn.items, "item was", "items were")
    messages.success(request, f"{groups} drawn; {dealt} dealt.{spare}")
    return redirect("people", name)


def _way_in(request: Request, campaign: Campaign) -> dict[str, Any]:
    """The address through which people come besides by invitation, ready to be pasted."""
    entrance: Entrance | None = getattr(campaign, "entrance", None)
    if entrance is None or entrance.kind == Entrance.Kind.OPEN:
        return {"entrance": entrance, "entrance_address": request.build_absolute_uri(reverse("register", args=[campaign.name]))}
    page, platform = request.build_absolute_uri(reverse("crowd", args=[campaign.name])), platform_of(entrance)
    return {
        "entrance": entrance,
        "entrance_address": pasted_at_platform(entrance, page),
        "entrance_title": platform.title,
        "entrance_note": platform.note,
    }


def _people(request: Request, campaign: Campaign, context: dict[str, Any] | None = None, status: int = 200) -> HttpResponse:
    page = Paginator(members_of(campaign), PEOPLE_PER_PAGE).get_page(request.GET.get("page"))
    sent, entrance = crowd_standings(campaign, page), getattr(campaign, "entrance", None)
    facts = {
        "page": page,
        "rows": [(row, pace_of(row.times), sent.get(row.pk)) for row in page],
        "by_crowd": bool(sent) or (entrance is not None and entrance.kind == Entrance.Kind.CROWD),
        "no_way_back": gives_no_way_back(entrance),
        "teams": list(teams_of(campaign)),
        "grouped": campaign.groups.count(),
        "invitations": list(invitations_of(campaign)),
        "pay": hourly_pay(campaign),
        "gaps": unfilled(campaign.sheets.first()),
        "invitation": InvitationForm(campaign=campaign),
        "team_form": TeamForm(),
        "draw_form": DrawForm(),
        "third_from": campaign.settings["third_from"],
        "nobodys": campaign.created_by_id is None,
        **_way_in(request, campaign),
    }
    return campaign_page(request, "people/people.html", campaign, "people", facts | (context or {}), status)

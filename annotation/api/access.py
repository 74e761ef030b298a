"""Who calls, and what they may reach: by the same questions as the pages. What is not theirs is 404, so that ids tell nothing."""

from __future__ import annotations

from typing import cast

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from annotation.models import Campaign, Claim, Item, Job, LearnedModel, Membership, User
from annotation.queries.jobs import may_cancel, may_watch, tried_by
from annotation.queries.lists import models_seen_by, organised_by
from annotation.queries.own import with_texts
from annotation.services.claiming import STANDS

from .problems import NotActive

State = Membership.State


class OrganisersOnly(IsAuthenticated):
    """For what belongs to no campaign."""

    message = "Only organisers may do this."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return super().has_permission(request, view) and person(request).is_organiser


def person(request: Request) -> User:
    """Who calls."""
    return cast(User, request.user)


def organised(request: Request, name: str) -> Campaign:
    """A campaign that the caller organises."""
    return get_object_or_404(organised_by(person(request)), name=name)


def answered(request: Request, name: str) -> Campaign:
    """A campaign that the caller answers in. Raises NotActive when they may get nothing there now."""
    return _membership(request, name, State.ACTIVE).campaign


def own_claims(request: Request, name: str) -> QuerySet[Claim]:
    """The caller's claims in a campaign that they answer in."""
    return with_texts(Claim.objects.filter(annotator=person(request), campaign=answered(request, name)))


def own_claim(request: Request, name: str, claim_id: int) -> Claim:
    """One of these claims."""
    return get_object_or_404(own_claims(request, name), pk=claim_id)


def answerable_claim(request: Request, name: str, claim_id: int) -> Claim:
    """One of the caller's claims, also when they were paused or deactivated meanwhile: an answer on its way is not lost."""
    campaign = _membership(request, name, State.ACTIVE, State.PAUSED, State.DEACTIVATED).campaign
    return get_object_or_404(with_texts(Claim.objects.filter(annotator=person(request), campaign=campaign)), pk=claim_id)


def _membership(request: Request, name: str, *states: State) -> Membership:
    members = Membership.objects.filter(user=person(request), role=Membership.Role.ANNOTATOR).select_related("campaign")
    member = get_object_or_404(members, campaign__name=name)
    if member.state not in states:
        raise NotActive(STANDS[State(member.state)])
    return member


def organised_item(request: Request, name: str, number: int) -> Item:
    """An item of a campaign that the caller organises."""
    items = Item.objects.select_related("campaign", "first", "second", "original", "gold", "decision__label")
    return get_object_or_404(items, campaign=organised(request, name), number=number)


def watched_job(request: Request, pk: int) -> Job:
    """A job that the caller may watch."""
    job = get_object_or_404(Job, pk=pk)
    if not may_watch(job, person(request)):
        raise Http404
    return job


def seen_model(request: Request, pk: int) -> LearnedModel:
    """A model that the caller may see."""
    return get_object_or_404(models_seen_by(person(request)), pk=pk)


def tried_text(request: Request, model: int, pk: int) -> Job:
    """A text that the caller asked the model about within the last hour."""
    return get_object_or_404(tried_by(person(request)), arguments__model=model, pk=pk)


def cancellable_job(request: Request, pk: int) -> Job:
    """A job that the caller may stop."""
    job = get_object_or_404(Job, pk=pk)
    if not may_cancel(job, person(request)):
        raise Http404
    return job

"""Who calls, and what they may reach: by the same questions as the pages. What is not theirs is 404, so that ids tell nothing."""

from __future__ import annotations

from typing import cast

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from annotation.models import Campaign, Claim, Item, Job, User
from annotation.queries.jobs import may_cancel, may_watch
from annotation.queries.lists import answered_in_by, claims_of, items_of, organised_by


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
    """A campaign that the caller answers in."""
    return get_object_or_404(answered_in_by(person(request)), name=name)


def own_claims(request: Request, name: str) -> QuerySet[Claim]:
    """The caller's claims in a campaign that they answer in."""
    return claims_of(person(request), answered(request, name).name)


def own_claim(request: Request, name: str, claim_id: int) -> Claim:
    """One of these claims."""
    return get_object_or_404(own_claims(request, name), pk=claim_id)


def organised_item(request: Request, name: str, number: int) -> Item:
    """An item of a campaign that the caller organises."""
    return get_object_or_404(items_of(organised(request, name)), number=number)


def watched_job(request: Request, pk: int) -> Job:
    """A job that the caller may watch."""
    job = get_object_or_404(Job, pk=pk)
    if not may_watch(job, person(request)):
        raise Http404
    return job


def cancellable_job(request: Request, pk: int) -> Job:
    """A job that the caller may stop."""
    job = get_object_or_404(Job, pk=pk)
    if not may_cancel(job, person(request)):
        raise Http404
    return job

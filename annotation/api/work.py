"""The annotator's work: where to answer, the next item, progress."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Campaign, Claim, Membership
from annotation.queries.lists import answered_in_by
from annotation.queries.own import Standing, own_progress
from annotation.services.claiming import hand_out

from .access import answered, own_claim, own_claims, person
from .problems import ConsentNeeded
from .resource import LISTED, ListResource, Resource, extend_schema, no_rows, refusals
from .shown import ClaimShape, HeldShape


class WorkShape(serializers.Serializer[Any]):
    """A campaign that you answer in."""

    name = serializers.CharField()
    title = serializers.CharField()
    protocol = serializers.CharField()
    state = serializers.ChoiceField(choices=Campaign.State.choices)
    standing = serializers.ChoiceField(choices=Membership.State.choices, help_text="How you stand there.")
    question = serializers.SerializerMethodField()
    guidelines = serializers.SerializerMethodField()
    given = serializers.IntegerField(help_text="How many answers you gave.")

    def get_question(self, campaign: Campaign) -> str:
        return str(campaign.settings["question"])

    def get_guidelines(self, campaign: Campaign) -> str:
        return str(campaign.settings["guidelines"])


class Work(ListResource):
    """Where you answer."""

    queryset = no_rows(Campaign)
    serializer_class = WorkShape

    @extend_schema(operation_id="work", responses={LISTED: WorkShape(many=True), **refusals()})
    def get(self, request: Request) -> Response:
        """Campaigns that you answer in, the newest first."""
        return self.page(answered_in_by(person(request)), WorkShape)


class Claims(ListResource):
    """Your items in one campaign."""

    queryset = no_rows(Claim)
    serializer_class = ClaimShape
    throttle_scope = "work"

    @extend_schema(operation_id="claims", responses={LISTED: ClaimShape(many=True), **refusals(404, 409)})
    def get(self, request: Request, name: str) -> Response:
        """Items that you hold or held, the newest first."""
        return self.page(own_claims(request, name), ClaimShape)

    @extend_schema(operation_id="claim_next", request=None, responses={200: HeldShape, **refusals(403, 404, 409)})
    def post(self, request: Request, name: str) -> Response:
        """Your next item. Until it is answered, asking again gives the same one.

        409 with `nothing_to_claim` when there is none: `finished` says whether that is for good, `again_at` when to ask again.
        """

        def agreed(member: Standing) -> None:
            if not member.agreed:
                raise ConsentNeeded(request.build_absolute_uri(reverse("sheet", args=[name])))

        _, claim = hand_out(campaign=name, annotator=person(request), ready=agreed)
        return Response(HeldShape(claim).data)


class OneClaim(Resource):
    """One of your items."""

    throttle_scope = "work"

    @extend_schema(operation_id="claim", responses={200: HeldShape, **refusals(404, 409)})
    def get(self, request: Request, name: str, claim_id: int) -> Response:
        """The item with what it shows and what is asked."""
        return Response(HeldShape(own_claim(request, name, claim_id)).data)


class ProgressShape(serializers.Serializer[Any]):
    """How far you are."""

    done = serializers.IntegerField()
    total = serializers.IntegerField(help_text="What you answered and what there is for you now; it moves as others answer.")
    more = serializers.BooleanField(help_text="Whether there is more than that.")
    minutes_left = serializers.IntegerField(allow_null=True)


class Progress(Resource):
    """Your progress in one campaign."""

    @extend_schema(operation_id="progress", responses={200: ProgressShape, **refusals(404, 409)})
    def get(self, request: Request, name: str) -> Response:
        """How much you did, how much there is, and an estimate of the time."""
        return Response(ProgressShape(own_progress(answered(request, name), person(request))).data)

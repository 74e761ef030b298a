"""Campaigns as their organiser has them: listing, making, changing, opening, pausing, closing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django_filters import CharFilter, ChoiceFilter, FilterSet
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Campaign
from annotation.protocols import PROTOCOLS
from annotation.queries.lists import organised_by, with_progress
from annotation.services.campaigns import close_campaign, create_campaign, open_campaign

from .access import OrganisersOnly, organised, person
from .presets import LabelShape
from .reading import StorableJSON
from .resource import BODY, ListResource, Resource, extend_schema, no_rows, refusals


class CampaignShape(serializers.ModelSerializer[Campaign]):
    """A campaign with all of its settings and how far it is."""

    labels = LabelShape(many=True, source="labels.all")
    settings = serializers.JSONField()
    item_count = serializers.IntegerField()
    complete_count = serializers.IntegerField(help_text="Items of which all wanted answers are there.")
    annotator_count = serializers.IntegerField()

    class Meta:
        model = Campaign
        fields = [
            "name", "title", "protocol", "preset", "state", "settings", "labels", "simulated", "imported", "link_group",
            "created_at", "item_count", "complete_count", "annotator_count",
        ]  # fmt: skip


class NewCampaign(serializers.Serializer[Any]):
    """A campaign to be made of a protocol's preset."""

    name = serializers.RegexField(r"^[A-Za-z0-9_-]+\Z", max_length=80, help_text="Its address: letters, digits, - and _.")
    title = serializers.CharField(max_length=160)
    protocol = serializers.ChoiceField(choices=sorted(PROTOCOLS))
    settings = StorableJSON(required=False, help_text="Settings that differ from the preset's.")

    def validate_settings(self, given: Any) -> dict[str, Any]:
        return as_settings(given)


def as_settings(given: Any) -> dict[str, Any]:
    """The settings as the services take them."""
    if not isinstance(given, dict):
        raise serializers.ValidationError("Settings are an object: {name: value}.")
    return given


class CampaignFilters(FilterSet):
    """What the list can be narrowed by."""

    state = ChoiceFilter(choices=Campaign.State.choices)
    protocol = ChoiceFilter(choices=[(key, key) for key in PROTOCOLS])
    title = CharFilter(lookup_expr="icontains", max_length=160)


class Campaigns(ListResource):
    """The campaigns that you organise."""

    queryset = no_rows(Campaign)
    serializer_class = CampaignShape
    filterset_class = CampaignFilters

    def get_permissions(self) -> Sequence[Any]:
        return [OrganisersOnly()] if self.request and self.request.method == "POST" else super().get_permissions()

    @extend_schema(operation_id="campaigns", responses={200: CampaignShape(many=True), **refusals()})
    def get(self, request: Request) -> Response:
        """Campaigns that you organise, the newest first."""
        return self.page(_shown(organised_by(person(request))), CampaignShape)

    @extend_schema(operation_id="make_campaign", request=NewCampaign, responses={201: CampaignShape, **refusals(403, 409, *BODY)})
    def post(self, request: Request) -> Response:
        """Make a campaign, as a draft of which you are the organiser."""
        made = create_campaign(created_by=person(request), **self.read(NewCampaign))
        return Response(_shape(made), status=status.HTTP_201_CREATED)


class OneCampaign(Resource):
    """A campaign that you organise."""

    @extend_schema(operation_id="campaign", responses={200: CampaignShape, **refusals(404)})
    def get(self, request: Request, name: str) -> Response:
        """The campaign with its settings, labels and progress."""
        return Response(_shape(organised(request, name)))


CHANGED = {200: CampaignShape, **refusals(404, 409)}


class OpenCampaign(Resource):
    """Opening."""

    @extend_schema(operation_id="open_campaign", request=None, responses=CHANGED)
    def post(self, request: Request, name: str) -> Response:
        """Let annotators in."""
        campaign = organised(request, name)
        open_campaign(campaign=campaign)
        return Response(_shape(campaign))


class CloseCampaign(Resource):
    """Closing."""

    @extend_schema(operation_id="close_campaign", request=None, responses=CHANGED)
    def post(self, request: Request, name: str) -> Response:
        """Hand out no more items. Answers that are under way are kept and marked as late."""
        campaign = organised(request, name)
        close_campaign(campaign=campaign)
        return Response(_shape(campaign))


def _shown(campaigns: QuerySet[Campaign]) -> QuerySet[Campaign]:
    return with_progress(campaigns).prefetch_related("labels")


def _shape(campaign: Campaign) -> Any:
    return CampaignShape(_shown(Campaign.objects.filter(pk=campaign.pk)).get()).data

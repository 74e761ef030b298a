"""Campaigns as their organiser has them: listing, making, changing, copying, opening, pausing, closing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.validators import RegexValidator
from django.db.models import QuerySet
from django_filters import CharFilter, ChoiceFilter, FilterSet
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Campaign
from annotation.protocols import PROTOCOLS
from annotation.queries.lists import organised_by, with_progress
from annotation.services.campaigns import close_campaign, create_campaign, open_campaign, pause_campaign
from annotation.services.copying import copy_campaign
from annotation.services.settings import change_settings

from .access import OrganisersOnly, organised, person
from .presets import LabelShape
from .reading import Body, Text, Whole, YesNo
from .resource import BODY, LISTED, ListResource, Resource, extend_schema, no_rows, refusals

ADDRESS = RegexValidator(r"^[A-Za-z0-9_-]+\Z", "Use only letters, digits, hyphens and underscores.")


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


class Settings(serializers.JSONField):
    """Settings by name; the presets list them."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        values = super().to_internal_value(data)
        if not isinstance(values, dict):
            raise serializers.ValidationError("Settings are an object: {name: value}.")
        return values


class LabelInput(Body):
    """A possible answer. Its value orders it; the key is its name in files."""

    key = Text(max_length=40)
    value = Whole(min_value=-9_999, max_value=9_999)
    name = Text(max_length=80)
    definition = Text(max_length=300, required=False, allow_blank=True, default="")
    hotkey = Text(max_length=1, required=False, allow_blank=True, default="")


class NewName(Body):
    """What a campaign is to be called."""

    name = Text(max_length=80, validators=[ADDRESS], help_text="Its address: letters, digits, hyphens and underscores.")
    title = Text(max_length=160)


class NewCampaign(NewName):
    """A campaign to be made of a preset."""

    protocol = serializers.ChoiceField(choices=sorted(PROTOCOLS))
    preset = Text(max_length=40, required=False, help_text="One of the protocol's; without it, the first.")
    settings = Settings(required=False, help_text="Settings that should differ from the preset's.")
    labels = serializers.ListField(child=LabelInput(), required=False, max_length=50, help_text="In place of the preset's.")


class Changes(Body):
    """What should be different. What is not sent stays as it is."""

    title = Text(max_length=160, required=False)
    settings = Settings(required=False)
    labels = serializers.ListField(child=LabelInput(), required=False, max_length=50, help_text="All, in place of the old.")


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

    @extend_schema(operation_id="campaigns", responses={LISTED: CampaignShape(many=True), **refusals()})
    def get(self, request: Request) -> Response:
        """Campaigns that you organise, the newest first."""
        return self.page(_shown(organised_by(person(request))), CampaignShape)

    @extend_schema(
        operation_id="make_campaign", request=NewCampaign, responses={201: CampaignShape, **refusals(403, 409, 422, *BODY)}
    )
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

    @extend_schema(
        operation_id="change_campaign", request=Changes, responses={200: CampaignShape, **refusals(404, 409, 422, *BODY)}
    )
    def patch(self, request: Request, name: str) -> Response:
        """Change title, settings or labels: all of it, or nothing.

        Once there are judgements, what would change their meaning is refused; make a copy for that.
        """
        campaign, given = organised(request, name), self.read(Changes)
        changes = {**given.get("settings", {}), **({"title": given["title"]} if "title" in given else {})}
        changed = change_settings(campaign=campaign, by=person(request), changes=changes, labels=given.get("labels"))
        return Response(_shape(changed))


class CopyCampaign(Resource):
    """Copying."""

    @extend_schema(operation_id="copy_campaign", request=NewName, responses={201: CampaignShape, **refusals(404, 409, *BODY)})
    def post(self, request: Request, name: str) -> Response:
        """Make a campaign with the same settings, labels, items and sheet, without people and answers."""
        copy = copy_campaign(campaign=organised(request, name), by=person(request), **self.read(NewName))
        return Response(_shape(copy), status=status.HTTP_201_CREATED)


CHANGED = {200: CampaignShape, **refusals(404, 409)}


class Opening(Body):
    """Letting annotators in. The body may be left out."""

    confirm_gaps = YesNo(required=False, default=False, help_text="Open it although its sheet has gaps that a crowd would read.")


class OpenCampaign(Resource):
    """Opening."""

    @extend_schema(operation_id="open_campaign", request=Opening, responses=CHANGED | refusals(404, 409, *BODY))
    def post(self, request: Request, name: str) -> Response:
        """Let annotators in.

        Where a crowd platform sends people to an information sheet that still has gaps, that is refused as `sheet_has_gaps`, with
        the gaps, until `confirm_gaps` says that it is meant.
        """
        campaign, given = organised(request, name), self.read(Opening)
        open_campaign(campaign=campaign, by=person(request), sure=given["confirm_gaps"])
        return Response(_shape(campaign))


class PauseCampaign(Resource):
    """Pausing."""

    @extend_schema(operation_id="pause_campaign", request=None, responses=CHANGED)
    def post(self, request: Request, name: str) -> Response:
        """Hand out no items for now. Answers that are under way count as ever."""
        campaign = organised(request, name)
        pause_campaign(campaign=campaign, by=person(request))
        return Response(_shape(campaign))


class CloseCampaign(Resource):
    """Closing."""

    @extend_schema(operation_id="close_campaign", request=None, responses=CHANGED)
    def post(self, request: Request, name: str) -> Response:
        """Hand out no more items. Answers that are under way are kept and marked as late."""
        campaign = organised(request, name)
        close_campaign(campaign=campaign, by=person(request))
        return Response(_shape(campaign))


def _shown(campaigns: QuerySet[Campaign]) -> QuerySet[Campaign]:
    return with_progress(campaigns).prefetch_related("labels")


def _shape(campaign: Campaign) -> Any:
    return CampaignShape(_shown(Campaign.objects.filter(pk=campaign.pk)).get()).data

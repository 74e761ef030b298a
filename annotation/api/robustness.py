"""How easily constraints are fooled: measurements, and the texts that fool each constraint."""

from __future__ import annotations

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django_filters import CharFilter, FilterSet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import RobustnessMeasurement, SpoiledText
from annotation.queries.lists import measurements_seen_by

from .access import OrganisersOnly, person
from .resource import LISTED, ListResource, Resource, extend_schema, no_rows, refusals


class MeasurementShape(serializers.ModelSerializer[RobustnessMeasurement]):
    """Constraints measured in one attack setting. `asked` is the attack; of each constraint, `constraints` has the kind and the
    model's name. `simulated`: a model in it learned from simulated readers."""

    asked = serializers.JSONField()
    constraints = serializers.JSONField()

    class Meta:
        model = RobustnessMeasurement
        fields = ["id", "name", "asked", "constraints", "simulated", "created_at"]


class WholeMeasurementShape(MeasurementShape):
    """The same with what came of each constraint: its curve, and ACCS with interval, n, or the reason why there is none."""

    result = serializers.JSONField()

    class Meta(MeasurementShape.Meta):
        fields = [*MeasurementShape.Meta.fields, "result"]


class SpoiledShape(serializers.ModelSerializer[SpoiledText]):
    """A text of the attack set after it was spoiled, with the score that the constraint gives it."""

    damages = serializers.JSONField()

    class Meta:
        model = SpoiledText
        fields = ["constraint", "number", "original", "text", "score", "damages"]


class Measurements(ListResource):
    """Measurements of constraints."""

    queryset = no_rows(RobustnessMeasurement)
    serializer_class = MeasurementShape
    permission_classes = (OrganisersOnly,)

    @extend_schema(operation_id="measurements", responses={LISTED: MeasurementShape(many=True), **refusals(403)})
    def get(self, request: Request) -> Response:
        """All measurements, the newest first."""
        return self.page(measurements_seen_by(person(request)), MeasurementShape)


class OneMeasurement(Resource):
    """One measurement."""

    permission_classes = (OrganisersOnly,)

    @extend_schema(operation_id="measurement", responses={200: WholeMeasurementShape, **refusals(403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        """The measurement with its curves."""
        return Response(WholeMeasurementShape(_measurement(request, pk)).data)


class SpoiledFilter(FilterSet):
    """Whose constraint it is that they are to fool."""

    constraint = CharFilter(max_length=40)


class Spoiled(ListResource):
    """A measurement's spoiled texts."""

    queryset = no_rows(SpoiledText)
    serializer_class = SpoiledShape
    filterset_class = SpoiledFilter
    ordering = "pk"
    permission_classes = (OrganisersOnly,)

    @extend_schema(operation_id="spoiled", responses={LISTED: SpoiledShape(many=True), **refusals(403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        """The texts, constraint by constraint."""
        rows: QuerySet[SpoiledText] = _measurement(request, pk).spoiled.all()
        return self.page(rows, SpoiledShape)


def _measurement(request: Request, pk: int) -> RobustnessMeasurement:
    """A measurement that the caller may see."""
    found: RobustnessMeasurement = get_object_or_404(measurements_seen_by(person(request)), pk=pk)
    return found

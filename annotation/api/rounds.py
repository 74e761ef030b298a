"""Rounds of retraining: the series that there are, and what each comes to."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.exchange.rounds import report_of
from annotation.models import Round, Series
from annotation.queries.rounds import rounds_of, series_seen_by

from .access import person
from .resource import LISTED, ListResource, Resource, extend_schema, no_rows, refusals


class SeriesShape(serializers.ModelSerializer[Series]):
    """A series: versions of one kind of model, all tested on the same texts."""

    class Meta:
        model = Series
        fields = ["id", "name", "learner", "seed", "simulated", "created_at"]


class RoundShape(serializers.ModelSerializer[Round]):
    """A round: where it is judged, how its texts were selected, and the version that learned from it."""

    campaigns = serializers.SerializerMethodField()
    runs = serializers.SerializerMethodField()
    model = serializers.CharField(source="model.name", allow_null=True, default=None)

    class Meta:
        model = Round
        fields = ["number", "campaigns", "strategy", "seed", "runs", "asked", "candidates", "planned", "model"]

    def get_campaigns(self, round: Round) -> list[str]:
        return [place.campaign.name for place in round.places.all()]

    def get_runs(self, round: Round) -> list[str]:
        return [run.name for run in round.runs.all()]


class WholeSeriesShape(SeriesShape):
    """The same with its rounds, each with the answers that there are and that are wanted, and what they come to: `tables`, with
    intervals and tests, and `findings`."""

    rounds = serializers.JSONField()
    tables = serializers.JSONField()
    findings = serializers.ListField(child=serializers.CharField())

    class Meta(SeriesShape.Meta):
        fields = [*SeriesShape.Meta.fields, "rounds", "tables", "findings"]

    def to_representation(self, instance: Series) -> dict[str, Any]:
        rounds = rounds_of(instance)
        report = report_of(instance, rounds)
        answers = [{"answers": given, "wanted": wanted} for given, wanted in report.answers]
        return SeriesShape(instance).data | {
            "rounds": [RoundShape(each).data | more for each, more in zip(rounds, answers, strict=True)],
            "tables": {table.key: table.as_dict() for table in report.tables},
            "findings": list(report.findings),
        }


class AllSeries(ListResource):
    """The series that you may see."""

    queryset = no_rows(Series)
    serializer_class = SeriesShape

    @extend_schema(operation_id="all_series", responses={LISTED: SeriesShape(many=True), **refusals()})
    def get(self, request: Request) -> Response:
        """Series all of whose campaigns you organise, the newest first."""
        return self.page(series_seen_by(person(request)), SeriesShape)


class OneSeries(Resource):
    """A series that you may see."""

    @extend_schema(operation_id="series", responses={200: WholeSeriesShape, **refusals(404)})
    def get(self, request: Request, pk: int) -> Response:
        """The series with its rounds, versions side by side, and people's suspicion from round to round."""
        return Response(WholeSeriesShape(get_object_or_404(series_seen_by(person(request)), pk=pk)).data)

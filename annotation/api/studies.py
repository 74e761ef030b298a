"""Constraint studies: what was asked, which runs belong to it, what it found, and what people said."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.exchange.study_report import StudyReport, study_summary
from annotation.models import ConstraintStudy
from annotation.queries.studied import studies_seen_by

from .access import OrganisersOnly, person
from .resource import LISTED, ListResource, Resource, extend_schema, no_rows, refusals


class StudyShape(serializers.ModelSerializer[ConstraintStudy]):
    """A study: the attack, as an attack run is asked for, and the limits that it is repeated under."""

    asked = serializers.JSONField()
    taus = serializers.JSONField()
    model = serializers.CharField(source="model.name")
    simulated = serializers.BooleanField(help_text="Whether the model behind the limits learned from simulated readers.")
    finished = serializers.SerializerMethodField()

    class Meta:
        model = ConstraintStudy
        fields = ["id", "name", "asked", "taus", "model", "simulated", "finished", "created_at"]

    def get_finished(self, study: ConstraintStudy) -> bool:
        return study.result is not None


class StudyResultShape(serializers.Serializer[Any]):
    """What a study found: `limits`, one entry for each, empty until it is finished, and the `votes` of those campaigns whose
    results the caller may see. `simulated` has the sentences that have to stand beside the figures."""

    study = serializers.CharField()
    simulated = serializers.ListField(child=serializers.CharField())
    asked = serializers.JSONField()
    limits = serializers.JSONField()
    model = serializers.JSONField()
    runs = serializers.JSONField()
    votes = serializers.JSONField()
    software = serializers.CharField()


class Studies(ListResource):
    """Constraint studies."""

    queryset = no_rows(ConstraintStudy)
    serializer_class = StudyShape
    permission_classes = (OrganisersOnly,)

    @extend_schema(operation_id="studies", responses={LISTED: StudyShape(many=True), **refusals(403)})
    def get(self, request: Request) -> Response:
        """All studies, the newest first."""
        return self.page(studies_seen_by(person(request)), StudyShape)


class OneStudy(Resource):
    """One study."""

    permission_classes = (OrganisersOnly,)

    @extend_schema(operation_id="study", responses={200: StudyShape, **refusals(403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        """What was asked for."""
        return Response(StudyShape(_study(request, pk)).data)


class StudyResult(Resource):
    """What a study found."""

    permission_classes = (OrganisersOnly,)

    @extend_schema(operation_id="study_result", responses={200: StudyResultShape, **refusals(403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        """All of its figures, as in study.json."""
        return Response(study_summary(StudyReport(_study(request, pk), person(request))))


def _study(request: Request, pk: int) -> ConstraintStudy:
    found: ConstraintStudy = get_object_or_404(studies_seen_by(person(request)), pk=pk)
    return found

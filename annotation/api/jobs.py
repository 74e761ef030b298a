"""Background jobs: watching your own, and stopping them."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Job
from annotation.queries.jobs import jobs_of
from annotation.services.jobs import cancel

from .access import cancellable_job, person, watched_job
from .resource import LISTED, ListResource, Resource, extend_schema, no_rows, refusals


class JobShape(serializers.ModelSerializer[Job]):
    """A job and how far it is."""

    arguments = serializers.JSONField()
    percent = serializers.IntegerField(allow_null=True)
    result = serializers.JSONField(allow_null=True)

    class Meta:
        model = Job
        fields = [
            "id", "kind", "arguments", "state", "done", "total", "percent", "message", "result", "error", "created_at",
            "started_at", "finished_at",
        ]  # fmt: skip


class Jobs(ListResource):
    """The jobs that you started."""

    queryset = no_rows(Job)
    serializer_class = JobShape

    @extend_schema(operation_id="jobs", responses={LISTED: JobShape(many=True), **refusals()})
    def get(self, request: Request) -> Response:
        """Jobs that you started, the newest first."""
        return self.page(jobs_of(person(request)), JobShape)


class OneJob(Resource):
    """A job that you may watch."""

    @extend_schema(operation_id="job", responses={200: JobShape, **refusals(404)})
    def get(self, request: Request, pk: int) -> Response:
        """The job: yours, or one of a campaign that you organise."""
        return Response(JobShape(watched_job(request, pk)).data)


class CancelJob(Resource):
    """Stopping."""

    @extend_schema(operation_id="cancel_job", request=None, responses={200: JobShape, **refusals(404)})
    def post(self, request: Request, pk: int) -> Response:
        """Stop the job at its next step; what was finished before is kept. A finished job stays as it is."""
        return Response(JobShape(cancel(job=cancellable_job(request, pk))).data)

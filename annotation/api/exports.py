"""Files to take away: the same as on the export page, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.exchange.export import FILES
from annotation.exchange.report import report_html

from .access import organised
from .resource import Resource, extend_schema, refusals

REPORT = "report.html"
TYPES = {"html": "text/html", "csv": "text/csv", "jsonl": "application/jsonl", "md": "text/markdown"}


class ExportShape(serializers.Serializer[Any]):
    """A file of the export."""

    file = serializers.CharField()
    media_type = serializers.CharField()
    url = serializers.CharField()


class Exports(Resource):
    """The files of a campaign that you organise."""

    @extend_schema(operation_id="exports", responses={200: ExportShape(many=True), **refusals(404)})
    def get(self, request: Request, name: str) -> Response:
        """What can be downloaded. The files are made when they are asked for, so they are always up to date."""
        organised(request, name)
        files = [
            {"file": file, "media_type": _type(file), "url": request.build_absolute_uri(reverse("api_export", args=[name, file]))}
            for file in (REPORT, *FILES)
        ]
        return Response(ExportShape(files, many=True).data)


class Export(Resource):
    """One file."""

    @extend_schema(
        operation_id="export",
        responses={
            **{(200, kind): OpenApiResponse(OpenApiTypes.STR, description="The file.") for kind in sorted(set(TYPES.values()))},
            **refusals(404),
        },
    )
    def get(self, request: Request, name: str, file: str) -> StreamingHttpResponse:
        """The file, streamed."""
        campaign = organised(request, name)
        if file not in (REPORT, *FILES):
            raise Http404
        parts: Iterator[str] = iter([report_html(campaign)]) if file == REPORT else FILES[file](campaign)
        disposition = f'attachment; filename="{campaign.name}-{file}"'
        content_type = f"{_type(file)}; charset=utf-8"
        return StreamingHttpResponse(parts, content_type=content_type, headers={"Content-Disposition": disposition})


def _type(file: str) -> str:
    return TYPES[file.rpartition(".")[2]]

"""Files to take away: the same as on the export page, byte for byte."""

from __future__ import annotations

from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.exchange.downloads import DOWNLOADS, media_type, pieces_of
from annotation.services.activity import log

from .access import organised, person
from .resource import LISTED, Resource, extend_schema, refusals

CONFIDENCE = OpenApiParameter("confidence", int, enum=[1, 2, 3, 4, 5], description="Leave out answers that were less sure.")


class ExportShape(serializers.Serializer[Any]):
    """A file of the export."""

    file = serializers.CharField()
    media_type = serializers.CharField()
    url = serializers.CharField()


class Exports(Resource):
    """The files of a campaign that you organise."""

    @extend_schema(operation_id="exports", responses={LISTED: ExportShape(many=True), **refusals(404)})
    def get(self, request: Request, name: str) -> Response:
        """What can be downloaded. The files are made when they are asked for, so they are always up to date."""
        organised(request, name)
        files = [
            {
                "file": file,
                "media_type": media_type(file),
                "url": request.build_absolute_uri(reverse("api_export", args=[name, file])),
            }
            for file in DOWNLOADS
        ]
        return Response(ExportShape(files, many=True).data)


class Export(Resource):
    """One file."""

    def parameters(self) -> frozenset[str]:
        return frozenset({"confidence"})

    @extend_schema(
        operation_id="export",
        parameters=[CONFIDENCE],
        responses={
            **{
                (200, kind): OpenApiResponse(OpenApiTypes.BINARY, description="The file.")
                for kind in sorted({media_type(file).partition(";")[0] for file in DOWNLOADS})
            },
            **refusals(404, 409),
        },
    )
    def get(self, request: Request, name: str, file: str) -> StreamingHttpResponse:
        """The file, streamed."""
        campaign = organised(request, name)
        if file not in DOWNLOADS:
            raise Http404
        at_least = _confidence(request.query_params.get("confidence", "0"))
        pieces = pieces_of(campaign, file, at_least=at_least)
        log(campaign=campaign, by=person(request), verb="exported", file=file)
        headers = {"Content-Disposition": f'attachment; filename="{campaign.name}-{file}"'}
        return StreamingHttpResponse(pieces, content_type=media_type(file), headers=headers)


def _confidence(given: str) -> int:
    if given not in {"0", "1", "2", "3", "4", "5"}:
        raise serializers.ValidationError({"confidence": "A whole number from 1 to 5."})
    return int(given)

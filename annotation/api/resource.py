"""What all resources share: only known parameters, lists page by page, and a schema that names every refusal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from django.db.models import Model, QuerySet
from django_filters import FilterSet
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound, ParseError, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer, Serializer
from rest_framework.views import APIView

from annotation.numbers import whole

from .problems import CONTENT_TYPE, Problem


class Pages(CursorPagination):
    """Page after page by a cursor: rows that come or go meanwhile neither repeat nor hide others."""

    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200
    cursor_query_description = "Where to go on: taken from `next` of the page before."
    page_size_query_description = "Rows per page, at most 200."

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        parameters = super().get_schema_operation_parameters(view)
        bounds = {"type": "integer", "minimum": 1, "maximum": self.max_page_size}
        return [named | ({"schema": bounds} if named["name"] == "limit" else {}) for named in parameters]

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> list[Any] | None:
        if not 1 <= (whole(request.query_params.get("limit", "1")) or 0) <= self.max_page_size:
            raise ValidationError({"limit": f"A whole number from 1 to {self.max_page_size}."})
        return super().paginate_queryset(queryset, request, view)

    def get_ordering(self, request: Request, queryset: QuerySet[Any], view: APIView) -> tuple[str, ...]:
        return (getattr(view, "ordering", "-pk"),)

    def decode_cursor(self, request: Request) -> Any:
        refused = ParseError("This cursor is none of ours. Take it from `next` of the page before.")
        try:
            cursor = super().decode_cursor(request)
        except NotFound as malformed:
            raise refused from malformed
        # Positions are numbers in all of our lists; a forged one is refused here, not by the database. One past the end is none.
        if cursor is not None and cursor.position is not None and not re.fullmatch("[0-9]{1,100}", str(cursor.position)):
            raise refused
        return cursor


class Resource(GenericAPIView[Any]):
    """One address. Query parameters outside the declared ones are refused: a misspelt filter that is ignored would silently
    give all rows, and no name reaches the database that is not in the list."""

    serializer_class: type[BaseSerializer[Any]] | None = Serializer
    filter_backends: Sequence[type[Any]] = ()
    filterset_class: type[FilterSet] | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not hasattr(self, str(request.method).lower()):
            return
        known = self.parameters() if request.method in ("GET", "HEAD") else frozenset()
        unknown = sorted(set(request.query_params) - known)
        if unknown:
            allowed = f"Known here: {', '.join(sorted(known))}." if known else "None is known here."
            raise ValidationError({name[:80]: f"There is no such parameter. {allowed}" for name in unknown[:10]})
        if empty := sorted(name for name, value in request.query_params.items() if not value):
            raise ValidationError(dict.fromkeys(empty, "This is empty. Leave it out where nothing should be left out."))

    def parameters(self) -> frozenset[str]:
        """Names of the query parameters."""
        return frozenset()

    def read(self, serializer: type[Serializer[Any]]) -> dict[str, Any]:
        """The body, checked and turned into values."""
        given = serializer(data=self.request.data)
        given.is_valid(raise_exception=True)
        values: dict[str, Any] = given.validated_data
        return values


class ListResource(Resource):
    """A list: filtered by `filterset_class`, page by page in the order of `ordering`, always by one whole-numbered column."""

    pagination_class = Pages
    filter_backends = (DjangoFilterBackend,)
    ordering: ClassVar[str] = "-pk"

    def parameters(self) -> frozenset[str]:
        filters = self.filterset_class.get_filters() if self.filterset_class else {}
        return frozenset({"cursor", "limit", *filters})

    def page(self, rows: QuerySet[Any], serializer: type[BaseSerializer[Any]], **context: Any) -> Response:
        """One page of the rows; the serializer finds the rest in its context."""
        found = self.paginate_queryset(self.filter_queryset(rows))
        shaped = serializer(found, many=True, context={**self.get_serializer_context(), **context})
        return self.get_paginated_response(shaped.data)


def refusals(*statuses: int) -> dict[Any, Any]:
    """The schema's entries for what any call may come to, and for these statuses."""
    return {
        (status, CONTENT_TYPE): OpenApiResponse(Problem, description=ABOUT[status])
        for status in sorted({400, 401, 429, *statuses})
    }


LISTED = (200, "application/json")
"""The key of a list among a call's responses: beside the refusals' keys, the schema's generator knows it only by such a one."""

ABOUT = {
    400: "A value, a parameter or the JSON itself was refused.",
    401: "No valid token and no session.",
    403: "Not allowed to this person.",
    404: "There is no such thing, or it is not yours.",
    409: "The rules do not allow it now.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: "The campaign's rules do not allow these values.",
    429: "Too many requests; `Retry-After` says in how many seconds there is room again.",
}
BODY = (413, 415)
"""Further refusals of calls that have a body."""


def no_rows(model: type[Model]) -> QuerySet[Any]:
    """What the schema's generator learns a list's rows from."""
    return model._default_manager.none()


__all__ = ["BODY", "LISTED", "ListResource", "Resource", "extend_schema", "no_rows", "refusals"]

"""What went wrong, as `application/problem+json` (RFC 9457): one place turns every refusal into a status and a body."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions, serializers
from rest_framework.response import Response

from annotation.errors import (
    AlreadyRunning,
    DomainError,
    InvalidAnswer,
    NotAnnotator,
    NothingToClaim,
    NotYours,
    SettingsProblem,
    ShareDone,
    SheetHasGaps,
    TooMany,
)

CONTENT_TYPE = "application/problem+json"
NOTHING_HERE = "There is no such thing here for you."
NO_ADDRESS = "There is no such address. What there is stands in /api/schema/, and for people in /api/docs/."
HOW_TO_COME_IN = (
    "Send a token with every call, in a header: “Authorization: Token passable_…”. Make one on the page /tokens/, or with your "
    "name and password by POST /api/sign-in/."
)


class NotActive(DomainError):
    """The caller is in the campaign, but paused or deactivated, or has withdrawn."""


STATUS: tuple[tuple[type[DomainError], HTTPStatus, str], ...] = (
    (NotYours, HTTPStatus.NOT_FOUND, "not_found"),
    (NotAnnotator, HTTPStatus.NOT_FOUND, "not_found"),
    (InvalidAnswer, HTTPStatus.UNPROCESSABLE_ENTITY, "invalid_answer"),
    (SettingsProblem, HTTPStatus.UNPROCESSABLE_ENTITY, "invalid_settings"),
    (ShareDone, HTTPStatus.CONFLICT, "share_done"),
    (NothingToClaim, HTTPStatus.CONFLICT, "nothing_to_claim"),
    (NotActive, HTTPStatus.CONFLICT, "not_active"),
    (AlreadyRunning, HTTPStatus.CONFLICT, "already_running"),
    (SheetHasGaps, HTTPStatus.CONFLICT, "sheet_has_gaps"),
    (TooMany, HTTPStatus.TOO_MANY_REQUESTS, "throttled"),
    (DomainError, HTTPStatus.CONFLICT, "refused"),
)
"""The first row whose class fits says what a refusal of the services becomes."""


class TooLarge(exceptions.APIException):
    """The body is larger than the server reads."""

    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


class ConsentNeeded(exceptions.PermissionDenied):
    """Nobody works before they agreed to the current sheet, and that is done on its page."""

    default_detail = "Read the information sheet and agree to it first."
    default_code = "consent_needed"

    def __init__(self, sheet_url: str) -> None:
        super().__init__()
        self.more = {"sheet": sheet_url}


class Mistake(serializers.Serializer[Any]):
    """One value that was refused."""

    pointer = serializers.CharField(help_text="Where it stands, as a JSON pointer into the body, or the parameter's name.")
    detail = serializers.CharField()


class Problem(serializers.Serializer[Any]):
    """Why a request was refused."""

    type = serializers.CharField(help_text="Always `about:blank`: the status and `code` say what kind of problem it is.")
    title = serializers.CharField(help_text="The status in words.")
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="For programs: a stable name of the problem.")
    detail = serializers.CharField(help_text="For people: what is wrong and what can be done.")
    errors = Mistake(many=True, required=False)  # type: ignore[assignment]
    finished = serializers.BooleanField(required=False, help_text="Where there is no item for you: whether that is for good.")
    again_at = serializers.DateTimeField(required=False, allow_null=True, help_text="If not: when there may be one.")
    gaps = serializers.ListField(child=serializers.CharField(), required=False, help_text="With `sheet_has_gaps`: what they say.")
    sheet = serializers.CharField(required=False, help_text="With `consent_needed`: where to agree.")


def as_problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """The handler of all exceptions in the API. What it does not know is a fault of ours and goes on as one."""
    if isinstance(error, DomainError):
        return _refused(error)
    if isinstance(error, Http404):
        error = exceptions.NotFound(NOTHING_HERE)
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    elif isinstance(error, exceptions.NotAuthenticated):
        error.detail = exceptions.ErrorDetail(HOW_TO_COME_IN, code=error.default_code)
    if not isinstance(error, exceptions.APIException):
        return None
    headers = {}
    if challenge := getattr(error, "auth_header", ""):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(wait)
    if isinstance(error, exceptions.ValidationError):
        errors = list(_mistakes(error.detail))
        body = problem(error.status_code, "invalid", "Some values were refused; nothing was written.", errors=errors)
    else:
        body = problem(error.status_code, _code(error), str(error.detail), **getattr(error, "more", {}))
    return Response(body, status=error.status_code, headers=headers, content_type=CONTENT_TYPE)


def problem(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    """The body of a refusal."""
    return {
        "type": "about:blank", "title": HTTPStatus(status).phrase, "status": int(status), "code": code, "detail": detail, **more,
    }  # fmt: skip


@csrf_exempt
def nowhere(request: HttpRequest, rest: str) -> JsonResponse:
    """An address below /api/ that leads nowhere; programs get JSON there too, whatever they send."""
    return JsonResponse(problem(404, "not_found", NO_ADDRESS), status=404, content_type=CONTENT_TYPE)


def _refused(error: DomainError) -> Response:
    status, code = next((status, code) for kind, status, code in STATUS if isinstance(error, kind))
    if status == HTTPStatus.NOT_FOUND:
        return Response(problem(status, code, NOTHING_HERE), status=status, content_type=CONTENT_TYPE)
    more: dict[str, Any] = {}
    if isinstance(error, NothingToClaim):
        more = {"finished": error.finished, "again_at": error.again_at}
    elif isinstance(error, SheetHasGaps):
        more = {"gaps": error.gaps}
    elif isinstance(error, SettingsProblem):
        more = {"errors": [{"pointer": f"/settings/{name}", "detail": said} for name, said in error.problems.items()]}
    return Response(problem(status, code, str(error), **more), status=status, content_type=CONTENT_TYPE)


def _code(error: exceptions.APIException) -> str:
    codes = error.get_codes()
    return codes if isinstance(codes, str) else error.default_code


def _mistakes(detail: Any, pointer: str = "") -> Iterator[dict[str, str]]:
    if isinstance(detail, dict):
        for key, below in detail.items():
            yield from _mistakes(below, pointer if key == "non_field_errors" else f"{pointer}/{key}")
    elif isinstance(detail, list | tuple) and any(isinstance(part, dict | list) for part in detail):
        for number, below in enumerate(detail):
            yield from _mistakes(below, f"{pointer}/{number}")
    elif isinstance(detail, list | tuple):
        for message in detail:
            yield {"pointer": pointer, "detail": str(message)}
    else:
        yield {"pointer": pointer, "detail": str(detail)}

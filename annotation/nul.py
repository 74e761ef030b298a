"""No text holds NUL: PostgreSQL cannot store it, and no keyboard types it.

Whatever a page sends is looked at here, before any view reads it; what programs send in `annotation.api.reading`, what files
hold in `annotation.exchange.sheets` and `scoring.table`.
"""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

Answer = Callable[[HttpRequest], HttpResponse]


def refuse_nul(answer: Answer) -> Answer:
    """Middleware that answers 400 to a request with NUL in a field or in its address."""

    def checked(request: HttpRequest) -> HttpResponse:
        # Programs are told of it as of everything that is wrong in what they send.
        for fields in () if request.path.startswith("/api/") else (request.GET, request.POST):
            for name, values in fields.lists():
                if any("\0" in text for text in (name, *values)):
                    raise BadRequest("A field holds NUL, which no text does.")
        return answer(request)

    return checked

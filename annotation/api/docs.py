"""The schema (OpenAPI 3), and a browser for it that needs no network beyond this server."""

from __future__ import annotations

from csp.constants import SELF
from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request


class TokenScheme(KnoxTokenScheme):
    """How the schema describes `ByToken`."""

    target_class = "annotation.api.authentication.ByToken"
    name = "token"


class Schema(SpectacularAPIView):
    """The schema. It holds no data, so anybody may read it."""

    authentication_classes = ()

    def _get_version_parameter(self, request: Request) -> None:
        """There is one version; what stands in the address is not repeated in a header."""


@require_safe
@ensure_csrf_cookie
# The browser's stylesheet brings its icons as data: addresses. Scripts and styles stay this server's own.
@csp_update({"img-src": [SELF, "data:"]})
def browser(request: HttpRequest) -> HttpResponse:
    """Reading about the API and trying it, with a token or as who is signed in."""
    return render(request, "api/browser.html")

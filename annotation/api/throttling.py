"""How often one caller may ask. Counts are kept in the cache, which all processes of the server share (CACHE_URL)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.throttling import SimpleRateThrottle

if TYPE_CHECKING:
    # Views read this module while they are being imported themselves.
    from rest_framework.request import Request
    from rest_framework.views import APIView


class Throttle(SimpleRateThrottle):
    """One rate for each caller and scope: people by account, whoever is not signed in by address.

    A view names its scope as `throttle_scope`; without one it is `user` or `anonymous`. Rates are settings; None is no limit.
    """

    def __init__(self) -> None:
        """The rate depends on the request, so nothing is known yet."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        by_default = "user" if request.user.is_authenticated else "anonymous"
        self.scope = getattr(view, "throttle_scope", None) or by_default
        self.rate = self.get_rate()
        self.num_requests, self.duration = self.parse_rate(self.rate)
        return super().allow_request(request, view)

    def get_cache_key(self, request: Request, view: APIView) -> str:
        who = f"account-{request.user.pk}" if request.user.is_authenticated else f"address-{self.get_ident(request)}"
        return self.cache_format % {"scope": self.scope, "ident": who}

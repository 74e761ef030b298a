"""How often one caller may ask. Calls are counted as other tries are, for all processes of the server together."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from rest_framework.throttling import SimpleRateThrottle

from annotation.errors import TooMany
from annotation.services import limits

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
        most, seconds = self.parse_rate(self.get_rate())
        if most is None or seconds is None:
            return True
        try:
            limits.count((limits.Limit(f"api-{self.scope}", most, timedelta(seconds=seconds)), self._who(request)))
        except TooMany as refused:
            self.refused = refused
            return False
        return True

    def wait(self) -> float:
        return self.refused.seconds

    def _who(self, request: Request) -> str:
        return f"account-{request.user.pk}" if request.user.is_authenticated else f"address-{self.get_ident(request)}"

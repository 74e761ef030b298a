"""Who calls, by their token. The framework's own class takes the page's session, for the offline browser; whatever changes
something then needs the CSRF token, as on the pages."""

from __future__ import annotations

from typing import Any, cast

from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed

from annotation.models import User


class ByToken(TokenAuthentication):
    """`Authorization: Token passable_…`."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, Any]:
        try:
            if token.isascii():
                return cast("tuple[User, Any]", super().authenticate_credentials(token))
        except AuthenticationFailed:
            pass
        raise AuthenticationFailed(
            "This token does not work here: it is incomplete, was revoked, or its time is over. Make one on the page /tokens/."
        )

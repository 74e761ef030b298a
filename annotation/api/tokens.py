"""Tokens over HTTP: signing in for one, listing, making and revoking them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from rest_framework import serializers, status
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.errors import TooMany
from annotation.forms.people import SignInForm
from annotation.models import ApiToken, User
from annotation.queries.tokens import tokens_of
from annotation.services.tokens import LONGEST, make_token, revoke_token

from .access import person
from .reading import Body, Text, Whole
from .resource import BODY, LISTED, Resource, extend_schema, refusals
from .throttling import Throttle


class TokenShape(serializers.ModelSerializer[ApiToken]):
    """A token without its secret."""

    id = serializers.UUIDField(source="public_id")

    class Meta:
        model = ApiToken
        fields = ["id", "name", "created", "expiry"]


class FreshToken(TokenShape):
    """A token with its secret, which is never shown again."""

    token = serializers.CharField()

    class Meta(TokenShape.Meta):
        fields = [*TokenShape.Meta.fields, "token"]


class NewToken(Body):
    """A token to be made."""

    name = Text(max_length=80, default="a program", help_text="Which program or machine will use it.")
    days = Whole(min_value=1, max_value=LONGEST.days, default=30, help_text="How long it works.")


class SignIn(NewToken):
    """A token to be made for a name and a password."""

    username = Text(max_length=150)
    password = Text(max_length=4096, trim_whitespace=False)


@method_decorator(never_cache, name="dispatch")
class SignInForToken(Resource):
    """Signing in without a browser."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "sign-in"

    def get_authenticate_header(self, request: Request) -> str:
        """A wrong password is 401, as a wrong token is."""
        return "Token"

    @extend_schema(operation_id="sign_in", auth=[], request=SignIn, responses={201: FreshToken, **refusals(409, *BODY)})
    def post(self, request: Request) -> Response:
        """Make a token for your name and password. Its secret is in this answer and nowhere else."""
        wanted = self.read(SignIn)
        return _made(_known(request, wanted), wanted)


@method_decorator(never_cache, name="dispatch")
class Tokens(Resource):
    """Your tokens. There are few, so they come on one page."""

    @extend_schema(operation_id="tokens", responses={LISTED: TokenShape(many=True), **refusals()})
    def get(self, request: Request) -> Response:
        """Your tokens that still work, without their secrets."""
        return Response(TokenShape(tokens_of(person(request)), many=True).data)

    @extend_schema(operation_id="make_token", request=NewToken, responses={201: FreshToken, **refusals(409, *BODY)})
    def post(self, request: Request) -> Response:
        """Make a token. Its secret is in this answer and nowhere else."""
        return _made(person(request), self.read(NewToken))


class OneToken(Resource):
    """One of your tokens."""

    @extend_schema(operation_id="revoke_token", request=None, responses={204: None, **refusals(404)})
    def delete(self, request: Request, public_id: UUID) -> Response:
        """End a token at once; it may be the one that is used for this call."""
        revoke_token(user=person(request), public_id=public_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _known(request: Request, given: dict[str, Any]) -> User:
    """Whose name and password these are. The sign-in page's own form says so: wrong ones count there and here together."""
    fields = {key: given[key] for key in ("username", "password")}
    form = SignInForm(request._request, fields, address=Throttle().get_ident(request) or "")
    if form.is_valid():
        return form.get_user()
    for error in form.non_field_errors().as_data():
        if error.code == "too_many":
            raise TooMany((error.params or {})["seconds"])
    raise AuthenticationFailed("Name or password are wrong.")


def _made(user: User, wanted: dict[str, Any]) -> Response:
    made, secret = make_token(user=user, name=wanted["name"], lasts=timedelta(days=wanted["days"]))
    return Response({**TokenShape(made).data, "token": secret}, status=status.HTTP_201_CREATED)

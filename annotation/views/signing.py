"""Signing in, and changing one's password."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from annotation.forms.people import SignInForm

from .access import Request, signed_in


def address_of(request: HttpRequest) -> str:
    """Where a request came from. Behind n proxies (TRUSTED_PROXIES) that is the n-th address from the end of X-Forwarded-For;
    without one the header is not believed, since anybody can write it."""
    proxies = settings.REST_FRAMEWORK["NUM_PROXIES"]
    forwarded = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    if proxies and forwarded:
        return forwarded[-min(proxies, len(forwarded))]
    return str(request.META.get("REMOTE_ADDR", ""))


class SignIn(LoginView):
    """Name and password; too many wrong ones have to wait."""

    template_name = "people/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True
    extra_context = {"signing_in": True}

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"address": address_of(self.request)}

    def form_invalid(self, form: Any) -> HttpResponse:
        refused = any(error.code == "too_many" for error in form.non_field_errors().as_data())
        response = super().form_invalid(form)
        response.status_code = 429 if refused else 200
        return response


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def password(request: Request) -> HttpResponse:
    """A new password, for whoever has one: an account that a crowd platform's visit made has none."""
    if not request.user.has_usable_password():
        return render(request, "people/no_password.html")
    form = PasswordChangeForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        update_session_auth_hash(request, form.save())
        messages.success(request, "Your password is changed. You stay signed in here; elsewhere you are signed out.")
        return redirect("start")
    return render(request, "people/password.html", {"form": form}, status=422 if form.is_bound else 200)

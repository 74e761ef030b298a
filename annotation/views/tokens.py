"""A person's API tokens: making, seeing and revoking them."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import DomainError, NotYours
from annotation.forms.tokens import TokenForm
from annotation.queries.tokens import tokens_of
from annotation.services.tokens import make_token, revoke_token

from .access import Request, signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def tokens(request: Request) -> HttpResponse:
    """The person's tokens. A new one is in the answer to the form and nowhere else."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    secret, problem, status = "", None, 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                _, secret = make_token(user=request.user, name=form.cleaned_data["name"], lasts=form.cleaned_data["days"])
            except DomainError as refused:
                problem = refused
            else:
                form, status = TokenForm(), 200
    context = {
        "here": "tokens",
        "form": form,
        "problem": problem,
        "secret": secret,
        "tokens": tokens_of(request.user),
        "tried_at": request.build_absolute_uri(reverse("api_campaigns" if request.user.is_organiser else "api_work")),
    }
    return render(request, "api/tokens.html", context, status=status)


@require_POST
@signed_in
def revoke(request: Request, public_id: UUID) -> HttpResponse:
    """End a token."""
    try:
        revoke_token(user=request.user, public_id=public_id)
    except NotYours as unknown:
        raise Http404 from unknown
    messages.success(request, "The token is revoked. Whatever used it is refused from now on.")
    return redirect("tokens")

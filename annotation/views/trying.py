"""A text that somebody types, and what a model says of it. A worker computes it; nobody else sees it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import DomainError
from annotation.forms.models import TryForm
from annotation.services.predicting import ask_prediction

from .access import Request, seen_model, signed_in, tried_text
from .jobs import STOP_POLLING
from .models import model_page, shown_try


@require_POST
@signed_in
def try_text(request: Request, pk: int) -> HttpResponse:
    """Have the text scored; what comes of it stands on the model's page."""
    model = seen_model(request, pk)
    form = TryForm(request.POST)
    if not form.is_valid():
        return model_page(request, model, form)
    try:
        job = ask_prediction(model=model, text=form.cleaned_data["text"], by=request.user)
    except DomainError as refused:
        form.add_error("text", str(refused))
        return model_page(request, model, form)
    return redirect(f"{reverse('model', args=[pk])}?tried={job.pk}#try")


@never_cache
@require_safe
@signed_in
def tried(request: Request, pk: int, job: int) -> HttpResponse:
    """What the model says of the text: the part of its page that renews itself until that is known."""
    model = seen_model(request, pk)
    asked = tried_text(request, pk, job)
    status = STOP_POLLING if asked.is_finished else 200
    return render(request, "models/tried.html", shown_try(model, asked), status=status)

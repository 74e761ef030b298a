"""Models that come: trained on one or several campaigns, or uploaded. And taken away, as a zip file."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.http import FileResponse, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.errors import DomainError
from annotation.exchange.model_files import MOST_BYTES, kind_of, unpacked, zipped
from annotation.forms.models import TrainModelForm, UploadModelForm
from annotation.queries.jobs import TRAINING, UPLOADED_MODEL
from annotation.services.jobs import enqueue
from annotation.services.model_keeping import incoming_file, store_incoming
from annotation.services.uploads import shown_name

from .access import Request, organisers_only, seen_model, signed_in
from .cards import check_card


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def train(request: Request) -> HttpResponse:
    """Start training a suspicion model; `campaign` proposes one to learn from."""
    if request.method != "POST":
        return _train_page(request, TrainModelForm(request.user, proposed=request.GET.get("campaign", "")))
    form = TrainModelForm(request.user, request.POST)
    if not form.is_valid():
        return _train_page(request, form)
    try:
        enqueue(kind=TRAINING, arguments=form.arguments, by=request.user, alone=mark_of(form.arguments))
    except DomainError as refused:
        form.add_error(None, str(refused))
        return _train_page(request, form)
    return redirect("models")


def mark_of(arguments: dict[str, Any]) -> str:
    """One training at a time from the same campaigns."""
    also = arguments.get("also")
    together = f"+{sha256(' '.join(also).encode()).hexdigest()[:16]}" if also else ""
    return f"{TRAINING}:{arguments['campaign']}{together}"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def upload(request: Request) -> HttpResponse:
    """Bring in a model folder: its hashes and its card are checked here, the model is loaded by a worker."""
    if request.method != "POST":
        return _upload_page(request, UploadModelForm())
    form = UploadModelForm(request.POST, request.FILES)
    if not form.is_valid():
        return _upload_page(request, form)
    name = shown_name(form.cleaned_data["file"].name)
    try:
        stored = _taken(form.cleaned_data["file"], name)
        arguments = {"stored": stored, "file": name, "name": form.cleaned_data["name"]}
        enqueue(kind=UPLOADED_MODEL, arguments=arguments, by=request.user, alone=f"{UPLOADED_MODEL}:{stored}")
    except DomainError as refused:
        form.add_error("file", str(refused))
        return _upload_page(request, form)
    return redirect("models")


@never_cache
@require_safe
@signed_in
def download(request: Request, pk: int) -> HttpResponseBase:
    """The model's folder as a zip file."""
    model = seen_model(request, pk)
    try:
        file = zipped(model)
    except DomainError as refused:
        messages.error(request, str(refused))
        return redirect("model", pk)
    return FileResponse(file, as_attachment=True, filename=f"{model.name}.zip", content_type="application/zip")


def _taken(file: Any, name: str) -> str:
    """The hash under which the file lies now. Raises DomainError, and keeps nothing, unless it is a model whose card can be
    shown."""
    stored = store_incoming(file.chunks(), most=MOST_BYTES)
    try:
        with unpacked(incoming_file(stored), name) as (_, found):
            check_card(kind_of(found.card), found.card)
    except DomainError:
        incoming_file(stored).unlink(missing_ok=True)
        raise
    return stored


def _train_page(request: Request, form: TrainModelForm) -> HttpResponse:
    return _form_page(request, "models/train.html", form)


def _upload_page(request: Request, form: UploadModelForm) -> HttpResponse:
    return _form_page(request, "models/upload.html", form)


def _form_page(request: Request, template: str, form: Any) -> HttpResponse:
    return render(request, template, {"here": "models", "form": form}, status=422 if form.is_bound else 200)

"""Starting attacks, and bringing what they need: tasks and victims."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.errors import DomainError
from annotation.exchange.attack_files import (
    MOST_BYTES_OF_A_TASK,
    MOST_BYTES_OF_A_VICTIM,
    unpacked_task,
    unpacked_victim,
)
from annotation.forms.attacks import StartAttackForm
from annotation.forms.material import ServiceVictimForm, TrainVictimForm, UploadTaskForm, UploadVictimForm
from annotation.models import Task, Victim
from annotation.queries.jobs import ADDED_SERVICE, MATERIAL_JOBS, TRAINED_VICTIM, UPLOADED_TASK, UPLOADED_VICTIM, shown_jobs
from annotation.services.attacking import SPLITS, start_attack
from annotation.services.jobs import enqueue
from annotation.services.model_keeping import incoming_file, store_incoming
from annotation.services.uploads import shown_name

from .access import Request, organisers_only
from .jobs import shown


@never_cache
@require_safe
@organisers_only
def tasks(request: Request) -> HttpResponse:
    """All tasks and victims."""
    jobs = shown_jobs(request.user, MATERIAL_JOBS)
    context = {
        "here": "attacks",
        "tasks": [
            (task, [sum(task.counts[split]) for split in SPLITS], task.counts["attack"][1])
            for task in Task.objects.order_by("name")
        ],
        "victims": Victim.objects.order_by("name"),
        "jobs": [shown(request, job) for job in jobs],
        "polls": any(not job.is_finished for job in jobs),
    }
    return render(request, "attacks/tasks.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def start(request: Request) -> HttpResponse:
    """Start an attack run; `task`, `victim` and `attacker` propose some. Asked to `show`, the form as it is filled in, with the
    parameters of the attacker that is chosen."""
    if request.method != "POST":
        proposed = {name: value for name in ("task", "victim", "attacker") if (value := request.GET.get(name))}
        return _form_page(request, "attacks/start.html", StartAttackForm(request.user, initial=proposed))
    if "show" in request.POST:
        return _form_page(request, "attacks/start.html", StartAttackForm(request.user, initial=request.POST.dict()))
    form = StartAttackForm(request.user, request.POST)
    return _done(request, form, "attacks/start.html", "attacks", lambda: start_attack(wanted=form.wanted, by=request.user))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def train(request: Request) -> HttpResponse:
    """Have a victim trained on a task. Asked to `show`, the form as it is filled in, with the parameters of the kind."""
    if "show" in request.POST:
        return _form_page(request, "attacks/train.html", TrainVictimForm(initial=request.POST.dict()))
    form = TrainVictimForm(request.POST if request.method == "POST" else None)

    def queue() -> None:
        alone = f"{TRAINED_VICTIM}:{form.arguments['name']}"
        enqueue(kind=TRAINED_VICTIM, arguments=form.arguments, by=request.user, alone=alone)

    return _done(request, form, "attacks/train.html", "tasks", queue)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def add_service(request: Request) -> HttpResponse:
    """Name a victim behind an address: a worker asks it about a text before it is kept."""
    form = ServiceVictimForm(request.POST if request.method == "POST" else None)

    def queue() -> None:
        alone = f"{ADDED_SERVICE}:{form.arguments['name']}"
        enqueue(kind=ADDED_SERVICE, arguments=form.arguments, by=request.user, alone=alone)

    return _done(request, form, "attacks/service.html", "tasks", queue)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def upload_task(request: Request) -> HttpResponse:
    """Bring in a task: it is unpacked here, and read by a worker."""
    return _upload(request, UploadTaskForm, UPLOADED_TASK, MOST_BYTES_OF_A_TASK, unpacked_task)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def upload_victim(request: Request) -> HttpResponse:
    """Bring in a victim: its hashes and its card are checked here, it is loaded by a worker."""
    return _upload(request, UploadVictimForm, UPLOADED_VICTIM, MOST_BYTES_OF_A_VICTIM, unpacked_victim)


def _upload(
    request: Request,
    form_of: type[UploadTaskForm] | type[UploadVictimForm],
    kind: str,
    most: int,
    unpacked: Callable[[str, str], Any],
) -> HttpResponse:
    """Nothing is kept of a file that is refused."""
    form = form_of(request.POST, request.FILES) if request.method == "POST" else form_of()

    def take() -> None:
        file = form.cleaned_data["file"]
        name = shown_name(file.name)
        stored = store_incoming(file.chunks(), most=most)
        try:
            with unpacked(stored, name):
                pass
        except DomainError:
            incoming_file(stored).unlink(missing_ok=True)
            raise
        arguments = {"stored": stored, "file": name, "name": form.cleaned_data["name"]}
        enqueue(kind=kind, arguments=arguments, by=request.user, alone=f"{kind}:{stored}")

    return _done(request, form, f"attacks/{kind}.html", "tasks", take, field="file")


def _done(
    request: Request, form: Any, template: str, then: str, act: Callable[[], object], field: str | None = None
) -> HttpResponse:
    """Do what the form asks for and go on to the page `then`; or the form again, with what is wrong, at its `field`."""
    if form.is_valid():
        try:
            act()
        except DomainError as refused:
            form.add_error(field, str(refused))
        else:
            return redirect(then)
    return _form_page(request, template, form)


def _form_page(request: Request, template: str, form: Any) -> HttpResponse:
    return render(request, template, {"here": "attacks", "form": form}, status=422 if form.is_bound else 200)

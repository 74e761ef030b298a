"""Watching and stopping long work."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.models import ConstraintStudy, Job, Series, User
from annotation.queries.jobs import (
    ATTACK_JOBS,
    CONSTRAINT_STUDY,
    MATERIAL_JOBS,
    ROBUSTNESS_JOBS,
    ROUND_JOBS,
    TRAINING,
    UPLOADED_MODEL,
    may_cancel,
    may_go_on,
    may_watch,
)
from annotation.services.jobs import cancel as cancel_job
from annotation.services.jobs import go_on

from .access import Request, signed_in
from .telling import tell

IN_WORDS = {
    "demo": ("The sample study is being built", "The sample study could not be built", "The sample study is ready"),
    "attack": ("The attack is running", "The attack did not end", "The attack is done"),
    "attack_part": ("A part of an attack is running", "A part of an attack did not end", "A part of an attack is done"),
    "robustness": ("Constraints are being measured", "The constraints could not be measured", "The constraints are measured"),
    "study": ("The study is running", "The study did not end", "The study is done"),
    "study_part": ("A part of a study is running", "A part of a study did not end", "A part of a study is done"),
    "suspicion": ("The model reads the changed texts", "The model could not be asked", "The model has been asked"),
    "train_victim": ("A victim is being trained", "The victim could not be trained", "The victim is trained"),
    "upload_task": ("The task is being read", "The task could not be kept", "The task is here"),
    "add_service": ("The victim is being asked", "The victim could not be kept", "The victim is here"),
    "upload_victim": ("The victim is being loaded", "The victim could not be kept", "The victim is here"),
    "train": ("A model is being trained", "The model could not be trained", "The model is trained"),
    "upload_model": ("The model is being loaded", "The model could not be kept", "The model is here"),
    "next_round": ("What to judge next is being selected", "Nothing could be selected", "The next round is ready"),
    "train_version": ("A version is being trained", "The version could not be trained", "The version is trained"),
    "predict": ("The model reads the text", "The text could not be scored", "The text is scored"),
    "check_upload": ("The file is being read", "The file could not be read", "The file has been read"),
    "import_judgements": ("The file is being read", "The campaign could not be made", "The campaign is made"),
    "import_upload": ("The file is being imported", "The file could not be imported", "The file is imported"),
}
"""What each kind of job does, could not do, has done."""

STOP_POLLING = 286
"""The status at which htmx swaps once more and asks no more."""


@never_cache
@require_safe
def job(request: HttpRequest, pk: int) -> HttpResponse:
    """One job's progress: the part of a page that renews itself until the job has ended."""
    watched = get_object_or_404(Job, pk=pk)
    if not may_watch(watched, _person(request)):
        raise Http404
    response = render(request, "jobs/progress.html", shown(request, watched), status=STOP_POLLING if watched.is_finished else 200)
    if watched.state == Job.State.DONE:
        # What the job made belongs on the page around it.
        response["HX-Refresh"] = "true"
    return response


@require_POST
@signed_in
def cancel(request: Request, pk: int) -> HttpResponse:
    """Stop a job."""
    running = get_object_or_404(Job, pk=pk)
    if not may_cancel(running, request.user):
        raise Http404
    cancel_job(job=running)
    messages.info(request, "It stops at its next step. What was finished before is kept.")
    return _back_to(running)


@require_POST
@signed_in
def resume(request: Request, pk: int) -> HttpResponse:
    """Go on with a training or an attack that was cancelled or failed: what it had done before is not done again."""
    ended = get_object_or_404(Job, pk=pk)
    if not may_watch(ended, request.user):
        raise Http404
    if may_go_on(ended, request.user):
        tell(request, lambda: go_on(job=ended, by=request.user), "It goes on from where it was.")
    else:
        messages.info(request, "There is nothing to go on with.")
    return _back_to(ended)


def shown(request: HttpRequest, job: Job | None) -> dict[str, object]:
    """What `jobs/progress.html` needs."""
    words = IN_WORDS[job.kind] if job else ("", "", "")
    person = _person(request)
    may = {"may_cancel": job is not None and may_cancel(job, person), "may_go_on": job is not None and may_go_on(job, person)}
    return {"job": job, **may, "doing": words[0], "not_done": words[1], "done": words[2]}


def _back_to(job: Job) -> HttpResponse:
    """The page that shows how far the job is, where its model, or what can be done with it, will stand."""
    if job.kind in ATTACK_JOBS:
        return redirect("attacks")
    if job.kind in ROBUSTNESS_JOBS:
        return redirect("robustness")
    if job.kind in ROUND_JOBS:
        series = Series.objects.filter(name=job.arguments["series"]).first()
        return redirect("series", series.pk) if series is not None else redirect("all_series")
    if job.kind == CONSTRAINT_STUDY:
        there = ConstraintStudy.objects.filter(pk=job.arguments["study"]).exists()
        return redirect("study", job.arguments["study"]) if there else redirect("studies")
    if job.kind in MATERIAL_JOBS:
        return redirect("tasks")
    if job.kind == UPLOADED_MODEL or "also" in job.arguments:
        return redirect("models")
    return redirect("campaign", job.arguments["campaign"]) if job.kind == TRAINING else redirect("start")


def _person(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None

"""Which jobs pages show."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from annotation.models import Campaign, ConstraintStudy, Job, Upload, User

from .lists import organised_by

STUDY, TRAINING, UPLOADED_MODEL, PREDICTION = "demo", "train", "upload_model", "predict"
ATTACK, SUSPICION = "attack", "suspicion"
ROBUSTNESS = "robustness"
NEXT_ROUND, TRAINED_VERSION = "next_round", "train_version"
CONSTRAINT_STUDY = "study"
TRAINED_VICTIM, UPLOADED_TASK, UPLOADED_VICTIM = "train_victim", "upload_task", "upload_victim"
ADDED_SERVICE = "add_service"
MODEL_JOBS = (TRAINING, UPLOADED_MODEL)
ATTACK_JOBS = (ATTACK, SUSPICION)
ROBUSTNESS_JOBS = (ROBUSTNESS,)
ROUND_JOBS = (NEXT_ROUND, TRAINED_VERSION)
MATERIAL_JOBS = (TRAINED_VICTIM, UPLOADED_TASK, UPLOADED_VICTIM, ADDED_SERVICE)
"""Kinds of jobs that stand on one page."""
GO_ON = (TRAINING, TRAINED_VERSION, ATTACK, TRAINED_VICTIM, ROBUSTNESS, CONSTRAINT_STUDY)
"""Those that keep what they have done when they are stopped."""
TRIED_KEPT_FOR = timedelta(hours=1)
"""How long a text is kept that somebody tried on a model."""


def study_job() -> Job | None:
    """The newest job that builds the sample study."""
    return Job.objects.filter(kind=STUDY).order_by("-created_at", "-pk").first()


def training_job(campaign: Campaign, user: User) -> Job | None:
    """The newest job that trains a model on the campaign's judgements, of those that the person may watch."""
    jobs = Job.objects.filter(kind=TRAINING, arguments__campaign=campaign.name).order_by("-created_at", "-pk")
    return next((job for job in jobs if may_watch(job, user)), None)


def upload_job(upload: Upload, kind: str, **asked: str) -> Job | None:
    """The newest job of the kind about an uploaded file, with these arguments."""
    about = {f"arguments__{name}": value for name, value in asked.items()}
    return Job.objects.filter(kind=kind, arguments__upload=upload.pk, **about).order_by("-created_at", "-pk").first()


def tried_by(user: User) -> QuerySet[Job]:
    """The texts that the person tried on models, as long as they are kept."""
    return Job.objects.filter(kind=PREDICTION, created_by=user, created_at__gte=timezone.now() - TRIED_KEPT_FOR)


def may_watch(job: Job, user: User | None) -> bool:
    """The sample study is every organiser's; other jobs belong to whoever started them and to the organisers of their
    campaign."""
    if user is None:
        return False
    if job.kind == STUDY:
        return user.is_organiser
    if job.created_by_id == user.pk:
        return True
    campaigns = {job.arguments.get("campaign"), *job.arguments.get("also", ())}
    return organised_by(user).filter(name__in=campaigns).count() == len(campaigns)


def may_cancel(job: Job, user: User | None) -> bool:
    """Whoever watches a job may stop it."""
    return may_watch(job, user)


def may_go_on(job: Job, user: User | None) -> bool:
    """Whether the person may have a job that ended early go on from where it was."""
    return job.kind in GO_ON and job.state in (Job.State.FAILED, Job.State.CANCELLED) and may_watch(job, user)


def jobs_about(study: ConstraintStudy, user: User) -> list[Job]:
    """The newest job that carries the study out, if the person may watch it, unless it is done."""
    newest = Job.objects.filter(kind=CONSTRAINT_STUDY, arguments__study=study.pk).order_by("-created_at", "-pk").first()
    return [newest] if newest is not None and newest.state != Job.State.DONE and may_watch(newest, user) else []


def is_carried_out(study: ConstraintStudy) -> bool:
    """Whether somebody's job, or what is left of one that was cancelled, still works on the study."""
    about = Q(kind=CONSTRAINT_STUDY) | Q(whole__kind=CONSTRAINT_STUDY)
    return Job.objects.filter(about, arguments__study=study.pk, state__in=(Job.State.QUEUED, Job.State.RUNNING)).exists()


def shown_jobs(user: User, kinds: Sequence[str]) -> list[Job]:
    """What the person started of these kinds: all that is unfinished, and the newest where it came to nothing."""
    newest = list(Job.objects.filter(kind__in=kinds, created_by=user).order_by("-created_at", "-pk")[:10])
    return [job for place, job in enumerate(newest) if not job.is_finished or (place == 0 and job.state != Job.State.DONE)]


def jobs_of(user: User) -> QuerySet[Job]:
    """The jobs that the person started, without single predictions and without the parts of others."""
    return Job.objects.filter(created_by=user, whole=None).exclude(kind=PREDICTION)

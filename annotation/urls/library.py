"""What belongs to no single campaign: the planner, models, attack runs, background jobs."""

from __future__ import annotations

from django.urls import path

from annotation.views import jobs, models, planning, runs

urlpatterns = [
    path("jobs/<int:pk>/", jobs.job, name="job"),
    path("jobs/<int:pk>/cancel/", jobs.cancel, name="cancel_job"),
    path("plan/", planning.plan, name="plan"),
    path("models/", models.models, name="models"),
    path("models/<int:pk>/", models.model, name="model"),
    path("attacks/", runs.attacks, name="attacks"),
    path("attacks/<int:pk>/", runs.attack, name="attack"),
]

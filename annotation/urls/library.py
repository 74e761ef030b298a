"""What belongs to no single campaign: the planner, models, attack runs, robustness, background jobs."""

from __future__ import annotations

from django.urls import path

from annotation.views import attacked, attacking, comparing, jobs, making, models, planning, robustness, rounds, runs, trying

urlpatterns = [
    path("jobs/<int:pk>/", jobs.job, name="job"),
    path("jobs/<int:pk>/cancel/", jobs.cancel, name="cancel_job"),
    path("jobs/<int:pk>/resume/", jobs.resume, name="resume_job"),
    path("plan/", planning.plan, name="plan"),
    path("models/", models.models, name="models"),
    path("models/train/", making.train, name="train_models"),
    path("models/upload/", making.upload, name="upload_model"),
    path("models/compare/", models.compare, name="compare_models"),
    path("models/<int:pk>/", models.model, name="model"),
    path("models/<int:pk>/download/", making.download, name="download_model"),
    path("models/<int:pk>/try/", trying.try_text, name="try_model"),
    path("models/<int:pk>/try/<int:job>/", trying.tried, name="tried"),
    path("rounds/", rounds.all_series, name="all_series"),
    path("rounds/start/", rounds.start, name="start_series"),
    path("rounds/<int:pk>/", rounds.series, name="series"),
    path("rounds/<int:pk>/next/", rounds.next_round, name="next_round"),
    path("rounds/<int:pk>/train/", rounds.train, name="train_version"),
    path("rounds/<int:pk>/drop/", rounds.drop, name="drop_round"),
    path("attacks/", runs.attacks, name="attacks"),
    path("attacks/start/", attacking.start, name="start_attack"),
    path("attacks/compare/", comparing.compare, name="compare_attacks"),
    path("attacks/tasks/", attacking.tasks, name="tasks"),
    path("attacks/tasks/upload/", attacking.upload_task, name="upload_task"),
    path("attacks/victims/train/", attacking.train, name="train_victim"),
    path("attacks/victims/service/", attacking.add_service, name="add_service"),
    path("attacks/victims/upload/", attacking.upload_victim, name="upload_victim"),
    path("attacks/<int:pk>/texts/", attacked.texts, name="attacked_texts"),
    path("attacks/<int:pk>/send/", attacked.send_successes, name="send_successes"),
    path("attacks/<int:pk>/suspicion/", attacked.suspicion, name="ask_suspicion"),
    path("attacks/<int:pk>/", runs.attack, name="attack"),
    path("robustness/", robustness.measurements, name="robustness"),
    path("robustness/start/", robustness.start, name="start_robustness"),
    path("robustness/accs/", robustness.curve, name="accs"),
    path("robustness/<int:pk>/", robustness.measurement, name="measurement"),
    path("robustness/<int:pk>/judge/", robustness.judge, name="judge_spoiled"),
]

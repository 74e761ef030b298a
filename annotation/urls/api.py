"""The HTTP API, and the page on which people make tokens for it."""

from __future__ import annotations

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from annotation.api import (
    answers,
    campaigns,
    docs,
    exports,
    items,
    jobs,
    models,
    presets,
    problems,
    results,
    robustness,
    rounds,
    runs,
    studies,
    tokens,
    work,
)
from annotation.views import tokens as pages


class Anything(StringConverter):
    """The rest of an address, with slashes and line ends; it may be nothing."""

    regex = r"[\s\S]*"


register_converter(Anything, "anything")

ORGANISED, ANSWERED = "api/campaigns/<slug:name>", "api/work/<slug:name>"
CLAIM = f"{ANSWERED}/claims/<int:claim_id>"

urlpatterns = [
    path("tokens/", pages.tokens, name="tokens"),
    path("tokens/<uuid:public_id>/revoke/", pages.revoke, name="revoke_token"),
    path("api/schema/", docs.Schema.as_view(), name="api_schema"),
    path("api/docs/", docs.browser, name="api_docs"),
    path("api/sign-in/", tokens.SignInForToken.as_view(), name="api_sign_in"),
    path("api/tokens/", tokens.Tokens.as_view(), name="api_tokens"),
    path("api/tokens/<uuid:public_id>/", tokens.OneToken.as_view(), name="api_token"),
    path("api/presets/", presets.Presets.as_view(), name="api_presets"),
    path("api/campaigns/", campaigns.Campaigns.as_view(), name="api_campaigns"),
    path(f"{ORGANISED}/", campaigns.OneCampaign.as_view(), name="api_campaign"),
    path(f"{ORGANISED}/open/", campaigns.OpenCampaign.as_view(), name="api_open_campaign"),
    path(f"{ORGANISED}/pause/", campaigns.PauseCampaign.as_view(), name="api_pause_campaign"),
    path(f"{ORGANISED}/close/", campaigns.CloseCampaign.as_view(), name="api_close_campaign"),
    path(f"{ORGANISED}/copy/", campaigns.CopyCampaign.as_view(), name="api_copy_campaign"),
    path(f"{ORGANISED}/items/", items.Items.as_view(), name="api_items"),
    path(f"{ORGANISED}/items/<int:number>/", items.OneItem.as_view(), name="api_item"),
    path(f"{ORGANISED}/judgements/", results.Judgements.as_view(), name="api_judgements"),
    path(f"{ORGANISED}/decisions/", results.Decisions.as_view(), name="api_decisions"),
    path(f"{ORGANISED}/agreement/", results.Agreement.as_view(), name="api_agreement"),
    path(f"{ORGANISED}/exports/", exports.Exports.as_view(), name="api_exports"),
    path(f"{ORGANISED}/exports/<str:file>", exports.Export.as_view(), name="api_export"),
    path("api/work/", work.Work.as_view(), name="api_work"),
    path(f"{ANSWERED}/progress/", work.Progress.as_view(), name="api_progress"),
    path(f"{ANSWERED}/claims/", work.Claims.as_view(), name="api_claims"),
    path(f"{CLAIM}/", work.OneClaim.as_view(), name="api_claim"),
    path(f"{CLAIM}/answer/", answers.AnswerClaim.as_view(), name="api_answer"),
    path(f"{CLAIM}/draft/", answers.DraftClaim.as_view(), name="api_draft"),
    path(f"{CLAIM}/skip/", answers.SkipClaim.as_view(), name="api_skip"),
    path(f"{CLAIM}/flag/", answers.FlagClaim.as_view(), name="api_flag"),
    path(f"{CLAIM}/keep/", answers.KeepClaim.as_view(), name="api_keep"),
    path("api/models/", models.Models.as_view(), name="api_models"),
    path("api/models/<int:pk>/", models.OneModel.as_view(), name="api_model"),
    path("api/models/<int:pk>/predictions/", models.Predictions.as_view(), name="api_predict"),
    path("api/models/<int:pk>/predictions/<int:job>/", models.OnePrediction.as_view(), name="api_prediction"),
    path("api/rounds/", rounds.AllSeries.as_view(), name="api_all_series"),
    path("api/rounds/<int:pk>/", rounds.OneSeries.as_view(), name="api_series"),
    path("api/tasks/", runs.Tasks.as_view(), name="api_tasks"),
    path("api/victims/", runs.Victims.as_view(), name="api_victims"),
    path("api/runs/", runs.Runs.as_view(), name="api_runs"),
    path("api/runs/<int:pk>/", runs.OneRun.as_view(), name="api_run"),
    path("api/runs/<int:pk>/texts/", runs.Attacked.as_view(), name="api_attacked"),
    path("api/robustness/", robustness.Measurements.as_view(), name="api_measurements"),
    path("api/robustness/<int:pk>/", robustness.OneMeasurement.as_view(), name="api_measurement"),
    path("api/robustness/<int:pk>/texts/", robustness.Spoiled.as_view(), name="api_spoiled"),
    path("api/studies/", studies.Studies.as_view(), name="api_studies"),
    path("api/studies/<int:pk>/", studies.OneStudy.as_view(), name="api_study"),
    path("api/studies/<int:pk>/result/", studies.StudyResult.as_view(), name="api_study_result"),
    path("api/jobs/", jobs.Jobs.as_view(), name="api_jobs"),
    path("api/jobs/<int:pk>/", jobs.OneJob.as_view(), name="api_job"),
    path("api/jobs/<int:pk>/cancel/", jobs.CancelJob.as_view(), name="api_cancel_job"),
    path("api/<anything:rest>", problems.nowhere, name="api_nowhere"),
]

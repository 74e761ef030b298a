"""Who may ask the API for what; the same rights as on the pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .table import ANNOTATOR, EVERYBODY, NAME, ORGANISER, ORGANISERS, SIGNED_IN, Row

NOWHERE: Mapping[str, str] = {}
ITEM = {"name": "campaign", "number": "conflicting number"}
LIVE, GIVEN = ({"name": "campaign", "claim_id": f"{claim} claim"} for claim in ("live", "answered"))


def _row(args: Mapping[str, str] = NAME, **who: Any) -> Row:
    return Row(**({"args": args, "page": False, "api": True, "anonymous": 401} | who))


API_ROWS: dict[str, Row] = {
    "api_docs": Row(get=EVERYBODY, args=NOWHERE),
    "api_schema": _row(NOWHERE, get=EVERYBODY),
    "api_sign_in": _row(NOWHERE, post=EVERYBODY),
    "api_tokens": _row(NOWHERE, get=SIGNED_IN, post=SIGNED_IN),
    "api_token": _row({"public_id": "token id"}, delete=ANNOTATOR),
    "api_nowhere": _row({"rest": "nowhere"}, anonymous=404),
    "api_presets": _row(NOWHERE, get=SIGNED_IN),
    "api_campaigns": _row(NOWHERE, get=SIGNED_IN, post=ORGANISERS, strangers=403),
    "api_campaign": _row(get=ORGANISER, patch=ORGANISER),
    "api_copy_campaign": _row(post=ORGANISER),
    "api_open_campaign": _row(post=ORGANISER),
    "api_pause_campaign": _row(post=ORGANISER),
    "api_close_campaign": _row(post=ORGANISER),
    "api_items": _row(get=ORGANISER, post=ORGANISER),
    "api_item": _row(ITEM, get=ORGANISER, patch=ORGANISER),
    "api_judgements": _row(get=ORGANISER),
    "api_decisions": _row(get=ORGANISER),
    "api_agreement": _row(get=ORGANISER),
    "api_exports": _row(get=ORGANISER),
    "api_export": _row({"name": "campaign", "file": "judgements.csv"}, get=ORGANISER),
    "api_work": _row(NOWHERE, get=SIGNED_IN),
    "api_progress": _row(get=ANNOTATOR),
    "api_claims": _row(get=ANNOTATOR, post=ANNOTATOR),
    "api_claim": _row(LIVE, get=ANNOTATOR),
    "api_answer": _row(GIVEN, post=ANNOTATOR, put=ANNOTATOR),
    "api_draft": _row(LIVE, put=ANNOTATOR),
    "api_skip": _row(LIVE, post=ANNOTATOR),
    "api_flag": _row(LIVE, post=ANNOTATOR),
    "api_keep": _row(LIVE, post=ANNOTATOR),
    "api_models": _row(NOWHERE, get=SIGNED_IN),
    "api_model": _row({"pk": "model"}, get=ORGANISER),
    "api_predict": _row({"pk": "model"}, post=ORGANISER),
    "api_prediction": _row({"pk": "model", "job": "prediction"}, get=ORGANISER),
    "api_all_series": _row(NOWHERE, get=SIGNED_IN),
    "api_series": _row({"pk": "series"}, get=ORGANISER, protocol="suspicion"),
    "api_tasks": _row(NOWHERE, get=ORGANISERS, strangers=403),
    "api_victims": _row(NOWHERE, get=ORGANISERS, strangers=403),
    "api_runs": _row(NOWHERE, get=ORGANISERS, post=ORGANISERS, strangers=403),
    "api_run": _row({"pk": "run"}, get=ORGANISERS, strangers=403),
    "api_attacked": _row({"pk": "other run"}, get=ORGANISERS, strangers=403),
    "api_measurements": _row(NOWHERE, get=ORGANISERS, strangers=403),
    "api_measurement": _row({"pk": "measurement"}, get=ORGANISERS, strangers=403),
    "api_spoiled": _row({"pk": "measurement"}, get=ORGANISERS, strangers=403),
    "api_studies": _row(NOWHERE, get=ORGANISERS, strangers=403),
    "api_study": _row({"pk": "study"}, get=ORGANISERS, strangers=403),
    "api_study_result": _row({"pk": "study"}, get=ORGANISERS, strangers=403, protocol="preference"),
    "api_jobs": _row(NOWHERE, get=SIGNED_IN),
    "api_job": _row({"pk": "job"}, get=ORGANISER),
    "api_cancel_job": _row({"pk": "job"}, post=ORGANISER),
}

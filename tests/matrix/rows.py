"""Who may do what: one row per address of a page, by its name. Whoever is not named in a row is a stranger to it, and learns
nothing."""

from __future__ import annotations

from collections.abc import Mapping

from .api_rows import API_ROWS
from .table import ANNOTATOR, EVERYBODY, JUDGES, MEMBERS, ORGANISER, ORGANISERS, SIGNED_IN, Row, verb

NOWHERE: Mapping[str, str] = {}
ONE_CAMPAIGN = dict.fromkeys(EVERYBODY, ("inside",))


def _of(thing: str, parameter: str = "pk", **more: str) -> dict[str, str]:
    """The parameters of an address that names a campaign and something in it."""
    return {"name": "campaign", parameter: thing} | more


LIVE, GIVEN = _of("live claim", "claim_id"), _of("answered claim", "claim_id")

ROWS: dict[str, Row] = {
    # Coming in
    "start": Row(get=EVERYBODY, args=NOWHERE),
    "campaigns": Row(get=EVERYBODY, args=NOWHERE, page=False, sends=(302,)),
    "login": Row(
        get=EVERYBODY, post=EVERYBODY, put=EVERYBODY, patch=SIGNED_IN, delete=SIGNED_IN, args=NOWHERE, visitor="anonymous"
    ),
    "logout": verb(EVERYBODY, args=NOWHERE),
    "password": Row(get=SIGNED_IN, post=SIGNED_IN, args=NOWHERE),
    "join": Row(get=EVERYBODY, post=EVERYBODY, args={"token": "token"}, shows=ONE_CAMPAIGN, visitor="anonymous"),
    "register": Row(get=EVERYBODY, post=EVERYBODY, protocol="question", shows=ONE_CAMPAIGN, visitor="anonymous"),
    "crowd": Row(
        get=EVERYBODY,
        post=EVERYBODY,
        shows=ONE_CAMPAIGN,
        queries=("?PROLIFIC_PID=p1&STUDY_ID=s1&SESSION_ID=x1",),
        visitor="anonymous",
    ),
    "sheet": Row(get=MEMBERS, post=ANNOTATOR),
    "withdraw": Row(get=ANNOTATOR, post=ANNOTATOR),
    # The annotator's work
    "work": Row(get=ANNOTATOR),
    "history": Row(get=ANNOTATOR),
    "last_answer": Row(get=ANNOTATOR, page=False, sends=(302,)),
    "own_answer": Row(get=ANNOTATOR, args=GIVEN),
    "answer": verb(ANNOTATOR, args=LIVE),
    "draft": verb(ANNOTATOR, args=LIVE),
    "beat": verb(ANNOTATOR, args=LIVE),
    "extend": verb(ANNOTATOR, args=LIVE),
    "change_answer": verb(ANNOTATOR, args=GIVEN),
    "skip_item": Row(get=ANNOTATOR, post=ANNOTATOR, args=LIVE),
    "flag_item": Row(get=ANNOTATOR, post=ANNOTATOR, args=LIVE),
    "skipped": verb(ANNOTATOR),
    # Campaigns
    "new_campaign": Row(get=ORGANISERS, post=ORGANISERS, args=NOWHERE, strangers=403),
    "new_campaign_from_file": Row(get=ORGANISERS, post=ORGANISERS, args=NOWHERE, strangers=403),
    "campaign": Row(get=ORGANISER),
    "settings": Row(get=ORGANISER, post=ORGANISER),
    "open_campaign": Row(get=ORGANISER, post=ORGANISER),
    "pause_campaign": verb(),
    "close_campaign": Row(get=ORGANISER, post=ORGANISER),
    "delete_campaign": Row(get=ORGANISER, post=ORGANISER),
    "copy_campaign": verb(),
    "link_campaign": verb(),
    "unlink_campaign": verb(),
    # People
    "people": Row(get=ORGANISER),
    "people_file": Row(get=ORGANISER, args=_of("crowd.csv", "file"), page=False),
    "member": Row(get=ORGANISER, post=ORGANISER, args=_of("member")),
    "act_on_member": verb(args=_of("member", verb="pause")),
    "ask_about_member": Row(get=ORGANISER, args=_of("member", verb="deactivate")),
    "transfer": verb(form={"member": "organiser member"}),
    "invite": verb(),
    "revoke": verb(args=_of("invitation")),
    "add_team": verb(),
    "act_on_team": verb(args=_of("team", verb="withdraw")),
    "draw_groups": verb(),
    "entrance": Row(get=ORGANISER, post=ORGANISER),
    "edit_sheet": Row(get=ORGANISER, post=ORGANISER),
    # Results
    "items": Row(get=ORGANISER, queries=("", "?show=disagreed", "?annotator={member}")),
    "item": Row(get=ORGANISER, args=_of("conflicting number", "number")),
    "item_gold": verb(args=_of("training number", "number")),
    "ask_one_more": verb(args=_of("conflicting number", "number")),
    "exclude_answer": verb(args=_of("judgement")),
    "include_answer": verb(args=_of("judgement")),
    "exclude_answers": verb(args=_of("member")),
    "include_answers": verb(args=_of("member")),
    "release_claims": verb(),
    "resolve_flag": verb(args=_of("flag")),
    "conflicts": Row(get=JUDGES, queries=("", "?show=decided", "?show=stale")),
    "conflict": Row(get=JUDGES, post=JUDGES, args=_of("conflicting number", "number")),
    "agreement": Row(get=ORGANISER),
    "report": Row(get=ORGANISER, queries=("", "?plots")),
    "report_table": Row(get=ORGANISER, args=_of("how.csv", "file"), page=False),
    "log": Row(get=ORGANISER, queries=("", "?verb=paused_person")),
    "train": verb(protocol="suspicion"),
    # Files
    "uploads": Row(get=ORGANISER, post=ORGANISER),
    "upload": Row(get=ORGANISER, post=ORGANISER, args=_of("upload")),
    "preview_upload": Row(get=ORGANISER, post=ORGANISER, args=_of("upload")),
    "drop_upload": verb(args=_of("upload")),
    "sample": Row(get=ORGANISER, post=ORGANISER),
    "export": Row(get=ORGANISER),
    "download": Row(get=ORGANISER, args=_of("judgements.csv", "file"), page=False),
    # Models, attack runs, jobs, tokens
    "job": Row(get=ORGANISER, args={"pk": "job"}, page=False, anonymous=404, sends=(286,)),
    "cancel_job": verb(args={"pk": "job"}),
    "plan": Row(get=ORGANISERS, args=NOWHERE, strangers=403, queries=("", "?wanted=preference&preferred=0.7&power=0.8&votes=1")),
    "resume_job": verb(args={"pk": "job"}),
    "models": Row(get=ORGANISERS, args=NOWHERE, strangers=403),
    "train_models": Row(get=ORGANISERS, post=ORGANISERS, args=NOWHERE, strangers=403),
    "upload_model": Row(get=ORGANISERS, post=ORGANISERS, args=NOWHERE, strangers=403),
    "compare_models": Row(
        get=ORGANISERS, args=NOWHERE, strangers=403, protocol="suspicion", queries=("", "?model={model}&model={other model}")
    ),
    "model": Row(get=ORGANISER, args={"pk": "model"}, protocol="suspicion", queries=("", "?tried={prediction}", "?plots")),
    "download_model": Row(get=ORGANISER, args={"pk": "model"}, page=False, sends=(302,)),
    "try_model": verb(args={"pk": "model"}),
    "tried": Row(get=ORGANISER, args={"pk": "model", "job": "prediction"}, page=False, sends=(286,)),
    "all_series": Row(get=ORGANISERS, args=NOWHERE, strangers=403),
    "start_series": Row(get=ORGANISERS, post=ORGANISERS, args=NOWHERE, strangers=403),
    "series": Row(get=ORGANISER, args={"pk": "series"}, protocol="suspicion"),
    "next_round": Row(get=ORGANISER, post=ORGANISER, args={"pk": "trained series"}, protocol="suspicion"),
    "train_version": verb(args={"pk": "series"}, protocol="suspicion"),
    "drop_round": verb(args={"pk": "series"}, protocol="suspicion", form={"number": "2"}),
    "attacks": Row(get=ORGANISERS, args=NOWHERE, strangers=403),
    "attack": Row(get=ORGANISERS, args={"pk": "run"}, strangers=403),
    "start_attack": Row(get=ORGANISERS, post=ORGANISERS, args=NOWHERE, strangers=403),
    "compare_attacks": Row(
        get=ORGANISERS, args=NOWHERE, strangers=403, queries=("", "?run={run}&run={other run}", "?run={run}&plots")
    ),
    "tasks": Row(get=ORGANISERS, args=NOWHERE, strangers=403),
    "upload_task": Row(get=ORGANISERS, post=ORGANISERS, args=NOWHERE, strangers=403),
    "upload_victim": Row(get=ORGANISERS, post=ORGANISERS, args=NOWHERE, strangers=403),
    "add_service": Row(get=ORGANISERS, post=ORGANISERS, args=NOWHERE, strangers=403),
    "train_victim": Row(get=ORGANISERS, post=ORGANISERS, args=NOWHERE, strangers=403),
    "attacked_texts": Row(
        get=ORGANISERS, args={"pk": "other run"}, strangers=403, queries=("", "?show=success&order=suspicion", "?q=sails")
    ),
    "send_successes": Row(
        get=ORGANISERS, post=ORGANISERS, args={"pk": "other run"}, strangers=403, queries=("", "?to=new:suspicion/five-points")
    ),
    "robustness": Row(get=ORGANISERS, args=NOWHERE, strangers=403),
    "start_robustness": Row(get=ORGANISERS, post=ORGANISERS, args=NOWHERE, strangers=403),
    "accs": Row(get=ORGANISERS, post=ORGANISERS, args=NOWHERE, strangers=403),
    "measurement": Row(
        get=ORGANISERS,
        args={"pk": "measurement"},
        strangers=403,
        protocol="suspicion",
        queries=("", "?plots", "?constraint=suspicion&page=2"),
    ),
    "measurement_file": Row(
        get=ORGANISERS, args={"pk": "measurement", "file": "robustness.csv"}, strangers=403, protocol="suspicion", page=False
    ),
    "judge_spoiled": verb(ORGANISERS, args={"pk": "measurement"}, strangers=403),
    "ask_suspicion": verb(ORGANISERS, args={"pk": "run"}, strangers=403),
    "studies": Row(get=ORGANISERS, args=NOWHERE, strangers=403),
    "new_study": Row(get=ORGANISERS, post=ORGANISERS, args=NOWHERE, strangers=403),
    "study": Row(get=ORGANISERS, args={"pk": "study"}, strangers=403, protocol="preference", queries=("", "?plots")),
    "go_on_study": verb(ORGANISERS, args={"pk": "study"}, strangers=403),
    "drop_study": verb(ORGANISERS, args={"pk": "study"}, strangers=403),
    "ask_people": Row(
        get=ORGANISERS, post=ORGANISERS, args={"pk": "study"}, strangers=403, queries=("", "?tau=2.5&preferred=0.7&power=0.8")
    ),
    "study_file": Row(
        get=ORGANISERS, args={"pk": "study", "file": "pairs.csv"}, strangers=403, protocol="preference", page=False
    ),
    "tokens": Row(get=SIGNED_IN, post=SIGNED_IN, args=NOWHERE),
    "revoke_token": verb(ANNOTATOR, args={"public_id": "token id"}),
    **API_ROWS,
}

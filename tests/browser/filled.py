"""What somebody enters into each form of the site, and which tables are then different."""

from __future__ import annotations

from collections.abc import Mapping

from tests.matrix.world import PASSWORD

from .forms import Form

PAIRS = "original,adversarial,attacker\nThe bridge closes on Monday.,The brdige closes on Monday.,deepwordbug\n"
CURVE = "threshold,first,second\n1.5,0,0\n2.5,0.7,0.3\n"
JUDGED = ("annotation.Judgement", "annotation.Event")
NEWCOMER = {"username": "newcomer", "password": PASSWORD}

FORMS: Mapping[str, Form] = {
    # Coming in
    "post login": Form(("sessions.Session",), {"username": "annotator", "password": PASSWORD}),
    "post logout": Form(("sessions.Session",)),
    "post password": Form(
        ("annotation.User",),
        {"old_password": PASSWORD, "new_password1": "ferries-run-at-9", "new_password2": "ferries-run-at-9"},
    ),
    "post join": Form(("annotation.User", "annotation.Membership"), NEWCOMER),
    "post register": Form(("annotation.User", "annotation.Membership"), NEWCOMER),
    "post crowd": Form(("annotation.User", "annotation.CrowdVisit")),
    "post sheet": Form(("annotation.Consent",), {"agree": True}),
    "post withdraw": Form(("annotation.Membership", "annotation.Judgement"), {"sure": True}),
    # The annotator's work
    "post answer": Form(("annotation.Judgement", "annotation.Claim"), {"confidence": "4"}),
    "post extend": Form(("annotation.Claim",)),
    "post change_answer": Form(("annotation.Judgement", "annotation.EarlierAnswer"), {"label": "change"}),
    "post skip_item": Form(("annotation.Claim",), {"reason": "unclear", "note": "I cannot tell."}),
    "post flag_item": Form(("annotation.Flag",), {"text": "The text is cut off."}),
    "post skipped": Form(("annotation.Claim",)),
    # Campaigns
    "post new_campaign": Form(("annotation.Campaign", "annotation.Label"), {"title": "Fresh", "name": "fresh"}),
    "get plan": Form(values={"half_width": "0.08"}),
    "post new_campaign_from_file": Form(
        ("annotation.Campaign", "annotation.Item"), {"title": "Fresh", "format": "pairs"}, {"file": ("pairs.csv", PAIRS)}
    ),
    # Where a crowd platform would send people to a sheet with gaps, that is asked about first.
    "post open_campaign": Form(
        status=422, then=("post open_campaign sure=yes", Form(("annotation.Campaign", "annotation.Event")))
    ),
    "post open_campaign sure=yes": Form(("annotation.Campaign", "annotation.Event")),
    "post pause_campaign": Form(("annotation.Campaign", "annotation.Event")),
    "post close_campaign": Form(("annotation.Campaign", "annotation.Event")),
    "post settings": Form(("annotation.Campaign", "annotation.Event"), {"title": "Another title"}),
    "post copy_campaign": Form(("annotation.Campaign", "annotation.Event"), {"title": "A copy", "name": "copied"}),
    "post link_campaign": Form(("annotation.Campaign", "annotation.Event"), {"with": "suspicion"}),
    "post unlink_campaign": Form(("annotation.Campaign", "annotation.Event")),
    # People
    "post invite": Form(("annotation.Invitation", "annotation.Event")),
    "post revoke": Form(("annotation.Invitation", "annotation.Event")),
    "post member": Form(("annotation.Membership", "annotation.Event"), {"quota": "7"}),
    "post act_on_member pause": Form(("annotation.Membership", "annotation.Event")),
    "post act_on_member resume": Form(("annotation.Membership", "annotation.Event")),
    "post act_on_member deactivate": Form(("annotation.Membership", "annotation.Event")),
    "post act_on_member let-in": Form(("annotation.Event",)),
    "post transfer": Form(("annotation.Campaign", "annotation.Event")),
    "post add_team": Form(("annotation.Team", "annotation.Event"), {"name": "Northerners"}),
    "post act_on_team withdraw": Form(("annotation.Team", "annotation.Event")),
    "post act_on_team return": Form(("annotation.Team", "annotation.Event")),
    "post act_on_team organisers": Form(("annotation.Campaign",)),
    "post draw_groups": Form(("annotation.Item", "annotation.Event"), {"seed": "5"}),
    "post entrance": Form(("annotation.Entrance", "annotation.Event"), {"criteria": "People who read news."}),
    "post edit_sheet preview=yes": Form(),
    "post edit_sheet publish=yes": Form(("annotation.InformationSheet", "annotation.Event"), {"language": "de"}),
    # Results
    "get items": Form(values={"q": "bridge"}),
    "get log": Form(),
    "post release_claims": Form(("annotation.Claim", "annotation.Event")),
    "post ask_one_more": Form(("annotation.Item", "annotation.Slot", "annotation.Event")),
    "post exclude_answer": Form(JUDGED, then=("post include_answer", Form(JUDGED))),
    "post exclude_answers": Form(JUDGED, then=("post include_answers", Form(JUDGED))),
    "post include_answers": Form(),
    "post resolve_flag": Form(("annotation.Flag", "annotation.Event")),
    "post item_gold": Form(("annotation.Item", "annotation.Event"), {"use": "training", "explanation": "Look again."}),
    # Whoever decides at once is asked whether they are sure.
    "post conflict": Form(
        values={"note": "Both may be right."},
        status=422,
        then=("post conflict", Form(("annotation.Ruling", "annotation.Event"), {"sure": True})),
    ),
    "post train": Form(("annotation.Job",), {"model": "another"}),
    # Models
    "get compare_models": Form(values={"model": True}),
    "post train_models": Form(("annotation.Job",), {"campaigns": True, "model": "another"}),
    "post upload_model": Form(values={"name": "another"}, files={"file": ("model.zip", PAIRS)}, status=422),
    "post try_model": Form(("annotation.Job",), {"text": "Ferries rnu."}),
    # Rounds
    "post start_series": Form(values={"campaigns": True, "name": "another", "test_share": "90"}, status=422),
    "post next_round": Form(("annotation.Job",), {"runs": True, "size": "1"}),
    "post drop_round": Form(("annotation.Round",)),
    # Attacks
    "post start_attack show=yes": Form(values={"attacker": "pruthi"}),
    "post start_attack": Form(("annotation.Job",), {"attacker": "deepwordbug", "name": "another"}),
    "get compare_attacks": Form(values={"run": True}),
    "post add_service": Form(("annotation.Job",), {"address": "https://models.example.org/predict"}),
    "post train_victim show=yes": Form(values={"kind": "bilstm"}),
    "post train_victim": Form(("annotation.Job",), {"name": "another"}),
    "post upload_task": Form(values={"name": "another"}, files={"file": ("task.zip", PAIRS)}, status=422),
    "post upload_victim": Form(values={"name": "another"}, files={"file": ("victim.zip", PAIRS)}, status=422),
    "post start_robustness show=yes": Form(values={"attacker": "pruthi"}),
    "post start_robustness": Form(("annotation.Job",), {"attacker": "deepwordbug", "called": "another"}),
    "post accs": Form(files={"file": ("curve.csv", CURVE)}),
    "post judge_spoiled": Form(("annotation.Campaign", "annotation.Item", "annotation.JudgedSample"), {"size": "2"}),
    "post new_study show=yes": Form(values={"attacker": "pruthi"}),
    # Nothing lies where the rows of this world say that their folders are.
    "post new_study": Form(values={"attacker": "deepwordbug", "called": "another"}, status=422),
    "get ask_people": Form(),
    "post ask_people": Form(("annotation.Campaign", "annotation.Item", "annotation.StudyCampaign")),
    "post ask_suspicion": Form(("annotation.Job",)),
    "get attacked_texts": Form(values={"q": "sa1ls", "order": "bodega"}),
    # Whoever fills in every field asks for two runs side by side, which a meaning campaign does not show.
    "get send_successes": Form(values={"to": "new:meaning/incrediblae", "title": "Another"}, status=422),
    "post send_successes": Form(("annotation.Campaign", "annotation.Item")),
    # Files
    "post uploads": Form(("annotation.Upload",), files={"file": ("pairs.csv", PAIRS)}),
    "post upload": Form(("annotation.Upload",), {"kept": True}),
    "post preview_upload": Form(("annotation.Item", "annotation.Event")),
    "post drop_upload": Form(("annotation.Upload",)),
    "get sample": Form(values={"runs": True, "count": "2"}, then=("post sample", Form(("annotation.Item", "annotation.Event")))),
    "post sample": Form(),
    "get export": Form(values={"confidence": "2"}),
    # Jobs, tokens
    "post cancel_job": Form(("annotation.Job",)),
    "post resume_job": Form(("annotation.Job",)),
    "post tokens": Form(("annotation.ApiToken",), {"name": "laptop"}),
    "post revoke_token": Form(("annotation.ApiToken",)),
}
"""Method and name of the address (with the verb, and name=value of the button, where there is one) → what is entered."""

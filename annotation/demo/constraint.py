"""Stage 7: a study of the suspicion constraint, whose pairs simulated readers are asked about."""

from __future__ import annotations

from annotation.models import Campaign, ConstraintStudy
from annotation.services.attacking import AttackWanted
from annotation.services.campaigns import open_campaign
from annotation.services.studies import StudyWanted, carry_out, make_study
from annotation.services.study_campaigns import Asking, ask_people

from .asking import SHEET, answer_and_close
from .plan import Study, StudyPlan
from .progress import Progress, share


def study_constraint(study: Study, progress: Progress) -> None:
    """Attack without and under each limit, then have the pairs judged where there are most of them."""
    plan = study.plan
    found = ConstraintStudy.objects.filter(name=plan.constraint_study).first() or make_study(wanted=_wanted(plan))
    carry_out(found, share(progress, 0.0, 0.6))
    found.refresh_from_db()
    campaign = _campaign(plan, found)
    if campaign is not None and campaign.state != Campaign.State.CLOSED:
        answer_and_close(plan.seed, campaign, share(progress, 0.6, 1.0))
    progress(1, 1, "The constraint is studied")


def _wanted(plan: StudyPlan) -> StudyWanted:
    attack = AttackWanted(
        name=plan.constraint_study,
        task=plan.name,
        victim=f"{plan.name}-{plan.studied_victim}",
        attacker=plan.studied_attacker,
        parameters={},
        seed=plan.seed,
        texts=plan.texts,
        model=plan.campaign("suspicion"),
    )
    return StudyWanted(attack=attack, taus=plan.taus)


def _campaign(plan: StudyPlan, study: ConstraintStudy) -> Campaign | None:
    """About the limit with the most pairs; none where there is no pair at all."""
    known = study.campaigns.first()
    if known is not None:
        return known
    at = max(study.result or [], key=lambda each: len(each["worth_asking"]))
    if not at["worth_asking"]:
        return None
    campaign = ask_people(
        study=study,
        asking=Asking(tau=at["tau"]),
        name=plan.constraint_study,
        title="Sample study: with or without the suspicion constraint (simulated readers)",
        simulated=True,
        sheet=SHEET,
    )
    open_campaign(campaign=campaign)
    return campaign

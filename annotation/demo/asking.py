"""Stages 3 and 4: draw examples into campaigns, and have simulated readers answer them."""

from __future__ import annotations

from django.db import transaction

from annotation.errors import DomainError
from annotation.models import AttackRun, Campaign, Slot, User
from annotation.protocols import PROTOCOLS
from annotation.services.campaigns import close_campaign, create_campaign, open_campaign
from annotation.services.sampling import add_sample
from scoring.judgements.simulation import SimulatedReader

from .latent import JUDGE
from .plan import Study, StudyPlan
from .progress import Progress, part
from .readers import answer_everything, enlist

SHEET = (
    "This campaign is part of the sample study. Simulated readers, drawn from a model, answer it; nobody is asked. "
    "No figure that comes of it says anything about people."
)


def make_campaigns(study: Study, progress: Progress) -> None:
    """One open campaign per protocol, with examples drawn evenly from all runs; those that exist stay as they are."""
    plan = study.plan
    for number, protocol in enumerate(plan.samples):
        progress(number, len(plan.samples), f"Drawing examples to be judged: {protocol}")
        if not Campaign.objects.filter(name=plan.campaign(protocol)).exists():
            _make_campaign(plan, protocol)
    progress(len(plan.samples), len(plan.samples), "Examples drawn")


@transaction.atomic
def _make_campaign(plan: StudyPlan, protocol: str) -> None:
    runs = AttackRun.objects.filter(name__in=[plan.run(victim, attacker) for victim, attacker in plan.attacks])
    size = plan.samples[protocol]
    campaign = create_campaign(
        name=plan.campaign(protocol),
        title=f"Sample study: {PROTOCOLS[protocol].title.lower()} (simulated readers)",
        protocol=protocol,
        simulated=True,
        source={"attack_runs": sorted(run.name for run in runs), "examples": size, "seed": plan.seed},
        sheet=SHEET,
    )
    add_sample(campaign=campaign, runs=runs, size=size, seed=plan.seed)
    open_campaign(campaign=campaign)


def have_judged(study: Study, progress: Progress) -> None:
    """Simulated readers answer every campaign until nothing is left, then it is closed."""
    plan = study.plan
    for number, protocol in enumerate(plan.samples):
        campaign = Campaign.objects.get(name=plan.campaign(protocol))
        if campaign.state == Campaign.State.OPEN:
            answer_and_close(plan.seed, campaign, part(progress, number, len(plan.samples)))
    progress(1, 1, "All campaigns are answered")


def simulate(*, campaign: Campaign, seed: int) -> None:
    """Have simulated readers answer all of a campaign for them, and close it. Raises DomainError for a campaign for people."""
    if not campaign.simulated:
        raise DomainError(f"“{campaign.name}” asks people; simulated readers never answer there.")
    if campaign.state != Campaign.State.CLOSED:
        open_campaign(campaign=campaign)
        answer_and_close(seed, campaign, lambda done, total, message: None)


def answer_and_close(seed: int, campaign: Campaign, progress: Progress) -> None:
    """Simulated readers answer the open campaign until nothing is left; then it is closed."""
    people = enlist(campaign=campaign)
    minds = {person.pk: SimulatedReader(1000 * seed + number) for number, person in enumerate(people)}
    judge = JUDGE[campaign.protocol]

    def answer(slot: Slot, reader: User) -> dict[str, object]:
        return judge(minds[reader.pk], slot)

    answer_everything(campaign=campaign, readers=people, answer=answer, progress=progress)
    close_campaign(campaign=campaign)

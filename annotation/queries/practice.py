"""Items with a known answer: which of them one annotator meets, and how people did on them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Campaign, Claim, Item, Label, Membership
from annotation.protocols import exclusion_of

from .own import MET, Use, met_in


def not_met(member: Membership, use: str) -> QuerySet[Item]:
    """Items with a known answer that the person has not met, in order of their numbers, with the texts. A test that is taken
    again is not met; its first answers no longer stand."""
    claims = Claim.objects.filter(annotator=member.user_id, item=OuterRef("pk"), state__in=MET)
    items = Item.objects.filter(~Exists(claims), campaign=member.campaign_id, use=use)
    return items.select_related("first", "second").order_by("number")


def check_for(member: Membership) -> Item | None:
    """An attention check that the person has not met, nor any variant of its original where variants exclude each other."""
    items = not_met(member, Use.ATTENTION)
    group = exclusion_of(member.campaign)
    if group is not None:
        items = items.exclude(original__in=met_in(member.campaign_id, member.user_id, group).values("original"))
    return items.first()


def checks_nobody_meets(campaign: Campaign, more: int = 0) -> int:
    """How many attention checks there are, with so many `more` to come, while the settings hand out none."""
    if campaign.settings["attention_every"]:
        return 0
    return campaign.items.filter(use=Use.ATTENTION).count() + more


def is_right(label: Label | None, item: Item) -> bool:
    """Whether a label is the item's known answer, or so near to it that the campaign calls it no conflict."""
    if label is None or item.gold is None:
        return False
    return _near(label.value, item.gold.value, item.campaign)


@dataclass(slots=True)
class PracticeScore:
    """How many known answers one person found, by use of the items; of tests, in the last try."""

    right: Counter[str] = field(default_factory=Counter)
    given: Counter[str] = field(default_factory=Counter)

    def share(self, use: str) -> float | None:
        """Right answers as a share of those given; None without any."""
        return self.right[use] / self.given[use] if self.given[use] else None


def practice_scores(campaign: Campaign) -> Mapping[int, PracticeScore]:
    """User id → how they did on items with a known answer, for everybody who answered one; one query."""
    claims = Claim.objects.filter(campaign=campaign, state__in=Claim.GIVEN).exclude(use=Use.WORK)
    scores: dict[int, PracticeScore] = defaultdict(PracticeScore)
    rows = claims.values_list("annotator", "use", "judgement__label__value", "item__gold__value")
    for annotator, use, value, gold in rows:
        scores[annotator].given[use] += 1
        scores[annotator].right[use] += value is not None and _near(value, gold, campaign)
    return dict(scores)


def _near(value: int, gold: int, campaign: Campaign) -> bool:
    return bool(abs(value - gold) < campaign.settings["conflict_distance"])

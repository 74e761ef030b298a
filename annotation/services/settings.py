"""Changing what a campaign asks. What would change the meaning of judgements is frozen once there are any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.db.models import Min, QuerySet

from annotation.errors import DomainError, SettingsProblem
from annotation.models import Campaign, Item, Judgement, Label, Slot, User
from annotation.protocols import protocol_of
from annotation.protocols.labels import FIELD, LabelSpec
from annotation.protocols.settings import SETTINGS, frozen, titles

from .activity import log
from .campaigns import DEFAULT_SEED, open_slots
from .holding import hold_whole

FROZEN = (
    "People have answered with this value, so it stays as it is. For another value, make a copy of the campaign and set it there."
)
TITLE = "title"
TITLE_LENGTH = 160


def specs_of(campaign: Campaign) -> list[LabelSpec]:
    """The campaign's labels as values, in their order."""
    labels = protocol_of(campaign).labels_of(campaign)
    return [LabelSpec(label.value, label.key, label.name, label.definition, label.hotkey) for label in labels]


def is_frozen(campaign: Campaign) -> bool:
    """Whether there are judgements, so that what gives them their meaning may not change any more."""
    return Judgement.objects.filter(claim__campaign=campaign).exists()


@transaction.atomic
def change_settings(
    *, campaign: Campaign, by: User, changes: Mapping[str, Any], labels: Sequence[LabelSpec | Mapping[str, Any]] | None = None
) -> Campaign:
    """Change settings, the title (`changes["title"]`), and the labels. What stays as it is may be sent along.

    Guidelines and worked examples stay open, since mistakes in them must be mended; the log says when they changed and how many
    answers there were. Raises SettingsProblem naming each field that is wrong or frozen; then nothing is changed.
    """
    # Answers hold the campaign's row as shared ones (see `answering.locked_claim`): they wait for this, and this for them.
    campaign = hold_whole(campaign)
    before, specs = campaign.settings, specs_of(campaign)
    wanted = dict(changes)
    title = _read_title(wanted.pop(TITLE, campaign.title))
    settings, new_specs = protocol_of(campaign).check(wanted, specs if labels is None else labels, now=before, labels_now=specs)
    _refuse_unknown_team(campaign, before["third_from"], settings["third_from"])
    changed = [name for name in SETTINGS if settings[name] != before[name]]
    what = [TITLE] * (title != campaign.title) + changed + [FIELD] * (new_specs != specs)
    if not what:
        return campaign
    campaign.title, campaign.settings = title, settings
    campaign.save(update_fields=["title", "settings"])
    _replace_labels(campaign, new_specs)
    if "slots" in changed:
        _want(campaign, before["slots"], settings["slots"])
    given = Judgement.objects.filter(claim__campaign=campaign).count()
    if given:
        _refuse_frozen(what)
    log(campaign=campaign, by=by, verb="settings", what=_in_words(what), answers=given)
    return campaign


def _read_title(given: Any) -> str:
    if not isinstance(given, str):
        raise SettingsProblem({TITLE: "Text is wanted here."}, {TITLE: "Title"})
    title = given.strip()
    if not 1 <= len(title) <= TITLE_LENGTH:
        raise SettingsProblem({TITLE: f"From 1 to {TITLE_LENGTH} characters."}, {TITLE: "Title"})
    return title


def _refuse_unknown_team(campaign: Campaign, before: str, now: str) -> None:
    """Third people of a team that is not there would never come."""
    if now and now != before and not campaign.teams.filter(name=now).exists():
        raise SettingsProblem({"third_from": f"There is no team “{now}” in this campaign. Add it on the page People."}, titles())


def _replace_labels(campaign: Campaign, specs: Sequence[LabelSpec]) -> None:
    """Write the labels, keeping the rows of those whose key stays: known answers point at them."""
    there = {label.key: label for label in campaign.labels.all()}
    if list(specs) == specs_of(campaign):
        return
    gone = [label.pk for key, label in there.items() if key not in {spec.key for spec in specs}]
    if Item.objects.filter(campaign=campaign, gold__in=gone).exists():
        message = "A label that is the known answer of an item cannot be taken out. Give that item another answer first."
        raise SettingsProblem({FIELD: message}, {FIELD: "Labels"})
    if Judgement.objects.filter(label__in=gone).exists():
        raise SettingsProblem({FIELD: FROZEN}, {FIELD: "Labels"})
    Label.objects.filter(pk__in=gone).delete()
    # Two labels may swap numbers or keys, which no row by row update could do: they step aside first.
    for number, label in enumerate(campaign.labels.order_by("pk"), start=1):
        Label.objects.filter(pk=label.pk).update(value=-20_000 - number, hotkey="")
    for spec in specs:
        Label.objects.update_or_create(campaign=campaign, key=spec.key, defaults=asdict(spec))


def _want(campaign: Campaign, before: int, now: int) -> None:
    """Give each item that had as many slots as the campaign asked for as many as it asks for now."""
    usual = Item.objects.filter(campaign=campaign, use=Item.Use.WORK, wanted=before)
    Slot.objects.filter(item__in=usual, state=Slot.State.CLOSED, extra=True).delete()
    surplus = Slot.objects.filter(item__in=usual, position__gt=now)
    if surplus.filter(state=Slot.State.HELD).exists():
        raise DomainError("Somebody is answering an item just now. Pause the campaign, wait until nobody is, and try again.")
    surplus.delete()
    Slot.objects.bulk_create(_further_slots(usual, range(before + 1, now + 1)))
    usual.update(wanted=now)


def _further_slots(items: QuerySet[Item], positions: range) -> Iterator[Slot]:
    """Open slots in the order in which the items' other slots are handed out."""
    for item in items.select_related("campaign").annotate(lot=Min("slots__rank")):
        for slot in open_slots(item, positions, DEFAULT_SEED):
            slot.rank = item.lot
            yield slot


def _refuse_frozen(changed: Sequence[str]) -> None:
    refused = [*frozen(frozenset(changed)), *([FIELD] if FIELD in changed else [])]
    if refused:
        raise SettingsProblem(dict.fromkeys(refused, FROZEN), {**titles(), FIELD: "Labels"})


def _in_words(what: Sequence[str]) -> str:
    names = {**titles(), TITLE: "title", FIELD: "labels"}
    return ", ".join(f"“{names[name].lower()}”" for name in what)

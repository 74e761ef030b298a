"""Builders of big campaigns in a scratch database: items, people who may answer them, and answers that nobody gave."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import cycle, islice

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.db import connection
from django.utils import timezone
from django.utils.module_loading import import_string

from annotation.models import Campaign, Claim, Consent, Judgement, Membership, Original, Slot, User, Variant
from annotation.protocols import protocol_of
from annotation.services.campaigns import NewItem, add_items, create_campaign, open_campaign
from annotation.services.deciding import decide_all

AT_ONCE = 6_000
"""Rows of one statement; a multiple of every small number of variants."""
TALE = (
    "the council said on Monday that harbour bridge would close after engineers found cracks in two of its pillars and that "
    "buses will replace trams until spring while critics call plan expensive late badly explained to people who live nearby"
)
MAKERS = ("deepwordbug", "textfooler", "bae", "genetic")


def big_campaign(
    *,
    name: str = "big",
    items: int = 100_000,
    slots: int | None = None,
    protocol: str = "meaning",
    variants: int = 1,
    words: int = 60,
) -> Campaign:
    """An open campaign with so many items, `variants` of each original. Texts are drawn from a seed: the same every time."""
    campaign = create_campaign(name=name, title=f"About {name}", protocol=protocol, created_by=an_organiser())
    pairs = protocol in ("meaning", "preference")
    texts = random.Random(name)
    for start in range(0, items, AT_ONCE):
        numbers = range(start, min(start + AT_ONCE, items))
        add_items(campaign=campaign, items=list(_new_items(name, numbers, variants, pairs, words, texts)), slots=slots)
    open_campaign(campaign=campaign)
    return campaign


def an_organiser() -> User:
    """The one organiser of all scratch campaigns."""
    organiser, _ = User.objects.get_or_create(username="organiser", defaults={"password": "!", "is_organiser": True})
    return organiser


def some_annotators(campaign: Campaign, count: int) -> list[User]:
    """So many people who have joined the campaign and agreed to its sheet."""
    first = User.objects.count()
    people = User.objects.bulk_create(User(username=f"reader-{first + n}", password="!") for n in range(count))
    Membership.objects.bulk_create(
        Membership(campaign=campaign, user=person, role=Membership.Role.ANNOTATOR, qualified_at=timezone.now())
        for person in people
    )
    sheet = campaign.sheets.first()
    if sheet is not None:
        Consent.objects.bulk_create(Consent(sheet=sheet, user=person, sheet_sha256=sheet.sha256) for person in people)
    return people


def answer_all(campaign: Campaign, people: Sequence[User], *, share: float = 1.0, agree: float = 0.8) -> int:
    """Fill this share of the campaign's open slots in order of the items' numbers and decide every item. Answers that follow each
    other are by different people, so that with enough of them nobody meets an original twice; two people agree with probability
    `agree` or by chance. Returns the number of answers."""
    slots = Slot.objects.filter(item__campaign=campaign, state=Slot.State.OPEN).select_related("item")
    wanted = int(slots.count() * share)
    draw = random.Random(campaign.name)
    labels = list(campaign.labels.all())
    confident = campaign.settings["confidence"]
    now = timezone.now()
    exclusion = campaign.exclusion_group if protocol_of(campaign).exclusive else None
    rows = zip(slots.order_by("item__number", "position")[:wanted].iterator(AT_ONCE), cycle(people), strict=False)
    while chunk := list(islice(rows, AT_ONCE)):
        claims = Claim.objects.bulk_create(_answered(slot, person, exclusion) for slot, person in chunk)
        Judgement.objects.bulk_create(
            Judgement(
                claim=claim,
                label=labels[claim.item_id % len(labels)] if draw.random() < agree else draw.choice(labels),
                confidence=draw.randint(1, 5) if confident else None,
                seconds=round(draw.uniform(5, 60), 1),
                submitted_at=now,
            )
            for claim in claims
        )
        Slot.objects.filter(pk__in=[slot.pk for slot, _ in chunk]).update(state=Slot.State.FILLED)
    decide_all(campaign=campaign)
    return wanted


def analyse() -> None:
    """Tell the database how the rows are distributed, as it finds out by itself sooner or later."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def session_of(person: User) -> str:
    """The value of a session cookie with which this person is signed in."""
    session: SessionBase = import_string(f"{settings.SESSION_ENGINE}.SessionStore")()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def _new_items(name: str, numbers: range, variants: int, pairs: bool, words: int, texts: random.Random) -> Iterator[NewItem]:
    """Originals, their variants and what becomes items, written in bulk; `numbers` start at a multiple of `variants`."""
    originals = Original.objects.bulk_create(
        Original(task="scratch", key=f"{name}-{key}") for key in sorted({number // variants for number in numbers})
    )
    before: list[Variant] = []
    after: list[Variant] = []
    for original in originals:
        told = texts.choices(TALE.split(), k=words)
        before.append(_variant(original, Variant.UNCHANGED, told))
        for n in range(variants):
            changed = list(told)
            place = texts.randrange(words)
            changed[place] = f"{changed[place][::-1]}{n}"
            after.append(_variant(original, MAKERS[n % len(MAKERS)], changed))
    Variant.objects.bulk_create([*before, *after])
    for n, made in enumerate(after[: len(numbers)]):
        unchanged = before[n // variants]
        yield NewItem(made.original, unchanged, made) if pairs else NewItem(made.original, made)


def _variant(original: Original, kind: str, words: list[str]) -> Variant:
    text = " ".join(words)
    return Variant(original=original, kind=kind, text=text, sha256=hashlib.sha256(text.encode()).hexdigest())


def _answered(slot: Slot, person: User, exclusion: str | None) -> Claim:
    at = timezone.now()
    return Claim(
        slot=slot,
        item=slot.item,
        campaign_id=slot.campaign_id,
        original_id=slot.item.original_id,
        annotator=person,
        exclusion=exclusion,
        state=Claim.State.ANSWERED,
        claimed_at=at,
        expires_at=at + timedelta(hours=1),
    )

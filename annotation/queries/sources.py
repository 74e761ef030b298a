"""Which files and attack runs a campaign's items are from."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, Value

from annotation.models import AttackRun, Campaign, Item, Upload


@dataclass(frozen=True, slots=True)
class Source:
    """A file with its hash, or an attack run, which has none."""

    name: str
    sha256: str


def sources_of(campaign: Campaign) -> list[Source]:
    """In order of their names, files first; one query. A file kept for samples counts once something was drawn from it."""
    here = Item.objects.filter(campaign=campaign)
    imported = Q(campaign=campaign, kept=False, added__gt=0)
    drawn_from = Q(kept=True) & Q(Exists(here.filter(example__upload=OuterRef("pk"))))
    files = Upload.objects.filter(imported | drawn_from, imported_at__isnull=False)
    runs = AttackRun.objects.filter(Exists(here.filter(example__run=OuterRef("pk"))))
    found = (
        files.order_by()
        .values_list("name", "sha256", Value("file"))
        .union(runs.order_by().values_list("name", Value(""), Value("run")))
    )
    return [Source(name, sha256) for name, sha256, kind in sorted(found, key=lambda row: (row[2], row[0], row[1]))]

"""The course of the work: how long answers take by how sure people are, and how many there are from day to day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC

import numpy as np
from django.db.models import Count
from django.db.models.functions import TruncDate

from annotation.models import Campaign, Item, Judgement
from annotation.protocols.analysis import Table
from annotation.protocols.plots import over_time, spanned
from scoring.wording import counted

DAYS_SHOWN = 60
"""Days in the table; of a longer campaign, those that are as far apart as they must be, and the last."""


def course_tables(campaign: Campaign) -> list[Table]:
    """Time and confidence, and the answers day by day, of answers that count. What is not known has no table."""
    answers = Judgement.objects.filter(claim__item__campaign=campaign, claim__item__use=Item.Use.WORK, uncounted="")
    times = answers.filter(active_seconds__isnull=False).values_list("confidence", "active_seconds").order_by("pk")
    days = answers.annotate(day=TruncDate("submitted_at", tzinfo=UTC)).values_list("day").annotate(n=Count("pk")).order_by("day")
    # Answers that came in with a file all have the time of the import.
    by_day = [] if campaign.imported else [(f"{day:%Y-%m-%d}", n) for day, n in days]
    known = [(level, seconds) for level, seconds in times if seconds is not None]
    return [*_times(known, answers.count()), *_days(by_day)]


def _times(given: Sequence[tuple[int | None, float]], answers: int) -> list[Table]:
    if not given:
        return []
    by_level: dict[int | None, list[float]] = defaultdict(list)
    for level, seconds in given:
        by_level[level].append(seconds)
    rows: list[tuple[str, int, float, float, float]] = []
    for level in sorted(by_level, key=lambda level: level or 0):
        low, middle, high = (float(at) for at in np.quantile(by_level[level], [0.25, 0.5, 0.75]))
        rows.append(("not asked" if level is None else f"{level}", len(by_level[level]), low, middle, high))
    columns = ["how sure", "answers", "a quarter is under", "half is under", "three quarters are under"]
    note = "Seconds in front of the page, by the browser, idle time cut."
    if len(given) < answers:
        note += f" Of {counted(answers - len(given), 'answer')} the time is not known."
    about = "For each answer of how sure people were a point at the median time, and a line over the middle half of the times."
    spans = [(level, middle, low, high) for level, _, low, middle, high in rows]
    plot = spanned(spans, row="how sure", value="seconds", about=about)
    return [Table("times", "Time and confidence", columns, rows, note, styles=dict.fromkeys(columns[2:], "count"), plot=plot)]


def _days(by_day: Sequence[tuple[str, int]]) -> list[Table]:
    if not by_day:
        return []
    totals = np.cumsum([n for _, n in by_day]).tolist()
    rows = [(day, n, total) for (day, n), total in zip(by_day, totals, strict=True)]
    apart = -(-len(rows) // DAYS_SHOWN)
    shown = rows[::-1][::apart][::-1]
    note = "" if apart == 1 else f"One of every {apart} days with answers."
    plot = over_time([(day, total) for day, _, total in shown], value="answers so far")
    columns = ["day (UTC)", "answers on that day", "answers so far"]
    return [Table("days", "Progress", columns, shown, note, plot=plot)]

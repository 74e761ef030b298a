"""The codebook: what an export's files, columns and labels mean, and where the items came from."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils import timezone

from annotation.models import Campaign
from annotation.protocols import protocol_of

from .origin import SIMULATED, origin_of, settings_of, software
from .records import utc

FILES = """\
- `judgements.csv`: one row per answer, for spreadsheets (UTF-8 with a byte order mark). A cell that a spreadsheet would execute
  (it begins with `=`, `+`, `-`, `@`, a tab or a carriage return) has an apostrophe in front.
- `decisions.csv`: one row per item with its decision, guarded in the same way.
- `items.jsonl`: one JSON object per line and item, with texts exactly as they are. Use this one for computing.

Annotators are a1, a2, … in the order of their first answers within this campaign; no file holds names, addresses or accounts.
Comments are what annotators wrote: read them before you publish them. Times are UTC.
"""

COLUMNS = (
    ("campaign", "the campaign's name"),
    ("item", "the item's number, from 1, the same in every export (`number` in items.jsonl)"),
    ("task", "the data set that the original is from"),
    ("original", "key of the original; variants of one original share it. Keep them together when you split data"),
    ("variant", "kind of the text that is judged: `original`, or the attacker or team that made it"),
    ("first_kind, first_text", "the item's only text, or the first of two"),
    ("second_kind, second_text", "the second text, where two are shown"),
    ("annotator", "who answered, by number"),
    ("annotator_kind", "`person`, `simulated` (drawn from a model), or `imported` (a column of a file, perhaps several people)"),
    ("position", "the slot that was answered: 1, 2, …; agreement is that of the first two"),
    ("label, value", "the answer: the label's name and number (below)"),
    ("confidence", "how sure the annotator was, 1 to 5; empty where not asked"),
    ("comment", "what the annotator added"),
    ("counted, uncounted", "whether the answer counts; if not, why: `surplus` (the slot was filled), `closed` (after the end)"),
    ("swapped", "whether the second text stood on the left"),
    ("seconds", "from handing out the item to the answer; empty where unknown"),
    ("submitted_at", "when the answer was stored; for imported answers, when the file was imported"),
    ("decision, decision_value", "the item's label, or its number where the decision is one"),
    ("decided_how", "how the decision came about: agreed, majority, confidence, first, median; or unresolved, open"),
    ("decided_at", "when the item was last decided"),
    ("judgements", "how many answers count"),
    ("published_label", "the decision that the imported file states"),
    ("simulated", "`yes` if the whole campaign was answered by a simulation: never evidence about people"),
)


def codebook_of(campaign: Campaign) -> str:
    """The codebook in Markdown."""
    return "\n".join(_lines(campaign))


def _lines(campaign: Campaign) -> Iterator[str]:
    protocol = protocol_of(campaign)
    yield f"# Codebook of “{campaign.title}”\n"
    if campaign.simulated:
        yield f"**{SIMULATED}**\n"
    yield f"{protocol.title}: {campaign.settings['question']}\n"
    yield f"Written {utc(timezone.now())} by {software()}.\n"
    yield f"## Files\n\n{FILES}"
    yield from _table("Columns", ("column", "meaning"), ((f"`{name}`", meaning) for name, meaning in COLUMNS))
    labels = ((str(label.value), f"`{label.key}`", label.name, label.definition) for label in protocol.labels_of(campaign))
    yield from _table("Labels", ("value", "label", "shown as", "definition"), labels)
    yield from _table("Settings", ("setting", "value"), settings_of(campaign))
    yield from _table("Where the items came from", ("", ""), origin_of(campaign))


def _table(title: str, head: tuple[str, ...], rows: Iterator[tuple[str, ...]] | list[tuple[str, str]]) -> Iterator[str]:
    yield f"## {title}\n"
    yield _row(head)
    yield _row(("---",) * len(head))
    yield from map(_row, rows)
    yield ""


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |"

"""The codebook: what an export's files, columns and labels mean, and where the items came from."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils import timezone

from annotation.models import Campaign
from annotation.protocols import protocol_of
from annotation.protocols.settings import CONSEQUENCES
from scoring.texts.edit_kinds import MEANINGS
from scoring.texts.entities import CAPITALISED
from scoring.wording import counted

from .origin import SIMULATED, origin_of, settings_of, software
from .records import erased_from, utc

FILES = """\
- `judgements`: one row per answer, counted or not.
- `pivot`: one row per item that people were asked about, its counted answers beside each other.
- `decisions`: one row per such item, with the decision, which rests on all of its answers.
- `annotators`: one row per person who answered, by number alone.
- `items.jsonl`: a line about the campaign, then one JSON object per item with texts exactly as they are, answers and decision.
  Compute from this one. Passable can import it again, and every figure comes out the same.

Tables ending in .csv are for spreadsheets: UTF-8 with a byte order mark; a cell that a spreadsheet would execute (it begins with
`=`, `+`, `-`, `@`, `|`, `%`, a tab or a carriage return) has an apostrophe in front, and any `|` in it a backslash. In
tables.xlsx every text is a text; one of more than 32,000 characters is cut and says so. Tables ending in .jsonl hold the same
rows exactly.

Annotators are A1, A2, … in this campaign. A number stays with its person in every export and is never given to another; no file
holds names, addresses or accounts. Comments are what annotators wrote: read them before you publish them. Times are UTC.
"""

COLUMNS = (
    ("campaign", "the campaign's name"),
    ("item", "the item's number, from 1, the same in every export (`number` in items.jsonl)"),
    ("use", "`work`, or what an item with a known answer is for: `training`, `test`, `attention`"),
    ("left_out", "empty, or why figures are not about the item: its use, or `team withdrew`"),
    ("task", "the data set that the original is from"),
    ("original", "key of the original; variants of one original share it. Keep them together when you split data"),
    ("variant", "kind of the text that is judged: `original`, or the attacker or team that made it"),
    ("first_kind, first_text", "the item's only text, or the first of two"),
    ("second_kind, second_text", "the second text, where two are shown"),
    (
        "victim, scenario",
        "the classifier that was attacked; `targeted` or `untargeted`; empty where unknown",
    ),
    ("group", "number of the group of annotators to whom the item was given"),
    ("gold, explanation", "the known answer, and why it is right"),
    ("annotator", "who answered, by number"),
    (
        "annotator_kind",
        "`person`, `pseudonym` (somebody who withdrew and whose answers stay), `simulated` (drawn from a model), or `imported` "
        "(a column of a file, perhaps several people)",
    ),
    ("position", "the slot that was answered: 1, 2, …; agreement is that of the answers that everybody was asked for"),
    ("further", "whether the answer was asked for because the others differed, so that it is left out of agreement"),
    ("label, value", "the answer: the label's name and number (below)"),
    ("words", "where words were marked: their positions in the text, from 0"),
    ("confidence", "how sure the annotator was, 1 to 5; empty where not asked. " + CONSEQUENCES),
    ("comment", "what the annotator added"),
    (
        "counted, uncounted",
        "whether the answer counts; if not, why: `surplus` (the slot was filled), `closed` (after the end), `excluded` (an "
        "organiser took it out)",
    ),
    ("swapped", "whether the second text stood on the left; never where sides are not drawn"),
    ("seconds", "from handing out the item to the answer, by the server's clock; empty where unknown"),
    ("active_seconds", "in front of the page, idle time cut, by the browser's clock; empty where unknown"),
    ("earlier_answers", "how often the annotator changed this answer"),
    ("submitted_at", "when the answer was stored; of a `pseudonym`, only on which day (the time is midnight)"),
    ("item_skips", "how many people skipped the item and did not ask for it again later (`skips` in items.jsonl)"),
    ("annotator_1, answer_1, confidence_1, seconds_1, …", "in pivot: the counted answers in order of their slots"),
    ("decision, decision_value", "the item's label, or its number where the decision is one"),
    (
        "decided_how",
        "how the decision came about: agreed, majority, confidence, first, median, share, adjudicated; or unresolved, open",
    ),
    ("stale", "a person decided it, and the answers have changed since"),
    ("decided_at", "when the item was last decided"),
    ("judgements", "how many answers count"),
    ("published_label", "the decision that the imported file states"),
    (
        "answers, uncounted, practised",
        "in annotators: answers to work that count and that do not; answers in training, tests and attention checks",
    ),
    ("skipped", "in annotators: items that the person skipped and did not ask for again later"),
    ("mean_seconds, mean_active_seconds", "in annotators: of the person's answers to work, to a tenth of a second"),
    (
        "edits",
        "in judgements and pivot: how many edits of each kind made the judged text of its original, where that is known. "
        + "; ".join(f"`{kind}`: {meaning}" for kind, meaning in MEANINGS.items())
        + f" (names are found by {CAPITALISED.name}s)",
    ),
    ("simulated", "`yes` if the whole campaign was answered by a simulation: never evidence about people"),
)


def codebook_of(campaign: Campaign, *, at_least: int = 0) -> str:
    """The codebook in Markdown."""
    return "\n".join(_lines(campaign, at_least))


def _lines(campaign: Campaign, at_least: int) -> Iterator[str]:
    protocol = protocol_of(campaign)
    yield f"# Codebook of “{campaign.title}”\n"
    if campaign.simulated:
        yield f"**{SIMULATED}**\n"
    yield f"{protocol.title}: {campaign.settings['question']}\n"
    yield f"Written {utc(timezone.now())} by {software()}.\n"
    if at_least:
        yield f"**Answers of confidence below {at_least} are left out** of judgements, pivot and items.jsonl.\n"
    erased = erased_from(campaign)
    if erased.answers:
        who = counted(erased.people, "person", "people")
        yield f"Erased, and in no file: {counted(erased.answers, 'answer')} of {who} who withdrew.\n"
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

"""Importing examples into a campaign: check the whole file, show what would come of it, then write all of it or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from annotation.models import Campaign, Item, Label, Upload, User, Variant
from annotation.protocols import protocol_of
from annotation.services.examples import Added, ExampleRecord, Wanted, add_examples, keep_examples, new_of, wanted_items
from annotation.services.uploads import keep_figures, read_upload
from scoring.table import Row, Table, TableError

from . import bodega
from .columns import SCENARIOS, Reading
from .fonts import described, uncovered
from .formats import FORMATS, RESULTS, ExampleFormat
from .importing import ImportProblem
from .originals import is_alone, with_originals
from .sheets import MOST_CHARACTERS, SourceFile, too_long

INLINE_BYTES, INLINE_ROWS = 100_000, 500
"""Larger files are read by a worker, not while somebody waits for a page."""
PACKED = 5
"""So many times smaller than its texts a workbook may well be."""
INLINE_ALONE = 300
"""So are files with more texts than these whose originals have to be found by comparing every text with every other."""

LISTED = 30
SHOWN, SHOWN_CHARACTERS = 5, 4_000
LONGEST = {"task": 40, "attacker": 60, "victim": 80, "original_key": 80}
LONG = ("original", "adversarial", "explanation")

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Checked:
    """A file, read to its end: its examples, and what is wrong with it, of which the first problems are listed."""

    examples: list[ExampleRecord]
    rows: int
    failed: int
    problems: list[str]
    wrong: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What an import would do. It is plain values throughout, so that a job can keep it as its result.

    `unnamed` counts examples of which nothing says who made them. `known` counts new items with a known answer; `uses` says
    for each of their uses how many there are, and the lines of the first. `equal` says of new pairs whose two texts are equal how
    many there are, and the lines of the first.
    """

    rows: int = 0
    failed: int = 0
    wrong: int = 0
    problems: list[str] = field(default_factory=list)
    added: int = 0
    already_there: int = 0
    twice: int = 0
    shown: list[dict[str, Any]] = field(default_factory=list)
    makers: dict[str, int] = field(default_factory=dict)
    unnamed: int = 0
    known: int = 0
    uses: list[tuple[str, int, list[int]]] = field(default_factory=list)
    equal: tuple[int, list[int]] = field(default_factory=lambda: (0, []))
    uncovered: list[tuple[str, int]] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)

    @property
    def fits(self) -> bool:
        """Whether the file can be imported and something would come of it."""
        return not self.wrong and (self.added > 0 or bool(self.figures))

    @property
    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def source_of(upload: Upload) -> SourceFile:
    """The stored file in the encoding that was chosen."""
    return SourceFile(upload.name, read_upload(upload), upload.encoding)


def reading_of(upload: Upload) -> Reading:
    """How the file is to be read."""
    return Reading(upload.mapping.get("columns", {}), upload.mapping.get("values", {}))


def takes_originals(upload: Upload) -> bool:
    """Whether the originals become items of their own beside the texts that were made of them."""
    return bool(upload.mapping.get("originals"))


def needs_a_worker(upload: Upload, source: SourceFile) -> bool:
    """Whether reading the file takes longer than somebody should wait for a page."""
    if upload.format == RESULTS:
        return False
    size = len(source.data) * (PACKED if source.is_workbook else 1)
    if size > INLINE_BYTES or source.data.count(b"\n") > INLINE_ROWS:
        return True
    alone = "original" not in reading_of(upload).columns if FORMATS[upload.format].mapped else FORMATS[upload.format].singles
    return alone and source.data.count(b"\n") > INLINE_ALONE


def check(source: SourceFile, campaign: Campaign, *, format: str, reading: Reading) -> Checked:
    """Read every row. A file that is no table at all is one problem; else each row has at most one."""
    known = FORMATS[format]
    try:
        if known.mapped and not reading.columns.get("adversarial"):
            raise TableError(source.name, "say which column holds the adversarial text")
        table = known.table(source)
    except TableError as wrong:
        return Checked([], 0, 0, [str(wrong)], 1)
    labels = list(campaign.labels.all()) if reading.columns.get("known") or reading.columns.get("use") else []
    examples: list[ExampleRecord] = []
    problems: list[str] = []
    failed = wrong_rows = 0
    for row in table.rows:
        try:
            example = _checked(known, table, row, reading, campaign)
            example = example and _with_known_answer(example, table, reading, labels)
        except TableError as wrong:
            wrong_rows += 1
            problems += [str(wrong)] if len(problems) < LISTED else []
        else:
            failed += example is None
            examples += [example] if example else []
    return Checked(examples, len(table.rows), failed, problems, wrong_rows)


def _checked(known: ExampleFormat, table: Table, row: Row, reading: Reading, campaign: Campaign) -> ExampleRecord | None:
    example = known.example(table, row, reading.columns)
    if example is None:
        return None
    said_once: dict[str, Any] = {name: value for name, value in reading.values.items() if not getattr(example, name)}
    example = replace(example, **said_once)
    for name, most in LONGEST.items():
        if len(getattr(example, name)) > most:
            raise TableError(
                table.file, f"the name has more than {most} characters", line=row.line, column=_column(reading, name)
            )
    for name in LONG:
        if (length := len(getattr(example, name) or "")) > MOST_CHARACTERS:
            raise TableError(table.file, too_long(length), line=row.line, column=_column(reading, name))
    if example.scenario and example.scenario not in SCENARIOS:
        problem = f"{example.scenario[:40]!r} is not one of {', '.join(SCENARIOS)}"
        raise TableError(table.file, problem, line=row.line, column=_column(reading, "scenario"))
    if example.original is not None and example.attacker == Variant.UNCHANGED:
        problem = "“original” means the text before the attack; name the attacker or leave it empty"
        raise TableError(table.file, problem, line=row.line, column=_column(reading, "attacker"))
    if example.original is None and protocol_of(campaign).pair:
        problem = "this campaign shows pairs, but nothing says what the original text is"
        raise TableError(table.file, problem, line=row.line, column=_column(reading, "original"))
    if problem := protocol_of(campaign).unaskable(example.original, example.adversarial):
        raise TableError(table.file, problem, line=row.line, column=_column(reading, "adversarial"))
    return example


def _with_known_answer(example: ExampleRecord, table: Table, reading: Reading, labels: Sequence[Label]) -> ExampleRecord:
    """The example with the key of its known answer, which the file may also give as what the button says."""
    if example.use not in Item.Use.values:
        problem = f"{example.use[:40]!r} is not one of {', '.join(Item.Use.values)}"
        raise TableError(table.file, problem, line=example.line, column=_column(reading, "use"))
    if (example.use == Item.Use.WORK) != (not example.known):
        problem = "say for training, test or attention, and then which answer is right; for work leave both empty"
        raise TableError(table.file, problem, line=example.line, column=_column(reading, "use"))
    if not example.known:
        return example
    named = {words.casefold(): label.key for label in labels for words in (label.name, label.key)}
    key = named.get(example.known.casefold())
    if key is None:
        offered = ", ".join(label.key for label in labels)
        problem = f"{example.known[:40]!r} is not one of {offered}" if offered else "this campaign's answers have no names"
        raise TableError(table.file, problem, line=example.line, column=_column(reading, "known"))
    return replace(example, known=key)


def _column(reading: Reading, name: str) -> str:
    return reading.columns.get(name) or name


def preview(source: SourceFile, upload: Upload, progress: Progress | None = None) -> Preview:
    """What importing the file would do, read in the way that the row says (it may be one that is not stored). Nothing is
    written."""
    if upload.format == RESULTS:
        return _preview_of_figures(source)
    say = progress or (lambda done, total, message: None)
    campaign = upload.campaign
    say(0, 3, "Reading the file.")
    found = check(source, campaign, format=upload.format, reading=reading_of(upload))
    if found.wrong:
        return Preview(found.rows, found.failed, found.wrong, found.problems)
    say(1, 3, "Comparing the texts with the campaign's.")
    wanted = wanted_items(campaign, found.examples, originals=takes_originals(upload) and not upload.kept)
    fresh, counts = new_of(None if upload.kept else campaign, wanted)
    say(2, 3, "Looking at the characters.")
    makers: dict[str, int] = {}
    for item in fresh:
        kind = item.texts[-1].kind
        makers[kind] = makers.get(kind, 0) + 1
    texts = (text for example in found.examples for text in (example.original, example.adversarial) if text)
    odd = [(f"{char} {described(char)}", count) for char, count in uncovered(texts).most_common(LISTED)]
    return Preview(
        rows=found.rows,
        failed=found.failed,
        added=counts.added,
        already_there=counts.already_there,
        twice=counts.twice,
        shown=[
            {"line": item.example.line, "texts": [[text.kind, _cut(text.text)] for text in item.texts], **_known(item)}
            for item in fresh[:SHOWN]
        ],
        makers=dict(sorted(makers.items())),
        unnamed=sum(not example.attacker for example in found.examples),
        known=counts.known,
        uses=_uses(fresh),
        equal=_equal(fresh),
        uncovered=odd,
    )


def _known(item: Wanted) -> dict[str, str]:
    """What the item is for, and the key of its known answer. An original that comes along is work."""
    return {"use": Item.Use.WORK, "known": ""} if item.unchanged else {"use": item.example.use, "known": item.example.known}


def _uses(fresh: Sequence[Wanted]) -> list[tuple[str, int, list[int]]]:
    lines: dict[str, list[int]] = {}
    for item in fresh:
        lines.setdefault(_known(item)["use"], []).append(item.example.line)
    return [(use, len(lines[use]), lines[use][:LISTED]) for use in Item.Use.values if use in lines and use != Item.Use.WORK]


def _equal(fresh: Sequence[Wanted]) -> tuple[int, list[int]]:
    lines = [item.example.line for item in fresh if not item.unchanged and item.example.original == item.example.adversarial]
    return len(lines), lines[:LISTED]


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + " …"


def _preview_of_figures(source: SourceFile) -> Preview:
    try:
        return Preview(rows=len(bodega.FIGURES), figures=bodega.results_of(source))
    except TableError as wrong:
        return Preview(wrong=1, problems=[str(wrong)])


def import_upload(upload: Upload, *, by: User | None, progress: Progress | None = None) -> Added:
    """Import the upload: all of it, or nothing. Raises ImportProblem when anything in it is wrong, DomainError when the campaign
    takes no items or the file has been imported."""
    say = progress or (lambda done, total, message: None)
    source, reading = source_of(upload), reading_of(upload)
    if upload.format == RESULTS:
        return _import_figures(upload, source, by)
    say(0, 4, "Reading the file.")
    found = check(source, upload.campaign, format=upload.format, reading=reading)
    if found.wrong:
        more = f" There are {found.wrong - 1:,} further problems." if found.wrong > 1 else ""
        raise ImportProblem(f"{found.problems[0]}.{more} Nothing was written.")
    if not found.examples:
        raise ImportProblem(f"{upload.name}: there is no successful attack in the file. Nothing was written.")
    if any(map(is_alone, found.examples)):
        say(0, 4, "Finding texts that are variants of one original.")
    examples = with_originals(found.examples)
    if upload.kept:
        return keep_examples(campaign=upload.campaign, examples=examples, upload=upload, by=by)
    return add_examples(
        campaign=upload.campaign, examples=examples, upload=upload, by=by, originals=takes_originals(upload), progress=say
    )


def _import_figures(upload: Upload, source: SourceFile, by: User | None) -> Added:
    try:
        figures = bodega.results_of(source)
    except TableError as wrong:
        raise ImportProblem(f"{wrong}. Nothing was written.") from wrong
    new = keep_figures(upload=upload, figures=figures, about=reading_of(upload).values, by=by)
    return Added(int(new), int(not new), 0)

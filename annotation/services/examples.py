"""Putting examples into a campaign: as items, or kept for a sample to be drawn from. Content is never added twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from annotation.errors import DomainError
from annotation.models import Batch, Campaign, Example, Item, Label, Original, Upload, User, Variant
from annotation.protocols import protocol_of
from scoring.wording import counted

from .activity import log
from .batches import Overtaken, begin_batch, drop_batch, open_batch, show_batch, still_writing, write_batch
from .campaigns import NewItem, content_of, last_number, made_ready, refuse_unaskable
from .forgetting import forget_unused
from .holding import hold_whole
from .pausing import pause
from .recording import RecordedText, key_of, originals_of, sha256_of, variants_of

UNKNOWN = "unknown"
"""The kind of a variant whose maker nobody named."""

SUCCESS = "success"
AT_ONCE = 200
"""Examples whose rows are written between two pauses: texts take longest, for they go into the index of the search."""

Progress = Callable[[int, int, str], None]
Row = TypeVar("Row")


class Dropped(DomainError):
    """Somebody has dropped the file meanwhile."""

    def __init__(self) -> None:
        super().__init__("This file was dropped while it was being imported. Nothing was added.")


@dataclass(frozen=True, slots=True)
class ExampleRecord:
    """One example as every reader hands it over. Empty and None: the file does not say.

    `use` is what its item is for; `known` the key of the label that is right, where somebody knows, and `explanation` why.

    Without `original`, only the text to be judged is known, and `original_key` names the original that it is a variant of. Then
    the attacker may be 'original': the text is one that nobody changed.
    """

    adversarial: str
    original: str | None = None
    original_key: str = ""
    task: str = ""
    attacker: str = ""
    victim: str = ""
    scenario: str = ""
    label: int | None = None
    label_before: int | None = None
    label_after: int | None = None
    score_before: float | None = None
    score_after: float | None = None
    bodega_score: float | None = None
    queries: int | None = None
    use: str = Item.Use.WORK
    known: str = ""
    explanation: str = ""
    line: int = 0

    @property
    def origin(self) -> tuple[str, str]:
        """Task and key of the original."""
        key = self.original_key or (key_of(self.original) if self.original is not None else key_of(self.adversarial))
        return self.task, key

    @property
    def before(self) -> RecordedText | None:
        return None if self.original is None else RecordedText(Variant.UNCHANGED, self.original)

    @property
    def after(self) -> RecordedText:
        return RecordedText(self.attacker or UNKNOWN, self.adversarial)


@dataclass(frozen=True, slots=True)
class Added:
    """What an import did, or would do. `known` of the added items have a known answer."""

    added: int
    already_there: int
    twice: int
    known: int = 0


@dataclass(frozen=True, slots=True)
class Wanted:
    """One item that examples ask for: its texts, and the example it is about."""

    example: ExampleRecord
    texts: tuple[RecordedText, ...]

    @property
    def content_sha256(self) -> str:
        return content_of((text.kind, sha256_of(text.text)) for text in self.texts)

    @property
    def unchanged(self) -> bool:
        """Whether it shows the original alone, which several examples may share."""
        return self.texts == (self.example.before,)


def wanted_items(campaign: Campaign, examples: Iterable[ExampleRecord], *, originals: bool) -> Iterator[Wanted]:
    """The items that a campaign makes of examples: the pair where its protocol shows two texts, else the text that was made, and
    with `originals` every original once. Nothing is asked of the database."""
    if protocol_of(campaign).pair:
        for example in examples:
            assert example.before is not None
            yield Wanted(example, (example.before, example.after))
        return
    for example in examples:
        if originals and example.before is not None:
            yield Wanted(example, (example.before,))
        yield Wanted(example, (example.after,))


def new_of(campaign: Campaign | None, wanted: Iterable[Wanted]) -> tuple[list[Wanted], Added]:
    """Those of the items that the campaign does not have yet, each once, and how many of the others there are."""
    there = set() if campaign is None else set(campaign.items.values_list("content_sha256", flat=True))
    fresh: dict[str, Wanted] = {}
    already = twice = 0
    for item in wanted:
        digest = item.content_sha256
        if digest in there:
            already += 1
        elif digest in fresh:
            twice += not item.unchanged
        else:
            fresh[digest] = item
    known = sum(item.example.use != Item.Use.WORK for item in fresh.values() if not item.unchanged)
    return list(fresh.values()), Added(len(fresh), already, twice, known)


def add_examples(
    *,
    campaign: Campaign,
    examples: Sequence[ExampleRecord],
    upload: Upload,
    by: User | None,
    originals: bool = False,
    progress: Progress | None = None,
) -> Added:
    """Make items of the examples, all of them or none. What the campaign has already is left alone, so that importing a file
    again adds nothing. Raises DomainError when the campaign takes no items, or the file has been imported.

    Texts, examples and items are written in short transactions, and nobody sees them (see `batches`); the last one shows all of
    them. So others can write while a large file is imported.
    """
    _refuse_closed(campaign)
    refuse_unaskable(campaign, ((example.original, example.adversarial) for example in examples))
    say = progress or (lambda done, total, message: None)
    labels = {label.key: label for label in campaign.labels.all()}
    with _undone_on_failure(examples, upload) as written:
        while True:
            batch = written.begin(upload)
            campaign.refresh_from_db(fields=["settings"])
            shown, after = _last_shown(campaign), last_number(campaign)
            fresh, counts = new_of(campaign, wanted_items(campaign, examples, originals=originals))
            stored = _stored([item.example for item in fresh], upload, written, say)
            say(2, 4, f"Making {counted(counts.added, 'item')} ready.")
            ready = made_ready(campaign, [_item(item, stored, labels) for item in fresh], after=after)
            try:
                for done in write_batch(batch=batch, ready=ready):
                    say(3, 4, f"Writing the items: {done:,} of {counts.added:,}.")
                with transaction.atomic():
                    held = _locked(campaign)
                    if (_last_shown(held), held.settings) != (shown, campaign.settings):
                        raise Overtaken
                    _finish(upload, counts, by)
                    show_batch(batch=batch)
                    # The sign of life goes with the work: nobody can take the worker for dead between the two.
                    say(4, 4, f"{counted(counts.added, 'item was', 'items were')} added.")
            except Overtaken:
                # Somebody else added items in the meantime, which may be among these, or changed how many answers are wanted.
                continue
            break
    open_batch(batch=batch)
    return counts


def keep_examples(*, campaign: Campaign, examples: Sequence[ExampleRecord], upload: Upload, by: User | None) -> Added:
    """Keep the examples for a sample to be drawn from; no item is made. Raises DomainError for texts without an original."""
    _refuse_closed(campaign)
    if any(example.original is None for example in examples):
        raise DomainError("A sample is drawn from pairs of texts, but some have no original. Make items of them instead.")
    if any(example.use != Item.Use.WORK for example in examples):
        raise DomainError("A sample is drawn for work, but some rows are for practice or checks. Make items of them instead.")
    with _undone_on_failure(examples, upload) as written:
        batch = written.begin(upload)
        stored = _stored(examples, upload, written, lambda done, total, message: None)
        counts = Added(len(stored), 0, len(examples) - len(stored))
        with transaction.atomic():
            _locked(campaign)
            _finish(upload, counts, by)
            show_batch(batch=batch)
    open_batch(batch=batch)
    return counts


@dataclass(slots=True)
class _Written:
    """What one attempt has written, and nobody sees yet."""

    batch: Batch | None = None
    examples: list[Example] = field(default_factory=list)

    def begin(self, upload: Upload) -> Batch:
        """Begin, or begin anew: nothing is left of before, nor of earlier attempts."""
        self.drop()
        self.batch, left = begin_batch(upload=upload)
        _delete(left)
        return self.batch

    def drop(self) -> None:
        if self.batch is not None:
            drop_batch(batch=self.batch)
        _delete(example.pk for example in self.examples)
        self.examples.clear()


@contextmanager
def _undone_on_failure(examples: Sequence[ExampleRecord], upload: Upload) -> Iterator[_Written]:
    """An import that fails leaves nothing: neither the rows that it has written, nor texts that nothing else shows. What one that
    was killed has left, its next attempt drops."""
    written = _Written()
    try:
        yield written
    except BaseException as failure:
        written.drop()
        for part in _parts(examples):
            forget_unused(example.origin for example in part)
        if isinstance(failure, IntegrityError) and not Upload.objects.filter(pk=upload.pk).exists():
            raise Dropped from failure
        raise


def _delete(examples: Iterable[int]) -> None:
    for some in _parts(list(examples)):
        Example.objects.filter(pk__in=some).delete()


def _parts(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Each is written before the next is asked for."""
    for start in range(0, len(rows), AT_ONCE):
        if start:
            pause()
        yield rows[start : start + AT_ONCE]


def _last_shown(campaign: Campaign) -> int:
    """The number of the last item that is seen."""
    return campaign.items.aggregate(last=Max("number"))["last"] or 0


def _locked(campaign: Campaign) -> Campaign:
    """The campaign, held until the end of the transaction: two imports of one file come one after the other."""
    held = hold_whole(campaign)
    _refuse_closed(held)
    return held


def _refuse_closed(campaign: Campaign) -> None:
    if campaign.imported:
        raise DomainError("The judgements of this campaign came from a file; it takes no further items.")
    if campaign.state == Campaign.State.CLOSED:
        raise DomainError("This campaign is closed. Open it again before you import.")


@dataclass(frozen=True, slots=True)
class _Stored:
    original: Original
    before: Variant | None
    after: Variant
    example: Example | None


Key = tuple[tuple[str, str], str, str, str | None, str]


def _key(example: ExampleRecord) -> Key:
    """Equal for two records that are one example: texts, makers and victim."""
    return example.origin, example.after.kind, example.adversarial, example.original, example.victim


def _stored(examples: Sequence[ExampleRecord], upload: Upload, written: _Written, say: Progress) -> Mapping[Key, _Stored]:
    """The rows of the examples' texts, and of the examples themselves where both texts are known, also in `written`. Raises
    Displaced."""
    assert written.batch is not None
    batch = written.batch
    stored: dict[Key, _Stored] = {}
    for number, part in enumerate(_parts(examples)):
        say(1, 4, f"Writing the texts: {number * AT_ONCE:,} of {len(examples):,}.")
        fresh: dict[Key, _Stored] = {}
        for key, entry in _stored_part(part, upload):
            if key not in stored:
                fresh.setdefault(key, entry)
        with transaction.atomic():
            still_writing(batch=batch)
            written.examples += Example.objects.bulk_create(entry.example for entry in fresh.values() if entry.example)
        stored |= fresh
    return stored


def _stored_part(examples: Sequence[ExampleRecord], upload: Upload) -> Iterator[tuple[Key, _Stored]]:
    originals = originals_of(example.origin for example in examples)
    texts = [
        (originals[example.origin], text) for example in examples for text in (example.before, example.after) if text is not None
    ]
    variants = variants_of(texts)

    def variant(example: ExampleRecord, text: RecordedText | None) -> Variant | None:
        return None if text is None else variants[originals[example.origin].pk, text.kind, sha256_of(text.text)]

    for example in examples:
        before, after = variant(example, example.before), variant(example, example.after)
        assert after is not None
        row = None if before is None else _example(example, before, after, upload)
        yield _key(example), _Stored(originals[example.origin], before, after, row)


def _example(example: ExampleRecord, before: Variant, after: Variant, upload: Upload) -> Example:
    return Example(
        upload=upload,
        before=before,
        after=after,
        status=SUCCESS,
        victim=example.victim,
        scenario=example.scenario,
        label=example.label,
        label_before=example.label_before,
        label_after=example.label_after,
        score_before=example.score_before,
        score_after=example.score_after,
        bodega_score=example.bodega_score,
        queries=example.queries,
    )


def _item(wanted: Wanted, stored: Mapping[Key, _Stored], labels: Mapping[str, Label]) -> NewItem:
    example, found = wanted.example, stored[_key(wanted.example)]
    known: dict[str, Any] = {"use": example.use, "gold": labels.get(example.known), "explanation": example.explanation}
    if found.before is not None and wanted.unchanged:
        return NewItem(found.original, found.before)
    if found.before is not None and len(wanted.texts) == 2:
        return NewItem(found.original, found.before, found.after, found.example, **known)
    return NewItem(found.original, found.after, example=found.example, **known)


def _finish(upload: Upload, counts: Added, by: User | None) -> None:
    now = timezone.now()
    done = Upload.objects.filter(pk=upload.pk, imported_at__isnull=True).update(
        imported_at=now, added=counts.added, known=counts.known, already_there=counts.already_there + counts.twice
    )
    if not done:
        if not Upload.objects.filter(pk=upload.pk).exists():
            raise Dropped
        raise DomainError("This file has been imported already. Upload it again to import it once more.")
    upload.refresh_from_db()
    log(campaign=upload.campaign, by=by, verb="kept" if upload.kept else "imported", file=upload.name,
        added=counts.added, known=counts.known, already_there=counts.already_there + counts.twice)  # fmt: skip

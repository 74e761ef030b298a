"""Putting examples into a campaign: as items, or kept for a sample to be drawn from. Content is never added twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from annotation.errors import DomainError
from annotation.models import Campaign, Example, Original, Upload, User, Variant
from annotation.protocols import protocol_of

from .activity import log
from .campaigns import NewItem, add_items, content_of
from .recording import RecordedText, key_of, originals_of, sha256_of, variants_of

UNKNOWN = "unknown"
"""The kind of a variant whose maker nobody named."""

SUCCESS = "success"
TASK = "imported"
"""The task of texts of which no task is known."""

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class ExampleRecord:
    """One example as every reader hands it over. Empty and None: the file does not say.

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
    line: int = 0

    @property
    def origin(self) -> tuple[str, str]:
        """Task and key of the original."""
        key = self.original_key or (key_of(self.original) if self.original is not None else key_of(self.adversarial))
        return self.task or TASK, key

    @property
    def before(self) -> RecordedText | None:
        return None if self.original is None else RecordedText(Variant.UNCHANGED, self.original)

    @property
    def after(self) -> RecordedText:
        return RecordedText(self.attacker or UNKNOWN, self.adversarial)


@dataclass(frozen=True, slots=True)
class Added:
    """What an import did, or would do."""

    added: int
    already_there: int
    twice: int


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
    return list(fresh.values()), Added(len(fresh), already, twice)


@transaction.atomic
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
    again adds nothing. Raises DomainError when the campaign takes no items, or the file has been imported."""
    campaign = _locked(campaign)
    say = progress or (lambda done, total, message: None)
    fresh, counts = new_of(campaign, wanted_items(campaign, examples, originals=originals))
    say(1, 4, f"Writing {counts.added:,} items.")
    stored = _stored([item.example for item in fresh], upload)
    say(2, 4, f"Writing {counts.added:,} items.")
    rows = [_item(item, stored) for item in fresh]
    add_items(campaign=campaign, items=rows)
    say(3, 4, f"Writing {counts.added:,} items.")
    _finish(upload, counts, by)
    return counts


@transaction.atomic
def keep_examples(*, campaign: Campaign, examples: Sequence[ExampleRecord], upload: Upload, by: User | None) -> Added:
    """Keep the examples for a sample to be drawn from; no item is made. Raises DomainError for texts without an original."""
    _locked(campaign)
    if any(example.original is None for example in examples):
        raise DomainError("A sample is drawn from pairs of texts, but some have no original. Make items of them instead.")
    stored = _stored(examples, upload)
    kept = len({id(row.example) for row in stored.values() if row.example})
    counts = Added(kept, 0, len(examples) - kept)
    _finish(upload, counts, by)
    return counts


def _locked(campaign: Campaign) -> Campaign:
    """The campaign, held until the end of the transaction: two imports of one file come one after the other."""
    held = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if held.imported:
        raise DomainError("The judgements of this campaign came from a file; it takes no further items.")
    if held.state == Campaign.State.CLOSED:
        raise DomainError("This campaign is closed. Open it again before you import.")
    return held


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


def _stored(examples: Sequence[ExampleRecord], upload: Upload) -> Mapping[Key, _Stored]:
    """The rows of the examples' texts, and of the examples themselves where both texts are known."""
    originals = originals_of(example.origin for example in examples)
    texts = [
        (originals[example.origin], text) for example in examples for text in (example.before, example.after) if text is not None
    ]
    variants = variants_of(texts)

    def variant(example: ExampleRecord, text: RecordedText | None) -> Variant | None:
        return None if text is None else variants[originals[example.origin].pk, text.kind, sha256_of(text.text)]

    stored: dict[Key, _Stored] = {}
    for example in examples:
        before, after = variant(example, example.before), variant(example, example.after)
        assert after is not None
        row = None if before is None else _example(example, before, after, upload)
        stored.setdefault(_key(example), _Stored(originals[example.origin], before, after, row))
    Example.objects.bulk_create(entry.example for entry in stored.values() if entry.example)
    return stored


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


def _item(wanted: Wanted, stored: Mapping[Key, _Stored]) -> NewItem:
    found = stored[_key(wanted.example)]
    if found.before is not None and wanted.unchanged:
        return NewItem(found.original, found.before)
    if found.before is not None and len(wanted.texts) == 2:
        return NewItem(found.original, found.before, found.after, found.example)
    return NewItem(found.original, found.after, example=found.example)


def _finish(upload: Upload, counts: Added, by: User | None) -> None:
    now = timezone.now()
    done = Upload.objects.filter(pk=upload.pk, imported_at__isnull=True).update(
        imported_at=now, added=counts.added, already_there=counts.already_there + counts.twice
    )
    if not done:
        raise DomainError("This file has been imported already. Upload it again to import it once more.")
    upload.refresh_from_db()
    log(campaign=upload.campaign, by=by, verb="kept" if upload.kept else "imported", file=upload.name,
        added=counts.added, already_there=counts.already_there + counts.twice)  # fmt: skip

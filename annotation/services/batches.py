"""Writing very many items so that nobody waits: some at a time, seen all at once.

While SQLite inserts, nobody else writes. So a batch's items are written in many short transactions, and `Item.objects` leaves
them out; one last short transaction changes the batch's row, and they are seen. Their slots are written closed. The first of them
are opened in that transaction, the others after it, in the order in which they are handed out.

A process may be killed at any point. What it left unseen is dropped, what it left closed is opened: by the next attempt of the
same import, or when Passable starts (`settle`). Whoever drops a batch says so in its row first: an attempt that was only taken
for dead finds that, and stops.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from django.db import transaction

from annotation.errors import DomainError
from annotation.models import Batch, Item, Slot, Upload

from .campaigns import ReadyItems
from .forgetting import delete_items
from .holding import hold, keep_texts
from .inserting import insert, insertion_of
from .pausing import pause

AT_ONCE = 500
"""Items that are written, and slots that are opened, in one transaction."""


class Displaced(DomainError):
    """Somebody else has begun to import the same file."""


class Overtaken(Exception):
    """Somebody else has added items to the campaign meanwhile: what was made ready has to be made again."""


def begin_batch(*, upload: Upload) -> tuple[Batch, list[int]]:
    """A batch for the items of the upload, and the ids of the examples that earlier attempts have written: nobody else is left to
    delete them. Their items are dropped. Raises DomainError when one of them came to its end."""
    with transaction.atomic():
        # From now on nobody forgets texts: those that this import finds stay until it has shown its items.
        keep_texts()
        held = Upload.objects.select_for_update(no_key=True).filter(pk=upload.pk).first()
        if held is None:
            raise DomainError("This file was dropped meanwhile. Upload it again to import it.")
        if held.imported_at is not None:
            raise DomainError("This file has been imported already. Upload it again to import it once more.")
        earlier = list(Batch.objects.filter(upload=upload, state__in=Batch.UNSEEN))
        Batch.objects.filter(pk__in=[batch.pk for batch in earlier]).update(state=Batch.State.DROPPED)
        batch, left = Batch.objects.create(upload=upload), list(upload.examples.values_list("pk", flat=True))
    for one in earlier:
        drop_batch(batch=one)
    return batch, left


def still_writing(*, batch: Batch) -> None:
    """Part of a transaction that writes for the batch. Raises Displaced."""
    _move(batch, Batch.State.WRITING, Batch.State.WRITING)


def write_batch(*, batch: Batch, ready: ReadyItems) -> Iterator[int]:
    """Write the items and their slots, unseen. Yields before each transaction how many are written. Raises Displaced or
    Overtaken."""
    slots = iter(ready.slots)
    for start in range(0, len(ready.items), AT_ONCE):
        if start:
            pause()
        yield start
        items = ready.items[start : start + AT_ONCE]
        part = ReadyItems(items, list(islice(slots, sum(item.wanted for item in items))))
        for item in part.items:
            item.batch = batch
        for slot in part.slots:
            slot.state = Slot.State.CLOSED
        insertion = insertion_of(part)
        with transaction.atomic():
            campaign = hold(batch.upload.campaign_id)
            still_writing(batch=batch)
            if Item.every.filter(campaign=campaign, number__range=(items[0].number, items[-1].number)).exists():
                raise Overtaken
            insert(insertion)


def show_batch(*, batch: Batch) -> None:
    """Let everybody see the items; part of the caller's transaction. Raises Displaced."""
    _move(batch, Batch.State.WRITING, Batch.State.SEEN)
    _open_some(batch)


def open_batch(*, batch: Batch) -> None:
    """Open the slots of a batch whose items are seen."""
    while _open_some(batch):
        pause()
    Batch.objects.filter(pk=batch.pk, state=Batch.State.SEEN).update(state=Batch.State.OPEN)


def drop_batch(*, batch: Batch) -> None:
    """Delete the batch with its items and their texts, some at a time, unless they are seen."""
    if not Batch.objects.filter(pk=batch.pk, state__in=Batch.UNSEEN).update(state=Batch.State.DROPPED):
        return
    delete_items(Item.every.filter(batch=batch))
    Batch.objects.filter(pk=batch.pk).delete()


def settle() -> None:
    """Finish what imports left whose process was killed. For a time when none is running: it would be dropped."""
    for batch in Batch.objects.filter(state__in=Batch.UNSEEN):
        drop_batch(batch=batch)
    open_what_is_seen()


def open_what_is_seen() -> None:
    """Open the slots of items that are seen already. Whoever showed them does so too, unless the process was killed."""
    for batch in Batch.objects.filter(state=Batch.State.SEEN).select_related("upload"):
        open_batch(batch=batch)


def _open_some(batch: Batch) -> int:
    closed = Slot.objects.filter(campaign=batch.upload.campaign_id, state=Slot.State.CLOSED, extra=False, item__batch=batch)
    some = list(closed.order_by("rank", "position").values_list("pk", flat=True)[:AT_ONCE])
    return Slot.objects.filter(pk__in=some).update(state=Slot.State.OPEN)


def _move(batch: Batch, before: Batch.State, after: Batch.State) -> None:
    if not Batch.objects.filter(pk=batch.pk, state=before).update(state=after):
        raise Displaced("Another attempt to import this file began meanwhile, so this one stopped; it has added nothing.")

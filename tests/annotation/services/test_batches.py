"""Items of an import are written some at a time and seen all at once, however it ends."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

import pytest

from annotation.models import Batch, Campaign, Example, Item, Slot, Upload, User
from annotation.services import batches, examples, forgetting
from annotation.services.batches import (
    Displaced,
    begin_batch,
    drop_batch,
    open_batch,
    open_what_is_seen,
    settle,
    show_batch,
    write_batch,
)
from annotation.services.campaigns import NewItem, ReadyItems, add_items, create_campaign, last_number, made_ready
from annotation.services.examples import ExampleRecord, add_examples
from annotation.services.recording import RecordedText, originals_of, sha256_of, variants_of
from annotation.services.settings import change_settings

pytestmark = pytest.mark.django_db

WORDS = ("Rain", "Wind", "Snow", "Hail", "Sun")
State = Slot.State


@pytest.fixture(autouse=True)
def one_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "AT_ONCE", 1)
    monkeypatch.setattr(forgetting, "AT_ONCE", 1)


@pytest.fixture
def campaign() -> Campaign:
    return create_campaign(name="c", title="C", protocol="meaning", settings={"slots": 2})


@pytest.fixture
def upload(campaign: Campaign) -> Upload:
    return Upload.objects.create(campaign=campaign, name="p.csv", stored="uploads/x", sha256="x")


def new_items(words: tuple[str, ...] = WORDS) -> list[NewItem]:
    originals = originals_of(("t", word) for word in words)
    before, after = ([RecordedText(kind, word + end) for word in words] for kind, end in (("original", "."), ("bae", "!")))
    rows = [(originals["t", word], text) for texts in (before, after) for word, text in zip(words, texts, strict=True)]
    variants = variants_of(rows)
    found = [variants[original.pk, text.kind, sha256_of(text.text)] for original, text in rows]
    pairs = zip(found[: len(words)], found[len(words) :], strict=True)
    return [NewItem(first.original, first, second) for first, second in pairs]


def begun(campaign: Campaign, upload: Upload, *, written: int = len(WORDS)) -> Batch:
    """A batch of which so many items are written."""
    batch, _ = begin_batch(upload=upload)
    ready = made_ready(campaign, new_items(), after=last_number(campaign))
    # Each step writes what the one before it has announced.
    list(islice(write_batch(batch=batch, ready=ready), written + 1))
    return batch


def states(campaign: Campaign) -> list[str]:
    return list(Slot.objects.filter(campaign=campaign).order_by("rank", "position").values_list("state", flat=True))


def test_what_is_written_is_not_seen_until_all_of_it_is(campaign: Campaign, upload: Upload) -> None:
    batch = begun(campaign, upload)
    assert (Item.every.count(), Item.objects.count(), campaign.items.count()) == (5, 0, 0)
    assert states(campaign) == [State.CLOSED] * 10
    show_batch(batch=batch)
    assert (Item.objects.count(), campaign.items.count()) == (5, 5)
    assert states(campaign) == [State.OPEN, *[State.CLOSED] * 9]
    open_batch(batch=batch)
    assert states(campaign) == [State.OPEN] * 10
    batch.refresh_from_db()
    assert batch.state == Batch.State.OPEN


def test_a_new_attempt_drops_what_one_before_it_has_left(campaign: Campaign, upload: Upload) -> None:
    left = begun(campaign, upload, written=3)
    assert (Item.every.count(), Slot.objects.count()) == (3, 6)
    fresh, _ = begin_batch(upload=upload)
    assert (Item.every.count(), Slot.objects.count(), list(Batch.objects.all())) == (0, 0, [fresh])
    assert fresh.pk != left.pk


def test_an_attempt_that_was_taken_for_dead_writes_and_shows_nothing(campaign: Campaign, upload: Upload) -> None:
    ready = made_ready(campaign, new_items(), after=0)
    batch, _ = begin_batch(upload=upload)
    steps = write_batch(batch=batch, ready=ready)
    next(steps), next(steps)
    begin_batch(upload=upload)
    with pytest.raises(Displaced):
        next(steps)
    with pytest.raises(Displaced):
        show_batch(batch=batch)
    assert Item.every.count() == 0


def test_when_passable_starts_what_killed_imports_left_is_settled(campaign: Campaign, upload: Upload) -> None:
    seen = begun(campaign, upload)
    show_batch(batch=seen)
    other = create_campaign(name="d", title="D", protocol="meaning", settings={"slots": 2})
    begun(other, Upload.objects.create(campaign=other, name="q.csv", stored="uploads/y", sha256="y"), written=2)
    settle()
    assert (Item.every.filter(campaign=campaign).count(), states(campaign)) == (5, [State.OPEN] * 10)
    assert (Item.every.filter(campaign=other).count(), states(other)) == (0, [])
    assert [batch.state for batch in Batch.objects.all()] == [Batch.State.OPEN]


def test_what_is_seen_is_never_dropped(campaign: Campaign, upload: Upload) -> None:
    batch = begun(campaign, upload)
    show_batch(batch=batch)
    drop_batch(batch=batch)
    assert Item.objects.count() == 5


def test_items_that_others_add_meanwhile_get_the_numbers_after(campaign: Campaign, upload: Upload) -> None:
    begun(campaign, upload, written=3)
    assert [item.number for item in add_items(campaign=campaign, items=new_items(("Fog",)))] == [4]
    assert [item.number for item in campaign.items.all()] == [4]


def test_an_import_that_was_overtaken_begins_anew(campaign: Campaign, upload: Upload) -> None:
    records = [ExampleRecord(adversarial=word + "!", original=word + ".", attacker="bae") for word in WORDS]
    others = iter([new_items(("Fog",))])

    def add(done: int, total: int, message: str) -> None:
        if message.startswith("Writing the items: 2 "):
            for items in others:
                add_items(campaign=campaign, items=items)

    done = add_examples(campaign=campaign, examples=records, upload=upload, by=None, progress=add)
    assert done.added == 5
    assert sorted(item.number for item in campaign.items.all()) == [3, 4, 5, 6, 7, 8]
    assert (Item.every.count(), Example.objects.count(), set(states(campaign))) == (6, 5, {State.OPEN})


def test_settings_that_change_before_all_slots_are_open_leave_as_many_as_are_wanted(
    campaign: Campaign, upload: Upload, organiser: User
) -> None:
    batch = begun(campaign, upload)
    show_batch(batch=batch)
    change_settings(campaign=campaign, by=organiser, changes={"slots": 3})
    open_batch(batch=batch)
    assert states(campaign) == [State.OPEN] * 15
    assert set(campaign.items.values_list("wanted", flat=True)) == {3}


def test_who_drops_a_batch_says_so_before_its_items_go(
    campaign: Campaign, upload: Upload, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An attempt that was only taken for dead must not show the half that is left."""
    batch = begun(campaign, upload)
    refused: list[str] = []

    def meanwhile() -> None:
        with pytest.raises(Displaced):
            show_batch(batch=batch)
        refused.append("shown")

    monkeypatch.setattr(forgetting, "pause", meanwhile)
    drop_batch(batch=batch)
    assert (refused, Item.every.count()) == (["shown"] * 5, 0)


@pytest.mark.parametrize(("change", "wanted"), [("items", [2] * 6), ("settings", [3] * 5)])
def test_what_changes_after_the_last_item_was_written_makes_the_import_begin_anew(
    campaign: Campaign, upload: Upload, organiser: User, monkeypatch: pytest.MonkeyPatch, change: str, wanted: list[int]
) -> None:
    records = [ExampleRecord(adversarial=word + "!", original=word + ".", attacker="bae") for word in WORDS]
    changes = iter(
        [
            partial(add_items, campaign=campaign, items=new_items(("Fog",)))
            if change == "items"
            else partial(change_settings, campaign=campaign, by=organiser, changes={"slots": 3})
        ]
    )

    def written(*, batch: Batch, ready: ReadyItems) -> Iterator[int]:
        yield from write_batch(batch=batch, ready=ready)
        for act in changes:
            act()

    monkeypatch.setattr(examples, "write_batch", written)
    assert add_examples(campaign=campaign, examples=records, upload=upload, by=None).added == 5
    assert list(campaign.items.values_list("wanted", flat=True)) == wanted


def test_what_is_seen_is_opened_by_others_too_and_what_is_being_written_left_alone(campaign: Campaign, upload: Upload) -> None:
    show_batch(batch=begun(campaign, upload))
    other = create_campaign(name="d", title="D", protocol="meaning", settings={"slots": 2})
    writing, _ = begin_batch(upload=Upload.objects.create(campaign=other, name="q.csv", stored="uploads/y", sha256="y"))
    assert State.CLOSED in states(campaign)
    open_what_is_seen()
    assert set(states(campaign)) == {State.OPEN}
    assert set(Batch.objects.values_list("upload__campaign", "state")) == {(campaign.pk, "open"), (other.pk, "writing")}
    assert Batch.objects.get(pk=writing.pk).state == Batch.State.WRITING


def test_a_new_attempt_displaces_the_earlier_one_from_the_moment_on_when_it_begins(
    campaign: Campaign, upload: Upload, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only when its items are being dropped: it could still show them before, and its examples would go under them."""
    batch = begun(campaign, upload)
    tried: list[int] = []

    def before_it_is_dropped(*, batch: Batch) -> None:
        with pytest.raises(Displaced):
            show_batch(batch=batch)
        tried.append(batch.pk)

    monkeypatch.setattr(batches, "drop_batch", before_it_is_dropped)
    begin_batch(upload=upload)
    assert tried == [batch.pk]

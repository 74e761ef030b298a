"""What a reader hands over: a whole file, checked, as values. Nothing is written before there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation.models import Variant
from annotation.protocols.labels import LabelSpec
from annotation.services.examples import UNKNOWN as UNKNOWN
from annotation.services.recording import RecordedItem

UNCHANGED = Variant.UNCHANGED
KIND_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Study:
    """The items of a file. `annotators` names the placeholders of positions 1, 2, …; without any, the items wait to be judged.

    `notes` goes into the campaign's source: what the file leaves open and how it was settled. `labels` are those of the file;
    without any, the protocol's.
    """

    protocol: str
    task: str
    settings: Mapping[str, object]
    items: Sequence[RecordedItem]
    annotators: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    labels: Sequence[LabelSpec] = ()
    preset: str = ""
    simulated: bool = False
    rows: int = 0
    """Rows of the file, where that is not the number of items."""
    withdrawn_teams: tuple[str, ...] = ()

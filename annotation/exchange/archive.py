"""All text files of an export in one ZIP archive, made while it is read: no file of it is ever whole in memory or on the disk."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from django.utils import timezone

from annotation.models import Campaign

from .export import FILES

PIECE = 64 * 1024


class _Outlet(io.RawIOBase):
    """A file that cannot be sought in, whose bytes are taken away as they come."""

    def __init__(self) -> None:
        self._held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._held += data
        return len(data)

    @property
    def full(self) -> bool:
        return len(self._held) >= PIECE

    def taken(self) -> bytes:
        held = bytes(self._held)
        self._held.clear()
        return held


def archive_of(campaign: Campaign, at_least: int = 0) -> Iterator[bytes]:
    """The archive, piece by piece. Its files lie in a folder that is named as the campaign."""
    outlet = _Outlet()
    now = timezone.now()
    with zipfile.ZipFile(outlet, "w") as archive:
        for name, made in FILES.items():
            entry = zipfile.ZipInfo(f"{campaign.name}/{name}", now.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as file:
                for part in made(campaign, at_least):
                    file.write(part.encode())
                    if outlet.full:
                        yield outlet.taken()
    yield outlet.taken()

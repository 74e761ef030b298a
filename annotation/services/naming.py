"""Names of what lies in the data folder: each is a folder's name there."""

from __future__ import annotations

from annotation.errors import DomainError

LONGEST_NAME_IN_BYTES = 240
"""Of a name in UTF-8: while a folder is written, it has 14 bytes more in its name, and file systems take 255."""


def refuse_unfit(name: str, *, what: str, longest: int) -> None:
    """Raise DomainError where the name cannot be that of `what` ("a model"), which may have `longest` characters."""
    if not name or "/" in name or name.startswith(".") or len(name) > longest or not name.isprintable():
        raise DomainError(f"“{name}” cannot name {what}: at most {longest} characters, no slash, no dot in front.")
    if (size := len(name.encode())) > LONGEST_NAME_IN_BYTES:
        raise DomainError(
            f"“{name}” cannot name {what}: its letters take {size} bytes, and a folder's name has room for "
            f"{LONGEST_NAME_IN_BYTES}. Choose a shorter name."
        )

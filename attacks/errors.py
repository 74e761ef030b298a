"""The one exception of this library."""

from __future__ import annotations


class AttackError(ValueError):
    """Something a person can put right: the message says what was wrong, where, and what to do."""

"""The one exception of this library."""

from __future__ import annotations


class RegressorError(ValueError):
    """Input, settings or a model that cannot be used; the message says what, where, and what to do."""

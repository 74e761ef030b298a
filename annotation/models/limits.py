"""How often somebody has tried what may not be tried without end."""

from __future__ import annotations

from django.db import models


class Tries(models.Model):
    """The last tries of one kind by one key: a person, a name, an address. The row is locked while it is read and written, so
    that of many tries at once each is counted."""

    key = models.CharField(max_length=120, primary_key=True, help_text="the kind, and a digest: no name or address is kept")
    times = models.JSONField(default=list, help_text="when, in seconds since 1970; the oldest first")
    over_at = models.DateTimeField(db_index=True, help_text="from then on the row says nothing")

"""Tokens by which programs act for a person."""

from __future__ import annotations

import uuid

from django.db import models
from knox.models import AbstractAuthToken


class ApiToken(AbstractAuthToken):
    """A key to the API in one person's name, until it expires. Only its digest is kept, so the database cannot be used to
    act for anybody; `public_id` names the row in addresses, where neither the token nor its digest may stand."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=80, help_text="what the person calls it: the program or machine that uses it")

    class Meta:
        ordering = ["-created", "public_id"]

    def __str__(self) -> str:
        return self.name

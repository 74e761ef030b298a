"""Victims behind HTTP addresses: how one is described, and what this server may ask and tell whom.

An organiser can name any address, so two things hold: no address of this machine or its network is asked, and the key of this
server goes to nobody, unless whoever runs the server has named the host (PASSABLE_VICTIM_HOSTS).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from annotation.errors import DomainError

KIND, FILE = "http", "victim.json"
SETTING = "PASSABLE_VICTIM_HOSTS"


@dataclass(frozen=True, slots=True)
class Described:
    """A victim's description in a folder of its own."""

    card: dict[str, Any]
    sha256: str


def is_named(address: str) -> bool:
    """Whether the setting names the address's host, with its port or for all ports."""
    parts = urlsplit(address)
    return not {parts.netloc.lower(), (parts.hostname or "").lower()}.isdisjoint(host.lower() for host in settings.VICTIM_HOSTS)


def check_service(address: str, key_header: str) -> None:
    """Raises DomainError for what is no address, an address that plainly is not public, and for a key that may not be sent
    there. What a name stands for is found out when it is asked."""
    from regressors.errors import RegressorError
    from regressors.features.service import checked_address, is_public

    try:
        checked_address(address, "https://models.example.org/predict")
    except RegressorError as refused:
        raise DomainError(str(refused)) from refused
    if is_named(address):
        return
    host = urlsplit(address).hostname or ""
    try:
        public = is_public(host)
    except ValueError:
        public = host != "localhost" and not host.endswith((".localhost", ".local", ".internal"))
    if not public:
        raise DomainError(f"{host} is in this machine’s own network. Only hosts that the setting {SETTING} names may be there.")
    if key_header:
        raise DomainError(f"The key of this server is only sent to hosts that the setting {SETTING} names, and {host} is none.")


def describe_in(folder: Path, description: Mapping[str, Any]) -> Described:
    """Write the description into the folder, with what this server allows of it."""
    card = {"kind": KIND, **description, "public_only": not is_named(description["address"])}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(json.dumps(card, indent=2) + "\n", "utf-8")
    return described_in(folder)


def described_in(folder: Path) -> Described:
    """What lies in the folder. Raises DomainError where that may not be asked any more."""
    content = (folder / FILE).read_bytes()
    card = json.loads(content)
    check_service(card["address"], card["key_header"])
    if not card["public_only"] and not is_named(card["address"]):
        raise DomainError(f"The setting {SETTING} names {urlsplit(card['address']).netloc} no longer, so it is not asked.")
    return Described(card, hashlib.sha256(content).hexdigest())

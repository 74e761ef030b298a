"""What a row of the table of permissions says, and the addresses that need one. The rows are in `rows` and `api_rows`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

METHODS = ("get", "post", "put", "patch", "delete")

EVERYBODY = ("anonymous", "annotator", "other_annotator", "adjudicator", "organiser", "other_organiser", "superuser")
SIGNED_IN = EVERYBODY[1:]
MEMBERS = ("annotator", "adjudicator", "organiser")
JUDGES = ("organiser", "adjudicator")
ORGANISER = ("organiser",)
ORGANISERS = ("organiser", "other_organiser")
ANNOTATOR = ("annotator",)

NAME: Mapping[str, str] = {"name": "campaign"}


@dataclass(frozen=True, slots=True)
class Row:
    """One address. `get`, `post` …: the roles for whom the method does what it says; without any, the method is refused."""

    get: tuple[str, ...] = ()
    post: tuple[str, ...] = ()
    put: tuple[str, ...] = ()
    patch: tuple[str, ...] = ()
    delete: tuple[str, ...] = ()
    args: Mapping[str, str] = field(default_factory=lambda: NAME)
    """Parameter of the address → what it names (see `things`), in the campaign of that `protocol`."""
    protocol: str = "meaning"
    form: Mapping[str, str] = field(default_factory=dict)
    """What POST sends, named likewise."""
    strangers: int = 404
    """What those get who are in no tuple, unless they are not signed in."""
    anonymous: int = 302
    sends: tuple[int, ...] = (200,)
    """What GET gives to those who may."""
    shows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Role → kinds of marked words (see `marks`) that stand here beside those that the role sees anywhere."""
    queries: tuple[str, ...] = ("",)
    """Ends of the address that are visited."""
    page: bool = True
    """Whether a browser shows it as a page."""
    api: bool = False
    """Whether it is for programs: it takes JSON."""
    counted: bool = True
    """Whether the number of its queries may not grow with the rows."""
    visitor: str = ""
    """Whose page it is, unless the organiser's or that of the first who may."""

    def roles(self, method: str) -> tuple[str, ...]:
        allowed: tuple[str, ...] = getattr(self, method)
        return allowed

    @property
    def reader(self) -> str:
        """Whose page it is."""
        return self.visitor or ("organiser" if "organiser" in self.get else self.get[0])


def verb(allowed: tuple[str, ...] = ORGANISER, **more: Any) -> Row:
    """An address that only takes a form."""
    return Row(post=allowed, page=False, **more)


@cache
def addresses() -> dict[str, set[str]]:
    """Every named address of the site → its parameters."""
    return dict(_walk(get_resolver(), ""))


def _walk(resolver: URLResolver, space: str) -> list[tuple[str, set[str]]]:
    found: list[tuple[str, set[str]]] = []
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            inner = f"{space}{entry.namespace}:" if entry.namespace else space
            found += [(name, parameters | set(entry.pattern.converters)) for name, parameters in _walk(entry, inner)]
        elif isinstance(entry, URLPattern):
            found.append((f"{space}{entry.name}", set(entry.pattern.converters)))
    return found

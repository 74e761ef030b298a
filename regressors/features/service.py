"""Questions to an HTTP service that somebody else runs: where it is, how long it is waited for, what is tried again."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from regressors.errors import RegressorError
from scoring.table import one_line

T = TypeVar("T")

_LONGEST_WAIT: Final = 120.0  # seconds
_LONGEST_COMPLAINT: Final = 300  # characters


@dataclass(frozen=True, slots=True)
class Patience:
    """An answer is waited for `timeout` seconds. What may pass is tried again, up to `attempts` times in all, after `first_wait`
    seconds, twice that, and so on, or what the service asks for, up to two minutes."""

    timeout: float = 60.0
    attempts: int = 5
    first_wait: float = 1.0


class Passing(Exception):
    """A failure that may be gone at the next attempt. `wait` is what the service asks for, in seconds; `answered` tells whether
    it said that it failed, rather than nothing."""

    def __init__(self, problem: str, *, wait: float = 0.0, answered: bool = True) -> None:
        super().__init__(problem)
        self.wait = wait
        self.answered = answered


class Refused(RegressorError):
    """The service will not answer such a request. `status` and `body` are what it says."""

    def __init__(self, told: str, status: int, body: bytes) -> None:
        super().__init__(told)
        self.status = status
        self.body = body


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Texts and keys are for the address that was given, and for no other."""

    def redirect_request(self, *_: Any) -> None:
        return None


def is_public(address: str) -> bool:
    """Whether an IP address is of the public internet, and of nothing in this network or machine: also none that a gateway would
    turn into one of these."""
    place = ipaddress.ip_address(address.partition("%")[0])
    return (
        place.is_global
        and not place.is_multicast
        and not any(place in net for net in _TRANSLATED if net.version == place.version)
    )


_TRANSLATED: Final = tuple(map(ipaddress.ip_network, ("64:ff9b::/96", "2002::/16", "2001::/32")))
"""IPv6 addresses that hold one of IPv4."""


def _connected(address: tuple[str, int], timeout: float | None = None, source: Any = None) -> socket.socket:
    """A connection to a host all of whose addresses are public. It is looked up once: what was checked is what is asked."""
    places = [str(found[4][0]) for found in socket.getaddrinfo(*address, type=socket.SOCK_STREAM)]
    if not all(map(is_public, places)):
        raise RegressorError(f"{address[0]} is at an address that is not public ({', '.join(sorted(set(places)))}).")
    return socket.create_connection((places[0], address[1]), timeout, source)


class _PublicHTTP(http.client.HTTPConnection):
    def __init__(self, *args: Any, **how: Any) -> None:
        super().__init__(*args, **how)
        self._create_connection = _connected


class _PublicHTTPS(http.client.HTTPSConnection):
    def __init__(self, *args: Any, **how: Any) -> None:
        super().__init__(*args, **how)
        self._create_connection = _connected


class _OnlyPublic(urllib.request.HTTPSHandler, urllib.request.HTTPHandler):
    """Opens public addresses only, and through no proxy, which would look names up by itself."""

    def http_open(self, request: urllib.request.Request) -> Any:
        return self.do_open(_PublicHTTP, request)

    def https_open(self, request: urllib.request.Request) -> Any:
        return self.do_open(_PublicHTTPS, request)


class Service:
    """Takes bytes by POST at `url`, and answers with at most `longest` bytes.

    Too many requests (429), errors of the service (5xx), timeouts and broken connections may pass; any other status but success
    is `Refused`. `if_down` and `if_refused` are sentences for the errors: what to do then. With `public_only`, a host at an
    address of this machine or a private network is a RegressorError, whatever its name.
    """

    def __init__(
        self,
        url: str,
        *,
        if_down: str,
        if_refused: str,
        headers: Mapping[str, str] | None = None,
        longest: int = 1_000_000,
        patience: Patience | None = None,
        public_only: bool = False,
    ) -> None:
        self.url = url
        self._if_down, self._if_refused = if_down, if_refused
        self._headers = dict(headers or {})
        self._longest = longest
        self._patience = patience or Patience()
        guards = (urllib.request.ProxyHandler({}), _OnlyPublic()) if public_only else ()
        self._opener = urllib.request.build_opener(_NoRedirect, *guards)

    def ask(self, body: bytes) -> bytes:
        """The answer. RegressorError for a refusal, or a failure at every attempt."""
        return self.persistently(lambda _: self.post(body))

    def persistently(self, attempt: Callable[[str], T]) -> T:
        """What `attempt` gives, which is tried again while it raises `Passing`. It is told the problem of the attempt before."""
        problem = ""
        for number in range(1, self._patience.attempts + 1):
            try:
                return attempt(problem)
            except Passing as failure:
                problem = str(failure)
                if number < self._patience.attempts:
                    time.sleep(min(max(failure.wait, self._patience.first_wait * 2 ** (number - 1)), _LONGEST_WAIT))
        raise RegressorError(f"{self.url} failed {self._patience.attempts} times, at last: {problem}. {self._if_down}")

    def post(self, body: bytes) -> bytes:
        """The answer to one attempt. Raises `Passing` or `Refused`."""
        request = urllib.request.Request(self.url, data=body, headers=self._headers, method="POST")
        until = time.monotonic() + self._patience.timeout
        try:
            with self._opener.open(request, timeout=self._patience.timeout) as response:
                return self._read(response, until)
        except urllib.error.HTTPError as error:
            with error:
                raise self._failure(error, until) from None
        except (OSError, http.client.HTTPException) as error:
            raise Passing(_told(error), answered=False) from None

    def _failure(self, error: urllib.error.HTTPError, until: float) -> Passing | Refused:
        try:
            body = self._read(error, until)
        except (OSError, http.client.HTTPException):
            body = b""
        told = f"HTTP status {error.code}, {excerpt(body)}" if body.strip() else f"HTTP status {error.code}"
        if error.code == 429 or error.code >= 500:
            asked_for = error.headers.get("Retry-After", "")
            return Passing(told, wait=float(asked_for) if asked_for.isascii() and asked_for.isdigit() else 0.0)
        return Refused(f"{self.url} refuses the request: {told}. {self._if_refused}", error.code, body)

    def _read(self, response: Any, until: float) -> bytes:
        """The body, within the time: a service that sends a byte now and then does not hold everything up."""
        body = b""
        while part := response.read1(65_536):
            body += part
            if len(body) > self._longest:
                raise http.client.HTTPException(f"the answer is longer than {self._longest:,} bytes")
            if time.monotonic() > until:
                raise http.client.HTTPException("the answer took too long")
        if missing := getattr(response, "length", None):
            raise http.client.IncompleteRead(body, missing)
        return body


def checked_address(address: str, example: str) -> str:
    """The address without a slash at its end. RegressorError, with the example, for what is no http address of a server."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and not (parts.query or parts.fragment)
        usable = usable and (parts.port is None or parts.port > 0) and address.isascii() and address.isprintable()
    except ValueError:
        usable = False
    if not usable or " " in address:
        raise RegressorError(f"{one_line(address)!r} is no address of a server, such as {example}.")
    if "@" in parts.netloc:
        raise RegressorError("The address of a server holds a name or password: leave them out.")
    return address.rstrip("/")


def excerpt(body: bytes) -> str:
    """The beginning of what a service says, on one line, for an error."""
    text = one_line(" ".join(body.decode("utf-8", "replace").split()))
    return text if len(text) <= _LONGEST_COMPLAINT else f"{text[:_LONGEST_COMPLAINT]}…"


def _told(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    if isinstance(reason, TimeoutError):
        return "no answer in time"
    return one_line(getattr(reason, "strerror", None) or str(reason) or type(reason).__name__)

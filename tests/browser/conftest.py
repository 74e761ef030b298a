"""A real browser: Debian's chromium, driven by Playwright."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import User
from tests.conftest import missing

CHROMIUM = "/usr/bin/chromium"
PASSWORD = "a-long-password-1"

# SQLite in a file: in memory, all threads of the live server would share one connection, and their transactions would mix.
if connection.vendor == "sqlite":
    connection.settings_dict["TEST"]["NAME"] = str(settings.DATA_DIR / "browser-tests.sqlite3")

# Playwright's event loop runs in this thread, and Django would refuse the database there.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    if not Path(CHROMIUM).exists():
        missing(f"{CHROMIUM} is not installed (apt-get install chromium)")
    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"]
    return {
        "executable_path": CHROMIUM,
        "args": ["--no-sandbox", "--disable-gpu", "--no-first-run", *quiet],
    }


def screenshots() -> Path | None:
    """The folder that PASSABLE_SCREENSHOTS names, if it does."""
    folder = os.environ.get("PASSABLE_SCREENSHOTS")
    return Path(folder) if folder else None


class Visitor:
    """Somebody at a browser. Whatever the browser complains about, CSP violations included, is in `complaints`."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context = context
        context.set_default_timeout(10_000)
        self.page = context.new_page()
        self.address = address
        self.complaints: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(f"{self.page.url}: {error}"))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{self.page.url}: {message.text}")

    def open(self, path: str) -> Page:
        self.page.goto(path if path.startswith("http") else self.address + path)
        return self.page

    def sign_in(self, name: str) -> None:
        """As if the person had signed in before."""
        client = Client()
        client.force_login(User.objects.get(username=name))
        value = client.cookies[settings.SESSION_COOKIE_NAME].value
        self.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": self.address}])

    def sign_in_by_hand(self, name: str) -> None:
        self.open("/signin/")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.get_by_role("button", name="Sign out").wait_for()

    def join(self, link: str, name: str) -> None:
        """Make an account by an invitation link, read the sheet, agree; by keyboard alone."""
        self.open(link)
        self.page.get_by_label("Name").focus()
        self.page.keyboard.type(name)
        self.page.keyboard.press("Tab")
        self.page.keyboard.type(PASSWORD)
        self.page.keyboard.press("Enter")
        statements = self.page.get_by_role("checkbox")
        statements.first.wait_for()
        statements.first.focus()
        for _ in range(statements.count()):
            self.page.keyboard.press("Space")
            self.page.keyboard.press("Tab")
        self.page.keyboard.press("Enter")
        self.page.get_by_role("button", name="Submit and continue").wait_for()
        self.page.wait_for_load_state()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def answer(self, *keys: str) -> None:
        """Press the keys and Enter, and wait until the server has answered with another item or an end."""
        heading = self.page.locator("#work h1")
        before = heading.inner_text()
        self.press(*keys, "Enter")
        expect(heading).not_to_have_text(before)

    def photograph(self, name: str) -> None:
        if folder := screenshots():
            folder.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=folder / f"{name}.png", full_page=True)


@pytest.fixture
def visitor(browser: Browser, live_server: LiveServer) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors, each with cookies of their own; in the end none of their browsers may have complained."""
    visitors: list[Visitor] = []

    def arrive(**options: Any) -> Visitor:
        visitors.append(Visitor(browser.new_context(**options), live_server.url))
        return visitors[-1]

    yield arrive
    complaints = [complaint for each in visitors for complaint in each.complaints]
    for each in visitors:
        each.context.close()
    assert complaints == []

"""Filling in and sending a form as somebody does whose browser runs no script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from django.urls import resolve
from playwright.sync_api import Locator, Page

Value = str | bool | Sequence[str] | tuple[str, str]
TYPED = {"number": "2", "email": "somebody@example.org", "url": "https://example.org/", "date": "2030-01-31"}
WORDS = "Some words"


@dataclass(frozen=True, slots=True)
class Form:
    """What somebody enters, by name of the field, and what is then different.

    `changes` are names of tables that must differ afterwards; `status` is of the page that follows, `then` the form on it that is
    sent next. `files` are what is chosen, name and content. Fields that are not named keep what they hold, or get some plain
    value where one is required.
    """

    changes: tuple[str, ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict)
    files: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    status: int = 200
    then: tuple[str, Form] | None = None


def names_of_forms(page: Page) -> list[tuple[str, Locator]]:
    """Every button that sends a form and can be seen, by the name of the address that the form goes to."""
    page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)")
    found = []
    for button in page.locator("form button:not([type=button]), form input[type=submit]").all():
        if button.is_visible():
            found.append((_name(page, button), button))
    return found


def _name(page: Page, button: Locator) -> str:
    form = button.locator("xpath=ancestor::form")
    action = button.get_attribute("formaction") or form.get_attribute("action") or page.url
    match = resolve(urlsplit(action).path or urlsplit(page.url).path)
    sent = (button.get_attribute("name"), button.get_attribute("value"))
    method = (form.get_attribute("method") or "get").lower()
    verb = [str(match.kwargs["verb"])] if "verb" in match.kwargs else []
    return " ".join([method, match.view_name, *verb, *(["=".join(str(part) for part in sent)] if sent[0] else [])])


def complete(form: Locator, wanted: Form) -> None:
    """Fill in whatever can be seen of the form."""
    fields = form.locator("input:not([type=hidden]):not([type=submit]), select, textarea").all()
    for each in [entry for entry in fields if entry.is_visible() and entry.is_enabled()]:
        name, kind = each.get_attribute("name") or "", (each.get_attribute("type") or "").lower()
        value = wanted.values.get(name)
        if kind == "file":
            if name in wanted.files:
                label, text = wanted.files[name]
                each.set_input_files({"name": label, "mimeType": "text/csv", "buffer": text.encode()})
        elif kind in ("checkbox", "radio"):
            _tick(form, each, name, kind, value)
        elif each.evaluate("(field) => field.tagName") == "SELECT":
            _choose(each, value)
        elif value is not None:
            each.fill(str(value))
        elif each.get_attribute("required") is not None and not each.input_value():
            each.fill(TYPED.get(kind, WORDS))


def _tick(form: Locator, each: Locator, name: str, kind: str, value: Value | None) -> None:
    own = each.get_attribute("value") or "on"
    if value is not None:
        wanted = value if isinstance(value, bool) else own in ([value] if isinstance(value, str) else value)
    elif kind == "radio":
        wanted = not form.locator(f"input[type=radio][name={name!r}]:checked").count()
    else:
        wanted = each.is_checked() or each.get_attribute("required") is not None
    # A radio button is let go by choosing another one.
    if wanted != each.is_checked() and (wanted or kind == "checkbox"):
        each.set_checked(wanted, force=True)


def _choose(each: Locator, value: Value | None) -> None:
    if value is not None:
        each.select_option(value)  # type: ignore[arg-type]
    elif not each.input_value():
        options = [option.get_attribute("value") or "" for option in each.locator("option").all()]
        each.select_option(next((option for option in options if option), ""))


def send(page: Page, button: Locator) -> int:
    """Press the button; the status of the page that follows."""
    with page.expect_navigation() as arrived:
        button.click()
    response = arrived.value
    return response.status if response else 0

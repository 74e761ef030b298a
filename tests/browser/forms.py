"""Filling in and sending a form as somebody does whose browser runs no script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as default
from typing import Any
from urllib.parse import urlsplit

from django.urls import resolve
from playwright.sync_api import Locator, Page

Value = str | bool
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
    values: Mapping[str, Value] = default(default_factory=dict)
    files: Mapping[str, tuple[str, str]] = default(default_factory=dict)
    status: int = 200
    then: tuple[str, Form] | None = None


BUTTONS = "form button:not([type=button]), form input[type=submit]"
READ_BUTTONS = """(buttons) => buttons.map((button) => ({
  seen: button.checkVisibility({visibilityProperty: true}),
  action: button.getAttribute('formaction') || button.form.getAttribute('action') || location.href,
  method: button.form.method,
  sent: button.name ? `${button.name}=${button.value}` : '',
}))"""

FIELDS = "input:not([type=hidden]):not([type=submit]), select, textarea"
READ_FIELDS = """(fields) => fields.map((field) => ({
  name: field.name,
  kind: field.tagName === 'INPUT' ? field.type : field.tagName.toLowerCase(),
  value: field.value,
  required: field.required,
  checked: field.checked || false,
  usable: field.checkVisibility({visibilityProperty: true}) && !field.disabled && !field.readOnly,
  chosen: field.type === 'radio' && [...field.form.elements].some((other) => other.name === field.name && other.checked),
  options: field.tagName === 'SELECT' ? [...field.options].map((option) => option.value) : [],
}))"""
# One question for all of them: asking for each attribute of each field takes longer than all the pages.


def names_of_forms(page: Page) -> list[tuple[str, Locator]]:
    """Every button that sends a form and can be seen, by the name of the address that the form goes to."""
    page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)")
    buttons = page.locator(BUTTONS)
    read = enumerate(buttons.evaluate_all(READ_BUTTONS))
    return [(_name(page, button), buttons.nth(number)) for number, button in read if button["seen"]]


def _name(page: Page, button: Mapping[str, str]) -> str:
    match = resolve(urlsplit(button["action"]).path or urlsplit(page.url).path)
    verb = str(match.kwargs.get("verb", ""))
    return " ".join(part for part in (button["method"], match.view_name, verb, button["sent"]) if part)


def complete(form: Locator, wanted: Form) -> None:
    """Fill in whatever can be seen of the form."""
    fields = form.locator(FIELDS)
    touched: set[str] = set()
    for number, read in enumerate(fields.evaluate_all(READ_FIELDS)):
        if read["usable"]:
            _fill(fields.nth(number), read, wanted, touched)


def _fill(field: Locator, read: Mapping[str, Any], wanted: Form, touched: set[str]) -> None:
    name, kind, value = read["name"], read["kind"], wanted.values.get(read["name"])
    if kind == "file" and name in wanted.files:
        label, text = wanted.files[name]
        field.set_input_files({"name": label, "mimeType": "text/csv", "buffer": text.encode()})
    elif kind == "radio":
        if value == read["value"] or (value in (None, True) and not read["chosen"] and name not in touched):
            touched.add(name)
            field.set_checked(True, force=True)
    elif kind == "checkbox":
        ticked = _ticked(value, read)
        if ticked != read["checked"]:
            field.set_checked(ticked, force=True)
    elif kind.startswith("select"):
        if value is not None or not read["value"]:
            field.select_option(str(value) if value else next(filter(None, read["options"]), ""))
    elif value is not None:
        field.fill(str(value))
    elif read["required"] and not read["value"]:
        field.fill(TYPED.get(kind, WORDS))


def _ticked(value: Value | None, read: Mapping[str, Any]) -> bool:
    if value is None:
        return bool(read["checked"] or read["required"])
    return value if isinstance(value, bool) else read["value"] == value


def send(page: Page, button: Locator) -> int:
    """Press the button; the status of the page that follows."""
    with page.expect_navigation() as arrived:
        button.click()
    response = arrived.value
    return response.status if response else 0

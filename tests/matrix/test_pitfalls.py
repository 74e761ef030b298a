"""That each pitfall has its tests; and the tests of those that concern the whole product."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from pathlib import Path

import pytest
import time_machine
from django.apps import apps
from django.db.models import PROTECT, ForeignKey, ProtectedError
from django.test import Client
from django.utils import timezone

from annotation.models import Claim, Slot, User

from .conftest import undone
from .pitfalls import PITFALLS
from .rows import ROWS
from .world import World

HERE = Path(__file__).parents[2]
OWN_BELONGINGS = {"annotation.ApiToken.user"}
"""What goes with the account, since it is of no use to anybody else."""
NOT_OFFERED = "claim__annotator__password__startswith=p&user__password=x&annotator__email__contains=z&order_by=password"
CHANGES_WITH_EACH_REQUEST = re.compile(r'name="(csrfmiddlewaretoken|since|seen)" value="[^"]*"')


@pytest.mark.parametrize("number", PITFALLS)
def test_the_tests_that_guard_it_exist(number: int) -> None:
    guards = PITFALLS[number].guards
    missing = {file: set(names) - _tests_in(file) for file, names in guards.items()}
    assert guards and not any(missing.values()), missing


def test_none_is_left_out() -> None:
    assert list(PITFALLS) == list(range(1, 16))


@cache
def _tests_in(file: str) -> set[str]:
    tree = ast.parse((HERE / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def _references_to_people() -> Iterator[tuple[str, ForeignKey]]:
    for model in apps.get_app_config("annotation").get_models():
        for column in model._meta.get_fields():
            if isinstance(column, ForeignKey) and column.related_model is User:
                yield f"{model._meta.label}.{column.name}", column


def test_everything_that_names_a_person_protects_them() -> None:
    unprotected = {name for name, column in _references_to_people() if column.remote_field.on_delete is not PROTECT}
    assert unprotected == OWN_BELONGINGS


@pytest.mark.django_db
def test_nobody_in_a_campaign_can_be_deleted(world: World) -> None:
    in_a_campaign = User.objects.filter(memberships__isnull=False).distinct()
    assert in_a_campaign.count() > len(world.people)
    for person in in_a_campaign:
        with undone(), pytest.raises(ProtectedError):
            person.delete()


@pytest.mark.django_db
@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.get and not row.api and row.sends == (200,)])
def test_no_page_filters_by_what_it_does_not_offer(name: str, world: World) -> None:
    row = ROWS[name]
    client = world.client(row.reader)
    address = world.address(name, row.args, row.protocol, row.queries[0])
    end = "&" if "?" in address else "?"
    with undone(), time_machine.travel(timezone.now(), tick=False):
        client.get(address)
        before = client.get(address)
        after = client.get(f"{address}{end}{NOT_OFFERED}")
    if after.status_code not in (400, 404, 422):
        assert _what_it_says(after) == _what_it_says(before)


def _what_it_says(response: object) -> str:
    if getattr(response, "streaming", False):
        return b"".join(response.streaming_content).decode()  # type: ignore[attr-defined]
    text = CHANGES_WITH_EACH_REQUEST.sub("", response.content.decode())  # type: ignore[attr-defined]
    return re.sub(r'(href|action|value|name)="[^"]*"|&amp;', "", text)


@pytest.mark.django_db
def test_the_clock_is_read_when_work_is_handed_out_and_not_before(world: World) -> None:
    """Somebody leaves with the last item, and three days later somebody else asks for one: through the page, and long after the
    last import of any module."""
    campaign, later = world.campaigns["meaning"], timezone.now() + timedelta(days=3)
    held = Claim.objects.get(campaign=campaign, state=Claim.State.LIVE)
    somebody = campaign.memberships.filter(user__username__contains="person").latest("pk").user
    client = Client()
    client.force_login(somebody)
    with undone(), time_machine.travel(later, tick=False):
        Slot.objects.filter(campaign=campaign, state=Slot.State.OPEN).update(state=Slot.State.FILLED)
        assert client.get(world.address("work", ROWS["work"].args)).status_code == 200
        held.refresh_from_db()
        handed_out = Claim.objects.get(annotator=somebody, state=Claim.State.LIVE)
        assert (held.state, handed_out.slot, handed_out.claimed_at) == (Claim.State.EXPIRED, held.slot, later)

"""Whatever is sent, every call answers as the schema says: made-up requests to each of them, with real and invented ids.

What was found once has a test of its own in the file of its resource.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import sampled_from
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from annotation.models import AttackRun, LearnedModel, Membership, Outcome, User
from annotation.services.answering import submit
from annotation.services.campaigns import create_campaign, open_campaign
from annotation.services.claiming import claim_next
from annotation.services.jobs import enqueue
from annotation.services.people import consent
from annotation.services.predicting import ask_prediction
from annotation.services.recording import RecordedItem, RecordedText, record_items
from annotation.services.tokens import make_token
from config.wsgi import application

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]
calls = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(public=True))
calls.app = application
CALLS = {found.ok().label: found.ok() for found in calls.get_all_operations()}


@pytest.fixture(autouse=True)
def _one_connection() -> Iterator[None]:
    """A server closes a connection whose transaction is left open; here it is the test's, which goes on."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def there(db: None) -> dict[str, Any]:
    """What each parameter of an address may really be, and who calls: where there is something to get at."""
    organiser = User.objects.create_user(username="olga", is_organiser=True)
    campaign = create_campaign(name="harbour", title="The harbour", protocol="meaning", created_by=organiser)
    texts = (RecordedText("original", "The bridge closes."), RecordedText("deepwordbug", "The brdige closes."))
    record_items(campaign=campaign, task="headlines", items=[RecordedItem(f"k{number}", *texts) for number in range(4)])
    open_campaign(campaign=campaign)
    people = [User.objects.create_user(username=name) for name in ("anna", "boris")]
    for person in people:
        Membership.objects.create(campaign=campaign, user=person, role="annotator")
        consent(sheet=campaign.sheets.get(), user=person)
        claim = claim_next(campaign=campaign, annotator=person)
        submit(claim_id=claim.pk, annotator=person, data={"label": "change", "confidence": 4})
    job = enqueue(kind="train", arguments={"campaign": "harbour"}, by=organiser)
    # Addresses call both a job and a model by `id`.
    model = LearnedModel.objects.create(pk=job.pk, name="first", folder="x", sha256="e" * 64)
    model.campaigns.add(campaign)
    attacked = AttackRun.objects.create(pk=job.pk, name="bridges", task="headlines", victim="linear", attacker="x", folder="x")
    item = campaign.items.earliest("number")
    Outcome.objects.create(run=attacked, number=1, before=item.first, status="failed")
    token, secret = make_token(user=organiser, name="tests", lasts=timedelta(days=1))
    return {
        "organiser": secret,
        "annotator": make_token(user=people[0], name="tests", lasts=timedelta(days=1))[1],
        "name": "harbour",
        "number": 1,
        "file": "judgements.csv",
        "claim_id": claim_next(campaign=campaign, annotator=people[0]).pk,
        "id": job.pk,
        "job": ask_prediction(model=model, text="The bridge closes.", by=organiser).pk,
        "public_id": str(token.public_id),
    }


@contextmanager
def undone() -> Iterator[None]:
    """What is done to the database within is undone at the end."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def every_call(test: Any) -> Any:
    """Each call with what the schema declares, and, where there is anything to get wrong, with what it does not."""
    cases = [pytest.param(call, GenerationMode.POSITIVE, id=f"{call}, as declared") for call in sorted(CALLS)]
    wrong = [call for call in sorted(CALLS) if CALLS[call].body or CALLS[call].query]
    cases += [pytest.param(call, GenerationMode.NEGATIVE, id=f"{call}, otherwise") for call in wrong]
    return pytest.mark.parametrize(("call", "mode"), cases)(test)


def send_many(call: str, mode: GenerationMode, there: dict[str, Any], **how: Any) -> None:
    """Requests to the call, most of them with ids that there are."""

    @settings(phases=[Phase.generate], deadline=None, suppress_health_check=list(HealthCheck), database=None, **how)
    @given(case=CALLS[call].as_strategy(generation_mode=mode), real=sampled_from([True, True, False]))
    def answers(case: schemathesis.Case, real: bool) -> None:
        send(case, there, real=real)

    answers()


def send(case: schemathesis.Case, there: dict[str, Any], *, real: bool) -> None:
    if real:
        case.path_parameters = {name: there[name] for name in case.path_parameters or {}}
    caller = "annotator" if "/work/" in case.path else "organiser"
    with undone():
        case.call_and_validate(checks=CHECKS, headers={"Authorization": f"Token {there[caller]}"})


@every_call
def test_calls_answer_as_the_schema_says(call: str, mode: GenerationMode, there: dict[str, Any]) -> None:
    send_many(call, mode, there, max_examples=5, derandomize=True)


@pytest.mark.nightly
@every_call
def test_so_they_do_all_night(call: str, mode: GenerationMode, there: dict[str, Any]) -> None:
    send_many(call, mode, there, max_examples=300)

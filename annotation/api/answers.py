"""Answering an item, thinking again, skipping it, saying that something is wrong with it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Claim, Judgement
from annotation.services.answering import save_draft, submit
from annotation.services.claiming import keep_longer
from annotation.services.revising import change, flag, skip

from .access import answerable_claim, own_claim, person
from .reading import Body, Text, Whole
from .resource import BODY, Resource, extend_schema, refusals
from .shown import AnswerShape, ClaimShape, ExplainedShape, as_posted, explained

UNCOUNTED = dict(Judgement.Uncounted.choices)


class TestShape(serializers.Serializer[Any]):
    """How a test went."""

    right = serializers.IntegerField()
    items = serializers.IntegerField()
    needed = serializers.IntegerField()
    passed = serializers.BooleanField()
    tries_left = serializers.IntegerField()


class StoredShape(serializers.Serializer[Any]):
    """What became of an answer."""

    stored = serializers.BooleanField(help_text="Whether this call stored it. If not, what stood before stands.")
    counts = serializers.BooleanField()
    uncounted = serializers.CharField(help_text="Why it does not count; empty if it does.")
    submitted_at = serializers.DateTimeField()
    explained = ExplainedShape(allow_null=True, help_text="After an item for training.")
    test = TestShape(allow_null=True, help_text="After the last item of a test.")


class ChangedShape(AnswerShape):
    """Another answer."""

    replaces = Whole(
        min_value=1, max_value=10_000, required=False, help_text="Which of your answers to the item, from 1: makes a retry safe."
    )


class SkipShape(Body):
    """Why an item is skipped, for whoever likes to say."""

    reason = serializers.ChoiceField(choices=Claim.SkipReason.choices, required=False, allow_blank=True)
    note = Text(max_length=2_000, required=False, allow_blank=True)


class FlagShape(Body):
    """What is wrong with an item."""

    text = Text(max_length=2_000)


class AnswerClaim(Resource):
    """Answering."""

    throttle_scope = "work"

    @extend_schema(
        operation_id="answer",
        request=AnswerShape,
        responses={200: StoredShape, 201: StoredShape, **refusals(404, 409, 422, *BODY)},
    )
    def post(self, request: Request, name: str, claim_id: int) -> Response:
        """Store the answer; 201 the first time. Sending it again is safe: 200, and the first answer stands.

        An answer is never thrown away: one that comes too late is kept and marked, and does not count.
        """
        claim = answerable_claim(request, name, claim_id)
        data = as_posted(claim, self.read(AnswerShape))
        done = submit(claim_id=claim.pk, annotator=person(request), data=data, campaign=name)
        body = _stored(claim, done.judgement, done.first, done.test)
        return Response(body, status=status.HTTP_201_CREATED if done.first else status.HTTP_200_OK)

    @extend_schema(
        operation_id="change_answer", request=ChangedShape, responses={200: StoredShape, **refusals(404, 409, 422, *BODY)}
    )
    def put(self, request: Request, name: str, claim_id: int) -> Response:
        """Give another answer while the item is open; the one before is kept as an earlier answer."""
        claim, given = own_claim(request, name, claim_id), self.read(ChangedShape)
        replaces = given.pop("replaces", None)
        data = as_posted(claim, given)
        done = change(claim_id=claim.pk, annotator=person(request), data=data, replaces=replaces, campaign=name)
        return Response(_stored(claim, done.judgement, done.changed))


class DraftClaim(Resource):
    """Keeping what is chosen so far."""

    throttle_scope = "work"

    @extend_schema(operation_id="draft", request=AnswerShape, responses={204: None, **refusals(404, 409, 422, *BODY)})
    def put(self, request: Request, name: str, claim_id: int) -> Response:
        """Keep what was chosen so far; it comes back with the item."""
        claim = own_claim(request, name, claim_id)
        data = as_posted(claim, self.read(AnswerShape))
        save_draft(claim_id=claim.pk, annotator=person(request), data=data, campaign=name)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SkipClaim(Resource):
    """Skipping."""

    throttle_scope = "work"

    @extend_schema(operation_id="skip", request=SkipShape, responses={200: ClaimShape, **refusals(404, 409, *BODY)})
    def post(self, request: Request, name: str, claim_id: int) -> Response:
        """Give the item back, with or without a reason; it is not offered to you again. Skipping twice is skipping once."""
        claim, given = own_claim(request, name, claim_id), self.read(SkipShape)
        return Response(ClaimShape(skip(claim_id=claim.pk, annotator=person(request), campaign=name, **given)).data)


class FlagClaim(Resource):
    """Telling the organisers."""

    throttle_scope = "work"

    @extend_schema(operation_id="flag", request=FlagShape, responses={204: None, **refusals(404, 409, *BODY)})
    def post(self, request: Request, name: str, claim_id: int) -> Response:
        """Tell the organisers that something is wrong with the item. The same words twice are one flag."""
        claim, given = own_claim(request, name, claim_id), self.read(FlagShape)
        flag(claim_id=claim.pk, annotator=person(request), text=given["text"], campaign=name)
        return Response(status=status.HTTP_204_NO_CONTENT)


class KeepClaim(Resource):
    """Needing more time."""

    throttle_scope = "work"

    @extend_schema(operation_id="keep", request=None, responses={200: ClaimShape, **refusals(404, 409)})
    def post(self, request: Request, name: str, claim_id: int) -> Response:
        """Keep the item for as long again before it goes to somebody else."""
        claim = own_claim(request, name, claim_id)
        return Response(ClaimShape(keep_longer(claim_id=claim.pk, annotator=person(request))).data)


def _stored(claim: Claim, judgement: Judgement, stored: bool, test: object | None = None) -> Any:
    body = {
        "stored": stored,
        "counts": not judgement.uncounted,
        "uncounted": UNCOUNTED.get(judgement.uncounted, ""),
        "submitted_at": judgement.submitted_at,
        "explained": explained(claim, judgement.label),
        "test": test,
    }
    return StoredShape(body).data

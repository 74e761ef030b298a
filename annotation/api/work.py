"""The annotator's work: claiming the next item, answering it. An answer names an option by its key, never by what the option
stands for: in a pair that would say which text is the original."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.errors import InvalidAnswer
from annotation.models import Campaign, Claim, Judgement
from annotation.protocols import protocol_of
from annotation.queries.lists import answered_in_by
from annotation.queries.own import own_progress
from annotation.services.answering import save_draft, submit
from annotation.services.claiming import claim_next
from annotation.services.people import has_consented

from .access import answered, own_claim, own_claims, person
from .problems import ConsentNeeded
from .resource import BODY, ListResource, Resource, extend_schema, no_rows, refusals

UNCOUNTED = dict(Judgement.Uncounted.choices)


class WorkShape(serializers.Serializer[Any]):
    """A campaign that you answer in."""

    name = serializers.CharField()
    title = serializers.CharField()
    protocol = serializers.CharField()
    state = serializers.ChoiceField(choices=Campaign.State.choices)
    question = serializers.SerializerMethodField()
    guidelines = serializers.SerializerMethodField()
    given = serializers.IntegerField(help_text="How many answers you gave.")

    def get_question(self, campaign: Campaign) -> str:
        return str(campaign.settings["question"])

    def get_guidelines(self, campaign: Campaign) -> str:
        return str(campaign.settings["guidelines"])


class SpanShape(serializers.Serializer[Any]):
    """A piece of a text: `same`, `deleted` or `inserted`. Joined, the pieces are the text."""

    kind = serializers.CharField()
    text = serializers.CharField()


class ShownTextShape(serializers.Serializer[Any]):
    """One text as it is to be shown."""

    heading = serializers.CharField()
    spans = SpanShape(many=True)


class OptionShape(serializers.Serializer[Any]):
    """One possible answer; send its `key`."""

    key = serializers.CharField()
    name = serializers.CharField()
    definition = serializers.CharField()


class ClaimShape(serializers.ModelSerializer[Claim]):
    """An item that you hold or held."""

    class Meta:
        model = Claim
        fields = ["id", "state", "claimed_at", "expires_at"]


class HeldShape(ClaimShape):
    """An item with what it shows and what is asked."""

    texts = ShownTextShape(many=True)
    note = serializers.CharField()
    question = serializers.CharField()
    options = OptionShape(many=True)
    confidence = serializers.BooleanField(help_text="Whether an answer has to say how sure you are, from 1 to 5.")
    draft = serializers.JSONField()

    class Meta(ClaimShape.Meta):
        fields = [*ClaimShape.Meta.fields, "texts", "note", "question", "options", "confidence", "draft"]

    def to_representation(self, claim: Claim) -> dict[str, Any]:
        protocol, settings = protocol_of(claim.slot.item.campaign), claim.slot.item.campaign.settings
        shown, options = protocol.exposition(claim.slot), protocol.options(claim.slot)
        draft = {key: value for key, value in claim.draft.items() if key in ("confidence", "comment", "words")}
        chosen = [option.key for option in options if option.label.key == claim.draft.get("label")]
        return {
            **ClaimShape(claim).data,
            "texts": ShownTextShape(shown.texts, many=True).data,
            "note": shown.note,
            "question": settings["question"],
            "options": OptionShape(options, many=True).data,
            "confidence": settings["confidence"],
            "draft": draft | ({"option": chosen[0]} if chosen else {}),
        }


class AnswerShape(serializers.Serializer[Any]):
    """An answer, or a draft of one."""

    option = serializers.CharField(max_length=40, required=False, help_text="The `key` of one of the item's options.")
    words = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=1_000_000),
        required=False,
        max_length=10_000,
        help_text="Where words are to be marked: their positions, from 0.",
    )
    confidence = serializers.IntegerField(min_value=1, max_value=5, required=False, allow_null=True)
    comment = serializers.CharField(max_length=10_000, required=False, allow_blank=True)


class StoredShape(serializers.Serializer[Any]):
    """What became of an answer."""

    first = serializers.BooleanField(help_text="Whether this call stored it. If not, the first answer stands, unchanged.")
    counts = serializers.BooleanField()
    uncounted = serializers.CharField(help_text="Why it does not count; empty if it does.")
    submitted_at = serializers.DateTimeField()


class Work(ListResource):
    """Where you answer."""

    queryset = no_rows(Campaign)
    serializer_class = WorkShape

    @extend_schema(operation_id="work", responses={200: WorkShape(many=True), **refusals()})
    def get(self, request: Request) -> Response:
        """Campaigns that you answer in, the newest first."""
        return self.page(answered_in_by(person(request)), WorkShape)


class Claims(ListResource):
    """Your items in one campaign."""

    queryset = no_rows(Claim)
    serializer_class = ClaimShape
    throttle_scope = "work"

    @extend_schema(operation_id="claims", responses={200: ClaimShape(many=True), **refusals(404)})
    def get(self, request: Request, name: str) -> Response:
        """Items that you hold or held, the newest first."""
        return self.page(own_claims(request, name), ClaimShape)

    @extend_schema(operation_id="claim_next", request=None, responses={200: HeldShape, **refusals(403, 404, 409)})
    def post(self, request: Request, name: str) -> Response:
        """Your next item. Until it is answered, asking again gives the same one. 409: there is none for you now."""
        campaign, annotator = answered(request, name), person(request)
        if not has_consented(campaign=campaign, user=annotator):
            raise ConsentNeeded(request.build_absolute_uri(reverse("sheet", args=[name])))
        claim = claim_next(campaign=campaign, annotator=annotator)
        return Response(HeldShape(own_claim(request, name, claim.pk)).data)


class OneClaim(Resource):
    """One of your items."""

    throttle_scope = "work"

    @extend_schema(operation_id="claim", responses={200: HeldShape, **refusals(404)})
    def get(self, request: Request, name: str, claim_id: int) -> Response:
        """The item with what it shows and what is asked."""
        return Response(HeldShape(own_claim(request, name, claim_id)).data)


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
        claim = own_claim(request, name, claim_id)
        stored = submit(claim_id=claim.pk, annotator=person(request), data=_as_posted(claim, self.read(AnswerShape)))
        judgement = stored.judgement
        body = {
            "first": stored.first,
            "counts": not judgement.uncounted,
            "uncounted": UNCOUNTED.get(judgement.uncounted, ""),
            "submitted_at": judgement.submitted_at,
        }
        return Response(StoredShape(body).data, status=status.HTTP_201_CREATED if stored.first else status.HTTP_200_OK)


class DraftClaim(Resource):
    """Keeping what is chosen so far."""

    throttle_scope = "work"

    @extend_schema(operation_id="draft", request=AnswerShape, responses={204: None, **refusals(404, 422, *BODY)})
    def put(self, request: Request, name: str, claim_id: int) -> Response:
        """Keep what was chosen so far; it comes back with the item."""
        claim = own_claim(request, name, claim_id)
        save_draft(claim_id=claim.pk, annotator=person(request), data=_as_posted(claim, self.read(AnswerShape)))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ProgressShape(serializers.Serializer[Any]):
    """How far you are."""

    done = serializers.IntegerField()
    total = serializers.IntegerField(help_text="What you answered and what there is for you now; it moves as others answer.")
    minutes_left = serializers.IntegerField(allow_null=True)


class Progress(Resource):
    """Your progress in one campaign."""

    @extend_schema(operation_id="progress", responses={200: ProgressShape, **refusals(404)})
    def get(self, request: Request, name: str) -> Response:
        """How much you did, how much there is, and an estimate of the time."""
        return Response(ProgressShape(own_progress(answered(request, name), person(request))).data)


def _as_posted(claim: Claim, given: dict[str, Any]) -> dict[str, Any]:
    """The answer in the words of the services, which take what the page's form sends."""
    posted = {key: value for key, value in given.items() if key != "option" and value is not None}
    if "option" in given:
        options = {option.key: option.label.key for option in protocol_of(claim.slot.item.campaign).options(claim.slot)}
        if given["option"] not in options:
            raise InvalidAnswer(f"“{given['option']}” is not an option of this item. Send one of: {', '.join(options)}.")
        posted["label"] = options[given["option"]]
    return posted

"""What an item shows to whoever answers it, and how an answer is read. An answer names an option by its place, never by what the
option stands for: in a pair that would say which text is the original."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.errors import InvalidAnswer
from annotation.models import Claim, Item
from annotation.protocols import protocol_of
from annotation.queries.practice import is_right

from .reading import Body, Text, Whole

PARTS = (Item.Use.TRAINING, Item.Use.TEST)
"""Practice is called so. An attention check is called work, for nothing may tell it from others."""


class SpanShape(serializers.Serializer[Any]):
    """A piece of a text: `same`, `delete` or `insert`. Joined, the pieces are the text."""

    kind = serializers.CharField()
    text = serializers.CharField()


class PieceShape(serializers.Serializer[Any]):
    """A word with its position from 0, or (null) what stands between words. Joined, the pieces are the text."""

    text = serializers.CharField()
    word = serializers.IntegerField(allow_null=True)


class ShownTextShape(serializers.Serializer[Any]):
    """One text as it is to be shown. Word by word only where words are to be marked."""

    heading = serializers.CharField()
    spans = SpanShape(many=True)
    pieces = PieceShape(many=True)


class OptionShape(serializers.Serializer[Any]):
    """One possible answer; send its `number`."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    definition = serializers.CharField()


class ClaimShape(serializers.ModelSerializer[Claim]):
    """An item that you hold or held."""

    part = serializers.SerializerMethodField()

    class Meta:
        model = Claim
        fields = ["id", "state", "part", "claimed_at", "expires_at"]

    def get_part(self, claim: Claim) -> str:
        return claim.use if claim.use in PARTS else Item.Use.WORK.value


class HeldShape(ClaimShape):
    """An item with what it shows and what is asked."""

    texts = ShownTextShape(many=True)
    note = serializers.CharField()
    question = serializers.CharField()
    options = OptionShape(many=True, help_text="Empty where words are to be marked.")
    words_wanted = serializers.IntegerField(allow_null=True, help_text="How many words are to be marked.")
    confidence = serializers.BooleanField(help_text="Whether an answer has to say how sure you are, from 1 to 5.")
    comment = serializers.BooleanField(help_text="Whether a comment is kept.")
    draft = serializers.JSONField()

    class Meta(ClaimShape.Meta):
        fields = [
            *ClaimShape.Meta.fields, "texts", "note", "question", "options", "words_wanted", "confidence", "comment", "draft",
        ]  # fmt: skip

    def to_representation(self, claim: Claim) -> dict[str, Any]:
        protocol, settings = protocol_of(claim.slot.item.campaign), claim.slot.item.campaign.settings
        shown, options = protocol.exposition(claim.slot), protocol.options(claim.slot)
        return {
            **ClaimShape(claim).data,
            "texts": ShownTextShape(shown.texts, many=True).data,
            "note": shown.note,
            "question": settings["question"],
            "options": [
                {"number": number, "name": option.name, "definition": option.definition}
                for number, option in enumerate(options, start=1)
            ],
            "words_wanted": shown.words_wanted,
            "confidence": settings["confidence"],
            "comment": settings["comment"],
            "draft": _draft(claim),
        }


class AnswerShape(Body):
    """An answer, or a draft of one."""

    option = Whole(
        min_value=1, max_value=100, required=False, allow_null=True, help_text="The `number` of one of the item's options."
    )
    words = serializers.ListField(
        child=Whole(min_value=0, max_value=1_000_000),
        required=False,
        max_length=10_000,
        help_text="Where words are to be marked: their positions, from 0.",
    )
    confidence = Whole(min_value=1, max_value=5, required=False, allow_null=True)
    comment = Text(max_length=5_000, required=False, allow_blank=True)


class ExplainedShape(serializers.Serializer[Any]):
    """How a training item is rightly answered, and why."""

    right = serializers.BooleanField()
    option = serializers.IntegerField(allow_null=True, help_text="The number of the right one.")
    explanation = serializers.CharField()


def as_posted(claim: Claim, given: dict[str, Any]) -> dict[str, Any]:
    """The answer in the words of the services, which take what the page's form sends. Raises InvalidAnswer."""
    posted = {key: value for key, value in given.items() if key != "option" and value is not None}
    if given.get("option") is not None:
        options = protocol_of(claim.slot.item.campaign).options(claim.slot)
        if given["option"] > len(options):
            raise InvalidAnswer(f"{given['option']} is not an option of this item: there are {len(options)}.")
        posted["label"] = options[given["option"] - 1].label.key
    return posted


def explained(claim: Claim, given: Any) -> dict[str, Any] | None:
    """What training says after an answer; None for every other item."""
    item = claim.slot.item
    if claim.use != Item.Use.TRAINING or item.gold is None:
        return None
    return {"right": is_right(given, item), "option": _number_of(claim, item.gold.key), "explanation": item.explanation}


def _number_of(claim: Claim, label: str | None) -> int | None:
    options = protocol_of(claim.slot.item.campaign).options(claim.slot)
    return next((number for number, option in enumerate(options, start=1) if option.label.key == label), None)


def _draft(claim: Claim) -> dict[str, Any]:
    """A draft in the words of `AnswerShape`; it was kept as the texts of a form."""
    kept = {key: claim.draft[key] for key in ("confidence", "comment", "words") if key in claim.draft}
    return kept | {"option": _number_of(claim, claim.draft.get("label"))}

"""A campaign's items: listing, adding, and known answers for practice."""

from __future__ import annotations

import json
from typing import Any

from django.core.validators import RegexValidator
from django.db import transaction
from django_filters import CharFilter, ChoiceFilter, FilterSet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.exchange.columns import SCENARIOS
from annotation.exchange.sheets import MOST_CHARACTERS
from annotation.models import Campaign, Item, Variant
from annotation.protocols import protocol_of
from annotation.services.examples import Added, ExampleRecord, add_examples, new_of, wanted_items
from annotation.services.practice import set_gold
from annotation.services.uploads import store_upload

from .access import organised, organised_item, person
from .filters import WholeNumber, YesOrNo
from .reading import Body, Number, Text, Whole, YesNo
from .resource import BODY, LISTED, ListResource, Resource, extend_schema, no_rows, refusals
from .results import DecisionShape

LARGEST = 2**31 - 1


class VariantShape(serializers.Serializer[Any]):
    """A text and who made it: `original`, or an attacker or team."""

    kind = serializers.CharField()
    text = serializers.CharField()


class ItemShape(serializers.ModelSerializer[Item]):
    """An item with its texts exactly as they are, how far it is, and its decision if there is one."""

    original = serializers.CharField(source="original.key")
    first = VariantShape()
    second = VariantShape(allow_null=True)
    gold = serializers.CharField(source="gold.key", allow_null=True, default=None)
    decision = serializers.SerializerMethodField()

    class Meta:
        model = Item
        fields = [
            "number", "use", "made_by", "task", "original", "first", "second", "published_label", "wanted", "answered",
            "complete", "disagreed", "gold", "explanation", "decision",
        ]  # fmt: skip

    @extend_schema_field(DecisionShape(allow_null=True))
    def get_decision(self, item: Item) -> Any:
        return DecisionShape(item.decision).data if hasattr(item, "decision") else None


class Passage(Text):
    """A text that people read, kept to the last space. As in files, one of nothing but spaces is none."""

    def __init__(self, **options: Any) -> None:
        more_than_spaces = RegexValidator(r"\S", "This field may not be blank.")
        super().__init__(max_length=MOST_CHARACTERS, trim_whitespace=False, validators=[more_than_spaces], **options)


class ExampleShape(Body):
    """One example: the text that was made, and what is known of where it came from."""

    adversarial = Passage()
    original = Passage(required=False, allow_null=True)
    original_key = Text(
        max_length=80,
        required=False,
        help_text="Examples with one key are variants of one original. Without it, the text decides.",
    )
    task = Text(max_length=40, required=False)
    attacker = Text(max_length=60, required=False)
    victim = Text(max_length=80, required=False)
    scenario = serializers.ChoiceField(choices=sorted(SCENARIOS), required=False)
    label = Whole(  # type: ignore[assignment]
        min_value=0, max_value=1_000, required=False, allow_null=True
    )
    label_before = Whole(min_value=0, max_value=1_000, required=False, allow_null=True)
    label_after = Whole(min_value=0, max_value=1_000, required=False, allow_null=True)
    score_before = Number(min_value=-1e9, max_value=1e9, required=False, allow_null=True)
    score_after = Number(min_value=-1e9, max_value=1e9, required=False, allow_null=True)
    bodega_score = Number(min_value=0, max_value=1, required=False, allow_null=True)
    queries = Whole(min_value=0, max_value=LARGEST, required=False, allow_null=True)

    def to_internal_value(self, data: Any) -> Any:
        return ExampleRecord(**super().to_internal_value(data))


class NewItems(Body):
    """Examples that become items, all of them or none."""

    examples = serializers.ListField(child=ExampleShape(), min_length=1, max_length=5_000)
    originals = YesNo(default=False, help_text="Where single texts are shown: whether every original becomes an item too.")
    dry_run = YesNo(default=False, help_text="Only say what would be added.")


class AddedShape(serializers.Serializer[Any]):
    """What was added, or would be."""

    added = serializers.IntegerField()
    already_there = serializers.IntegerField(help_text="Items with these texts that the campaign has: they are left alone.")
    twice = serializers.IntegerField(help_text="Items that were sent more than once.")
    dry_run = serializers.BooleanField()


class GoldShape(Body):
    """What an item is for, and its known answer."""

    use = serializers.ChoiceField(choices=Item.Use.choices)
    gold = Text(max_length=40, required=False, allow_null=True, help_text="Key of the right label.")
    explanation = Text(max_length=10_000, required=False, allow_blank=True)


class ItemFilters(FilterSet):
    """What the list can be narrowed by. These names, and no other, become part of a query."""

    made_by = CharFilter(max_length=60)
    task = CharFilter(max_length=40)
    original = CharFilter(field_name="original__key", max_length=80)
    use = ChoiceFilter(choices=Item.Use.choices)
    from_number = WholeNumber(field_name="number", lookup_expr="gte")
    how = CharFilter(max_length=12)
    decided = CharFilter(field_name="decided__key", max_length=40)
    complete = YesOrNo()
    disagreed = YesOrNo()


class Items(ListResource):
    """The items of a campaign that you organise."""

    queryset = no_rows(Item)
    serializer_class = ItemShape
    filterset_class = ItemFilters
    ordering = "number"

    @extend_schema(operation_id="items", responses={LISTED: ItemShape(many=True), **refusals(404)})
    def get(self, request: Request, name: str) -> Response:
        """Items in order of their numbers."""
        rows = Item.objects.filter(campaign=organised(request, name))
        return self.page(rows.select_related("first", "second", "original", "gold", "decision__label"), ItemShape)

    @extend_schema(
        operation_id="add_items", request=NewItems, responses={200: AddedShape, 201: AddedShape, **refusals(404, 409, *BODY)}
    )
    def post(self, request: Request, name: str) -> Response:
        """Add items: all of them, or none if one is refused. Texts that the campaign has already are not added again."""
        campaign = organised(request, name)
        wanted = self.read(NewItems)
        examples: list[ExampleRecord] = wanted["examples"]
        _check(campaign, examples)
        if wanted["dry_run"]:
            _, counts = new_of(campaign, wanted_items(campaign, examples, originals=wanted["originals"]))
            return Response(_counted(counts, dry_run=True))
        counts = self._add(campaign, examples, originals=wanted["originals"])
        return Response(_counted(counts), status=status.HTTP_201_CREATED)

    @transaction.atomic
    def _add(self, campaign: Campaign, examples: list[ExampleRecord], *, originals: bool) -> Added:
        """What was sent is kept as a file is, so that every item's source is on record."""
        sent = json.dumps(self.request.data, ensure_ascii=False, sort_keys=True).encode()
        how = {"format": "api", "mapping": {"originals": originals}}
        by = person(self.request)
        upload = store_upload(campaign=campaign, name="API call", chunks=[sent], most=len(sent), by=by, **how)
        return add_examples(campaign=campaign, examples=examples, upload=upload, by=by, originals=originals)


class OneItem(Resource):
    """An item of a campaign that you organise."""

    @extend_schema(operation_id="item", responses={200: ItemShape, **refusals(404)})
    def get(self, request: Request, name: str, number: int) -> Response:
        """The item with this number."""
        return Response(ItemShape(organised_item(request, name, number)).data)

    @extend_schema(operation_id="set_gold", request=GoldShape, responses={200: ItemShape, **refusals(404, 409, *BODY)})
    def patch(self, request: Request, name: str, number: int) -> Response:
        """Make it an item for training, the test or attention checks, with its known answer; or one for work again."""
        item = organised_item(request, name, number)
        given = self.read(GoldShape)
        label = item.campaign.labels.filter(key=given["gold"]).first() if given.get("gold") else None
        if given.get("gold") and label is None:
            raise serializers.ValidationError({"gold": "There is no such label."})
        set_gold(item=item, by=person(request), label=label, use=given["use"], explanation=given.get("explanation", ""))
        return Response(ItemShape(organised_item(request, name, number)).data)


def _check(campaign: Campaign, examples: list[ExampleRecord]) -> None:
    """What a file's reader checks too. Raises ValidationError."""
    pair = protocol_of(campaign).pair
    wrong: dict[int, str] = {}
    for number, example in enumerate(examples):
        if example.original is None and pair:
            wrong[number] = "This campaign shows pairs, but nothing says what the original text is."
        elif example.original is None and not example.original_key:
            wrong[number] = "Without the original's text, say by `original_key` which texts are variants of one original."
        elif example.original is not None and example.attacker == Variant.UNCHANGED:
            wrong[number] = "“original” means the text before the attack; name the attacker or leave it out."
    if wrong:
        raise serializers.ValidationError({"examples": {str(number): message for number, message in wrong.items()}})


def _counted(counts: Added, *, dry_run: bool = False) -> Any:
    body = {"added": counts.added, "already_there": counts.already_there, "twice": counts.twice, "dry_run": dry_run}
    return AddedShape(body).data

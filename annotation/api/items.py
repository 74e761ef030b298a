"""A campaign's items, and adding to them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django_filters import CharFilter, ChoiceFilter, FilterSet, NumberFilter
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Item
from annotation.queries.lists import items_of, undecided
from annotation.services.recording import RecordedItem, RecordedText, key_of, record_items

from .access import organised, organised_item
from .resource import BODY, ListResource, Resource, extend_schema, no_rows, refusals
from .results import DecisionShape


class VariantShape(serializers.Serializer[Any]):
    """A text and who made it: `original`, or an attacker or team."""

    kind = serializers.CharField(max_length=60)
    text = serializers.CharField(max_length=1_000_000, trim_whitespace=False)


class ItemShape(serializers.ModelSerializer[Item]):
    """An item with its texts exactly as they are, and its decision if there is one."""

    task = serializers.CharField(source="original.task")
    original = serializers.CharField(source="original.key")
    first = VariantShape()
    second = VariantShape(allow_null=True)
    decision = DecisionShape(allow_null=True)

    class Meta:
        model = Item
        fields = ["number", "use", "made_by", "task", "original", "first", "second", "published_label", "decision"]

    def to_representation(self, item: Item) -> dict[str, Any]:
        if not hasattr(item, "decision"):
            item.decision = None
        return super().to_representation(item)


class NewItemShape(serializers.Serializer[Any]):
    """One item to be judged. Items with one `original` key are variants of one original; without a key it is the first text."""

    original = serializers.CharField(max_length=80, required=False)
    first = VariantShape()
    second = VariantShape(required=False, allow_null=True)

    def to_internal_value(self, data: Any) -> Any:
        given = super().to_internal_value(data)
        first, second = RecordedText(**given["first"]), given.get("second")
        return RecordedItem(given.get("original") or key_of(first.text), first, RecordedText(**second) if second else None)


class NewItems(serializers.Serializer[Any]):
    """Items to be added, all of them or none."""

    task = serializers.CharField(max_length=40, help_text="The data set that the texts are from.")
    items = serializers.ListField(child=NewItemShape(), min_length=1, max_length=5_000)


class Added(serializers.Serializer[Any]):
    """What was added."""

    added = serializers.IntegerField()
    first_number = serializers.IntegerField()
    last_number = serializers.IntegerField()


class ItemFilters(FilterSet):
    """What the list can be narrowed by."""

    made_by = CharFilter(max_length=60)
    task = CharFilter(field_name="original__task", max_length=40)
    original = CharFilter(field_name="original__key", max_length=80)
    use = ChoiceFilter(choices=Item.Use.choices)
    from_number = NumberFilter(field_name="number", lookup_expr="gte", min_value=0, max_value=2**31 - 1)
    decided_how = CharFilter(field_name="decision__how", max_length=12)
    decision = CharFilter(field_name="decision__label__key", max_length=40)
    undecided = ChoiceFilter(choices=[("yes", "yes")], method="only_undecided")

    def only_undecided(self, rows: QuerySet[Item], name: str, value: str) -> QuerySet[Item]:
        return undecided(rows)


class Items(ListResource):
    """The items of a campaign that you organise."""

    queryset = no_rows(Item)
    serializer_class = ItemShape
    filterset_class = ItemFilters
    ordering = "number"

    @extend_schema(operation_id="items", responses={200: ItemShape(many=True), **refusals(404)})
    def get(self, request: Request, name: str) -> Response:
        """Items in order of their numbers."""
        return self.page(items_of(organised(request, name)).select_related("original"), ItemShape)

    @extend_schema(operation_id="add_items", request=NewItems, responses={201: Added, **refusals(404, 409, *BODY)})
    def post(self, request: Request, name: str) -> Response:
        """Add items: all of them, or none if one is refused."""
        campaign = organised(request, name)
        wanted = self.read(NewItems)
        made = record_items(campaign=campaign, task=wanted["task"], items=wanted["items"])
        body = {"added": len(made), "first_number": made[0].number, "last_number": made[-1].number}
        return Response(body, status=status.HTTP_201_CREATED)


class OneItem(Resource):
    """An item of a campaign that you organise."""

    @extend_schema(operation_id="item", responses={200: ItemShape, **refusals(404)})
    def get(self, request: Request, name: str, number: int) -> Response:
        """The item with this number."""
        return Response(ItemShape(organised_item(request, name, number)).data)

"""What a campaign's answers come to, for its organiser: judgements, decisions, agreement. Nobody is named."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.functional import SimpleLazyObject
from django_filters import CharFilter, ChoiceFilter, FilterSet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Campaign, Decision, Judgement
from annotation.protocols.votes import votes_of
from annotation.queries.analysed import analysed
from annotation.services.pseudonyms import pseudonyms_of

from .access import organised
from .filters import WholeNumber, YesOrNo
from .resource import LISTED, ListResource, Resource, extend_schema, no_rows, refusals


class DecisionShape(serializers.ModelSerializer[Decision]):
    """An item's decision and how it came about."""

    item = serializers.IntegerField(source="item.number")
    label = serializers.CharField(source="label.key", allow_null=True, default=None)  # type: ignore[assignment]

    class Meta:
        model = Decision
        fields = ["item", "label", "value", "how", "stale", "n_judgements", "decided_at"]


class JudgementShape(serializers.ModelSerializer[Judgement]):
    """One answer. `annotator` is the pseudonym that all exports use: A1, A2, …"""

    id = serializers.IntegerField()
    item = serializers.IntegerField(source="claim.item.number")
    position = serializers.IntegerField(source="claim.slot.position")
    further = serializers.BooleanField(
        source="claim.slot.extra", help_text="It was asked for because the others differed, and is left out of agreement."
    )
    swapped = serializers.BooleanField(source="claim.slot.swapped")
    annotator = serializers.SerializerMethodField()
    annotator_kind = serializers.CharField(source="claim.annotator.kind")
    label = serializers.CharField(source="label.key", allow_null=True, default=None)  # type: ignore[assignment]
    value = serializers.IntegerField(source="label.value", allow_null=True, default=None)
    words = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    uncounted = serializers.CharField(help_text="Empty, or why the answer does not count: closed, surplus, excluded.")

    class Meta:
        model = Judgement
        fields = [
            "id", "item", "position", "further", "swapped", "annotator", "annotator_kind", "label", "value", "words",
            "confidence", "comment", "uncounted", "seconds", "active_seconds", "submitted_at",
        ]  # fmt: skip

    def get_annotator(self, judgement: Judgement) -> str:
        return str(self.context["names"][judgement.claim.annotator_id])


class JudgementFilters(FilterSet):
    """What the list can be narrowed by. Pseudonyms are none of it: they exist only in answers."""

    item = WholeNumber(field_name="claim__item__number")
    label = CharFilter(field_name="label__key", max_length=40)
    confidence = WholeNumber()
    uncounted = ChoiceFilter(choices=[*Judgement.Uncounted.choices, ("no", "it counts")], method="by_reason")

    def by_reason(self, rows: QuerySet[Judgement], name: str, value: str) -> QuerySet[Judgement]:
        return rows.filter(uncounted="" if value == "no" else value)


class DecisionFilters(FilterSet):
    """What the list can be narrowed by."""

    item = WholeNumber(field_name="item__number")
    label = CharFilter(field_name="label__key", max_length=40)
    how = CharFilter(max_length=12)
    stale = YesOrNo()


class IntervalShape(serializers.Serializer[Any]):
    """A confidence interval."""

    low = serializers.FloatField()
    high = serializers.FloatField()
    method = serializers.CharField()
    level = serializers.FloatField()


class ReasonShape(serializers.Serializer[Any]):
    """Why there is no value."""

    code = serializers.CharField()
    message = serializers.CharField()


class FigureShape(serializers.Serializer[Any]):
    """A figure: a value, or the reason why there is none."""

    title = serializers.CharField()
    detail = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    reason = ReasonShape(allow_null=True)
    n = serializers.IntegerField()
    left_out = serializers.DictField(child=serializers.IntegerField(), help_text="What was left out: how many, by cause.")
    method = serializers.CharField()
    interval = IntervalShape(allow_null=True)
    no_interval = ReasonShape(allow_null=True, help_text="Why a value has no interval, where that is known.")
    labels_declared = serializers.ListField(child=serializers.CharField())
    labels_seen = serializers.ListField(child=serializers.CharField())


class TableShape(serializers.Serializer[Any]):
    """A table; the first column names the row. Cells are text, numbers, null, or figures."""

    title = serializers.CharField()
    note = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    styles = serializers.DictField(
        child=serializers.CharField(),
        help_text="Columns whose numbers are a `share`, a difference of shares (`points`), or `p`.",
    )
    rows = serializers.ListField(child=serializers.ListField(child=serializers.JSONField()))


class AgreementShape(serializers.Serializer[Any]):
    """All figures and tables of a campaign, with the method in words."""

    method = serializers.CharField()
    figures = serializers.DictField(child=FigureShape())
    tables = serializers.DictField(child=TableShape())


class Judgements(ListResource):
    """The answers of a campaign that you organise."""

    queryset = no_rows(Judgement)
    serializer_class = JudgementShape
    filterset_class = JudgementFilters
    ordering = "pk"

    @extend_schema(operation_id="judgements", responses={LISTED: JudgementShape(many=True), **refusals(404)})
    def get(self, request: Request, name: str) -> Response:
        """Every answer, counted or not, in the order in which they came; people under pseudonyms."""
        campaign = organised(request, name)
        rows = Judgement.objects.filter(claim__campaign=campaign)
        rows = rows.select_related("label", "claim__item", "claim__slot", "claim__annotator")
        # Read after the rows: somebody may give a first answer meanwhile.
        return self.page(rows, JudgementShape, names=SimpleLazyObject(lambda: pseudonyms_of(campaign)))


class Decisions(ListResource):
    """The decisions of a campaign that you organise."""

    queryset = no_rows(Decision)
    serializer_class = DecisionShape
    filterset_class = DecisionFilters
    ordering = "pk"

    @extend_schema(operation_id="decisions", responses={LISTED: DecisionShape(many=True), **refusals(404)})
    def get(self, request: Request, name: str) -> Response:
        """The current decision of every item that has one, in the order in which they were first made."""
        rows = Decision.objects.filter(item__campaign=organised(request, name))
        return self.page(rows.select_related("label", "item"), DecisionShape)


class Agreement(Resource):
    """The figures of a campaign that you organise."""

    @extend_schema(operation_id="agreement", responses={200: AgreementShape, **refusals(404)})
    def get(self, request: Request, name: str) -> Response:
        """The protocol's figures and tables, each figure with n, what was left out, its method and its interval."""
        return Response(_figures(organised(request, name)))


def _figures(campaign: Campaign) -> dict[str, Any]:
    return analysed(campaign, votes_of(campaign)).as_dict()

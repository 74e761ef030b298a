"""Attack runs: what there is to attack, starting a run, its figures, and its texts with how each ended."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django_filters import ChoiceFilter, FilterSet
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.forms.attacks import StartAttackForm
from annotation.models import AttackRun, Outcome, Task, Victim
from annotation.queries.lists import runs_seen_by
from annotation.queries.outcomes import STATUSES
from annotation.services.attacking import start_attack

from .access import OrganisersOnly, person
from .jobs import JobShape
from .reading import Body, YesNo, as_json
from .resource import BODY, LISTED, ListResource, Resource, extend_schema, no_rows, refusals


class TaskShape(serializers.ModelSerializer[Task]):
    """A data set: how many of its texts, credible and non-credible, are to train on, to check with and to attack."""

    counts = serializers.JSONField()

    class Meta:
        model = Task
        fields = ["id", "name", "sha256", "counts", "created_at"]


class VictimShape(serializers.ModelSerializer[Victim]):
    """A classifier, and the task that it was trained on."""

    class Meta:
        model = Victim
        fields = ["id", "name", "kind", "trained_on", "sha256", "created_at"]


class RunShape(serializers.ModelSerializer[AttackRun]):
    """An attack run: who attacked whom, on what."""

    class Meta:
        model = AttackRun
        fields = ["id", "name", "task", "victim", "attacker", "constraint", "created_at"]


class WholeRunShape(RunShape):
    """The same with all figures, settings, versions and hashes, and the run that it is compared with."""

    summary = serializers.JSONField()
    comparison = serializers.JSONField()
    baseline = serializers.IntegerField(source="baseline_id", allow_null=True)

    class Meta(RunShape.Meta):
        fields = [*RunShape.Meta.fields, "baseline", "summary", "comparison"]


class AttackedShape(serializers.ModelSerializer[Outcome]):
    """One text: how the attack on it ended, and, if it succeeded, what it was changed to. Scores of the victim are
    probabilities of “non-credible”."""

    original = serializers.CharField(source="before.text")
    altered = serializers.CharField(source="example.after.text", allow_null=True, default=None)
    score_after = serializers.FloatField(source="example.score_after", allow_null=True, default=None)
    bodega_score = serializers.FloatField(source="example.bodega_score", allow_null=True, default=None)
    semantic_score = serializers.FloatField(source="example.semantic_score", allow_null=True, default=None)
    character_score = serializers.FloatField(source="example.character_score", allow_null=True, default=None)

    class Meta:
        model = Outcome
        fields = [
            "number", "status", "message", "label", "label_before", "original", "altered", "score_before", "score_after",
            "bodega_score", "semantic_score", "character_score", "asked", "unique", "sent",
        ]  # fmt: skip


NAMED = ("task", "victim", "attacker")
"""What no attack can do without."""


class StartRun(Body):
    """An attack that is to be run, as the page’s form has it. `model`, a suspicion model’s name, is asked afterwards; with `tau`,
    `margin` or `observe` it is a constraint. The others below are constraints, too."""

    parameters = serializers.DictField(
        required=False, child=serializers.JSONField(), help_text="The attacker’s own, by name; the others as its paper has them."
    )
    targeted = YesNo(required=False, default=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        asked = {name: field for name, field in StartAttackForm.base_fields.items() if name != "scenario"}
        return {name: as_json(field, required=name in NAMED) for name, field in asked.items()} | super().get_fields()


def _as_form(body: dict[str, Any]) -> dict[str, Any]:
    """The values as the page's form sends them."""
    given = {name: value for name, value in body.items() if value is not None}
    given["scenario"] = "targeted" if given.pop("targeted") else "untargeted"
    own = {f"{given['attacker']}.{name}": _written(value) for name, value in given.pop("parameters", {}).items()}
    return {**StartAttackForm.defaults, **given, **own}


def _written(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


class Tasks(ListResource):
    """What can be attacked."""

    queryset = no_rows(Task)
    serializer_class = TaskShape
    permission_classes = (OrganisersOnly,)

    @extend_schema(operation_id="tasks", responses={LISTED: TaskShape(many=True), **refusals(403)})
    def get(self, request: Request) -> Response:
        """All tasks, the newest first."""
        return self.page(Task.objects.all(), TaskShape)


class Victims(ListResource):
    """Who can be attacked."""

    queryset = no_rows(Victim)
    serializer_class = VictimShape
    permission_classes = (OrganisersOnly,)

    @extend_schema(operation_id="victims", responses={LISTED: VictimShape(many=True), **refusals(403)})
    def get(self, request: Request) -> Response:
        """All victims, the newest first."""
        return self.page(Victim.objects.all(), VictimShape)


class Runs(ListResource):
    """Attack runs."""

    queryset = no_rows(AttackRun)
    serializer_class = RunShape
    permission_classes = (OrganisersOnly,)

    @extend_schema(operation_id="runs", responses={LISTED: RunShape(many=True), **refusals(403)})
    def get(self, request: Request) -> Response:
        """All runs, the newest first."""
        return self.page(runs_seen_by(person(request)), RunShape)

    @extend_schema(operation_id="start_run", request=StartRun, responses={202: JobShape, **refusals(403, 409, *BODY)})
    def post(self, request: Request) -> Response:
        """Start an attack. A job does it: its `result` names the run, once its `state` is `done`."""
        body = self.read(StartRun)
        form = StartAttackForm(person(request), _as_form(body))
        known = form.chosen.settings
        if unknown := sorted(set(body.get("parameters", ())) - set(known)):
            has = f"It has {', '.join(known)}." if known else "It has none."
            form.add_error("attacker", f"{form.chosen.name} has no parameter “{unknown[0][:80]}”. {has}")
        if not form.is_valid():
            own = f"{form.chosen.name}."
            refused = {name: str(errors[0]) for name, errors in form.errors.items()}
            parameters = {name.removeprefix(own): said for name, said in refused.items() if name.startswith(own)}
            others = {name: said for name, said in refused.items() if not name.startswith(own)}
            raise serializers.ValidationError(others | ({"parameters": parameters} if parameters else {}))
        job = start_attack(wanted=form.wanted, by=person(request))
        return Response(JobShape(job).data, status=status.HTTP_202_ACCEPTED)


class OneRun(Resource):
    """One attack run."""

    permission_classes = (OrganisersOnly,)

    @extend_schema(operation_id="run", responses={200: WholeRunShape, **refusals(403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        """The run with its figures."""
        return Response(WholeRunShape(_run(request, pk)).data)


class AttackedFilter(FilterSet):
    """How the attack ended."""

    status = ChoiceFilter(choices=list(STATUSES.items()), empty_label=None)


class Attacked(ListResource):
    """A run's texts."""

    queryset = no_rows(Outcome)
    serializer_class = AttackedShape
    filterset_class = AttackedFilter
    ordering = "number"
    permission_classes = (OrganisersOnly,)

    @extend_schema(operation_id="attacked", responses={LISTED: AttackedShape(many=True), **refusals(403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        """The texts in order of their numbers."""
        rows: QuerySet[Outcome] = _run(request, pk).outcomes.select_related("before", "example__after")
        return self.page(rows, AttackedShape)


def _run(request: Request, pk: int) -> AttackRun:
    """A run that the caller may see."""
    found: AttackRun = get_object_or_404(runs_seen_by(person(request)), pk=pk)
    return found

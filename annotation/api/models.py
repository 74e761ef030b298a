"""Learned models: what there is, their cards, and what they say of a text."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Job, LearnedModel
from annotation.queries.lists import models_seen_by
from annotation.services.predicting import LONGEST, ask_prediction

from .access import person, seen_model, tried_text
from .reading import Body, Text
from .resource import BODY, LISTED, ListResource, Resource, extend_schema, no_rows, refusals


class ModelShape(serializers.ModelSerializer[LearnedModel]):
    """A model: what it is, and what it learned from."""

    campaigns = serializers.SerializerMethodField(help_text="Names of the campaigns that it learned from; none for uploads.")
    uploaded = serializers.SerializerMethodField()

    class Meta:
        model = LearnedModel
        fields = ["id", "kind", "name", "campaigns", "uploaded", "simulated", "sha256", "created_at"]

    def get_campaigns(self, model: LearnedModel) -> list[str]:
        return [campaign.name for campaign in model.learned_from]

    def get_uploaded(self, model: LearnedModel) -> bool:
        return model.uploaded_by_id is not None


class CardShape(ModelShape):
    """The same with the card of the model's folder: data by hash, features, seed, evaluation with intervals, calibration."""

    card = serializers.JSONField()

    class Meta(ModelShape.Meta):
        fields = [*ModelShape.Meta.fields, "card"]


class TryText(Body):
    """A text that is to be scored."""

    text = Text(max_length=LONGEST, trim_whitespace=False)


class WordShape(serializers.Serializer[Any]):
    """A word at `start` to `end` of the text, and by how much it raises the score."""

    word = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    effect = serializers.FloatField()


class FoundShape(serializers.Serializer[Any]):
    """What the model says. Without an interval, `no_interval` says why."""

    score = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    no_interval = serializers.CharField()
    words = WordShape(many=True)
    words_in_text = serializers.IntegerField()


class PredictionShape(serializers.ModelSerializer[Job]):
    """A text that was asked about, and how far its answer is. It is dropped after an hour."""

    text = serializers.CharField(source="arguments.text")
    result = FoundShape(allow_null=True)

    class Meta:
        model = Job
        fields = ["id", "state", "text", "result", "error", "created_at"]


class Models(ListResource):
    """The models that you may see."""

    queryset = no_rows(LearnedModel)
    serializer_class = ModelShape

    @extend_schema(operation_id="models", responses={LISTED: ModelShape(many=True), **refusals()})
    def get(self, request: Request) -> Response:
        """Models of your campaigns, and uploaded ones, the newest first."""
        return self.page(models_seen_by(person(request)), ModelShape)


class OneModel(Resource):
    """A model that you may see."""

    @extend_schema(operation_id="model", responses={200: CardShape, **refusals(404)})
    def get(self, request: Request, pk: int) -> Response:
        """The model with its card."""
        return Response(CardShape(seen_model(request, pk)).data)


class Predictions(Resource):
    """Asking a model about a text."""

    @extend_schema(operation_id="predict", request=TryText, responses={202: PredictionShape, **refusals(404, 409, *BODY)})
    def post(self, request: Request, pk: int) -> Response:
        """Have a suspicion model score a text and say which words drive it. A worker does that: ask for the answer by its id."""
        model = seen_model(request, pk)
        job = ask_prediction(model=model, by=person(request), **self.read(TryText))
        return Response(PredictionShape(job).data, status=status.HTTP_202_ACCEPTED)


class OnePrediction(Resource):
    """What came of it."""

    @extend_schema(operation_id="prediction", responses={200: PredictionShape, **refusals(404)})
    def get(self, request: Request, pk: int, job: int) -> Response:
        """The answer, once `state` is `done`. Nobody else can read it."""
        seen_model(request, pk)
        return Response(PredictionShape(tried_text(request, pk, job)).data)

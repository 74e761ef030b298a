"""What a campaign can be made from."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.protocols import PROTOCOLS

from .resource import LISTED, Resource, extend_schema, refusals


class LabelShape(serializers.Serializer[Any]):
    """A possible answer."""

    key = serializers.CharField()
    value = serializers.IntegerField()
    name = serializers.CharField()
    definition = serializers.CharField()
    hotkey = serializers.CharField()


class PresetShape(serializers.Serializer[Any]):
    """A starting point of campaigns."""

    protocol = serializers.CharField()
    preset = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField()
    labels = LabelShape(many=True)
    settings = serializers.JSONField(help_text="Every setting with its default.")
    offered_settings = serializers.ListField(child=serializers.CharField(), help_text="Those that can be changed.")


class Presets(Resource):
    """The presets of all protocols."""

    @extend_schema(operation_id="presets", responses={LISTED: PresetShape(many=True), **refusals()})
    def get(self, request: Request) -> Response:
        """Pass `protocol` and `preset` of one when you make a campaign, and the settings and labels that should differ."""
        presets = [
            {
                "protocol": protocol.key,
                "preset": name,
                "title": preset.title,
                "about": preset.about,
                "labels": preset.labels,
                "settings": preset.all_settings,
                "offered_settings": sorted(protocol.offered_settings),
            }
            for protocol in PROTOCOLS.values()
            for name, preset in protocol.presets.items()
        ]
        return Response(PresetShape(presets, many=True).data)

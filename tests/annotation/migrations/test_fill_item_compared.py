"""Migrations stand alone: what they do does not change with the program."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

from django.apps import apps

from annotation import migrations
from annotation.models import Item
from annotation.services.comparing import compared
from tests.annotation.conftest import MakeCampaign

FOLDER = Path(migrations.__path__[0])


def test_no_migration_imports_the_app() -> None:
    found = [
        (path.name, name)
        for path in sorted(FOLDER.glob("0*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        for name in _imported(node)
        if name.split(".")[0] in ("annotation", "config")
    ]
    assert found == []


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []


def test_items_of_before_are_compared_as_items_of_today_are(make_campaign: MakeCampaign) -> None:
    make_campaign(items=2)
    Item.objects.update(edits=None, character_score=None)
    import_module("annotation.migrations.0026_fill_item_compared").fill(apps, None)
    for item in Item.objects.select_related("first", "second"):
        assert item.second is not None
        assert {"edits": item.edits, "character_score": item.character_score} == compared(item.first.text, item.second.text)

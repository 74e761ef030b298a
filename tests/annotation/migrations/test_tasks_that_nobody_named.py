"""What was called a task before, and is none."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from annotation.models import Item, Original
from tests.annotation.conftest import MakeCampaign


@pytest.mark.django_db
def test_stand_ins_go_and_tasks_stay(make_campaign: MakeCampaign) -> None:
    make_campaign(items=4)
    for item, (task, key) in zip(
        Item.objects.order_by("number"), [("imported", "a"), ("pairs", "a"), ("pairs", "b"), ("headlines", "c")], strict=True
    ):
        Original.objects.filter(pk=item.original_id).update(task=task, key=key)
        Item.objects.filter(pk=item.pk).update(task=task)
    import_module("annotation.migrations.0028_tasks_that_nobody_named").unname(apps, None)
    # Two originals cannot have one name: the second of equal ones keeps its own.
    expected = ["", "pairs", "", "headlines"]
    assert list(Item.objects.order_by("number").values_list("original__task", flat=True)) == expected
    assert list(Item.objects.order_by("number").values_list("task", flat=True)) == expected

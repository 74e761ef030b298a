"""Campaigns made before there were these columns get what a new one would have."""

import hashlib

from django.db import migrations

WORKING = {
    "guidelines": "",
    "comment": False,
    "claim_minutes": 60,
    "quota": 0,
    "third_from": "",
    "conflicts": "third_annotator",
    "conflict_distance": 1,
    "weights": "none",
    "prevalence": "",
    "attention_every": 0,
    "pass_mark": 0.8,
    "tries": 2,
    "idle_seconds": 60,
    "examples": [],
}
AT_ONCE = 1000


def fill(apps, schema_editor):
    Campaign, Item = apps.get_model("annotation", "Campaign"), apps.get_model("annotation", "Item")
    Sheet, Consent = apps.get_model("annotation", "InformationSheet"), apps.get_model("annotation", "Consent")
    for campaign in Campaign.objects.all():
        campaign.settings = {**WORKING, **campaign.settings}
        campaign.save(update_fields=["settings"])
    for sheet in Sheet.objects.all():
        sheet.sections = [{"key": "all", "heading": "", "text": sheet.text}]
        sheet.save(update_fields=["sections"])
    for consent in Consent.objects.select_related("sheet"):
        consent.sheet_sha256 = consent.sheet.sha256
        consent.save(update_fields=["sheet_sha256"])
    batch = []
    for item in Item.objects.select_related("first", "second").order_by("pk").iterator(AT_ONCE):
        shown = [variant for variant in (item.first, item.second) if variant]
        item.made_by = shown[-1].kind
        parts = [part for variant in shown for part in (variant.kind, variant.sha256)]
        item.content_sha256 = hashlib.sha256("\n".join(parts).encode()).hexdigest()
        batch.append(item)
        if len(batch) == AT_ONCE:
            Item.objects.bulk_update(batch, ["made_by", "content_sha256"])
            batch = []
    Item.objects.bulk_update(batch, ["made_by", "content_sha256"])


class Migration(migrations.Migration):
    dependencies = [("annotation", "0002_people_and_work")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]

"""Slots that were opened because two people differed say so."""

from django.db import migrations, models


def fill(apps, schema_editor):
    Campaign, Slot = apps.get_model("annotation", "Campaign"), apps.get_model("annotation", "Slot")
    for campaign in Campaign.objects.filter(protocol="meaning", imported=False):
        Slot.objects.filter(campaign=campaign, position__gt=campaign.settings["slots"]).update(extra=True)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0010_fill_settings")]

    operations = [
        migrations.AddField(
            "slot",
            "extra",
            models.BooleanField(default=False, help_text="wanted because the first answers differed, not from the start"),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]

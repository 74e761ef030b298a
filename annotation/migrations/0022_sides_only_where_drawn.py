"""Sides were drawn for every slot, also where the original always stands first. What was never shown so is not swapped."""

from django.db import migrations


def straighten(apps, schema_editor):
    slots = apps.get_model("annotation", "Slot").objects.filter(swapped=True)
    slots.exclude(campaign__protocol="preference").update(swapped=False)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0021_forget_how_withdrawn_people_did")]

    operations = [migrations.RunPython(straighten, migrations.RunPython.noop)]

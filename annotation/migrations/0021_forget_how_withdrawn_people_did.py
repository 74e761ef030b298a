"""Whoever had withdrawn kept how often they took the test, and a quota of their own; neither is kept any more."""

from django.db import migrations


def forget(apps, schema_editor):
    apps.get_model("annotation", "Membership").objects.filter(state="withdrawn").update(tries=0, quota=None)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0020_closed_slots")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]

"""Slots and claims repeat their item's campaign, so that claiming and counting read one index. First the columns, still empty:
PostgreSQL does not alter a table in the transaction that filled it."""

import django.db.models.deletion
from django.db import migrations, models

USES = [("work", "work"), ("training", "training"), ("test", "test"), ("attention", "attention check")]


def campaign(related_name):
    return models.ForeignKey(
        "annotation.Campaign",
        on_delete=django.db.models.deletion.CASCADE,
        null=True,
        related_name=related_name,
        help_text="the item's",
    )


class Migration(migrations.Migration):
    dependencies = [("annotation", "0006_files")]

    operations = [
        migrations.AddField("slot", "campaign", campaign("slots")),
        migrations.AddField("claim", "campaign", campaign("claims")),
        migrations.AddField("claim", "use", models.CharField(choices=USES, default="work", help_text="the item's", max_length=9)),
    ]

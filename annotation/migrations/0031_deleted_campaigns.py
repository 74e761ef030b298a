from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0030_batches")]

    operations = [
        migrations.AlterField(
            model_name="campaign",
            name="state",
            field=models.CharField(
                choices=[
                    ("draft", "being prepared"),
                    ("open", "open"),
                    ("paused", "paused"),
                    ("closed", "closed"),
                    ("deleted", "deleted"),
                ],
                default="draft",
                max_length=8,
            ),
        ),
    ]

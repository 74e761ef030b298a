from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def keep_campaigns(apps: Any, schema_editor: Any) -> None:
    """Every model has learned from one campaign so far."""
    lessons = apps.get_model("annotation", "LearnedFrom")
    known = apps.get_model("annotation", "LearnedModel").objects.order_by("pk").values_list("pk", "campaign_id")
    lessons.objects.bulk_create(lessons(model_id=model, campaign_id=campaign) for model, campaign in known)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0032_skipped_claims")]

    operations = [
        migrations.CreateModel(
            name="LearnedFrom",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="lessons", to="annotation.campaign"
                    ),
                ),
                (
                    "model",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="lessons", to="annotation.learnedmodel"
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.AddConstraint(
            model_name="learnedfrom",
            constraint=models.UniqueConstraint(fields=("model", "campaign"), name="learned_from_once"),
        ),
        migrations.RunPython(keep_campaigns, migrations.RunPython.noop),
        migrations.RemoveField(model_name="learnedmodel", name="campaign"),
        migrations.AddField(
            model_name="learnedmodel",
            name="campaigns",
            field=models.ManyToManyField(related_name="models", through="annotation.LearnedFrom", to="annotation.campaign"),
        ),
        migrations.AddField(
            model_name="learnedmodel",
            name="uploaded_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]

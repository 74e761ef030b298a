from __future__ import annotations

from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def tell_outcomes(apps: Any, schema_editor: Any) -> None:
    """Of the runs so far, only successes are known here."""
    examples = apps.get_model("annotation", "Example").objects.filter(run__isnull=False).order_by("run", "pk")
    outcomes = apps.get_model("annotation", "Outcome").objects
    numbers: dict[int, int] = {}
    rows = []
    for example in examples.iterator():
        numbers[example.run_id] = numbers.get(example.run_id, 0) + 1
        rows.append(
            outcomes.model(
                run_id=example.run_id,
                number=numbers[example.run_id],
                before_id=example.before_id,
                example=example,
                status=example.status,
                label=example.label,
                label_before=example.label_before,
                score_before=example.score_before,
                asked=example.queries,
            )
        )
    outcomes.bulk_create(rows, batch_size=500)


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0033_models_of_several_campaigns"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="whole",
            field=models.ForeignKey(
                blank=True,
                help_text="what this is a part of; that one waits until all of its parts are done",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="parts",
                to="annotation.job",
            ),
        ),
        migrations.CreateModel(
            name="Outcome",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(help_text="place in the attack set, from 1")),
                ("status", models.CharField(max_length=20)),
                ("message", models.TextField(blank=True)),
                ("label", models.PositiveSmallIntegerField(help_text="gold label: 1 non-credible", null=True)),
                ("label_before", models.PositiveSmallIntegerField(null=True)),
                ("score_before", models.FloatField(help_text="the victim's probability of label 1", null=True)),
                ("asked", models.PositiveIntegerField(help_text="texts that the search asked about", null=True)),
                ("unique", models.PositiveIntegerField(help_text="of these, different ones", null=True)),
                ("sent", models.PositiveIntegerField(help_text="of these, sent to the victim", null=True)),
                (
                    "before",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.variant"),
                ),
                (
                    "example",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="outcomes",
                        to="annotation.example",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="outcomes", to="annotation.attackrun"
                    ),
                ),
            ],
            options={
                "ordering": ["run", "number"],
            },
        ),
        migrations.CreateModel(
            name="Suspicion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("before", models.FloatField()),
                ("after", models.FloatField()),
                (
                    "model",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotation.learnedmodel"
                    ),
                ),
                (
                    "outcome",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="suspicions", to="annotation.outcome"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Task",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40, unique=True)),
                ("folder", models.CharField(max_length=300)),
                ("sha256", models.CharField(max_length=64)),
                ("counts", models.JSONField(default=dict, help_text="split → texts with each label: [credible, non-credible]")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Victim",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=120, unique=True)),
                ("kind", models.CharField(max_length=20)),
                ("trained_on", models.CharField(blank=True, help_text="the task that its card names", max_length=120)),
                ("folder", models.CharField(max_length=300)),
                ("sha256", models.CharField(max_length=64)),
                ("card", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="outcome",
            index=models.Index(fields=["run", "status", "number"], name="outcome_by_status"),
        ),
        migrations.AddConstraint(
            model_name="outcome",
            constraint=models.UniqueConstraint(fields=("run", "number"), name="outcome_number_once_per_run"),
        ),
        migrations.AddConstraint(
            model_name="suspicion",
            constraint=models.UniqueConstraint(fields=("outcome", "model"), name="suspicion_once_per_model"),
        ),
        migrations.RunPython(tell_outcomes, migrations.RunPython.noop),
    ]

"""Items that a large import writes some at a time, and that are seen all at once."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

STATES = [
    ("writing", "being written"),
    ("dropped", "given up; its items go"),
    ("seen", "its items are seen; some of their slots may not be open yet"),
    ("open", "its items are seen and their slots open"),
]


class Migration(migrations.Migration):
    dependencies = [("annotation", "0029_known_of_uploads")]

    operations = [
        migrations.CreateModel(
            name="Batch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("state", models.CharField(choices=STATES, default="writing", max_length=7)),
                ("begun_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "upload",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="batches", to="annotation.upload"
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["state"], name="batch_by_state")]},
        ),
        migrations.AddField(
            model_name="item",
            name="batch",
            field=models.ForeignKey(
                blank=True,
                help_text="items that are seen together",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="annotation.batch",
            ),
        ),
        migrations.RemoveIndex(model_name="item", name="item_counts"),
        migrations.AddIndex(
            model_name="item",
            index=models.Index(
                fields=["campaign", "use", "complete", "how", "disagreed", "wanted", "answered", "batch"], name="item_counts"
            ),
        ),
    ]

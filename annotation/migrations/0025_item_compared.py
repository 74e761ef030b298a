"""Items get columns for how their judged text differs from its original."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0024_blur_withdrawn")]

    operations = [
        migrations.AddField(
            model_name="item",
            name="edits",
            field=models.JSONField(
                help_text="of the judged text against its original, by kind; null where it is not known", null=True
            ),
        ),
        migrations.AddField(
            model_name="item",
            name="character_score",
            field=models.FloatField(help_text="BODEGA's, of the judged text against its original", null=True),
        ),
    ]

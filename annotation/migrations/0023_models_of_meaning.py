"""Models learn from meaning campaigns, too: the table of suspicion models becomes that of all models."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0022_sides_only_where_drawn")]

    operations = [
        migrations.RenameModel("SuspicionModel", "LearnedModel"),
        migrations.AddField(
            model_name="learnedmodel",
            name="kind",
            field=models.CharField(
                choices=[("suspicion", "suspicion model"), ("meaning", "meaning model")], default="suspicion", max_length=9
            ),
        ),
    ]

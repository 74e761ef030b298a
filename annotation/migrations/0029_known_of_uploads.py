from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0028_tasks_that_nobody_named")]

    operations = [
        migrations.AddField(
            model_name="upload",
            name="known",
            field=models.PositiveIntegerField(default=0, help_text="how many of the added items have a known answer"),
        ),
    ]

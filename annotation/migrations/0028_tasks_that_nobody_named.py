"""Texts of which no task is known had the task “imported” or “pairs”, as if it were the name of one: now it is empty."""

from django.db import migrations, models

NO_TASKS = ("imported", "pairs")


def unname(apps, schema_editor):
    """An original may be there under both: then the one that is there already stays as it is named."""
    Original, Item = (apps.get_model("annotation", name) for name in ("Original", "Item"))
    for task in NO_TASKS:
        there = Original.objects.filter(task="").values("key")
        Original.objects.filter(task=task).exclude(key__in=there).update(task="")
    Item.objects.filter(task__in=NO_TASKS, original__task="").update(task="")


class Migration(migrations.Migration):
    dependencies = [("annotation", "0027_names_whatever_their_capitals")]

    operations = [
        migrations.AlterField(
            model_name="original",
            name="task",
            field=models.CharField(
                blank=True,
                help_text="the data set, for instance FC or headlines; empty where nobody said",
                max_length=40,
            ),
        ),
        migrations.RunPython(unname, migrations.RunPython.noop),
    ]

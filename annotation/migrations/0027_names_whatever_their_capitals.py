"""Account names are unique whatever their capitals. Of accounts whose names differ in nothing else, the oldest keeps its name."""

from django.db import migrations, models
from django.db.models.functions import Lower


def rename(apps, editor):
    users = apps.get_model("annotation", "User").objects.using(editor.connection.alias)
    taken = set()
    for pk, name in users.order_by("pk").values_list("pk", "username"):
        fresh, number = name, 2
        while fresh.lower() in taken:
            fresh, number = f"{name[:140]}-{number}", number + 1
        taken.add(fresh.lower())
        if fresh != name:
            users.filter(pk=pk).update(username=fresh)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0026_fill_item_compared")]
    operations = [
        migrations.RunPython(rename, migrations.RunPython.noop),
        migrations.AddConstraint("user", models.UniqueConstraint(Lower("username"), name="user_name_once_whatever_its_capitals")),
    ]

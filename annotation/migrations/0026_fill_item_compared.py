"""Items that are there already are compared with their originals: some at a time, so that others can write in between. Stopped
and started again, it goes on where it was. Where there are none it does nothing, and needs nothing of the program."""

from django.db import migrations
from django.db.models import Case, F, Q, When
from django.db.models.functions import Coalesce

AT_ONCE = 500


def compared(before, after):
    # Asked for only where there is something to compare: a new database does not hang on what the library is like by then.
    from scoring.texts.character import character_score
    from scoring.texts.edits import edit_counts, typed_edits

    counts = edit_counts(typed_edits(before, after))
    return {"edits": {kind: n for kind, n in counts.items() if n}, "character_score": character_score(before, after)}


def fill(apps, schema_editor):
    Item = apps.get_model("annotation", "Item")
    known = Q(first__kind="original", second__isnull=False) | Q(second__isnull=True, example__after=F("first"))
    waiting = (
        Item.objects.filter(known, character_score__isnull=True)
        .annotate(
            old=Case(When(second__isnull=True, then="example__before__text"), default="first__text"),
            new=Coalesce("second__text", "first__text"),
        )
        .order_by("pk")
        .values_list("pk", "old", "new")
    )
    last = 0
    while rows := list(waiting.filter(pk__gt=last)[:AT_ONCE]):
        Item.objects.bulk_update([Item(pk=pk, **compared(old, new)) for pk, old, new in rows], ["edits", "character_score"])
        last = rows[-1][0]


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("annotation", "0025_item_compared")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]

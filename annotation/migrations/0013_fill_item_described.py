"""Items get the columns by which lists filter and count, from their originals, slots, answers and decisions."""

from django.db import migrations
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce


def fill(apps, schema_editor):
    get = lambda name: apps.get_model("annotation", name)  # noqa: E731
    Campaign, Decision, Item, Judgement = (get(name) for name in ("Campaign", "Decision", "Item", "Judgement"))
    Original, Slot = get("Original"), get("Slot")
    decision = Decision.objects.filter(item=OuterRef("pk"))
    slots = Slot.objects.filter(item=OuterRef("pk")).order_by().values("item").annotate(n=Count("pk")).values("n")
    counted = Judgement.objects.filter(claim__item=OuterRef("pk"), uncounted="")
    answers = counted.order_by().values("claim__item").annotate(n=Count("pk")).values("n")
    Item.objects.update(
        task=Subquery(Original.objects.filter(pk=OuterRef("original_id")).values("task")[:1]),
        wanted=Coalesce(Subquery(slots), 0),
        answered=Coalesce(Subquery(answers), 0),
        how=Coalesce(Subquery(decision.values("how")[:1]), Value("")),
        decided=Subquery(decision.values("label")[:1]),
    )
    Item.objects.filter(wanted__gt=0, answered__gte=F("wanted")).update(complete=True)
    for campaign in Campaign.objects.all():
        asked = counted.filter(claim__slot__position__lte=campaign.settings.get("slots", 2))
        ends = asked.order_by().values("claim__item").annotate(low=Min("label"), high=Max("label"))
        Item.objects.filter(Exists(ends.filter(low__lt=F("high"))), campaign=campaign).update(disagreed=True)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0012_item_described")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]

"""Slots and claims that are here already get the campaign of their item; answers that came too late get a state of their own."""

from django.db import migrations
from django.db.models import OuterRef, Subquery


def fill(apps, schema_editor):
    Item, Slot, Claim = (apps.get_model("annotation", name) for name in ("Item", "Slot", "Claim"))
    item = Item.objects.filter(pk=OuterRef("item"))
    Slot.objects.update(campaign=Subquery(item.values("campaign")))
    Claim.objects.update(campaign=Subquery(item.values("campaign")), use=Subquery(item.values("use")))
    Claim.objects.filter(judgement__isnull=False).exclude(state="answered").update(state="late")


class Migration(migrations.Migration):
    dependencies = [("annotation", "0007_campaign_of_slots_and_claims")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]

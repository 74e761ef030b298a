"""Two degrees of confidence told annotators what organisers do with them. Campaigns in which nobody has answered get the new words;
elsewhere those stay that people have read."""

from django.db import migrations

WERE = [
    "A guess. Better left out of training.",
    "I lean this way. Silver: good in bulk, not to be relied on one by one.",
]
ARE = [
    "A guess. The other answers are about as likely.",
    "I lean this way, but would not rely on it.",
]


def reword(apps, schema_editor):
    answered = apps.get_model("annotation", "Judgement").objects.values("claim__campaign")
    for campaign in apps.get_model("annotation", "Campaign").objects.exclude(pk__in=answered):
        if campaign.settings.get("confidence_levels", [])[:2] == WERE:
            campaign.settings["confidence_levels"][:2] = ARE
            campaign.save(update_fields=["settings"])


class Migration(migrations.Migration):
    dependencies = [("annotation", "0017_crowd_fingerprints")]

    operations = [migrations.RunPython(reword, migrations.RunPython.noop)]

"""Campaigns made before these settings get what they had until then, which their protocols' presets said."""

from django.db import migrations

DEFAULTS = {
    "confidence": False,
    "confidence_levels": [
        "A guess. Better left out of training.",
        "I lean this way. Silver: good in bulk, not to be relied on one by one.",
        "Fairly sure, though a careful reader might say otherwise.",
        "Sure. Only an unusual reading would give another answer.",
        "Certain. No other answer is possible.",
    ],
    "differences": False,
    "tie": "unresolved",
    "threshold": 0.5,
    "kept": [],
    "long_only": [],
    "long_from": 5,
}
WERE = {
    "meaning": (
        "incrediblae",
        {
            "kept": ["preserve"],
            "guidelines": "Read both texts as an ordinary reader would. Odd letters, typing mistakes and clumsy wording do not "
            "change the meaning as long as a reader would learn the same facts.",
        },
    ),
    "suspicion": (
        "five-points",
        {
            "guidelines": "Some of the texts are as a person wrote them, some were changed a little by a program. Say how the text "
            "looks to you; whether you agree with what it says does not matter.",
        },
    ),
    "preference": (
        "five-votes",
        {
            "guidelines": "Both texts say nearly the same. Choose the one that looks more as if a person wrote it; guess if you "
            "must.",
        },
    ),
}


def fill(apps, schema_editor):
    for campaign in apps.get_model("annotation", "Campaign").objects.all():
        preset, own = WERE.get(campaign.protocol, ("", {}))
        campaign.preset = campaign.preset or preset
        given = {name: value for name, value in campaign.settings.items() if value != ""}
        campaign.settings = {**campaign.settings, **DEFAULTS, **own, **given}
        campaign.save(update_fields=["preset", "settings"])


class Migration(migrations.Migration):
    dependencies = [("annotation", "0009_index_slots_and_claims")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]

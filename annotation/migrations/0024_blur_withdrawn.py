"""Answers of people who had withdrawn could be traced by their times, and by the order of the keys of the accounts that took them
over: of times only the days stay, and the keys are drawn anew."""

import secrets
from datetime import UTC

from django.db import migrations
from django.db.models.functions import TruncDay


def blur(apps, schema_editor):
    def model(name):
        return apps.get_model("annotation", name)

    def to_days(rows, *fields, **values):
        rows.update(**{field: TruncDay(field, tzinfo=UTC) for field in fields}, **values)

    user, claim = model("User"), model("Claim")
    for account in user.objects.filter(kind="pseudonym", pk__gt=0):
        old, name = account.pk, account.username
        user.objects.filter(pk=old).update(username=f"{name}-old")
        account.pk = -1 - secrets.randbelow(2**53)
        account.save(force_insert=True)
        claim.objects.filter(annotator=old).update(annotator=account.pk)
        model("Pseudonym").objects.filter(user=old).update(user=account.pk)
        user.objects.filter(pk=old).delete()
    to_days(model("Judgement").objects.filter(claim__annotator__kind="pseudonym"), "submitted_at")
    to_days(model("EarlierAnswer").objects.filter(judgement__claim__annotator__kind="pseudonym"), "submitted_at")
    to_days(claim.objects.filter(annotator__kind="pseudonym"), "claimed_at", "expires_at", seen_at=None)
    for member in model("Membership").objects.filter(state="withdrawn"):
        to_days(model("Membership").objects.filter(pk=member.pk), "joined_at", "withdrawn_at")
        consents = model("Consent").objects.filter(sheet__campaign=member.campaign_id, user=member.user_id)
        to_days(consents, "given_at", "withdrawn_at")
        to_days(user.objects.filter(pk=member.user_id), "date_joined", "last_login")
    stays = "without any link to the person"
    for event in model("Event").objects.filter(verb="withdrew"):
        if event.detail["outcome"].endswith(stays):
            event.detail["outcome"] = f"their answers stay {stays}"
            event.save(update_fields=["detail"])


class Migration(migrations.Migration):
    dependencies = [("annotation", "0023_models_of_meaning")]

    operations = [migrations.RunPython(blur, migrations.RunPython.noop)]

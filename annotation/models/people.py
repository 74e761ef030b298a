"""People: who answers, how they came in, and what they agreed to."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone


class User(AbstractUser):
    """Somebody who can be named as the author of an answer.

    Only a *person* can sign in. A *simulated* reader is drawn from the latent model of `scoring.judgements.simulation`;
    an *imported* one stands for a column of a published file, behind which there may have been several people.
    """

    class Kind(models.TextChoices):
        PERSON = "person", "person"
        SIMULATED = "simulated", "simulated reader"
        IMPORTED = "imported", "column of an imported file"

    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.PERSON)
    is_organiser = models.BooleanField(default=False, help_text="may create campaigns and see all of their results")

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="user_only_people_organise", condition=models.Q(kind="person") | models.Q(is_organiser=False)
            ),
        ]


class InformationSheet(models.Model):
    """What a campaign tells people before they take part. A change makes a new version;
    consents point at the one that was read."""

    campaign = models.ForeignKey("annotation.Campaign", models.CASCADE, related_name="sheets")
    version = models.PositiveSmallIntegerField(default=1)
    text = models.TextField()
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-version"]
        constraints = [models.UniqueConstraint(fields=["campaign", "version"], name="sheet_one_per_version")]


class Invitation(models.Model):
    """A link that lets somebody join a campaign. Only the token's hash is kept, so the database cannot be used to join."""

    campaign = models.ForeignKey("annotation.Campaign", models.CASCADE, related_name="invitations")
    token_sha256 = models.CharField(max_length=64, unique=True)
    uses_left = models.PositiveSmallIntegerField(default=1)
    expires_at = models.DateTimeField()
    created_by = models.ForeignKey("annotation.User", models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)


class Membership(models.Model):
    """A person's role in one campaign."""

    class Role(models.TextChoices):
        ORGANISER = "organiser", "organiser"
        ANNOTATOR = "annotator", "annotator"

    campaign = models.ForeignKey("annotation.Campaign", models.CASCADE, related_name="memberships")
    user = models.ForeignKey("annotation.User", models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)
    joined_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "user"], name="membership_one_role_per_campaign")]


class Consent(models.Model):
    """That somebody read one version of the sheet and agreed, and when."""

    sheet = models.ForeignKey(InformationSheet, models.PROTECT, related_name="consents")
    user = models.ForeignKey("annotation.User", models.PROTECT, related_name="consents")
    given_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["sheet", "user"], name="consent_once_per_sheet")]

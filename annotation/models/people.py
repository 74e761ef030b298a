"""People: who answers, how they came in, and what they agreed to."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone


class User(AbstractUser):
    """Somebody who can be named as the author of an answer.

    Only a *person* can sign in. A *simulated* reader is drawn from the latent model of `scoring.judgements.simulation`;
    an *imported* one stands for a column of a published file, behind which there may have been several people; a *pseudonym*
    holds the answers of somebody who withdrew where the sheet promised pseudonymity.
    """

    class Kind(models.TextChoices):
        PERSON = "person", "person"
        SIMULATED = "simulated", "simulated reader"
        IMPORTED = "imported", "column of an imported file"
        PSEUDONYM = "pseudonym", "person who withdrew"

    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.PERSON)
    is_organiser = models.BooleanField(default=False, help_text="may create campaigns and see all of their results")

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("username"), name="user_name_once_whatever_its_capitals"),
            models.CheckConstraint(
                name="user_only_people_organise", condition=models.Q(kind="person") | models.Q(is_organiser=False)
            ),
        ]


class InformationSheet(models.Model):
    """What a campaign tells people before they take part, and what they are asked to agree to. A change makes a new version;
    consents point at the one that was read. `sha256` is of everything that was shown: sections, consent form, outcome."""

    class OnWithdrawal(models.TextChoices):
        ERASE = "erase", "answers are erased; only their number stays"
        PSEUDONYMISE = "pseudonymise", "answers stay without any link to the person"

    campaign = models.ForeignKey("annotation.Campaign", models.CASCADE, related_name="sheets")
    version = models.PositiveSmallIntegerField(default=1)
    language = models.CharField(max_length=12, default="en")
    sections = models.JSONField(default=list, help_text="[{key, heading, text}] in the order in which they are read")
    text = models.TextField(help_text="the sections as one text")
    consent_form = models.JSONField(default=list, help_text="the statements that are each ticked")
    on_withdrawal = models.CharField(max_length=12, choices=OnWithdrawal.choices, default=OnWithdrawal.ERASE)
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-version"]
        constraints = [models.UniqueConstraint(fields=["campaign", "version"], name="sheet_one_per_version")]


class Team(models.Model):
    """People who belong together: a shared task's participants, or its organisers. Where texts were made by a team, their
    variants' kind is the team's name; nobody judges their own. A team that withdraws takes its texts out of every figure."""

    campaign = models.ForeignKey("annotation.Campaign", models.CASCADE, related_name="teams")
    name = models.CharField(max_length=60)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["campaign", "name"], name="team_name_once_per_campaign")]

    def __str__(self) -> str:
        return self.name


class Group(models.Model):
    """Annotators who judge the same items, such as one participant with one organiser (InCrediblAE, section 3.2)."""

    campaign = models.ForeignKey("annotation.Campaign", models.CASCADE, related_name="groups")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["campaign", "number"], name="group_number_once_per_campaign")]


class Role(models.TextChoices):
    ORGANISER = "organiser", "organiser"
    ADJUDICATOR = "adjudicator", "adjudicator"
    ANNOTATOR = "annotator", "annotator"


class Invitation(models.Model):
    """A link that lets somebody join a campaign. Only the token's hash is kept, so the database cannot be used to join."""

    campaign = models.ForeignKey("annotation.Campaign", models.CASCADE, related_name="invitations")
    token_sha256 = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=11, choices=Role.choices, default=Role.ANNOTATOR)
    team = models.ForeignKey(Team, models.PROTECT, null=True, blank=True, related_name="invitations")
    uses_left = models.PositiveSmallIntegerField(default=1)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey("annotation.User", models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)


SOMEBODY = "somebody who withdrew"


class Membership(models.Model):
    """A person's role in one campaign, and how they stand there.

    Training and test: `qualified_at` is when the test was passed, `tries` how often it was taken to the end. Somebody who has
    withdrawn keeps the row (it says so, and how many answers were erased, not counting training and test), never its answers nor
    how they did.
    """

    Role = Role

    class State(models.TextChoices):
        ACTIVE = "active", "active"
        PAUSED = "paused", "paused"
        DEACTIVATED = "deactivated", "deactivated"
        WITHDRAWN = "withdrawn", "withdrawn"

    campaign = models.ForeignKey("annotation.Campaign", models.CASCADE, related_name="memberships")
    user = models.ForeignKey("annotation.User", models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=11, choices=Role.choices)
    team = models.ForeignKey(Team, models.PROTECT, null=True, blank=True, related_name="members")
    group = models.ForeignKey(Group, models.SET_NULL, null=True, blank=True, related_name="members")
    state = models.CharField(max_length=11, choices=State.choices, default=State.ACTIVE)
    quota = models.PositiveIntegerField(
        null=True, blank=True, help_text="most answers wanted of this person; null: the campaign's"
    )
    qualified_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    erased_judgements = models.PositiveIntegerField(default=0)
    joined_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "user"], name="membership_one_role_per_campaign")]

    @property
    def shown_name(self) -> str:
        """The name on pages; whoever has withdrawn is not named any more."""
        return SOMEBODY if self.state == self.State.WITHDRAWN else self.user.username


class Consent(models.Model):
    """That somebody read one version of the sheet and agreed: which (by hash), when, in which language; when they withdrew."""

    sheet = models.ForeignKey(InformationSheet, models.PROTECT, related_name="consents")
    user = models.ForeignKey("annotation.User", models.PROTECT, related_name="consents")
    sheet_sha256 = models.CharField(max_length=64, blank=True)
    language = models.CharField(max_length=12, default="en")
    given_at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["sheet", "user"], name="consent_once_per_sheet")]


class CrowdVisit(models.Model):
    """Who a crowd platform sent: its ids, and the account that was made for them here. Never part of an export."""

    campaign = models.ForeignKey("annotation.Campaign", models.CASCADE, related_name="crowd_visits")
    user = models.ForeignKey("annotation.User", models.PROTECT, related_name="crowd_visits")
    participant = models.CharField(max_length=120)
    study = models.CharField(max_length=120, blank=True)
    session = models.CharField(max_length=120, blank=True)
    let_in_until = models.DateTimeField(null=True, blank=True, help_text="until then one visit may come from another browser")
    entered_at = models.DateTimeField(default=timezone.now)
    completed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "participant"], name="crowd_visit_once_per_participant"),
            models.UniqueConstraint(fields=["campaign", "user"], name="crowd_visit_once_per_user"),
        ]


class CrowdFingerprint(models.Model):
    """That a platform's participant withdrew from a campaign. It holds a keyed hash of the platform's id and nothing else, not
    even when: who asks with the id is known again, and nobody else can be found by it."""

    campaign = models.ForeignKey("annotation.Campaign", models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "digest"], name="crowd_fingerprint_once_per_campaign")]


class Pseudonym(models.Model):
    """The number that stands for somebody in a campaign's files: A1, A2, … in the order in which they are first needed.

    The row stays when its person withdraws, so that a number, once published, never comes to mean somebody else.
    """

    campaign = models.ForeignKey("annotation.Campaign", models.CASCADE, related_name="pseudonyms")
    user = models.ForeignKey("annotation.User", models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user"], name="pseudonym_once_per_person"),
            models.UniqueConstraint(fields=["campaign", "number"], name="pseudonym_number_once_per_campaign"),
        ]

    def __str__(self) -> str:
        return f"A{self.number}"

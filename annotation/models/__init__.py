"""The tables. Thin: fields and constraints, no statistics and no verbs (those are in `services`)."""

from .artefacts import SuspicionModel
from .campaigns import Campaign, Label
from .jobs import Job
from .people import Consent, InformationSheet, Invitation, Membership, User
from .texts import AttackRun, Example, Original, Variant
from .work import Claim, Decision, Item, Judgement, Slot

__all__ = [
    "AttackRun",
    "Campaign",
    "Claim",
    "Consent",
    "Decision",
    "Example",
    "InformationSheet",
    "Invitation",
    "Item",
    "Job",
    "Judgement",
    "Label",
    "Membership",
    "Original",
    "Slot",
    "SuspicionModel",
    "User",
    "Variant",
]

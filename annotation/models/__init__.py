"""The tables. Thin: fields and constraints, no statistics and no verbs (those are in `services`)."""

from .artefacts import LearnedFrom, LearnedModel
from .attacking import Outcome, Suspicion, Task, Victim
from .batches import Batch
from .campaigns import Campaign, Entrance, Event, Label
from .jobs import Job
from .limits import Tries
from .people import (
    Consent,
    CrowdFingerprint,
    CrowdVisit,
    Group,
    InformationSheet,
    Invitation,
    Membership,
    Pseudonym,
    Role,
    Team,
    User,
)
from .robustness import JudgedSample, RobustnessMeasurement, SpoiledText
from .rounds import Round, RoundCampaign, RoundItem, Series
from .studies import ConstraintStudy, StudyCampaign, StudyRun
from .texts import AttackRun, Example, Original, Variant
from .tokens import ApiToken
from .uploads import Upload
from .work import Claim, Decision, EarlierAnswer, Flag, Item, Judgement, Ruling, Slot

__all__ = [
    "ApiToken",
    "AttackRun",
    "Batch",
    "Campaign",
    "Claim",
    "Consent",
    "ConstraintStudy",
    "CrowdFingerprint",
    "CrowdVisit",
    "Decision",
    "EarlierAnswer",
    "Entrance",
    "Event",
    "Example",
    "Flag",
    "Group",
    "InformationSheet",
    "Invitation",
    "Item",
    "Job",
    "JudgedSample",
    "Judgement",
    "Label",
    "LearnedFrom",
    "LearnedModel",
    "Membership",
    "Original",
    "Outcome",
    "Pseudonym",
    "RobustnessMeasurement",
    "Role",
    "Round",
    "RoundCampaign",
    "RoundItem",
    "Ruling",
    "Series",
    "Slot",
    "SpoiledText",
    "StudyCampaign",
    "StudyRun",
    "Suspicion",
    "Task",
    "Team",
    "Tries",
    "Upload",
    "User",
    "Variant",
    "Victim",
]

"""The activity log: what people did to a campaign, in words that an organiser can read."""

from __future__ import annotations

import re
from typing import Any

from annotation.models import Campaign, Event, User

VERBS = {
    "created": "made the campaign",
    "copied": "made the campaign as a copy of {source}",
    "opened": "opened the campaign",
    "paused": "paused the campaign",
    "closed": "closed the campaign",
    "settings": "changed {what}",
    "linked": "linked the campaign with {what}",
    "unlinked": "took the campaign out of its links",
    "sheet": "published version {version} of the information sheet",
    "imported": "imported {added} items from {file} ({already_there} were there already)",
    "figures": "added the figures of {file} to where the items came from",
    "kept": "kept {added} examples from {file} to draw samples from",
    "sampled": "added {added} items from a sample",
    "invited": "made an invitation link ({role}, {uses} uses)",
    "revoked": "took back an invitation link",
    "joined": "joined as {role}",
    "paused_person": "paused {person}",
    "resumed_person": "let {person} go on",
    "deactivated": "deactivated {person}",
    "role": "made {person} {role}",
    "quota": "set the quota of {person} to {quota}",
    "team": "added the team {team}",
    "moved": "put {person} into the team {team}",
    "grouped": "drew {groups} groups and dealt {items} items to them (seed {seed})",
    "entrance": "changed how people come in",
    "let_in": "let {person} in again from another browser",
    "transferred": "handed the campaign over to {person}",
    "withdrew": "somebody withdrew; {outcome}",
    "team_withdrew": "took the texts of team {team} out of every figure",
    "team_returned": "took the texts of team {team} in again",
    "released": "gave back {claims} claims",
    "excluded": "took {answers} answers of {person} out",
    "included": "took {answers} answers of {person} in again",
    "ruled": "decided item {item}: {label}",
    "resolved": "resolved a flag on item {item}",
    "exported": "exported {file}",
    "gold": "set the known answer of item {item}",
}
"""What each verb reads like; names in braces are in the event's detail. Nothing here names an annotator's answer."""


def log(*, campaign: Campaign, by: User | None, verb: str, **detail: Any) -> Event:
    """Write one line of the campaign's log. Raises KeyError for an unknown verb or a missing detail."""
    VERBS[verb].format(**detail)
    return Event.objects.create(campaign=campaign, actor=by, verb=verb, detail=detail)


def in_words(event: Event) -> str:
    """What happened, without who and when."""
    return VERBS[event.verb].format(**event.detail)


def in_general(verb: str) -> str:
    """What the verb says, whatever it was done to."""
    return re.sub(r"\{\w+\}", "…", VERBS[verb])

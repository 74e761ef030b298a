"""The activity log: what people did to a campaign, in words that an organiser can read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from annotation.models import Campaign, Event, User
from scoring.wording import counted


class Verb(NamedTuple):
    """One kind of event: its title in a list of kinds, and what a line of the log says of it."""

    title: str
    says: str
    besides: Mapping[str, str] = {}
    """What is added where the event counted any of that."""

    def sentence(self, detail: Mapping[str, Any]) -> str:
        values = {name: Count(value) if isinstance(value, int) else value for name, value in detail.items()}
        counted_too = [more for name, more in self.besides.items() if detail.get(name)]
        return "".join([self.says, *counted_too]).format(**values)


class Count(int):
    """A whole number whose format is what it counts: `{answers:answer}` becomes 3 answers."""

    def __format__(self, words: str) -> str:
        return counted(int(self), *words.split(",")) if words else str(int(self))


VERBS = {
    "created": Verb("Campaign made", "made the campaign"),
    "copied": Verb("Campaign copied", "made the campaign as a copy of {source}"),
    "opened": Verb("Campaign opened", "opened the campaign"),
    "paused": Verb("Campaign paused", "paused the campaign"),
    "closed": Verb("Campaign closed", "closed the campaign"),
    "settings": Verb("Settings changed", "changed {what}"),
    "linked": Verb("Campaigns linked", "linked the campaign with {what}"),
    "unlinked": Verb("Links removed", "took the campaign out of its links"),
    "sheet": Verb("Information sheet stored", "stored version {version} of the information sheet"),
    "imported": Verb(
        "Items imported",
        "imported {added:item} from {file}",
        {
            "known": ", {known} of them with a known answer",
            "already_there": " ({already_there:more was,more were} there already)",
        },
    ),
    "figures": Verb("Figures of a file added", "added the figures of {file} to where the items came from"),
    "kept": Verb("Examples kept for samples", "kept {added:example} from {file} to draw samples from"),
    "sampled": Verb("Sample added", "added {added:item} from a sample"),
    "sent": Verb("Attacked texts sent", "added {added:item} from the attack run {run}"),
    "invited": Verb("Invitation made", "made an invitation link ({role}, {uses:use})"),
    "revoked": Verb("Invitation taken back", "took back an invitation link"),
    "joined": Verb("Somebody joined", "joined as {role}"),
    "paused_person": Verb("Person paused", "paused {person}"),
    "resumed_person": Verb("Person let go on", "let {person} go on"),
    "deactivated": Verb("Person deactivated", "deactivated {person}"),
    "role": Verb("Role changed", "made {person} {role}"),
    "quota": Verb("Quota set", "set the quota of {person} to {quota}"),
    "team": Verb("Team added", "added the team {team}"),
    "moved": Verb("Person moved to a team", "put {person} into the team {team}"),
    "left_team": Verb("Person taken out of their team", "took {person} out of their team"),
    "grouped": Verb("Groups drawn", "drew {groups:group} and dealt {items:item} to them (seed {seed})"),
    "entrance": Verb("Way in changed", "changed how people come in"),
    "let_in": Verb("Person let in again", "let {person} in again from another browser"),
    "transferred": Verb("Campaign handed over", "handed the campaign over to {person}"),
    "withdrew": Verb("Somebody withdrew", "somebody withdrew; {outcome}"),
    "team_withdrew": Verb("Team's texts taken out", "took the texts of team {team} out of every figure"),
    "team_returned": Verb("Team's texts taken in again", "took the texts of team {team} in again"),
    "released": Verb("Items given back", "gave back {claims:item}"),
    "excluded": Verb("Answers taken out", "took {answers:answer} of {person} out"),
    "included": Verb("Answers taken in again", "took {answers:answer} of {person} in again"),
    "asked": Verb("One more person asked", "asked for one more answer to item {item}"),
    "ruled": Verb("Conflict decided", "decided item {item}: {label}"),
    "resolved": Verb("Flag resolved", "resolved a flag on item {item}"),
    "exported": Verb("File exported", "exported {file}"),
    "gold": Verb("Known answer set", "set the known answer of item {item}"),
}
"""Names in braces are in the event's detail; a count says what is counted. Nothing here names an annotator's answer."""


def log(*, campaign: Campaign, by: User | None, verb: str, **detail: Any) -> Event:
    """Write one line of the campaign's log. Raises KeyError for an unknown verb or a missing detail."""
    VERBS[verb].sentence(detail)
    return Event.objects.create(campaign=campaign, actor=by, verb=verb, detail=detail)


def in_words(event: Event) -> str:
    """What happened, without who and when."""
    return VERBS[event.verb].sentence(event.detail)

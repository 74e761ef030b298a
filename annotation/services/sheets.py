"""The information sheet and the consent form: what people are told before they take part, and what they agree to."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction

from annotation.errors import DomainError
from annotation.models import Campaign, Entrance, InformationSheet, User
from annotation.queries.crowd import by_crowd

from .activity import log
from .holding import hold

BRACKET = re.compile(r"\[[^\[\]\n]+\]")
OnWithdrawal = InformationSheet.OnWithdrawal

HEADINGS = {
    "purpose": "What it is about",
    "task": "What you will do",
    "content": "What the texts are like",
    "recruitment": "Who is asked",
    "pay": "What you are paid",
    "withdrawal": "Stopping and withdrawing",
    "data": "What is kept, and for how long",
    "law": "Legal basis and who is responsible",
    "release": "What is published",
    "complaints": "Questions and complaints",
    "approval": "Approval",
}
"""Every section that an ethics board asks for, in the order in which they are read."""
WRITTEN_HERE = ("recruitment", "pay", "withdrawal")
"""These follow from the campaign's entrance and from the outcome of withdrawing, so that nobody is promised one thing and given
another."""

OUTCOMES = {
    OnWithdrawal.ERASE: (
        "You can stop at any time, without giving a reason and without any disadvantage: just close the page. You can also "
        "withdraw, from every page of yours. Then your answers, drafts and notes are erased for good; only their number stays."
    ),
    OnWithdrawal.PSEUDONYMISE: (
        "You can stop at any time, without giving a reason and without any disadvantage: just close the page. You can also "
        "withdraw, from every page of yours. Then your answers stay, but every link between them and you is erased, and "
        "so are your drafts and notes; of all times, only the days are kept. After that nobody can look up which answers were "
        "yours, so they cannot be erased later. Where few people take part, or few withdraw, somebody who knows when you "
        "answered might still guess it."
    ),
}
FINGERPRINT = (
    " Of the number by which the platform knows you, a fingerprint is kept, from which nobody can read the number. It serves "
    "only to tell you, should you come again, that you withdrew."
)
CONSENT_FORM = (
    "I have read this information and could ask questions about it.",
    "I take part of my own free will, and know that I can stop or withdraw at any time.",
    "I agree that my answers are kept and published as described here.",
    "I am at least 18 years old.",
)


def default_sections(campaign: Campaign, outcome: str = OnWithdrawal.ERASE) -> list[dict[str, str]]:
    """A sheet to start from. What only the organisers know stands in [brackets]."""
    texts = {
        "purpose": (
            "Programs that change texts a little can mislead automatic filters. We want to know which changes readers notice, "
            "and whether the texts still mean the same. [Add a sentence about your study.]"
        ),
        "task": (
            f"You will read short texts and answer one question about each: “{campaign.settings['question']}” "
            "Some of the texts were changed by a program. You can answer as many as you like, over several visits. "
            "How long each answer takes is measured."
        ),
        "content": (
            "The texts look like news or posts from the web. Some claim things that are false, and some may be distressing or "
            "offensive. Do not take them as information. You can skip any text, without giving a reason. "
            "Only a training or a test, where there is one, has the same texts for everybody; you can stop there just as well."
        ),
        "data": (
            "We keep your answers and notes, when and how quickly you gave them, the name that you choose here, and that you "
            "agreed to this sheet. If a crowd platform sent you, we keep the number by which it knows you, to "
            "confirm your work. Names and numbers are deleted after [how long]; the answers are kept [how long]."
        ),
        "law": (
            "Your data are processed on the basis of your consent (Article 6(1)(a) GDPR). Responsible is [institution, address]; "
            "its data protection officer is [name, e-mail]."
        ),
        "release": (
            "Answers are published for research without your name: you appear as a number. Free-text notes are read before "
            "they are published. [Where the data will be published, and under which licence.]"
        ),
        "complaints": (
            "Ask [name, e-mail] about the study. Complain to [body of your institution], or to the data protection authority "
            "where you live."
        ),
        "approval": "This study was approved by [ethics board, date and number].",
        **_written_here(campaign, outcome),
    }
    return [{"key": key, "heading": heading, "text": texts[key]} for key, heading in HEADINGS.items() if key in texts]


def _written_here(campaign: Campaign, outcome: str) -> dict[str, str]:
    """The sections that nobody types; those that do not apply are missing."""
    entrance = Entrance.objects.filter(campaign=campaign).first()
    texts = {"withdrawal": OUTCOMES[OnWithdrawal(outcome)]}
    if entrance is None:
        return texts
    if entrance.kind == Entrance.Kind.CROWD:
        texts["withdrawal"] += FINGERPRINT
    if entrance.criteria:
        texts["recruitment"] = entrance.criteria
    if entrance.pay_per_item is not None:
        texts["pay"] = f"You are paid {money(entrance.pay_per_item)} {entrance.currency} for each text that you answer."
        if entrance.minimum_hourly_pay is not None:
            least = f"{money(entrance.minimum_hourly_pay, places=2)} {entrance.currency}"
            texts["pay"] += f" At a normal pace that is at least {least} an hour."
    return texts


def money(amount: Any, *, places: int = 4) -> str:
    """An amount with at least two decimals and no needless zeros."""
    whole, _, decimals = f"{amount:.{places}f}".partition(".")
    return f"{whole}.{decimals.rstrip('0').ljust(2, '0')}"


@transaction.atomic
def publish_sheet(
    *,
    campaign: Campaign,
    sections: Sequence[Mapping[str, str]] | None = None,
    consent_form: Sequence[str] | None = None,
    on_withdrawal: str | None = None,
    language: str | None = None,
    by: User | None = None,
) -> InformationSheet:
    """A new version of the sheet; what is not given stays as in the version before. People who agreed to an older version are
    asked again. Publishing what is published already changes nothing.

    Raises DomainError when there would be nothing to read or nothing to agree to.
    """
    hold(campaign)
    last = campaign.sheets.first()
    outcome = OnWithdrawal(on_withdrawal or (last.on_withdrawal if last else OnWithdrawal.ERASE))
    given = sections if sections is not None else last.sections if last else default_sections(campaign, outcome)
    read = _in_order(campaign, given, outcome)
    statements = [line.strip() for line in (consent_form if consent_form is not None else _statements(last)) if line.strip()]
    tongue = (language or (last.language if last else "en")).strip()
    if all(part["key"] in WRITTEN_HERE for part in read):
        raise DomainError("The sheet says nothing yet. Fill in at least one section.")
    if not statements:
        raise DomainError("The consent form needs at least one statement that people tick.")
    digest = sheet_hash(read, statements, outcome, tongue)
    if last is not None and last.sha256 == digest:
        return last
    sheet = InformationSheet.objects.create(
        campaign=campaign,
        version=(last.version if last else 0) + 1,
        language=tongue,
        sections=read,
        text="\n\n".join(f"{part['heading']}\n\n{part['text']}".strip() for part in read),
        consent_form=statements,
        on_withdrawal=outcome,
        sha256=digest,
    )
    if by is not None:
        log(campaign=campaign, by=by, verb="sheet", version=sheet.version)
    return sheet


def preview(
    *, campaign: Campaign, sections: Sequence[Mapping[str, str]], on_withdrawal: str = OnWithdrawal.ERASE
) -> list[dict[str, str]]:
    """The sections as people would read them, without publishing anything."""
    return _in_order(campaign, sections, on_withdrawal)


def _in_order(campaign: Campaign, sections: Sequence[Mapping[str, str]], outcome: str) -> list[dict[str, str]]:
    """The sections as they are read, empty ones left out, with those that are written here as they are now."""
    texts = _written_here(campaign, outcome)
    written = {key: {"key": key, "heading": HEADINGS[key], "text": text} for key, text in texts.items()}
    typed = {part["key"]: part for part in sections if part["key"] not in WRITTEN_HERE}
    order = [*(key for key in typed if key not in HEADINGS), *HEADINGS]
    parts = [written.get(key) or typed.get(key) for key in order]
    return [
        {"key": part["key"], "heading": part["heading"].strip(), "text": part["text"].replace("\r\n", "\n").strip()}
        for part in parts
        if part is not None and part["text"].strip()
    ]


def _statements(last: InformationSheet | None) -> Sequence[str]:
    return last.consent_form if last is not None and last.consent_form else CONSENT_FORM


def sheet_hash(sections: Sequence[Mapping[str, str]], consent_form: Sequence[str], outcome: str, language: str) -> str:
    """Of everything that a person was shown, so that a consent says what exactly it was given to."""
    shown = {"sections": list(sections), "consent_form": list(consent_form), "outcome": str(outcome), "language": language}
    return hashlib.sha256(json.dumps(shown, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def unfilled(sheet: InformationSheet | None) -> list[str]:
    """What still stands in [brackets] in a published sheet, in the order in which it is read."""
    return [] if sheet is None else gaps_in([sheet.text, *sheet.consent_form])


def gaps_before_a_crowd(campaign: Campaign) -> list[str]:
    """The gaps in the sheet to which a crowd platform sends people; none where no platform does."""
    return unfilled(campaign.sheets.first()) if by_crowd(campaign) else []


def gaps_in(texts: Iterable[str]) -> list[str]:
    """What still stands in [brackets], each once."""
    return list(dict.fromkeys(BRACKET.findall("\n".join(texts))))

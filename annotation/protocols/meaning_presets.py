"""The label sets of the meaning protocol. Definitions and examples are in our own words."""

from __future__ import annotations

from .base import Preset
from .labels import LabelSpec

_WORKED = {
    "before": "The minister said on Tuesday that 40 people were rescued from the flooded village.",
    "kept": "The minister sayed on Tuesday that 40 people were saved from the flooded vilage.",
    "changed": "The minister said on Tuesday that 14 people were rescued from the flooded village.",
    "broken": "The minister said on Tuesday that 40 people were ministered from the flooding village said.",
}


def _example(text: str, label: str, why: str) -> dict[str, str]:
    return {"before": _WORKED["before"], "after": _WORKED[text], "label": label, "why": why}


INCREDIBLAE = Preset(
    title="Keeps, changes, makes no sense",
    about="Three labels and how sure people are, as in the InCrediblAE shared task. A third person settles a conflict.",
    labels=(
        LabelSpec(0, "preserve", "keeps the meaning", "A reader would learn the same facts."),
        LabelSpec(1, "change", "changes the meaning", "A fact, name, number or claim differs."),
        LabelSpec(2, "no_sense", "makes no sense", "A sentence cannot be understood."),
    ),
    settings={
        "question": "Compared with the original, the modified text…",
        "guidelines": (
            "Read both texts as an ordinary reader would. Odd letters, typing mistakes and clumsy wording do not change "
            "the meaning as long as a reader would learn the same facts.\n\n"
            "Ask yourself two things. Can every sentence still be understood, if need be by guessing at a misspelt word? If not, "
            "the text makes no sense. Would somebody who had read only the modified text tell a friend the same as somebody who "
            "had read the original? If not, it changes the meaning: another number, name, place or time, a “not” that came or "
            "went, a claim made stronger or weaker. Otherwise it keeps the meaning."
        ),
        "examples": [
            _example("kept", "preserve", "Two spelling mistakes and another word for “rescued”: the same people, place and day."),
            _example("changed", "change", "The sentence is fine, but fewer people were rescued."),
            _example("broken", "no_sense", "What happened to the 40 people can no longer be told."),
        ],
        "confidence": True,
        "differences": True,
        "kept": ["preserve"],
    },
)

FOUR_POINT = Preset(
    title="Four degrees of likeness",
    about="From opposite to identical. People conflict when they are more than one step apart.",
    labels=(
        LabelSpec(1, "opposite", "opposite", "It claims the contrary, or denies what the original says."),
        LabelSpec(2, "different", "completely different", "It is about something else, or cannot be understood."),
        LabelSpec(3, "slightly_different", "slightly different", "A detail is other, missing or new; the main point stays."),
        LabelSpec(4, "identical", "identical", "Everything that the original says, and nothing else, whatever the wording."),
    ),
    settings={
        "question": "Compared with the original, what the modified text says is…",
        "guidelines": (
            "Judge what the texts say, not how well they are written. Begin at the main point: is it the same, another one, or "
            "the contrary? Only where it is the same, look for details: a number, a name, how certain a claim is."
        ),
        "examples": [
            _example("kept", "identical", "Spelling mistakes and a synonym; nothing is said that the original does not say."),
            _example("changed", "slightly_different", "The same event, with another number of people."),
            _example("broken", "different", "What happened can no longer be told."),
        ],
        "confidence": True,
        "differences": True,
        "weights": "quadratic",
        "conflict_distance": 2,
        "kept": ["slightly_different", "identical"],
    },
)

MODIFICATION_TYPES = Preset(
    title="Types of modification",
    about="What the attack did to the text: six types, of which a large change of meaning says that the attack failed.",
    labels=(
        LabelSpec(1, "synonymous", "synonymous", "Other words for the same thing."),
        LabelSpec(2, "typographic", "typographic", "Letters, digits, spaces or marks that look like a slip or a trick."),
        LabelSpec(3, "grammatical", "grammatical", "Another tense, number, ending or order of words; the same content."),
        LabelSpec(4, "semantic_small", "semantic, small", "A detail means something else; the message stays."),
        LabelSpec(5, "semantic_large", "semantic, large", "The message is another one or is lost."),
        LabelSpec(6, "local", "local", "One place of a long text is damaged; the text as a whole says the same."),
    ),
    settings={
        "question": "What did the change do to the text?",
        "guidelines": (
            "Choose the type that matters most for what a reader learns. If several kinds of change are present, take the one "
            "furthest down the list that is clearly there; but where the meaning is untouched, the kind of most of the changes. "
            "“Local” is offered for texts of several sentences only."
        ),
        "examples": [
            _example("kept", "typographic", "Mostly slips of spelling; the one synonym matters less."),
            _example("changed", "semantic_small", "Another number; it is still the report of a rescue."),
            _example("broken", "semantic_large", "The rescue is lost, and with it the message."),
        ],
        "confidence": True,
        "differences": True,
        "kept": ["synonymous", "typographic", "grammatical", "semantic_small", "local"],
        "long_only": ["local"],
    },
)

PRESETS = {"incrediblae": INCREDIBLAE, "four-point": FOUR_POINT, "modification-types": MODIFICATION_TYPES}

"""Judged texts on a page: exactly as stored, and, where a protocol marks differences, with what nobody can see made visible."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from annotation.models import Campaign
from annotation.protocols import protocol_of
from scoring.texts import edit_kinds
from scoring.texts.diff import Span

register = template.Library()

TAGS = {"delete": "del", "insert": "ins"}
PLAIN_SPACES = " \n\t"
INVISIBLE = {"Cf", "Cc", "Zs", "Zl", "Zp"}
UNSEEN_THOUGH_OTHERWISE_CLASSED = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {
    chr(point) for point in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}
"""Fillers, the combining grapheme joiner and variation selectors: letters and marks by category, but nothing to see."""
SHORT = {
    "\u00a0": "NBSP", "\u00ad": "SHY", "\u200b": "ZWSP", "\u200c": "ZWNJ", "\u200d": "ZWJ", "\u200e": "LRM", "\u200f": "RLM",
    "\u202a": "LRE", "\u202b": "RLE", "\u202c": "PDF", "\u202d": "LRO", "\u202e": "RLO", "\u2060": "WJ", "\u2066": "LRI",
    "\u2067": "RLI", "\u2068": "FSI", "\u2069": "PDI", "\ufeff": "BOM",
}  # fmt: skip


@register.simple_tag
def shown_spans(spans: Sequence[Span]) -> SafeString:
    """The text of the spans, escaped; deleted and inserted ones in del and ins with their unseen characters named."""
    script = _main_script("".join(span.text for span in spans))
    return format_html_join("", "{}", ((_span(span, script),) for span in spans))


@register.filter
def excerpt(text: str, length: int = 160) -> str:
    """The text's beginning on one line."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


@register.filter
def edits_said(counts: Mapping[edit_kinds.Kind, int]) -> str:
    """An item's typed edits in words, as the table of edits counts them."""
    return edit_kinds.in_words(counts)


@register.filter
def protocol_title(campaign: Campaign) -> str:
    """What the campaign's protocol is called."""
    return protocol_of(campaign).title


@register.filter
def sections(text: str) -> list[tuple[str, bool]]:
    """A plain text's paragraphs; a short one without a full stop at its end is a heading."""
    paragraphs = [part.strip() for part in text.split("\n\n") if part.strip()]
    return [(part, len(part) <= 60 and "\n" not in part and part[-1] not in ".!?:…") for part in paragraphs]


def _span(span: Span, script: str) -> SafeString:
    if span.kind not in TAGS:
        return mark_safe(escape(span.text))
    marked = format_html_join("", "{}", ((_character(character, script),) for character in span.text))
    return format_html("<{0}>{1}</{0}>", mark_safe(TAGS[span.kind]), marked)


def _character(character: str, script: str) -> SafeString | str:
    if _invisible(character):
        mark = SHORT.get(character, f"U+{ord(character):04X}")
        return format_html(
            '<span class="invisible" role="img" aria-label="{0}" title="{0}" data-mark="{1}">{2}</span>',
            _described(character), mark, character,
        )  # fmt: skip
    if script and _script(character) not in ("", script):
        return format_html('<span class="lookalike" title="{}">{}</span>', _described(character), character)
    return character


def _invisible(character: str) -> bool:
    if character in PLAIN_SPACES:
        return False
    return unicodedata.category(character) in INVISIBLE or character in UNSEEN_THOUGH_OTHERWISE_CLASSED


def _described(character: str) -> str:
    return f"{unicodedata.name(character, 'control character').lower()}, U+{ord(character):04X}"


def _script(character: str) -> str:
    """The first word of a letter's name, which is its script (LATIN, CYRILLIC, …); empty for what is no letter."""
    if not character.isalpha() or unicodedata.category(character) == "Lm":
        return ""
    return unicodedata.name(character, "").split(" ")[0]


def _main_script(text: str) -> str:
    if text.isascii():
        return "LATIN" if any(map(str.isalpha, text)) else ""
    scripts = Counter(filter(None, map(_script, text)))
    return scripts.most_common(1)[0][0] if scripts else ""

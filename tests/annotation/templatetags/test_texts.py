from __future__ import annotations

import html
import re

import pytest

from annotation.templatetags.texts import excerpt, sections, shown_spans
from scoring.texts.diff import Span, word_diff


def plain(shown: str) -> str:
    """What a browser makes of it, without the marks."""
    return html.unescape(re.sub(r"<[^>]+>", "", shown))


@pytest.mark.parametrize("text", ["", "a < b & c", "  two  spaces\n\nlines\t", "ze\u200bro", "\u202edrow", "пасхa", '"<script>'])
def test_the_text_itself_is_never_changed(text: str) -> None:
    for kind in ("same", "delete", "insert"):
        assert plain(shown_spans([Span(kind, text)])) == text  # type: ignore[arg-type]


def test_invisible_characters_are_named_in_changed_words_only() -> None:
    diff = word_diff("The work\u200b is done.", "The wo\u200brk is done.")
    assert shown_spans(diff.adversarial) == (
        'The <ins>wo<span class="invisible" role="img" aria-label="zero width space, U+200B" title="zero width space, U+200B" '
        'data-mark="ZWSP">\u200b</span>rk</ins> is done.'
    )
    assert shown_spans([Span("same", "wo\u200brk")]) == "wo\u200brk"


@pytest.mark.parametrize("character", ["\u00ad", "\u202e", "\u2060", "\ufeff", "\u3164", "\ufe0f", "\u00a0", "\x07", "\u034f"])
def test_whatever_cannot_be_seen_is_marked(character: str) -> None:
    assert f"U+{ord(character):04X}" in shown_spans([Span("insert", f"a{character}b")])


def test_a_look_alike_letter_is_named() -> None:
    shown = shown_spans([Span("same", "Ferries run "), Span("insert", "onсe")])
    assert shown == ('Ferries run <ins>on<span class="lookalike" title="cyrillic small letter es, U+0441">с</span>e</ins>')


def test_a_text_in_another_script_has_no_look_alikes() -> None:
    assert shown_spans([Span("insert", "Мост закрыт")]) == "<ins>Мост закрыт</ins>"


def test_an_excerpt_is_one_line() -> None:
    assert excerpt("a  b\n\nc") == "a b c"
    assert excerpt("word " * 100, 20) == "word word word word…"


def test_short_paragraphs_without_a_full_stop_are_headings() -> None:
    assert sections("What it is\n\nYou read texts.\n\nShort.\n\n") == [
        ("What it is", True),
        ("You read texts.", False),
        ("Short.", False),
    ]

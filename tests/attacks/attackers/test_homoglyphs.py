from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from attacks import AttackError
from attacks.attackers.homoglyphs import Homoglyphs, ImportantHomoglyphs
from attacks.attackers.invisible import Invisible
from attacks.attackers.splitting import Splitting
from attacks.engine import Example, Queries, lockstep, run_attack
from attacks.text import Text
from tests.attacks.toys import Always0, WordVictim

A, C, O_GREEK, O_CYRILLIC = "\u0430", "\u0441", "\u03bf", "\u043e"


@pytest.fixture(autouse=True)
def always_0(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockstep, "generator_of", lambda seed, id: Always0())


def test_one_letter_that_does_is_the_result() -> None:
    victim = WordVictim({"bat": 0.05, "cot": 0.2}, base=0.35)  # P(1) is 0.6, without either word 0.55 or 0.4
    outcome = run_attack([Example(0, "bat ~ cot", 1)], victim, Homoglyphs())[0]
    assert victim.calls == [
        ["bat ~ cot"],
        [f"b{A}t ~ cot", f"bat ~ {C}ot", f"bat ~ c{O_GREEK}t", f"bat ~ c{O_CYRILLIC}t"],
        [f"bat ~ {C}ot"],
    ]
    assert (outcome.adversarial, outcome.queries) == (f"bat ~ {C}ot", Queries(1 + 4 + 1, 5, 6))


TWO = {"bat": 0.1, "cot": 0.2}  # P(1) of "bat ~ cot" is 0.8: both words must be hit


def test_what_helped_is_remembered_within_the_text() -> None:
    victim = WordVictim(TWO, base=0.5)
    outcome = run_attack([Example(0, "bat ~ cot", 1)], victim, Homoglyphs())[0]
    assert victim.calls[2:] == [
        [f"bat ~ {C}{O_GREEK}t"],  # first the most effective place, "c", asked about before, then "o": no gain
        [f"b{A}t ~ {C}ot"],
        [f"b{A}t ~ {C}ot"],
    ]
    assert outcome.adversarial == f"b{A}t ~ {C}ot"
    assert outcome.queries.asked == 1 + 4 + 3 + 1


@pytest.mark.parametrize("attacker", [Homoglyphs(memory=False), Homoglyphs(most=1), Homoglyphs(share=0.1)])
def test_fewer_letters_do_not_do(attacker: Homoglyphs) -> None:
    outcome = run_attack([Example(0, "bat ~ cot", 1)], WordVictim(TWO, base=0.5), attacker)[0]
    assert outcome.status == "failed"
    assert outcome.queries.asked == 1 + 4 + (1 if attacker.memory else 0)


def test_a_text_without_homoglyphs_is_not_asked_about() -> None:
    outcome = run_attack([Example(0, "日本 123", 1)], WordVictim({}), Homoglyphs())[0]
    assert (outcome.status, outcome.queries.asked) == ("failed", 1)


@pytest.mark.parametrize(
    ("place", "tried"), [("begin", [f"{C}oat"]), ("end", [f"co{A}t"]), ("random", [f"{C}oat"])], ids=["begin", "end", "random"]
)
def test_one_homoglyph_in_important_words(place: str, tried: list[str]) -> None:
    victim = WordVictim({"coat": 0.1, "bold": 0.05}, base=0.46)
    outcome = run_attack([Example(0, "bold coat", 1)], victim, ImportantHomoglyphs(place))[0]
    assert victim.calls == [
        ["bold coat"],
        ["[UNK] coat", "bold [UNK]"],  # coat matters more, but bold alone leaves 0.51
        [f"bold {word}" for word in tried],
        [f"b{O_GREEK}ld {tried[0]}", f"b{O_CYRILLIC}ld {tried[0]}"],
        [f"b{O_GREEK}ld {tried[0]}"],
    ]
    assert outcome.queries.asked == 1 + 2 + 1 + 2 + 1


def test_most_words_are_the_limit() -> None:
    victim = WordVictim({"coat": 0.1, "bold": 0.05}, base=0.46)
    outcome = run_attack([Example(0, "bold coat", 1)], victim, ImportantHomoglyphs("begin", most=1))[0]
    assert (outcome.status, outcome.queries.asked) == ("failed", 1 + 2 + 1)


def test_invisible_characters_by_hand() -> None:
    victim = WordVictim({"coat": 0.1, "bold": 0.05, "c": -0.02}, base=0.42)
    outcome = run_attack([Example(0, "bold coat I", 1)], victim, Invisible())[0]
    assert victim.calls == [
        ["bold coat I"],
        ["coat I", "bold I", "bold coat"],  # deletion: 0.52, 0.47, 0.57
        [f"bold c{character}oat I" for character in "\u200b\u200c\u200d\u2060\u00ad"],
        ["bold c\u200boat I"],
    ]
    assert (outcome.adversarial, outcome.queries.asked) == ("bold c\u200boat I", 1 + 3 + 5 + 1)


@pytest.mark.parametrize(
    ("edits", "tried"),
    [
        ("insert", ["a b old ~ coat", "a bo ld ~ coat", "a bol d ~ coat"]),
        ("remove", []),
        ("both", ["a b old ~ coat", "a bo ld ~ coat", "a bol d ~ coat"]),
    ],
)
def test_splitting_by_hand(edits: str, tried: list[str]) -> None:
    victim = WordVictim({"a": 0.05, "bold": 0.1, "old": 0.1, "coat": 0.08, "at": -0.1}, base=0.4)
    outcome = run_attack([Example(0, "a bold ~ coat", 1)], victim, Splitting(edits))[0]
    asked = victim.calls[2:]
    assert victim.calls[1] == ["bold ~ coat", "a ~ coat", "a bold ~"]  # 0.58, 0.53, 0.55: bold, coat, a
    if edits == "remove":
        assert asked == [["abold ~ coat"], ["abold ~ coat"]]  # only "a" and "bold" have nothing but a space between them
        assert outcome.queries.asked == 1 + 3 + 1 + 1
    else:
        assert asked[0] == tried
        assert asked[1] == ["a bo ld ~ c oat", "a bo ld ~ co at", "a bo ld ~ coa t"]
        assert outcome.adversarial == "a bo ld ~ co at"
        assert outcome.queries.asked == 1 + 3 + 3 + 3 + 1


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [(Invisible, 5, 5), (partial(Splitting, "insert"), 3, 3), (Splitting, 3, 3 + 1)],
    ids=["invisible", "insert", "both"],
)
def test_most_words_and_most_queries_are_reached(kind: Callable[..., Invisible | Splitting], first: int, second: int) -> None:
    victim = WordVictim({"coat": 0.1, "bold": 0.05}, base=0.46)
    examples = [Example(0, "bold coat", 1)]
    one, both = run_attack(examples, victim, kind(most=1))[0], run_attack(examples, victim, kind())[0]
    assert (one.status, one.queries.asked) == ("failed", 1 + 2 + first)  # coat alone leaves 0.51
    assert (both.status, both.queries.asked) == ("success", 1 + 2 + first + second + 1)
    assert both.queries.asked == kind().most_queries(Text("bold coat"))


def test_unknown_settings_are_refused() -> None:
    with pytest.raises(AttackError, match="no place 'x'; there are random, begin, end"):
        ImportantHomoglyphs("x")
    with pytest.raises(AttackError, match="no edits 'x'; there are both, insert, remove"):
        Splitting("x")
    for share, most in ((0.0, 1), (1.5, 1), (0.5, 0)):
        with pytest.raises(AttackError, match=f"at least one letter, not {share} and {most}"):
            Homoglyphs(share, most)

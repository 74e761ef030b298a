from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from attacks.attackers import SememePSO, make_attacker
from attacks.engine import Example, run_attack
from attacks.errors import AttackError
from attacks.resources import Resources
from attacks.text import Text
from tests.attacks.attackers.traces import Dice, trace
from tests.attacks.toys import Listed, WordVictim

HALF = np.full((2, 3), 0.5)


def pso(table: dict[str, list[str]], steps: int = 20, particles: int = 2) -> SememePSO:
    return SememePSO(particles, steps, 1.0, substitutes=Listed(table))


def test_trace_by_hand() -> None:
    victim = WordVictim({"a": -0.2, "b": -0.2, "A": 0.05})
    dice = Dice(
        0.0, 0.9,  # the first particle draws a, the second b
        [[0.0], [0.0]],  # velocities
        [[0.9], [0.9]], HALF,  # nobody turns to their own best (0.9 > 0.8)
        # The second particle turns to the leader (0.1 < 0.2), with the velocity 0.2 · (-3 + 3) = 0 in a and b, hence the
        # probability 0.5, and 0.2 · (-3 - 3) in c.
        [[0.9], [0.1]], [[0.0, 0.0, 0.0], [0.4, 0.6, 0.0]],
    )  # fmt: skip
    found, asked = trace(pso({"a": ["A"], "b": ["B"]}), "a b c", victim, dice)
    assert asked == [["A b c", "a B c"], ["A B c"]]  # P(1) = 0.35 and 0.3, then 0.55
    assert found == "A B c"


def test_the_best_of_a_particle_and_of_the_swarm_are_kept_up_to_date() -> None:
    victim = WordVictim({"a": -0.1, "b": -0.1, "c": -0.1})
    nobody = [[0.9], [0.9]], HALF
    dice = Dice(
        0.0, 0.0,  # both draw a
        [[0.0], [0.0]],
        *nobody, *nobody,
        [0.1, 0.9], 0.0,  # the first particle mutates, 0.1 < 1 - 2 · 1/3, and draws b: it leads
        *nobody,
        # Half way the second turns to the leader with 0.5. In b its velocity is 0.5 · 0.2 · (-6) + 0.5 · (3 - 3) = -0.6,
        # hence the probability 0.354; it only differs from the leader there.
        [[0.9], [0.4]], [[0.0, 0.0, 0.0], [0.0, 0.35, 0.0]],
        [0.0, 0.0],  # both have replaced two of three words, and mutate no more
    )  # fmt: skip
    found, asked = trace(pso({"a": ["A"], "b": ["B"], "c": ["C"]}, steps=2), "a b c", victim, dice)
    assert (found, asked) == (None, [["A b c", "A b c"], ["A B c"], ["A B c"]])
    assert not dice.values


def test_a_particle_returns_to_its_own_best() -> None:
    victim = WordVictim({"a": -0.1, "b": -0.1, "A": 0.0, "B": -0.05})
    dice = Dice(
        0.0, 0.9,  # A b with 0.4 leads, a B with 0.35
        [[3.0], [3.0]],
        [[0.9], [0.9]], HALF[:, :2],
        [[0.9], [0.1]], [[0.9, 0.9], [0.0, 0.0]],  # the second becomes A b, and its best with it
        [0.9, 0.9],
        [[0.0], [0.0]], [[0.0, 0.0], [0.0, 0.0]],
        [[0.9], [0.9]], HALF[:, :2],
        [0.9, 0.9],
    )  # fmt: skip
    found, asked = trace(pso({"a": ["A"], "b": ["B"]}, steps=2), "a b", victim, dice)
    assert (found, asked) == (None, [["A b", "a B"], ["A b"]])


def test_steps_end_the_search_within_the_formula() -> None:
    table = {word: [word.upper(), word * 2] for word in "abcdefgh"}
    attacker = pso(table, steps=3, particles=4)
    found, asked = trace(attacker, "a b c d e f g h", WordVictim(dict.fromkeys("abcdefgh", -0.03)), np.random.default_rng(0))
    assert found is None
    assert sum(map(len, asked)) <= attacker.most_queries(Text("a b c d e f g h")) - 2 == 4 * 2 + 3 * (4 + 4 * 2)


def test_a_swarm_that_is_all_alike_and_comes_no_nearer_ends_the_search() -> None:
    victim = WordVictim({"good": -0.2, "fine": -0.1})
    outcome = run_attack([Example(0, "good day", 0)], victim, pso({"good": ["fine"]}))[0]
    assert (outcome.status, outcome.queries.asked) == ("failed", 1 + 2)


def test_a_text_without_substitutes_fails_without_a_query() -> None:
    assert trace(pso({}), "a b", WordVictim({"a": -0.1}), Dice()) == (None, [])


def test_substitutes_come_from_the_file_of_sememes_or_else_from_wordnet(tmp_path: Path) -> None:
    path = tmp_path / "sememes.tsv"
    path.write_text("movie\tnoun\tshows\nfilm\tnoun\tshows\n")
    given = make_attacker("sememe-pso", Resources(sememes=path))
    assert given.substitutes.answer([(Text("MOVIES"), 0)]) == [["FILMS"]]  # type: ignore[union-attr]
    assert given.describe()["substitutes"]["lexicon"]["name"] == "sememes"
    assert SememePSO().describe()["substitutes"]["lexicon"]["name"] == "WordNet"


def test_without_sememes_and_wordnet_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.texts.wordnet.PLACES", (str(tmp_path),))
    monkeypatch.delenv("WORDNET_DIR", raising=False)
    with pytest.raises(AttackError, match="give a file with --sememes, or, for synonyms instead, install Debian's wordnet-base"):
        make_attacker("sememe-pso")

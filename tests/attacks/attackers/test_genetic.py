from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from attacks import AttackError
from attacks.attackers import Genetic, make_attacker
from attacks.attackers.population import Population
from attacks.engine import Admitted, Example, Goal, run_attack
from attacks.resources import Resources
from attacks.substitutes.likely import LikelyWords, causal_model
from attacks.text import Text
from regressors.features.fluency import FluencyFeatures
from tests.attacks.attackers.traces import Dice, trace
from tests.attacks.toys import Listed, WordVictim
from tests.regressors.features import tiny

WEIGHTS = {"a": -0.2, "b": -0.2, "A": 0.05}
SIZES = {"population": 2, "share": 1.0}


def genetic(table: dict[str, list[str]], **sizes: float) -> Genetic:
    return Genetic(**SIZES | sizes, substitutes=Listed(table))  # type: ignore[arg-type]


def test_trace_by_hand() -> None:
    # first a is drawn, then b; the child has the first word of its mother and the second of its father
    dice = Dice(0.0, 0.9, [[0, 0], [1, 1]], [[0.9, 0.9, 0.9], [0.1, 0.9, 0.9]])
    found, asked = trace(genetic({"a": ["A", "x"], "b": ["B"]}), "a b c", WordVictim(WEIGHTS), dice)
    assert asked == [
        ["A b c", "x b c", "a B c"],  # P(1) = 0.35, 0.3, 0.3; the original has 0.1
        ["A B c"],  # 0.55
    ]
    assert found == "A B c"
    np.testing.assert_allclose(dice.chances, [0.35 / 0.65, 0.3 / 0.65])


def test_words_are_drawn_by_how_many_near_words_they_have() -> None:
    victim = WordVictim({"a": -0.2, "b": -0.2})
    table = {"a": ["A", "x", "y"], "b": ["B"]}
    for drawn, first in {0.0: "A b", 0.74: "A b", 0.76: "a B"}.items():
        _, asked = trace(genetic(table, population=1, generations=0), "a b", victim, Dice(drawn))
        assert asked[0][0] == first


def test_children_are_mutated_too_and_the_nearest_member_lives_on() -> None:
    victim = WordVictim({"a": -0.2, "b": -0.2, "c": -0.05, "A": 0.05})
    # both members draw a; the child of both then draws c among b and c
    dice = Dice(0.0, 0.1, [[0, 0], [1, 1]], np.zeros((2, 3)), 0.9)
    found, asked = trace(genetic({"a": ["A"], "b": ["B"], "c": ["C"]}, generations=1), "a b c", victim, dice)
    assert (found, asked) == (None, [["A b c", "A b c"], ["A b C"]])


def test_a_population_that_is_all_alike_and_comes_no_nearer_ends_the_search() -> None:
    victim = WordVictim({"good": -0.2, "fine": -0.1, "nice": -0.05})
    attacker = Genetic(population=2, share=1.0, substitutes=Listed({"good": ["fine", "nice"]}))
    outcome = run_attack([Example(0, "good day", 0)], victim, attacker)[0]
    assert victim.calls == [["good day"], ["fine day", "nice day"]]
    assert (outcome.status, outcome.queries.asked) == ("failed", 1 + 2 * 2)


def test_generations_end_the_search() -> None:
    table = {word: [word.upper()] for word in "abcdefgh"}
    victim = WordVictim(dict.fromkeys("abcdefgh", -0.03))
    attacker = genetic(table, population=4, generations=3)
    found, asked = trace(attacker, "a b c d e f g h", victim, np.random.default_rng(0))
    assert found is None
    assert len(asked) <= 1 + 2 * 3
    assert sum(map(len, asked)) <= attacker.most_queries(Text("a b c d e f g h")) - 2 == 4 + 3 * (3 + 3)


def test_at_most_the_share_of_words_is_changed() -> None:
    table = {word: [word.upper()] for word in "abcde"}
    victim = WordVictim(dict.fromkeys("abcde", -0.1) | {"B": 0.05}, base=0.8)
    for share, status in {0.2: "failed", 0.4: "success"}.items():
        attacker = Genetic(population=6, share=share, substitutes=Listed(table))
        assert run_attack([Example(0, "a b c d e", 0)], victim, attacker)[0].status == status


def test_a_text_without_near_words_fails_without_a_query() -> None:
    assert trace(genetic({}), "a b", WordVictim({"a": -0.1}), Dice()) == (None, [])


def test_the_language_model_leaves_the_words_with_which_the_text_is_likeliest() -> None:
    bits = {"a d": 9.0, "b d": 2.04, "c d": 2.0, "f d": 1.0, "x e": 0.0}
    read: list[str] = []

    class Model:
        def surprisals(self, texts: Sequence[str]) -> list[np.ndarray]:
            read.extend(texts)
            return [np.array([bits[text] / 2] * 2) for text in texts]

    near = Listed({"x": ["a", "b", "c", "f"], "d": ["e", "g"]})
    likely = LikelyWords(near, Model(), {"name": "toy"}, 3)
    text = Text("x d")
    # b and c are equally likely to a tenth of a bit, and near words stay in front
    assert likely.answer([(text, 0), (text, 1)]) == [["f", "b", "c"], ["e", "g"]]
    assert read == ["a d", "b d", "c d", "f d"]
    described = Genetic(substitutes=likely).describe()
    assert described["variant"] == "algorithm 1, neighbours by vectors, near words ranked by a language model"
    assert described["substitutes"] == {"name": "toy", "language_model": {"name": "toy", "count": 3}}
    assert genetic({}).describe()["variant"] == "algorithm 1, neighbours by vectors, no language model"
    with pytest.raises(AttackError, match="must leave at least one word, not 0"):
        LikelyWords(near, Model(), {}, 0)


def test_without_the_embedded_language_model_it_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attacks.substitutes.likely.importlib.util.find_spec", lambda name: None)
    with pytest.raises(AttackError, match="no language model is embedded here: install one with: pip install"):
        causal_model("embedded")


def test_by_a_language_model_of_a_folder(tmp_path: Path) -> None:
    folder = tiny.causal(tmp_path / "gpt2")
    attacker = make_attacker("genetic", Resources(causal_lm=str(folder)), likely=2)
    assert isinstance(attacker, Genetic)
    near = make_attacker("genetic", Resources())
    assert isinstance(near, Genetic)
    text = Text("The council opened the bridge")
    (all_near,), (two,) = near.substitutes.answer([(text, 2)]), attacker.substitutes.answer([(text, 2)])
    features = FluencyFeatures(str(folder))
    bits = [float(features.surprisals([text.replace(2, word).text])[0].sum()) for word in all_near]
    assert len(two) == 2 < len(all_near)
    assert two == [all_near[i] for i in np.argsort(bits)[:2]]
    assert attacker.describe()["substitutes"]["language_model"] == {
        "name": "gpt2", "tokenizer_sha256": features.files.fingerprint, "sha256": features.sha256, "count": 2,
    }  # fmt: skip


def population(size: int = 3) -> Population:
    goal = Goal.away_from(np.array([0.9, 0.1]))
    return Population(Text("a b"), [["A", "x"], ["B"]], goal, size)


def test_members_take_the_nearest_option_only_if_it_is_nearer() -> None:
    members = population()
    mutation = members.mutate(np.array([True, False, True]), np.array([1.0, 1.0]), Dice(0.1, 0.9))  # type: ignore[arg-type]
    admit = next(mutation)
    assert [text.text for text in admit.candidates] == ["A b", "x b", "a B"]  # type: ignore[union-attr]
    query = mutation.send([Admitted(text, {}) for text in admit.candidates])  # type: ignore[union-attr]
    with pytest.raises(StopIteration) as end:
        mutation.send(np.array([[0.7, 0.3], [0.7, 0.3], [0.95, 0.05]]))
    assert (len(query.texts), end.value.value) == (3, None)  # type: ignore[union-attr]
    assert members.choices.tolist() == [[1, 0], [0, 0], [0, 0]]  # of equal ones the first
    assert [text.text for text in members.texts] == ["A b", "a b", "a b"]
    np.testing.assert_allclose(members.scores, [0.3, 0.1, 0.1])


def test_members_that_may_not_move_stay() -> None:
    members = population()
    moving = members.move(np.array([[1, 0], [0, 0], [1, 1]]))
    admit = next(moving)
    assert [text.text for text in admit.candidates] == ["A b", "A B"]  # type: ignore[union-attr]
    query = moving.send([Admitted(admit.candidates[1], {})])  # type: ignore[union-attr]
    assert [text.text for text in query.texts] == ["A B"]  # type: ignore[union-attr]
    with pytest.raises(StopIteration) as end:
        moving.send(np.array([[0.4, 0.6]]))
    assert end.value.value.text == "A B"
    assert members.choices.tolist() == [[0, 0], [0, 0], [1, 1]]

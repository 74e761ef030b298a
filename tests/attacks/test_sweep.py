"""What limits would have done, beside what they do."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any

import numpy as np
import pytest

from attacks import AttackError
from attacks.attackers import ATTACKERS
from attacks.attackers.bae import BAE
from attacks.attackers.base import NamedAttacker
from attacks.attackers.bert_attack import BertAttack
from attacks.attackers.exhaustive import Exhaustive
from attacks.attackers.homoglyphs import Homoglyphs
from attacks.attackers.in_turn import MaskedShift
from attacks.attackers.paraphrase import Paraphrase
from attacks.attackers.textfooler import TextFooler
from attacks.constraints import SuspicionAtMost
from attacks.engine import Example, Outcome, run_attack
from attacks.results import Run, mean_of, score_run
from attacks.substitutes.source import Passage
from attacks.sweep import METHOD, Limit, sweep
from attacks.text import Text
from tests.attacks.toys import MaskedToy

WORDS = ["council", "opened", "bridge", "morning", "doctors", "warned", "harbour", "letters", "window", "garden"]
TEXTS = [" ".join(np.random.default_rng(i).choice(WORDS, 6)) for i in range(40)]
EXAMPLES = [Example(i, text, 0) for i, text in enumerate(TEXTS)]
TAUS = (2.0, 3.0, 4.0)


def share(text: str, salt: str) -> float:
    """A number from 0 to 1 that looks random but is the text's own."""
    return int.from_bytes(hashlib.sha256((salt + text).encode()).digest()[:4]) / 2**32


class Victim:
    """Gives a changed text a probability of label 1 of up to 0.1 + ``most``."""

    name = sha256 = "hashing"

    def __init__(self, most: float = 0.42) -> None:
        self.most = most

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        positive = np.array([0.1 if text in TEXTS else 0.1 + self.most * share(text, "victim") for text in texts])
        return np.column_stack([1 - positive, positive]).reshape(-1, 2)


class Readers:
    sha256 = "readers"
    card: Mapping[str, Any] = {}

    def predict(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([1.5 if text in TEXTS else 1 + 4 * share(text, "readers") for text in texts])


def reworded(word: str) -> list[str]:
    """A word, or a sentence, backwards, doubled, in capitals."""
    return [word[::-1], word * 2, word.upper()]


class Reversed:
    """Substitutes that need no word list."""

    def answer(self, questions: Sequence[tuple[Text, int]]) -> list[list[str]]:
        return [reworded(text.words[i]) for text, i in questions]

    def describe(self) -> dict[str, Any]:
        return {"name": "reversed"}


class Rewordings:
    """Paraphrases that need no model: one word of a sentence reworded."""

    def answer(self, questions: Sequence[Passage]) -> list[list[str]]:
        return [[text.replace(word, new) for word in text.split() for new in reworded(word)] for text, _ in questions]

    def describe(self) -> dict[str, Any]:
        return {"name": "rewordings"}


def attack(attacker: NamedAttacker, tau: float, most: float = 0.42) -> Run:
    constraint = SuspicionAtMost(Readers(), tau)
    outcomes = run_attack(EXAMPLES, Victim(most), attacker, constraints=[constraint])
    header = {"seed": 0, "attacker": attacker.describe(), "constraints": [constraint.describe()]}
    return score_run(header, outcomes, scorer=None, segmentation="HN")


WITH_WORDS: Mapping[str, Callable[[], NamedAttacker]] = {
    "bae": lambda: BAE("R/I", predictor=MaskedToy({"": ["then", "there", "soon"]}), constraints=()),
    "bert-attack": lambda: BertAttack(substitutes=Reversed()),
    "exhaustive": lambda: Exhaustive(substitutes=Reversed()),
    "masked-shift": lambda: MaskedShift(substitutes=Reversed(), fallback=Reversed()),
    "paraphrase": lambda: Paraphrase(paraphrases=Rewordings(), constraints=()),
    "textfooler": lambda: TextFooler(substitutes=Reversed(), constraints=()),
}


def made(name: str) -> NamedAttacker:
    if name in WITH_WORDS:
        return WITH_WORDS[name]()
    maker = ATTACKERS[name]
    assert isinstance(maker, type)
    return maker()


KEEPING = sorted(name for name, maker in ATTACKERS.items() if getattr(maker, "keeps_its_path", False))


@pytest.mark.parametrize("name", KEEPING)
def test_what_is_told_of_an_attacker_that_keeps_its_path_is_what_a_run_finds(name: str) -> None:
    most = 0.7 if name == "deepwordbug" else 0.42  # it asks once, so a harder victim would leave it next to no success
    observed = attack(made(name), inf, most)
    admitted = stopped = 0
    for found in sweep(observed, [Limit(tau) for tau in TAUS]):
        again = attack(made(name), found.limit.tau or 0.0, most)
        for id in found.admitted:
            assert again.successes[id].adversarial == observed.successes[id].adversarial
        assert found.success.value is not None
        assert again.summary["success"]["value"] >= found.success.value
        admitted += len(found.admitted)
        stopped += len(observed.successes) - len(found.admitted)
    # A search that does not take the best of what is admitted has next to no path to be held to.
    assert admitted >= 5
    assert stopped > 0


def test_an_attacker_that_looks_at_more_than_its_path_may_find_something_else() -> None:
    observed = attack(Homoglyphs(), inf)
    found = sweep(observed, [Limit(tau) for tau in TAUS])
    texts = [(observed, attack(Homoglyphs(), each.limit.tau or 0.0), each.admitted) for each in found]
    assert any(
        id not in again.successes or again.successes[id].adversarial != first.successes[id].adversarial
        for first, again, admitted in texts
        for id in admitted
    )
    assert [each.success.reason and each.success.reason.code for each in found] == ["path_not_kept"] * 3


def run(header: Mapping[str, Any], *paths: Sequence[float | None]) -> Run:
    """Successes with such paths, then two failures and one that is skipped."""
    successes = [
        Outcome(i, f"text {i}", 1, "success", adversarial=f"text x{i}", constraint_scores={"suspicion": list(path)})
        for i, path in enumerate(paths)
    ]
    n = len(paths)
    rest = [Outcome(n, "a", 1, "failed"), Outcome(n + 1, "b", 1, "budget"), Outcome(n + 2, "c", 1, "skipped")]
    return score_run({"seed": 0} | dict(header), [*successes, *rest], scorer=None, segmentation="HN")


def header(keeps: bool = True, **rule: float) -> dict[str, Any]:
    attacker = {"name": "greedy"} | ({"keeps_its_path": True} if keeps else {})
    return {"attacker": attacker, "constraints": [{"name": "suspicion", "model_sha256": "m", **rule}]}


PATHS = ([1.0, 2.0, 1.5], [1.0, 1.9], [3.0, 3.0], [3.0, 2.0, 3.1], [1.0, None, 2.1], [None, 1.2])


def test_limits_by_hand() -> None:
    at_2, at_3, half, tenth = sweep(run(header(), *PATHS), [Limit(2.0), Limit(3.0), Limit(margin=0.5), Limit(margin=0.1)])
    assert at_2.admitted == [0, 1, 2]  # 0 by its highest step, 2 by its original's own
    assert at_3.admitted == [0, 1, 2, 4]
    assert half.admitted == [2, 3]
    assert tenth.admitted == [2, 3]
    assert (at_2.success.value, at_2.success.n, at_2.unscored) == (3 / 8, 8, 1)
    assert at_2.bodega.reason is not None and at_2.bodega.reason.code == "no_semantic_scorer"
    assert json.loads(json.dumps(at_3.as_dict(), allow_nan=False))["admitted"] == [0, 1, 2, 4]


def test_bodega_counts_what_is_stopped_as_a_failure() -> None:
    whole = run(header(), *PATHS)
    scores = [score and replace(score, bodega=0.5 if score.succeeded else 0.0) for score in whole.scores]
    some, none = sweep(replace(whole, scores=scores), [Limit(2.0), Limit(1.0)])
    assert some.bodega.value == 0.5 * 3 / 8
    above = replace(whole, scores=scores[1:2], outcomes=whole.outcomes[1:2])  # 1.0, then 1.9
    assert (sweep(above, [Limit(1.5)])[0].admitted, sweep(above, [Limit(1.5)])[0].bodega.value) == ([], 0.0)
    assert none.admitted == [2]


def test_intervals_draw_examples_of_one_original_together_by_the_runs_seed() -> None:
    whole = run(header() | {"seed": 7}, *PATHS)
    twice = [replace(outcome, original=f"text {outcome.id // 2}") for outcome in whole.outcomes]
    (found,) = sweep(replace(whole, outcomes=twice), [Limit(2.0)])
    expected = mean_of([1.0] * 3 + [0.0] * 5, [f"text {i // 2}" for i in range(8)], 7, METHOD)
    assert found.success == expected
    assert found.success != mean_of([1.0] * 3 + [0.0] * 5, [f"text {i // 2}" for i in range(8)], 0, METHOD)


def test_recipes_say_it_inside() -> None:
    inside = header() | {"attacker": {"name": "recipe", "made_of": header()["attacker"]}}
    assert sweep(run(inside, *PATHS), [Limit(2.0)])[0].success.value == 3 / 8
    assert sweep(run(header(keeps=False), *PATHS), [Limit(2.0)])[0].success.value is None


def test_what_a_run_refused_cannot_be_told() -> None:
    bound = run(header(tau=2.5), *PATHS)
    assert sweep(bound, [Limit(2.0)])[0].admitted == [0, 1, 2]
    with pytest.raises(AttackError, match=r"refused texts above its own tau 2\.5, so it cannot tell about tau 3; observe"):
        sweep(bound, [Limit(2.0), Limit(3.0)])
    with pytest.raises(AttackError, match=r"cannot tell about margin 0\.5"):
        sweep(bound, [Limit(margin=0.5)])
    with pytest.raises(AttackError, match="no scores of suspicion; run it with --suspicion MODEL --observe"):
        sweep(run({"attacker": {"name": "greedy"}, "constraints": []}), [Limit(2.0)])
    for wrong in (partial(Limit), partial(Limit, 2.0, 0.1)):
        with pytest.raises(AttackError, match="either tau or a margin"):
            wrong()

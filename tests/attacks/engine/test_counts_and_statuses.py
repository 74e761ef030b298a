"""What one example costs and how it ends, worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from attacks import AttackError
from attacks.engine import Admit, Example, Goal, Outcome, Queries, Query, Search, run_attack
from attacks.text import Text
from tests.attacks.toys import Forbids, Scripted, WordVictim


def attack(attacker: Any, victim: Any = None, text: str = "good day", label: int = 0, **options: Any) -> Outcome:
    victim = WordVictim({"good": -0.3, "bad": 0.3}) if victim is None else victim
    return run_attack([Example(0, text, label)], victim, attacker, **options)[0]


def test_a_success_counts_original_question_and_verification() -> None:
    outcome = attack(Scripted("fine day", "bad day"))
    assert outcome == Outcome(
        id=0,
        original="good day",
        label=0,
        status="success",
        adversarial="bad day",
        predicted_before=0,
        predicted_after=1,
        scores_before=[0.8, 0.2],
        scores_after=[pytest.approx(0.2), pytest.approx(0.8)],  # type: ignore[list-item]
        queries=Queries(asked=4, unique=3, sent=4),
    )


def test_repeats_are_asked_but_not_sent() -> None:
    victim = WordVictim({"good": -0.3})
    outcome = attack(Scripted("fine day", "good day", "fine day"), victim)
    assert (outcome.status, outcome.queries) == ("failed", Queries(asked=4, unique=2, sent=2))
    assert victim.sent == ["good day", "fine day"]


def test_one_call_per_step_for_the_whole_window() -> None:
    victim = WordVictim({"good": -0.3, "bad": 0.3})
    examples = [Example(i, f"good day {i}", 0) for i in range(5)]
    run_attack(examples, victim, Scripted("bad x"), window=5)
    assert [len(call) for call in victim.calls] == [5, 5, 5]


@pytest.mark.parametrize(
    ("label", "text", "status"), [(1, "bad day", "success"), (1, "good day", "skipped"), (0, "bad day", "skipped")]
)
def test_targeted_attacks_only_recognised_non_credible_texts(label: int, text: str, status: str) -> None:
    outcome = attack(Scripted("good good"), text=text, label=label, targeted=True)
    assert outcome.status == status
    assert outcome.queries.asked == (3 if status == "success" else 1)


def test_untargeted_leaves_the_victims_own_answer_even_a_wrong_one() -> None:
    outcome = attack(Scripted("good good"), text="bad day", label=0)
    assert (outcome.status, outcome.predicted_before, outcome.predicted_after) == ("success", 1, 0)


@pytest.mark.parametrize(
    ("budget", "status", "asked"),
    [(5, "success", 5), (4, "budget", 3), (3, "budget", 2), (2, "budget", 1)],
)
def test_budget_keeps_one_back_for_the_verification(budget: int, status: str, asked: int) -> None:
    outcome = attack(Scripted("a day", "b day", "bad day"), budget=budget)
    assert (outcome.status, outcome.queries.asked) == (status, asked)


def test_a_question_larger_than_the_budget_is_not_even_made() -> None:
    class Greedy(Scripted):
        def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
            yield Query(text.without_each())
            return None

    victim = WordVictim({})
    outcome = attack(Greedy(), victim, text="word " * 20_000, budget=100)
    assert (outcome.status, outcome.message) == ("budget", "the budget of 100 queries is spent")
    assert len(victim.sent) == 1


class Fickle(WordVictim):
    """Says something else when it is asked about the same text again."""

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        before = set(self.sent)
        answers = super().predict_proba(texts)
        return np.array([a[::-1] if t in before else a for a, t in zip(answers, texts, strict=True)])


def test_inconsistent_victim() -> None:
    outcome = attack(Scripted("bad day"), Fickle({"good": -0.3, "bad": 0.3}))
    assert (outcome.status, outcome.adversarial) == ("inconsistent", None)
    assert outcome.message == "the victim changed its answer when asked again"


class Claims(Scripted):
    """Returns a text without having asked about it."""

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        yield from ()
        return Text(self.attempts[0])


def test_a_wrong_claim_fails_and_a_right_one_succeeds() -> None:
    assert attack(Claims("fine day")).status == "failed"
    assert attack(Claims("bad day")).queries == Queries(asked=2, unique=2, sent=2)


def test_a_claim_that_breaks_a_constraint_fails_unverified() -> None:
    outcome = attack(Claims("bad day"), constraints=[Forbids("bad")])
    assert (outcome.status, outcome.message) == ("failed", "what the search found breaks a constraint")
    assert outcome.queries.asked == 1


class Broken(Scripted):
    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        yield Query([Text("x")])
        raise RuntimeError("lost\nits way")


class Confused(Scripted):
    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        yield "bad day"  # type: ignore[misc]
        return None


def test_an_attackers_fault_is_an_error_with_its_message() -> None:
    outcome = attack(Broken())
    assert (outcome.status, outcome.message, outcome.queries.asked) == ("error", "RuntimeError: lost its way", 2)
    assert "asked for 'bad day', which is no Query" in attack(Confused()).message


class Failing(WordVictim):
    """Fails at certain calls, or at every call that holds a certain text; answers nan for another."""

    def __init__(self, *, at: Sequence[int] = (), on: str = "\0", nan: str = "\0", shape: int | None = None) -> None:
        super().__init__({"good": -0.3, "bad": 0.3})
        self.at, self.on, self.nan, self.shape = at, on, nan, shape

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        answers = super().predict_proba(texts)
        if len(self.calls) in self.at or any(self.on in text for text in texts):
            raise ConnectionError(f"call {len(self.calls)} failed")
        for i, text in enumerate(texts):
            if self.nan in text:
                answers[i] = np.nan
        return answers[: self.shape]


EXAMPLES = [Example(i, f"good day {name}", 0) for i, name in enumerate(["anna", "berta", "clara"])]


class BadDay(Scripted):
    """Replaces the first word by ``bad``."""

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        candidate = text.replace(0, "bad")
        return candidate if goal.reached((yield Query([candidate])))[0] else None


def statuses(victim: WordVictim, window: int = 3) -> list[str]:
    return [outcome.status for outcome in run_attack(EXAMPLES, victim, BadDay(), window=window)]


@pytest.mark.parametrize("window", [1, 3])
def test_a_call_that_fails_once_is_made_again(window: int) -> None:
    assert statuses(Failing(at=[2]), window) == ["success"] * 3


@pytest.mark.parametrize("window", [1, 2, 3])
def test_a_text_that_the_victim_cannot_take_costs_only_its_example(window: int) -> None:
    assert statuses(Failing(on="bad day berta"), window) == ["success", "error", "success"]
    assert statuses(Failing(nan="bad day berta"), window) == ["success", "error", "success"]


def test_failures_say_what_happened() -> None:
    outcome = run_attack(EXAMPLES, Failing(nan="good day clara"), BadDay())[2]
    assert outcome.message == "AttackError: the victim's answer to 'good day clara' is not a number"
    broken = run_attack(EXAMPLES, Failing(at=range(2, 100)), BadDay())
    assert {outcome.status for outcome in broken} == {"error"}
    assert broken[0].message == "ConnectionError: call 3 failed"
    odd = run_attack(EXAMPLES, Failing(shape=0), BadDay())[0]
    assert odd.message == "AttackError: the victim answered 1 texts with an array of shape (0, 2)"


def test_constraints_are_asked_in_order_of_cost_and_only_about_what_is_left() -> None:
    dear, cheap = Forbids("sad", "dear", cost=5.0), Forbids("mad", "cheap", cost=1.0)
    outcome = attack(Scripted("mad day", "sad day", "mad sad", "bad day"), constraints=[dear, cheap])
    assert cheap.scored == ["mad day", "sad day", "mad sad", "bad day", "good day"]
    assert dear.scored == ["sad day", "bad day", "good day"]
    assert outcome.constraint_checks == {"cheap": 4, "dear": 2}
    assert outcome.queries.asked == 3


def test_no_candidate_is_scored_twice() -> None:
    constraint = Forbids("mad")
    outcome = attack(Scripted("mad day", "fine day", "mad day", "fine day"), constraints=[constraint])
    assert constraint.scored == ["mad day", "fine day"]
    assert (outcome.constraint_checks, outcome.queries.asked) == ({"forbids": 2}, 3)


def test_scores_are_kept_along_the_winning_path() -> None:
    class Steps(Scripted):
        def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
            first = (yield Admit([text.replace(0, "so so")]))[0].text
            last = (yield Admit([first.replace(1, "bad bad bad")]))[0].text
            yield Query([last])
            return last

    assert attack(Steps(), constraints=[Forbids("x")]).constraint_scores == {"forbids": [2.0, 3.0, 5.0]}


def test_a_step_about_which_no_constraint_was_asked_has_no_score() -> None:
    class AtOnce(Scripted):
        def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
            last = text.replace(0, "so so").replace(1, "bad bad bad")
            yield Admit([last])
            yield Query([last])
            return last

    refuses_the_original = Forbids("good", name="cheap", cost=0.0)
    scores = attack(AtOnce(), constraints=[refuses_the_original, Forbids("x")]).constraint_scores
    assert scores == {"cheap": [2.0, None, 5.0], "forbids": [None, None, 5.0]}


def test_a_text_made_from_nothing_has_the_original_before_it() -> None:
    class FromNothing(Scripted):
        def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
            yield Admit([Text("bad bad bad")])
            return Text("bad bad bad")

    assert attack(FromNothing(), constraints=[Forbids("x")]).constraint_scores == {"forbids": [2.0, 3.0]}


def test_a_constraints_fault_costs_only_its_example() -> None:
    class Picky(Forbids):
        def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
            if "good day berta" in originals:
                raise ValueError("cannot read this")
            scores, verdicts = super().check_pairs(originals, candidates)
            return np.where(["clara" in original for original in originals], np.nan, scores), verdicts

    class Admits(Scripted):
        def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
            candidate = (yield Admit([text.replace(0, "bad")]))[0].text
            yield Query([candidate])
            return candidate

    outcomes = run_attack(EXAMPLES, Failing(), Admits(), constraints=[Picky("x")])
    assert [outcome.status for outcome in outcomes] == ["success", "error", "error"]
    assert outcomes[1].message == "ValueError: cannot read this"
    assert outcomes[2].message == "AttackError: constraint forbids: its score of 'bad day clara' is not a number"


def test_wrong_options_are_refused() -> None:
    victim = WordVictim({})
    with pytest.raises(AttackError, match="the same id"):
        run_attack([EXAMPLES[0], EXAMPLES[0]], victim, BadDay())
    with pytest.raises(AttackError, match="a budget of 1"):
        run_attack(EXAMPLES, victim, BadDay(), budget=1)
    with pytest.raises(AttackError, match="the window"):
        run_attack(EXAMPLES, victim, BadDay(), window=0)
    with pytest.raises(AttackError, match="forbids was given twice"):
        run_attack(EXAMPLES, victim, BadDay(), constraints=[Forbids("a"), Forbids("b")])
    with pytest.raises(AttackError, match=r"'no adverbs' is no constraint; attacks\.constraints\.Constraint says what one has"):
        run_attack(EXAMPLES, victim, BadDay(), constraints=["no adverbs"])  # type: ignore[list-item]
    assert victim.calls == []


def test_no_examples() -> None:
    assert run_attack([], WordVictim({}), BadDay()) == []

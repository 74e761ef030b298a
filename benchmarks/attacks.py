"""The attack engine on rt-polarity: nine tenths to train the victim, shuffled texts of the rest to attack. Texts and queries a
second of greedy DeepWordBug and PWWS against TF-IDF with logistic regression, one by one and in lock step; what engine and
attacker take of a query; a BiLSTM one by one and in lock step; what a constraint by a suspicion model costs: TextFooler with and
without it, each in a process of its own that has loaded everything and met none of the texts. Beside TextAttack 0.3.11, if
TEXTATTACK_PYTHON names the Python of an environment that has it. Times are of the processor, so that other programs count little.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

# Else torch leaves a folder of its own behind, beside the scratch installation.
os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.environ["PASSABLE_DATA"]
os.environ["TOKENIZERS_PARALLELISM"] = "false"  # threads of theirs do not survive a fork
import torch

from attacks.attackers import make_attacker
from attacks.constraints import SuspicionAtMost
from attacks.engine import Example, Outcome, run_attack
from attacks.resources import WORDNET, Resources
from attacks.stop_words import STOP_WORDS
from attacks.tasks.layout import Row
from attacks.victims.bilstm import BiLSTMVictim
from attacks.victims.linear import LinearVictim
from attacks.victims.victim import Victim, evaluate
from benchmarks.suspicion import judged
from regressors.models import DEFAULT, make_model

EXAMPLES_PER_SECOND, PWWS_PER_SECOND = 900, 5 * 23
TIMES_TEXTATTACK, TIMES_ONE_BY_ONE, CONSTRAINED_AT_MOST = 6.0, 3.0, 1.5
QUERIES_WITHIN, SUCCESS_WITHIN = 0.03, 0.03
REPETITIONS = 3


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--texts", type=int, nargs="+", default=[100, 1000], help="so many texts for the sparse victim")
    parser.add_argument("--train", type=int, help="train victims on the first so many texts only")
    parser.add_argument("--neural", type=int, default=100, help="texts for the BiLSTM, and for the constraints")
    parser.add_argument("--epochs", type=int, default=2, help="of the BiLSTM")
    parser.add_argument("--judgements", type=int, default=600, help="texts that the suspicion models learn from")


@dataclass(frozen=True)
class Measured:
    """Outcomes and the seconds of the processor that they took."""

    outcomes: list[Outcome]
    seconds: float

    @property
    def per_second(self) -> float:
        return len(self.outcomes) / self.seconds

    @property
    def asked(self) -> int:
        return sum(outcome.queries.asked for outcome in self.outcomes)

    @property
    def successes(self) -> int:
        return sum(outcome.succeeded for outcome in self.outcomes)

    def __str__(self) -> str:
        n = len(self.outcomes)
        return f"{self.per_second:>7,.1f} texts/s, {self.asked / n:6.1f} queries each, success {self.successes / n:.3f}"


class Unmoved:
    """A victim that costs nothing and never changes its answer."""

    name, sha256 = "unmoved", "unmoved"

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        return np.tile([0.6, 0.4], (len(texts), 1))


class Judge:
    """A suspicion model fitted to made-up judgements; what a prediction costs does not depend on what was learned."""

    sha256 = "benchmark"

    def __init__(self, name: str, texts: Sequence[tuple[str, float, int]]) -> None:
        self.model = make_model(name).fit([text for text, _, _ in texts], [score for _, score, _ in texts])
        self.card: Mapping[str, Any] = {"features": [group.described() for group in self.model.groups]}

    def predict(self, texts: Sequence[str]) -> np.ndarray:
        return self.model.predict(texts)


def run(options: Namespace) -> int:
    torch.set_num_threads(1)
    train, test = reviews(options.train)
    sparse = LinearVictim.train(train)
    accuracy = evaluate(sparse, test).accuracy
    print(f"rt-polarity: {len(train):,} texts to train, {len(test):,} to attack; the sparse victim's accuracy is {accuracy:.3f}")
    passed = [on_the_sparse_victim(sparse, examples_of(test, number)) for number in options.texts]
    # Random edits let the success of a hundred texts vary by more than the comparison allows.
    passed += [
        against_textattack(sparse, examples_of(test, options.texts[-1])),
        pwws(sparse, examples_of(test, options.texts[0])),
    ]
    neural = BiLSTMVictim.train(train, epochs=options.epochs)
    few = examples_of(test, options.neural)
    passed.append(on_the_bilstm(neural, few))
    draw = random.Random(0)
    judgements = [judged(draw, number) for number in range(options.judgements)]
    for title, victim, model in (
        ("default model, BiLSTM", neural, DEFAULT),
        ("forest on lexical numbers, sparse", sparse, "forest"),
    ):
        passed.append(constrained(title, victim, few, examples_of(test[-2:], 2), Judge(model, judgements)))
    print("As it should be." if all(passed) else "FAILED: see what is marked with an exclamation mark.")
    return int(not all(passed))


def reviews(limit: int | None) -> tuple[list[Row], list[Row]]:
    """Shuffled training rows and test rows, one tenth."""
    folder = Path(os.environ["PASSABLE_PUBLISHED_DATA"])
    rows = [
        Row(label, name, line.strip())
        for label, name in ((1, "rt-polarity.pos"), (0, "rt-polarity.neg"))
        for line in (folder / name).read_text("latin-1").splitlines()
    ]
    shuffled = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]
    tenth = len(rows) // 10
    return shuffled[tenth:][:limit], shuffled[:tenth]


def examples_of(rows: Sequence[Row], number: int) -> list[Example]:
    return [Example(id, row.text, row.label) for id, row in enumerate(rows[:number])]


def measured(examples: Sequence[Example], victim: Victim, attacker: Any, repetitions: int = 1, **options: Any) -> Measured:
    """The quickest of some repetitions, after a few texts for what is loaded once."""
    run_attack(examples[:2], victim, attacker, **options)
    seconds = []
    for _ in range(repetitions):
        began = time.process_time()
        outcomes = run_attack(examples, victim, attacker, **options)
        seconds.append(time.process_time() - began)
    return Measured(outcomes, min(seconds))


def apart(examples: Sequence[Example], victim: Victim, attacker: Any, **options: Any) -> Measured:
    """A run in a process of its own, which finds loaded what is here, and meets the texts as if nobody had attacked them."""
    context = get_context("fork")
    receiving, sending = context.Pipe(duplex=False)

    def attack() -> None:
        began = time.process_time()
        outcomes = run_attack(examples, victim, attacker, **options)
        sending.send(Measured(outcomes, time.process_time() - began))

    process = context.Process(target=attack)
    process.start()
    sending.close()
    found: Measured = receiving.recv()
    process.join()
    return found


def said(line: str, ok: bool, wanted: str) -> bool:
    print(f"  {line}  {'' if ok else '! '}({wanted})")
    return ok


def on_the_sparse_victim(victim: LinearVictim, examples: Sequence[Example]) -> bool:
    attacker = make_attacker("textattack:deepwordbug")
    print(f"textattack:deepwordbug, {len(examples):,} texts, sparse victim")
    single = measured(examples, victim, attacker, window=1)
    found = measured(examples, victim, attacker, REPETITIONS)
    print(f"  one by one   {single}")
    ok = said(f"in lock step {found}", found.per_second >= EXAMPLES_PER_SECOND, f"at least {EXAMPLES_PER_SECOND}/s")
    bare = measured(examples, Unmoved(), attacker, REPETITIONS)
    engine, whole = 1e6 * bare.seconds / bare.asked, 1e6 * found.seconds / found.asked
    print(f"  {whole:.1f} µs a query, of which engine and attacker {engine:.1f} µs (with a victim that costs nothing)")
    return ok


def against_textattack(victim: LinearVictim, examples: Sequence[Example]) -> bool:
    python = os.environ.get("TEXTATTACK_PYTHON")
    if not python:
        print("beside TextAttack: not measured, for TEXTATTACK_PYTHON names no Python that has it")
        return True
    ours = measured(examples, victim, make_attacker("textattack:deepwordbug"), REPETITIONS)
    theirs = textattack(python, victim, [example.text for example in examples])
    n = len(examples)
    rate, queries, success = n / theirs["seconds"], theirs["queries"], theirs["success"]
    print(f"TextAttack's deepwordbug\n  one by one   {rate:>7,.1f} texts/s, {queries:6.1f} queries each, success {success:.3f}")
    unverified = (ours.asked - ours.successes) / n  # TextAttack does not ask again about a success
    return all(
        [
            said(
                f"{ours.per_second / rate:.1f} times as fast",
                ours.per_second / rate >= TIMES_TEXTATTACK,
                f"at least {TIMES_TEXTATTACK:g}",
            ),
            said(f"queries {unverified / queries - 1:+.1%}", abs(unverified / queries - 1) <= QUERIES_WITHIN, "within 3 %"),
            said(
                f"success {ours.successes / n - success:+.3f}", abs(ours.successes / n - success) <= SUCCESS_WITHIN, "within 0.03"
            ),
        ]
    )


def textattack(python: str, victim: LinearVictim, texts: Sequence[str]) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "victim.json").write_text(json.dumps(victim.vocabulary))
        np.savez(folder / "victim.npz", idf=victim.idf, coefficients=victim.coefficients, intercept=victim.intercept)
        (folder / "texts.json").write_text(json.dumps(list(texts)))
        words = folder / "nltk_data" / "corpora" / "stopwords"
        words.mkdir(parents=True)
        (words / "english").write_text("\n".join(sorted(STOP_WORDS)) + "\n")
        command = [python, str(Path(__file__).with_name("textattack_side.py")), name]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=name)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def pwws(victim: LinearVictim, examples: Sequence[Example]) -> bool:
    if missing := WORDNET.missing(Resources()):
        print(f"pwws: not measured: {missing}")
        return True
    found = measured(examples, victim, make_attacker("pwws"), REPETITIONS)
    print("pwws, sparse victim")
    return said(
        f"in lock step {found}", found.per_second >= PWWS_PER_SECOND, f"at least 5 times TextAttack's 23/s, {PWWS_PER_SECOND}/s"
    )


def on_the_bilstm(victim: BiLSTMVictim, examples: Sequence[Example]) -> bool:
    attack = partial(measured, examples, victim, make_attacker("textattack:deepwordbug"), REPETITIONS)
    print(f"textattack:deepwordbug, {len(examples):,} texts, BiLSTM")
    single, found = attack(window=1), attack()
    print(f"  one by one   {single}")
    ratio = found.per_second / single.per_second
    return said(f"in lock step {found}; {ratio:.1f} times as fast", ratio >= TIMES_ONE_BY_ONE, f"at least {TIMES_ONE_BY_ONE:g}")


def constrained(title: str, victim: Victim, examples: Sequence[Example], others: Sequence[Example], judge: Judge) -> bool:
    """TextFooler without and with the constraint; its quicker order decides."""
    print(f"textfooler under a suspicion model: {title}, {len(examples):,} texts, each run from its start")
    limit = SuspicionAtMost(judge, 2.5)
    ratios = []
    for first in ("victim", "constraints"):
        attacker = make_attacker("textfooler", first=first)
        run_attack(others, victim, attacker, constraints=[limit])  # loads what both need
        free, bound = apart(examples, victim, attacker), apart(examples, victim, attacker, constraints=[limit])
        if not (free.successes and bound.successes):
            print(f"  {first} first: no success to compare")
            continue
        ratios.append((bound.seconds / bound.successes) / (free.seconds / free.successes))
        print(f"  {first + ' first':<18} without {free}, {checked(free)}")
        print(f"  {'':<18} with    {bound}, {checked(bound)}; {ratios[-1]:.2f} times as long a success")
    best = min(ratios, default=inf)
    return said(
        f"the quicker order takes {best:.2f} times as long a success",
        best <= CONSTRAINED_AT_MOST,
        f"at most {CONSTRAINED_AT_MOST}",
    )


def checked(found: Measured) -> str:
    """How many texts of each example the constraints looked at."""
    names = found.outcomes[0].constraint_checks
    means = {name: sum(outcome.constraint_checks[name] for outcome in found.outcomes) / len(found.outcomes) for name in names}
    return ", ".join(f"{name} {mean:.1f} texts" for name, mean in means.items())

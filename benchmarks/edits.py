"""Typed edits and the word diff of attacked and of wholly different texts: milliseconds of processor time, and the ratio to
python-Levenshtein's character edits of the same pair. Fails if an attacked pair of 5,000 characters takes 20 ms or more."""

from __future__ import annotations

import random
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable

import Levenshtein

from scoring.texts.diff import word_diff
from scoring.texts.edits import typed_edits

LIMIT = 20.0


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--lengths", type=int, nargs="+", default=[5_000, 20_000, 100_000])
    parser.add_argument("--rate", type=float, default=0.15, help="share of the words that the attack changes")


def run(options: Namespace) -> int:
    rng = random.Random(0)
    ok = True
    for length in options.lengths:
        original, other = _text(rng, length), _text(rng, length)
        for name, modified in (("attacked", _attacked(rng, original, options.rate)), ("wholly different", other)):
            baseline = _milliseconds(Levenshtein.editops, original, modified)
            edits = _milliseconds(typed_edits, original, modified)
            words = _milliseconds(word_diff, original, modified)
            print(
                f"{length:>8,} characters, {name:<17} typed edits {edits:9.1f} ms ({edits / baseline:5.2f} × editops)   "
                f"word diff {words:8.1f} ms ({words / baseline:5.2f} ×)   editops {baseline:9.1f} ms"
            )
            ok = ok and (length != 5_000 or name != "attacked" or edits < LIMIT)
    print(f"{'As it should be' if ok else 'FAILED'}: an attacked pair of 5,000 characters under {LIMIT:g} ms.")
    return int(not ok)


def _text(rng: random.Random, length: int) -> str:
    words = ("".join(rng.choices("etaoinshrdlu", k=rng.randint(1, 9))) for _ in range(length))
    return " ".join(words)[:length]


def _attacked(rng: random.Random, text: str, rate: float) -> str:
    changes: list[Callable[[str], str]] = [
        lambda word: "film",
        lambda word: f"{word[:1]} {word[1:]}",
        lambda word: word.replace("a", "\u0430"),
        lambda word: word[1::-1] + word[2:],
    ]
    return " ".join(rng.choice(changes)(word) if rng.random() < rate else word for word in text.split(" "))


def _milliseconds(compute: Callable[[str, str], object], original: str, modified: str) -> float:
    """Of processor time, the least of five, so that what else runs on the machine does not count."""
    times = []
    for _ in range(5):
        start = time.process_time()
        compute(original, modified)
        times.append(time.process_time() - start)
    return 1000 * max(min(times), 1e-6)

"""The default model of suspicion, and lexical numbers alone: training on as many texts as were judged for the published corpus,
and scores of texts that nothing was computed of before. Baselines: one pass of the encoder's whole network over the same texts,
and splitting them into words."""

from __future__ import annotations

import random
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TypeVar

import torch

from benchmarks.texts import WORDS
from regressors.evaluation import FOLDS
from regressors.features.lexical import LexicalFeatures
from regressors.features.words import WORD
from regressors.models import make_model
from regressors.rows import TrainingRows
from regressors.training import train
from scoring.texts.encoder import embedded_encoder

T = TypeVar("T")

MINUTES, DEFAULT_RATE, LEXICAL_RATE = 3.0, 150, 3_000


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--texts", type=int, default=2_700, help="texts to learn from, and as many to score")
    parser.add_argument("--threads", type=int, default=2, help="of torch")


def run(options: Namespace) -> int:
    torch.set_num_threads(options.threads)
    draw = random.Random(0)
    # Words are remembered once they were looked at, so that each measurement has texts of its own.
    learned, *others = ([judged(draw, number) for number in range(options.texts)] for _ in range(3))
    rows = TrainingRows([text for text, _, _ in learned], [score for _, score, _ in learned], [f"{of}" for _, _, of in learned])
    scored, read = ([text for text, _, _ in new] for new in others)
    make_model().represent(["what is loaded once"])
    encoder = embedded_encoder()
    encoder.layers(scored[:8])
    print(f"{options.texts:,} texts of {sum(map(len, scored)) / len(scored):.0f} characters, {options.threads} threads")
    _, network = timed(lambda: encoder.layers(scored))
    _, words = timed(lambda: [WORD.findall(text) for text in read])
    trained, training = timed(lambda: train(rows))
    _, scoring = timed(lambda: trained.predict(scored))
    _, lexical = timed(lambda: LexicalFeatures().compute(read))
    fits, ratio = FOLDS * trained.model.repeats, f"{training / network:.1f} times as long as the whole network"
    print(f"  training, with the {fits} fits of its evaluation, {training:,.1f} s, {ratio}")
    rates = {"default": options.texts / scoring, "lexical": options.texts / lexical}
    print(f"  default  {rates['default']:>8,.0f} texts/s  {scoring / network:.2f} times as long as the whole network")
    print(f"  lexical  {rates['lexical']:>8,.0f} texts/s  {lexical / words:.2f} times as long as splitting into words")
    ok = training <= 60 * MINUTES and rates["default"] >= DEFAULT_RATE and rates["lexical"] >= LEXICAL_RATE
    wanted = f"at most {MINUTES:g} minutes, at least {DEFAULT_RATE} and {LEXICAL_RATE:,} texts/s"
    print(f"{'As it should be' if ok else 'FAILED'}: {wanted}.")
    return int(not ok)


def judged(draw: random.Random, number: int) -> tuple[str, float, int]:
    """A sentence of some twenty words, of which up to three were spoilt, one person's score of it, and its original."""
    words = [draw.choice(WORDS) for _ in range(draw.randint(12, 32))]
    spoilt = draw.randint(0, 3)
    for _ in range(spoilt):
        place = draw.randrange(len(words))
        words[place] = "".join(draw.sample(words[place], len(words[place])))
    return " ".join(words) + ".", float(min(5, max(1, round(draw.gauss(2 + 0.5 * spoilt, 1.2))))), number // 3


def timed(compute: Callable[[], T]) -> tuple[T, float]:
    """What is computed, and the seconds that it took."""
    start = time.perf_counter()
    found = compute()
    return found, time.perf_counter() - start

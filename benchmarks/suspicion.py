"""The default model of suspicion, and lexical numbers alone: training on as many texts as were judged for the published corpus,
and scores of texts that nothing was computed of before. Baselines: one pass of the encoder's whole network over the same texts,
and splitting them into words."""

from __future__ import annotations

import random
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable

import torch

from benchmarks.texts import WORDS
from regressors.features.words import WORD
from regressors.models import make_model
from regressors.rows import TrainingRows
from regressors.training import train
from scoring.texts.encoder import embedded_encoder

MINUTES, DEFAULT_RATE, LEXICAL_RATE = 3.0, 150, 3_000


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--texts", type=int, default=2_700, help="texts to learn from, and as many to score")
    parser.add_argument("--threads", type=int, default=2, help="of torch")


def run(options: Namespace) -> int:
    torch.set_num_threads(options.threads)
    draw = random.Random(0)
    learned, new = ([judged(draw, number) for number in range(options.texts)] for _ in range(2))
    rows = TrainingRows([text for text, _, _ in learned], [score for _, score, _ in learned], [f"{of}" for _, _, of in learned])
    texts = [text for text, _, _ in new]
    for name in ("text+num", "forest"):
        make_model(name).represent(["what is loaded once"])
    encoder = embedded_encoder()
    encoder.layers(texts[:8])
    print(f"{options.texts:,} texts of {sum(map(len, texts)) / len(texts):.0f} characters, {options.threads} threads")
    network = seconds(lambda: encoder.layers(texts))
    words = seconds(lambda: [WORD.findall(text) for text in texts])
    training = seconds(lambda: train(rows))
    default = train(rows, repeats=1)
    forest = train(rows, model="forest", repeats=1)
    scoring = {"default": (seconds(lambda: default.predict(texts)), network, "the whole network"),
               "lexical": (seconds(lambda: forest.model.represent(texts)), words, "splitting into words")}  # fmt: skip
    ratio = f"{training / network:.1f} times as long as the whole network"
    print(f"  training, with the 25 fits of its evaluation, {training:,.1f} s, {ratio}")
    rates = {}
    for name, (took, baseline, of) in scoring.items():
        rates[name] = len(texts) / took
        print(f"  {name:<8} {rates[name]:>8,.0f} texts/s  {took / baseline:.2f} times as long as {of}")
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


def seconds(compute: Callable[[], object]) -> float:
    start = time.perf_counter()
    compute()
    return time.perf_counter() - start

"""Scores of texts: BODEGA's character score on one core, and its memory; the encoder's semantic score against the bare model in
batches of like length. Times are of the processor, so that other programs count little."""

from __future__ import annotations

import os
import random
import resource
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

import Levenshtein

# Else torch leaves a folder of its own behind, beside the scratch installation.
os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.environ["PASSABLE_DATA"]
import torch

from scoring.texts.character import character_score
from scoring.texts.encoder import SentenceEncoder, embedded_encoder
from scoring.texts.score_cache import ScoreCache
from scoring.texts.semantic import EncoderSimilarity

PAIRS_PER_SECOND, MEGABYTES, SLOWER_AT_MOST = 20_000, 64.0, 1.1
REPETITIONS = 3
_SAID = "the a of and to in is it that was film movie great minister bridge opened rain expected on not with for people said"
WORDS = _SAID.split()


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--pairs", type=int, default=20_000, help="sentence pairs for the character score")
    parser.add_argument("--encoded", type=int, default=512, help="sentence pairs for the encoder")
    parser.add_argument("--length", type=int, default=100_000, help="characters of the long text")


def run(options: Namespace) -> int:
    torch.set_num_threads(1)
    draw = random.Random(0)
    pairs = [_pair(draw) for _ in range(options.pairs)]
    characters = sum(len(original) for original, _ in pairs) / len(pairs)
    print(f"{options.pairs:,} sentence pairs of {characters:.0f} characters")
    bare = _seconds(lambda: [Levenshtein.distance(original, modified) for original, modified in pairs])
    seconds = _seconds(lambda: [character_score(original, modified) for original, modified in pairs])
    rate = len(pairs) / seconds
    print(f"  character score {rate:>12,.0f} pairs/s   {seconds / bare:.1f} times the bare Levenshtein distance of the texts")
    megabytes = [_growth(draw, length) for length in (options.length // 10, options.length)]
    print(f"  memory of one pair of {options.length:,} characters: {megabytes[1]:.1f} MB (of a tenth: {megabytes[0]:.1f} MB)")
    ratio = _encoding(pairs[: options.encoded])
    ok = rate >= PAIRS_PER_SECOND and max(megabytes) <= MEGABYTES and ratio <= SLOWER_AT_MOST
    print(
        f"{'As it should be' if ok else 'FAILED'}: at least {PAIRS_PER_SECOND:,} pairs/s, at most {MEGABYTES:g} MB, "
        f"at most {SLOWER_AT_MOST:g} times the bare model."
    )
    return int(not ok)


def _encoding(pairs: list[tuple[str, str]]) -> float:
    """How many times as long as the bare model scoring takes, everything it does beside included."""
    encoder = embedded_encoder()
    texts = sorted({text for pair in pairs for text in pair})
    with tempfile.TemporaryDirectory() as folder:
        caches = iter(ScoreCache(Path(folder) / f"{number}.sqlite3") for number in range(REPETITIONS))

        def score() -> None:
            encoder._cache.clear()
            EncoderSimilarity(cache=next(caches)).score(pairs)

        _bare_model(encoder, texts[:64])
        # By turns, so that both meet the same machine.
        timed = [(_once(lambda: _bare_model(encoder, texts)), _once(score)) for _ in range(REPETITIONS)]
    bare, scored = (min(times) for times in zip(*timed, strict=True))
    print(f"{len(pairs):,} sentence pairs, {len(texts):,} distinct texts")
    print(f"  bare model      {len(pairs) / bare:>12,.1f} pairs/s")
    print(f"  encoder's score {len(pairs) / scored:>12,.1f} pairs/s   {scored / bare:.3f} times as long")
    return scored / bare


def _bare_model(encoder: SentenceEncoder, texts: list[str]) -> None:
    encoded = sorted(encoder._tokenizer(texts, truncation=True, max_length=encoder.max_tokens)["input_ids"], key=len)
    for start in range(0, len(encoded), encoder.batch_size):
        batch = encoder._tokenizer.pad({"input_ids": encoded[start : start + encoder.batch_size]}, return_tensors="pt")
        with torch.inference_mode():
            encoder._model(**batch)


def _growth(draw: random.Random, length: int) -> float:
    """By how many MB scoring a pair of such length raises the most memory that the process ever had."""
    original = " ".join(draw.choice(WORDS) for _ in range(length // 3))[:length]
    modified = " ".join(draw.choice(WORDS) for _ in range(length // 3))[:length]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    character_score(original, modified)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def _pair(draw: random.Random) -> tuple[str, str]:
    """A sentence of some twenty words, and the same with a word exchanged and two letters changed."""
    words = [draw.choice(WORDS) for _ in range(draw.randint(12, 32))]
    original = " ".join(words) + "."
    words[draw.randrange(len(words))] = draw.choice(WORDS)
    modified = list(" ".join(words) + ".")
    for _ in range(2):
        modified[draw.randrange(len(modified))] = draw.choice("abcdefgh \u0430\u200b")
    return original, "".join(modified)


def _seconds(compute: Callable[[], object]) -> float:
    return min(_once(compute) for _ in range(REPETITIONS))


def _once(compute: Callable[[], object]) -> float:
    start = time.process_time()
    compute()
    return time.process_time() - start

"""Fine-tuning of the embedded MiniLM on as many texts as were judged for the published corpus: time, memory, and the ratio to one
epoch of forward passes over the same texts."""

from __future__ import annotations

import os
import random
import resource
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable

import numpy as np

# Else torch leaves a folder of its own behind, beside the scratch installation.
os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.environ["PASSABLE_DATA"]
import torch

from benchmarks.suspicion import judged
from regressors.models.fine_tuned import FineTuned
from regressors.models.network import network_of, predicted
from regressors.models.pretrained import pretrained
from regressors.models.tuning import rows_of
from regressors.targets import targets_of

MINUTES, GIGABYTES = 10.0, 3.0


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--texts", type=int, default=2_700, help="texts to learn from")
    parser.add_argument("--epochs", type=int, default=10, help="the most that are tried")
    parser.add_argument("--threads", type=int, default=2, help="of torch")
    parser.add_argument("--smart", type=float, default=0.0, help="weight of SMART's two regularisers")


def run(options: Namespace) -> int:
    torch.set_num_threads(options.threads)
    draw = random.Random(0)
    texts, scores, groups = zip(*(judged(draw, number) for number in range(options.texts)), strict=True)
    model = FineTuned(most_epochs=options.epochs, smart_weight=options.smart, bregman_weight=options.smart)
    represented = model.represent(texts)
    tokens = float((represented >= 0).sum(axis=1).mean())
    print(f"{len(texts):,} texts of {tokens:.0f} tokens, {options.threads} threads")
    _, bare = _seconds(lambda: _forward(represented))
    told = targets_of(scores, groups=groups)
    seconds, busy = _seconds(lambda: model.fit_represented(represented, told))
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    tried = len(model.development_r_)
    print(f"  forward passes {bare:>8,.1f} s of the processor")
    print(f"  fine-tuning    {busy:>8,.1f} s of the processor, {busy / bare:.1f} times as long; {seconds:,.1f} s by the clock")
    print(f"                 {tried} epochs tried on four fifths of the texts, {model.epochs_} on all")
    print(f"  memory         {gigabytes:>8.2f} GB at most")
    ok = seconds <= 60 * MINUTES and gigabytes <= GIGABYTES
    print(f"{'As it should be' if ok else 'FAILED'}: at most {MINUTES:g} minutes and {GIGABYTES:g} GB.")
    return int(not ok)


def _forward(represented: np.ndarray) -> None:
    base = pretrained()
    rows = rows_of(represented, np.empty((len(represented), 0)), None)
    predicted(network_of(base.encoder(), 0), rows, base.padding, "cpu")


def _seconds(compute: Callable[[], object]) -> tuple[float, float]:
    """By the clock, and of the processor, which says more where other programs run as well."""
    clock, processor = time.perf_counter(), time.process_time()
    compute()
    return time.perf_counter() - clock, time.process_time() - processor

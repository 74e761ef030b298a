"""Text metrics of pairs, and how they follow what people said (Pearson's r, intervals clustered by original)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from rapidfuzz.distance import Levenshtein

from scoring.correlation import pearson
from scoring.judgements.bootstrap import bootstrap_interval
from scoring.result import Estimate, Reason

from .character import character_score
from .diff import word_diff
from .overlap import Value, bleu, meteor, rouge, too_few
from .remembered import RememberedScorer
from .tokens import is_word, pieces

Columns = dict[str, list[Value]]
"""A metric's name to its value, or the reason why there is none, for each pair."""

_SEED: Final = 0


def pair_metrics(original: str, modified: str) -> dict[str, Value]:
    """All metrics of one pair that need no model. Distances grow, all others fall with what was changed."""
    old, new = ([piece for piece in pieces(text) if is_word(piece)] for text in (original, modified))
    diff = word_diff(original, modified)
    return {
        "bleu": bleu(original, modified),
        "meteor": meteor(original, modified),
        **rouge(original, modified),
        "character_score": character_score(original, modified),
        "character_distance": float(Levenshtein.distance(original, modified)),
        "character_distance_normalised": Levenshtein.normalized_distance(original, modified),
        "word_distance": float(Levenshtein.distance(old, new)),
        "word_distance_normalised": Levenshtein.normalized_distance(old, new),
        # Of the original's words; what was only added changes none of them.
        "words_changed": (diff.replaced + diff.deleted) / len(old) if old else too_few(1),
    }


def all_metrics(pairs: Sequence[tuple[str, str]], scorers: Mapping[str, RememberedScorer]) -> Columns:
    """The metrics of every pair, with those of the scorers by name; a scorer of several parts has a column for each."""
    rows = [pair_metrics(original, modified) for original, modified in pairs]
    columns: Columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
    for name, scorer in scorers.items():
        values = scorer.all_parts(pairs)
        for place, part in enumerate(scorer.parts):
            columns[name if len(scorer.parts) == 1 else f"{name}_{part}"] = [parts[place] for parts in values]
    return columns


def summary(columns: Columns, originals: Sequence[str], human: Sequence[float | None] | None = None) -> dict[str, Any]:
    """The mean of each metric and, with what people said of each pair (None: nothing), its Pearson correlation with that."""
    found: dict[str, Any] = {}
    for name, values in columns.items():
        found[name] = {"mean": _mean(values, originals).as_dict()}
        if human is not None:
            found[name]["pearson"] = _correlation(values, human, originals).as_dict()
    return found


def _mean(values: Sequence[Value], originals: Sequence[str]) -> Estimate:
    known = [(value, original) for value, original in zip(values, originals, strict=True) if not isinstance(value, Reason)]
    left_out = _left_out(values)
    if not known:
        reason = next((value for value in values if isinstance(value, Reason)), Reason("no_pair", "There is no pair."))
        return Estimate(None, reason, 0, "mean", left_out)
    numbers = np.array([value for value, _ in known])
    parts = np.stack([np.ones_like(numbers), numbers], axis=1)
    clusters = [original for _, original in known]
    interval, missing = bootstrap_interval(parts, lambda sums: sums[:, 1] / sums[:, 0], clusters=clusters, seed=_SEED)
    return Estimate(float(numbers.mean()), None, len(numbers), "mean", left_out, interval, no_interval=missing)


def _correlation(values: Sequence[Value], human: Sequence[float | None], originals: Sequence[str]) -> Estimate:
    judged = [value if said is not None else _NOT_JUDGED for value, said in zip(values, human, strict=True)]
    kept = [place for place, value in enumerate(judged) if not isinstance(value, Reason)]
    numbers: dict[str, int] = {}
    groups = np.array([numbers.setdefault(originals[place], len(numbers)) for place in kept], dtype=np.int64)
    said = np.array([human[place] for place in kept], dtype=float)
    metric = np.array([judged[place] for place in kept], dtype=float)
    found = pearson(said, metric[None], groups, seed=_SEED)
    return Estimate(
        found.value, found.reason, found.n, found.method, _left_out(judged), found.interval, no_interval=found.no_interval
    )


_NOT_JUDGED: Final = Reason("not_judged", "No person judged the pair.")


def _left_out(values: Sequence[Value]) -> dict[str, int]:
    return dict(Counter(value.code.replace("_", " ") for value in values if isinstance(value, Reason)))

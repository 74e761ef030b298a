"""TF-IDF of words and word pairs with logistic regression."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise, repeat
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from attacks.tasks.layout import Row
from attacks.victims.epochs import KeptEpochs
from attacks.victims.victim import Progress
from attacks.victims.weights import WEIGHTS, read_weights
from scoring.model_folder import dump_tensors

_WORD = re.compile(r"\w\w+")  # finds what scikit-learn's default token pattern does, faster without its word boundaries


class LinearVictim:
    """P(1) = 1 / (1 + exp(-(w · x + b))), where x is the L2-normalised tf·idf of word 1–2-grams.

    Trained by scikit-learn (`TfidfVectorizer`, `LogisticRegression`) and equal to its pipeline within rounding; its own
    prediction skips what attacks do not need. A text's answer is the same to the last bit in any batch.
    """

    kind: ClassVar = "linear"
    libraries: ClassVar = ("numpy", "scikit-learn")

    def __init__(
        self, vocabulary: Sequence[str], idf: np.ndarray, coefficients: np.ndarray, intercept: float, sha256: str = ""
    ) -> None:
        self.name = "linear"
        self.sha256 = sha256
        self.vocabulary = list(vocabulary)
        self.idf = np.asarray(idf, dtype=np.float64)
        self.coefficients = np.asarray(coefficients, dtype=np.float64)
        self.intercept = float(intercept)
        # Words and pairs outside the vocabulary share one more place, which weighs nothing.
        self._idf, self._coefficients = np.append(self.idf, 0.0), np.append(self.coefficients, 0.0)
        self._words = {term: i for i, term in enumerate(self.vocabulary) if " " not in term}
        self._pairs = {tuple(term.split(" ")): i for i, term in enumerate(self.vocabulary) if " " in term}

    @classmethod
    def train(
        cls,
        rows: Sequence[Row],
        *,
        seed: int = 0,
        progress: Progress | None = None,
        kept: KeptEpochs | None = None,
        C: float = 10.0,
    ) -> LinearVictim:
        """Train on labelled rows. There are no epochs, so nothing is ``kept``. ``C`` is scikit-learn's inverse penalty."""
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression

        vectors = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=False)
        x = vectors.fit_transform([row.text for row in rows])
        if progress:
            progress(1, 2, f"linear victim: {x.shape[1]} terms from {x.shape[0]} texts")
        model = LogisticRegression(C=C, max_iter=1000, random_state=seed).fit(x, [row.label for row in rows])
        if progress:
            progress(2, 2, "linear victim: trained")
        return cls(vectors.get_feature_names_out().tolist(), vectors.idf_, model.coef_[0], float(model.intercept_[0]))

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        if not len(texts):
            return np.empty((0, 2))
        terms = [self._terms(text) for text in texts]
        ends = np.cumsum([0, *map(len, terms)])
        indices = np.fromiter(chain.from_iterable(terms), dtype=np.int64, count=ends[-1])
        counts = csr_array((np.ones(len(indices)), indices, ends), shape=(len(texts), len(self.idf) + 1))
        counts.sum_duplicates()
        rows = np.repeat(np.arange(len(texts)), np.diff(counts.indptr))
        weights = counts.data * self._idf[counts.indices]
        # bincount adds one by one in order, so a row's sum does not depend on the other rows.
        norm = np.sqrt(np.bincount(rows, weights**2, len(texts)))
        dot = np.bincount(rows, weights * self._coefficients[counts.indices], len(texts))
        logit = np.divide(dot, norm, out=np.zeros(len(texts)), where=norm > 0) + self.intercept
        positive = 0.5 * (1.0 + np.tanh(0.5 * logit))
        return np.column_stack([1.0 - positive, positive])

    def _terms(self, text: str) -> list[int]:
        words = _WORD.findall(text.lower())
        unknown = repeat(len(self.idf))
        return [*map(self._words.get, words, unknown), *map(self._pairs.get, pairwise(words), unknown)]

    def files(self) -> dict[str, bytes]:
        tensors = {"idf": self.idf, "coefficients": self.coefficients, "intercept": np.array([self.intercept])}
        return {"vocabulary.json": json.dumps(self.vocabulary).encode(), WEIGHTS: dump_tensors(tensors)}

    @classmethod
    def from_files(cls, files: Mapping[str, bytes], card: Mapping[str, Any], sha256: str) -> LinearVictim:
        tensors = read_weights(files)
        vocabulary = json.loads(files["vocabulary.json"])
        return cls(vocabulary, tensors["idf"], tensors["coefficients"], float(tensors["intercept"][0]), sha256)

"""TextAttack's recipe `deepwordbug` on given texts, for comparison; run by the Python of an environment that has TextAttack, in
which Passable is not installed: `python textattack_side.py FOLDER`.

FOLDER holds `victim.json` (vocabulary), `victim.npz` (idf, coefficients, intercept), `texts.json` and `nltk_data` with English
stop words. Prints JSON: seconds of the processor, mean queries, share of successes. The victim is wrapped as efficiently as it
can be: TF-IDF of words and pairs looked up in dictionaries, all texts of a call in one matrix product.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import nltk
import numpy as np

folder = Path(sys.argv[1])
nltk.data.path.insert(0, str(folder / "nltk_data"))

import textattack  # noqa: E402 - it looks for the stop words when it is imported
from scipy.sparse import csr_matrix  # noqa: E402


class Wrapped(textattack.models.wrappers.ModelWrapper):  # type: ignore[misc]
    model = None

    def __init__(self) -> None:
        self.index = {term: i for i, term in enumerate(json.loads((folder / "victim.json").read_text()))}
        with np.load(folder / "victim.npz") as weights:
            self.idf, self.coefficients, self.intercept = weights["idf"], weights["coefficients"], weights["intercept"]

    def __call__(self, texts: list[str]) -> np.ndarray:
        counts = [Counter(self.terms(text)) for text in texts]
        ends = np.cumsum([0, *map(len, counts)])
        indices = np.fromiter(chain.from_iterable(counts), dtype=np.int64, count=ends[-1])
        data = np.fromiter(chain.from_iterable(count.values() for count in counts), dtype=float, count=ends[-1])
        x = csr_matrix((data * self.idf[indices], indices, ends), shape=(len(texts), len(self.idf)))
        norms = np.sqrt(np.asarray(x.multiply(x).sum(axis=1)).ravel())
        positive = 1 / (1 + np.exp(-(x @ self.coefficients / np.where(norms > 0, norms, 1) + self.intercept)))
        return np.column_stack([1 - positive, positive])

    def terms(self, text: str) -> list[int]:
        words = re.findall(r"\w\w+", text.lower())
        named = chain(words, (f"{a} {b}" for a, b in pairwise(words)))
        return [self.index[term] for term in named if term in self.index]


def attacked(texts: list[str]) -> dict[str, Any]:
    victim = Wrapped()
    attack = textattack.attack_recipes.DeepWordBugGao2018.build(victim)
    attack.attack(texts[0], int(victim([texts[0]])[0].argmax()))
    began, queries, successes = time.process_time(), 0, 0
    for text in texts:
        result = attack.attack(text, int(victim([text])[0].argmax()))
        queries += result.num_queries
        successes += isinstance(result, textattack.attack_results.SuccessfulAttackResult)
    seconds = time.process_time() - began
    return {"seconds": seconds, "queries": queries / len(texts), "success": successes / len(texts)}


if __name__ == "__main__":
    print(json.dumps(attacked(json.loads((folder / "texts.json").read_text()))))

"""How much of the original's wording the modified text keeps: BLEU, METEOR and ROUGE."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import version
from typing import Any, Final

from rapidfuzz.distance import LCSseq

from scoring.result import Reason

from .meteor import meteor_score
from .wordnet import installed_wordnet

Value = float | Reason
"""A metric of one pair, or why there is none."""

_TOKEN: Final = re.compile(r"\w+|[^\w\s]+")
_NO_WORDNET: Final = Reason("no_wordnet", "METEOR needs WordNet's files: install wordnet-base, or set WORDNET_DIR.")


def bleu(original: str, modified: str) -> Value:
    """Sentence BLEU (Papineni et al., ACL 2002) by sacrebleu, from 0 to 100."""
    if not original.split():
        return too_few(1)
    return float(_bleu().sentence_score(modified, [original]).score)


def meteor(original: str, modified: str) -> Value:
    """METEOR: words equal, of one stem, or synonyms in WordNet, from 0 to 1 (`scoring.texts.meteor`).

    Words are tokenised as in BODEGA's normalisation. Equal texts score a little less than 1, as the paper has it.
    """
    if not (tokens := _TOKEN.findall(original)):
        return too_few(1)
    if not (wordnet := installed_wordnet()):
        return _NO_WORDNET
    return meteor_score(tokens, _TOKEN.findall(modified), wordnet)


def rouge(original: str, modified: str) -> dict[str, Value]:
    """F1 of ROUGE-1, -2, -3 and -L (Lin 2004) by rouge-score, unstemmed, 0 to 1; its tokens are ASCII letters and digits."""
    from rouge_score.tokenize import tokenize

    old, new = tokenize(original, None), tokenize(modified, None)
    by_size = _rouge().score(original, modified)
    found: dict[str, Value] = {
        f"rouge{size}": float(by_size[f"rouge{size}"].fmeasure) if len(old) >= size else too_few(size) for size in (1, 2, 3)
    }
    # rouge-score's own takes memory and time with the product of the lengths.
    found["rougeL"] = 2 * LCSseq.similarity(old, new) / (len(old) + len(new)) if old else too_few(1)
    return found


def too_few(words: int) -> Reason:
    wanted = "no word" if words == 1 else f"fewer than {words} words"
    return Reason("too_few_words", f"The original has {wanted} to compare with.")


def implementations() -> dict[str, str]:
    """What computed the metrics, for results."""
    wordnet = installed_wordnet()
    return {
        "bleu": f"sacrebleu {_bleu().get_signature()}",
        "meteor": f"Passable, stems by nltk {version('nltk')}, {'synonyms by WordNet' if wordnet else 'no WordNet'}",
        "rouge": f"rouge-score {version('rouge-score')}, no stemming",
    }


@cache
def _bleu() -> Any:
    from sacrebleu.metrics.bleu import BLEU

    scorer = BLEU(effective_order=True)
    scorer.sentence_score("a", ["a"])  # its signature counts the references
    return scorer


@cache
def _rouge() -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rouge1", "rouge2", "rouge3"])

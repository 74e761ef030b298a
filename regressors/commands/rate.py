"""`python -m regressors rate`: a language model's suspicion of texts beside people's."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from regressors.commands import Bar, Commands, print_json, shown
from regressors.errors import RegressorError
from regressors.features.chat import KEY_VARIABLE, Chat, key_of_environment
from regressors.features.rating import HIGH, LOW, Rater, Rating, problems_of
from scoring.arguments import LIMIT
from scoring.commands import check_file, filled, write_rows
from scoring.correlation import pearson
from scoring.judgements.likert import means
from scoring.result import Estimate
from scoring.table import Table, one_line
from scoring.wording import counted

_SEED: Final = 0


def add(commands: Commands) -> None:
    parser = commands.add_parser("rate", help="ask a language model how suspicious texts look, and compare it with people")
    parser.add_argument("file", metavar="FILE", help="CSV or TSV with a header; repeated rows of a text are repeated judgements")
    parser.add_argument("--text", required=True, metavar="COL")
    parser.add_argument("--score", metavar="COL", help=f"what people said, {LOW} to {HIGH}; an empty cell is left out")
    parser.add_argument("--original", metavar="COL", help="which original a text is a variant of; for intervals")
    parser.add_argument(
        "--address", required=True, metavar="URL", help=f"of an OpenAI-compatible server; its key, if any, in {KEY_VARIABLE}"
    )
    parser.add_argument("--model", required=True, metavar="NAME")
    parser.add_argument("--most-requests", type=LIMIT, metavar="N", help="stop before one more, retries counted")
    parser.add_argument("--most-tokens", type=LIMIT, metavar="N", help="stop before a request that could go past that")
    parser.add_argument("--reply-tokens", type=LIMIT, default=300, metavar="N", help="of one answer (default: 300)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the score and reason of each text to this CSV file")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    table = filled(options.file, options.text, options.score, options.original)
    if options.out:
        check_file(options.out)
    people = _people(table, options.text, options.score) if options.score else None
    originals = _originals(table, options.text, options.original)
    rater = Rater(_chat(options))
    texts = list(originals)
    with Bar() as bar:
        ratings = dict(zip(texts, rater.rate(texts, bar), strict=True))
    result = {
        "model": {"name": options.model, "address": rater.chat.url, "prompt_sha256": rater.prompt_sha256},
        "cost": {"requests": rater.chat.requests, "tokens": rater.chat.tokens, "known_from_before": rater.known},
        "texts": len(texts),
        "without_score": problems_of(list(ratings.values())),
        **_compared(ratings, people, originals),
    }
    if options.out:
        _write(options.out, ratings)
    if options.json:
        print_json(result)
    else:
        _print(result)


def _chat(options: Namespace) -> Chat:
    return Chat(
        options.address,
        options.model,
        key=key_of_environment(),
        most_requests=options.most_requests,
        most_tokens=options.most_tokens,
        reply_tokens=options.reply_tokens,
    )


def _people(table: Table, text: str, score: str) -> dict[str, list[int]]:
    """The judgements of each text."""
    found: dict[str, list[int]] = {}
    for row in table.rows:
        said = found.setdefault(table.text(row, text), [])
        if (judgement := table.integer(row, score, LOW, HIGH, empty_ok=True)) is not None:
            said.append(judgement)
    if not any(found.values()):
        raise RegressorError(f"{table.file}: no cell of {score} holds a score.")
    return found


def _originals(table: Table, text: str, original: str | None) -> dict[str, str]:
    """Of each text, in order: what it is a variant of, as its first row says; itself where nobody says."""
    found: dict[str, str] = {}
    for row in table.rows:
        found.setdefault(table.text(row, text), table.text(row, original) if original else row[text])
    return found


def _compared(
    ratings: Mapping[str, Rating], people: Mapping[str, list[int]] | None, originals: Mapping[str, str]
) -> dict[str, Any]:
    """Both distributions, and how the model follows the mean of a text's judgements."""
    scores = {text: [] if rating.score is None else [rating.score] for text, rating in ratings.items()}
    model = {"ratings": _distribution(scores, originals)}
    if people is None:
        return model
    both = [text for text in originals if scores[text] and people[text]]
    return model | {
        "people": _distribution(people, originals),
        "pearson": _correlation(both, scores, people, originals).as_dict(),
    }


def _distribution(scores: Mapping[str, list[int]], originals: Mapping[str, str]) -> dict[str, Any]:
    """Counts and shares from the lowest score to the highest, and the mean; no shares where there is no score."""
    report = means(scores, cluster_of=originals, scale=(LOW, HIGH), seed=_SEED)
    n = sum(report.counts)
    shares = [count / n for count in report.counts] if n else None
    return {"scale": list(report.scale), "counts": list(report.counts), "shares": shares, "mean": report.overall.as_dict()}


def _correlation(
    texts: Sequence[str], scores: Mapping[str, list[int]], people: Mapping[str, list[int]], originals: Mapping[str, str]
) -> Estimate:
    numbers: dict[str, int] = {}
    groups = np.array([numbers.setdefault(originals[text], len(numbers)) for text in texts], dtype=np.int64)
    said = np.array([sum(people[text]) / len(people[text]) for text in texts])
    rated = np.array([scores[text][0] for text in texts], dtype=np.float64)
    return pearson(said, rated[None], groups, seed=_SEED)


def _write(file: Path, ratings: Mapping[str, Rating]) -> None:
    """A row for each text; where there is no score, the reason is what the model said instead."""
    rows = (
        (text, rating.score, rating.reason, rating.problem.code if rating.problem else "") for text, rating in ratings.items()
    )
    write_rows(file, ["text", "score", "reason", "problem"], rows)


def _print(result: dict[str, Any]) -> None:
    cost = result["cost"]
    known = f"{cost['known_from_before']:,} known from before"
    print(f"{one_line(result['model']['name'])}: {counted(result['texts'], 'text')}, {known}")
    print(f"{counted(cost['requests'], 'request')}, {counted(cost['tokens'], 'token')}")
    for name in ("ratings", "people"):
        if name in result:
            _print_distribution("the model" if name == "ratings" else name, result[name])
    for code, count in result["without_score"].items():
        print(f"{'without a score':20}{count} {code}")
    if "pearson" in result:
        print(f"{'Pearson r':20}{shown(result['pearson'])}")


def _print_distribution(name: str, found: dict[str, Any]) -> None:
    shares = found["shares"] or [0.0] * len(found["scale"])
    for point, count, share in zip(found["scale"], found["counts"], shares, strict=True):
        print(f"{f'{name}: {point}':20}{count:6}{share:8.1%}")
    print(f"{f'{name}: mean':20}{shown(found['mean'])}")

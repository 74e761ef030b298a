"""`python -m regressors explain`: which words and which numbers of a text its score comes from."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Final

from regressors.commands import Commands, print_json

_MOST_SHOWN: Final = 10


def add(commands: Commands) -> None:
    parser = commands.add_parser("explain", help="tell which words and features of a text its score comes from")
    parser.add_argument("model", type=Path, metavar="MODEL")
    parser.add_argument("text", metavar="TEXT")
    parser.add_argument("--json", action="store_true", help="print all words and features as JSON")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    from regressors.explanation import explain
    from regressors.storage import load

    trained = load(options.model)
    found = explain(trained, options.text)
    if options.json:
        print_json(found.as_dict() | {"model": {"kind": trained.card["kind"], "sha256": trained.sha256}})
        return
    print(f"score {found.score:.3f}")
    if found.at_end_of_scale:
        print("the score is cut off at the end of the scale: only what brings it back from there has an effect")
    if len(found.words) < found.words_in_text:
        print(f"the first {len(found.words)} of {found.words_in_text} words were looked at")
    for word in found.words[:_MOST_SHOWN]:
        print(f"{word.effect:+.3f}  {word.word}")
    for feature in found.features[:_MOST_SHOWN]:
        print(f"{feature.effect:+.3f}  {feature.group} {feature.feature} is {feature.value:.3g}, usually {feature.median:.3g}")

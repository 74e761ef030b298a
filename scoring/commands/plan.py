"""`python -m scoring plan kappa | share | preference`: how many items and judgements a study needs."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, Namespace
from typing import Any

from scoring.judgements.plan import Clustering, plan_kappa, plan_preference, plan_share, power_of_preference
from scoring.result import ScoringError
from scoring.table import as_number

from . import Add, columns


def register(add: Add) -> None:
    kinds = add("plan", plan, "How many items and judgements a study needs.", file=False).add_subparsers(
        required=True, metavar="WHAT"
    )

    def kind(name: str, about: str) -> ArgumentParser:
        parser: ArgumentParser = kinds.add_parser(name, help=about, description=about)
        parser.add_argument("--json", action="store_true", default=SUPPRESS, help="print JSON")
        parser.set_defaults(kind=name)
        return parser

    kappa = kind("kappa", "Items judged by two people, for an interval of Cohen's kappa of a wanted width.")
    kappa.add_argument("--kappa", required=True, type=float, metavar="K", help="the kappa that is expected")
    kappa.add_argument("--width", required=True, type=float, metavar="W", help="from the interval's low to its high end")
    kappa.add_argument(
        "--parts", required=True, type=columns, metavar="P,P[,P]", help="how often each label is expected; add up to 1"
    )
    _clustering(kappa)

    share = kind("share", "Items, for an interval of a share (such as: meaning kept) of a wanted width.")
    share.add_argument("--share", required=True, type=float, metavar="P", help="the share that is expected")
    share.add_argument("--width", required=True, type=float, metavar="W", help="from the interval's low to its high end")
    share.add_argument("--judgements", type=int, default=1, metavar="C", help="of each item (1)")
    _clustering(share)

    preference = kind("preference", "Items for a preference test of a wanted power, or the power of so many items.")
    preference.add_argument(
        "--preferred", required=True, type=float, metavar="P", help="chance that a vote goes to the better one"
    )
    preference.add_argument("--votes", type=int, default=1, metavar="C", help="on each item, odd (1)")
    preference.add_argument("--power", type=float, metavar="P", help="the wanted power, such as 0.8")
    preference.add_argument("--items", type=int, metavar="N", help="instead of --power: the power of so many items")
    preference.add_argument("--level", type=float, default=0.05, metavar="A", help="of the test (0.05)")


def _clustering(parser: ArgumentParser) -> None:
    parser.add_argument("--per-original", type=int, default=1, metavar="M", help="items of one original (1)")
    parser.add_argument(
        "--alike", type=float, default=0.0, metavar="R", help="correlation of the results of one original's items (0)"
    )


def plan(options: Namespace) -> dict[str, Any]:
    """One of the three plans."""
    if options.kind == "preference":
        if (options.power is None) == (options.items is None):
            raise ScoringError("Give --power, to be told the items, or --items, to be told the power.")
        asked = {"votes": options.votes, "level": options.level}
        if options.items is not None:
            return power_of_preference(options.items, options.preferred, **asked).as_dict()
        return plan_preference(options.preferred, options.power, **asked).as_dict()
    clustering = Clustering(options.per_original, options.alike)
    if options.kind == "share":
        return plan_share(options.share, options.width, judgements=options.judgements, clustering=clustering).as_dict()
    return plan_kappa(options.kappa, options.width, _parts(options.parts), clustering).as_dict()


def _parts(cells: list[str]) -> list[float]:
    numbers = [number for cell in cells if (number := as_number(cell)) is not None]
    if len(numbers) < len(cells):
        raise ScoringError(f"--parts takes numbers, such as 0.6,0.3,0.1; not {','.join(cells)}.")
    return numbers

"""``python -m attacks robustness``: how easily constraints are themselves fooled."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence

from attacks.commands import Commands, progress
from attacks.commands.setting import add_setting, setting_of
from attacks.constraints.wanted import WANTED
from attacks.robustness.kinds import KINDS, Examined
from attacks.robustness.measure import Robustness, measure
from attacks.robustness.second_order import Search
from attacks.substitutes.likely import EMBEDDED
from scoring.arguments import MANY, Number
from scoring.wording import shown_circumstances, shown_number, shown_value


def add(commands: Commands) -> None:
    parser = commands.add_parser("robustness", help="how easily constraints are fooled: first- against second-order attacks")
    add_setting(parser, without=WANTED)
    parser.add_argument(
        "--constraint", action="append", required=True, metavar="KIND[:PATH]", help=f"one of {', '.join(KINDS)}; may come again"
    )
    parser.add_argument("--thresholds", type=Number(), nargs="+", default=(), help="for one constraint (default: its kind's own)")
    parser.add_argument("--damages", type=MANY, default=Search().wanted, metavar="K", help="words spoiled in a second-order text")
    parser.add_argument("--beam", type=MANY, default=Search().beam, help="texts kept in each step of the second-order search")
    parser.add_argument(
        "--language-model",
        metavar="MODEL",
        help=f"limit antonyms to texts that read well enough: folder of a causal language model, or “{EMBEDDED}”",
    )
    parser.add_argument(
        "--times", type=Number(1), default=Search().times, help="perplexity allowed, in times the original's (default 2)"
    )
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    found = measure(
        setting_of(options),
        [Examined.of(each) for each in options.constraint],
        options.out,
        thresholds=options.thresholds,
        search=Search(wanted=options.damages, beam=options.beam, language_model=options.language_model, times=options.times),
        workers=options.workers,
        progress=progress(),
    )
    print("\n\n".join(map(_told, found)), "\n".join(_table(found)), f"results: {options.out}", sep="\n\n")


def _told(found: Robustness) -> str:
    why = found.accs.reason.message if found.accs.reason else shown_circumstances(found.accs)
    lines = [f"{found.name}: ACCS {shown_value(found.accs)} ({why})", "  threshold   first order   second order"]
    lines += [f"  {threshold:<11g} {first:<13.3f} {second:.3f}" for threshold, first, second in found.points]
    short = f"  {found.too_short} of {len(found.spoiled)} texts have too few words to spoil; they count as not fooled"
    return "\n".join([*lines, short] if found.too_short else lines)


def _table(found: Sequence[Robustness]) -> Iterator[str]:
    """All constraints, a line each: ACCS, its interval, both rates at the loosest threshold, and of how many texts."""
    yield "constraint    ACCS          95 % interval    first order   second order   texts"
    for each in found:
        interval = each.accs.interval
        bounds = f"{shown_number(interval.low)} to {shown_number(interval.high)}" if interval else "none"
        rates = f"{each.first[-1]:<13.3f} {each.second[-1]:<14.3f}"
        yield f"{each.name:<13} {shown_value(each.accs):<13} {bounds:<16} {rates} {len(each.spoiled)}"

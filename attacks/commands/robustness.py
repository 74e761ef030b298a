"""``python -m attacks robustness``: how easily constraints are themselves fooled."""

from __future__ import annotations

from argparse import Namespace

from attacks.commands import Commands, progress
from attacks.commands.setting import add_setting, setting_of
from attacks.constraints.wanted import WANTED
from attacks.robustness.kinds import KINDS, Examined
from attacks.robustness.measure import Robustness, measure
from attacks.robustness.second_order import Search
from scoring.arguments import MANY, Number
from scoring.wording import shown_circumstances, shown_value


def add(commands: Commands) -> None:
    parser = commands.add_parser("robustness", help="how easily constraints are fooled: first- against second-order attacks")
    add_setting(parser, without=WANTED)
    parser.add_argument(
        "--constraint", action="append", required=True, metavar="KIND[:PATH]", help=f"one of {', '.join(KINDS)}; may come again"
    )
    parser.add_argument("--thresholds", type=Number(), nargs="+", default=(), help="for one constraint (default: its kind's own)")
    parser.add_argument("--damages", type=MANY, default=Search().wanted, metavar="K", help="words spoiled in a second-order text")
    parser.add_argument("--beam", type=MANY, default=Search().beam, help="texts kept in each step of the second-order search")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    found = measure(
        setting_of(options),
        [Examined.of(each) for each in options.constraint],
        options.out,
        thresholds=options.thresholds,
        search=Search(wanted=options.damages, beam=options.beam),
        workers=options.workers,
        progress=progress(),
    )
    print("\n\n".join(map(_told, found)), f"results: {options.out}", sep="\n\n")


def _told(found: Robustness) -> str:
    why = found.accs.reason.message if found.accs.reason else shown_circumstances(found.accs)
    lines = [f"{found.name}: ACCS {shown_value(found.accs)} ({why})", "  threshold   first order   second order"]
    lines += [
        f"  {threshold:<11g} {first:<13.3f} {second:.3f}"
        for threshold, first, second in zip(found.thresholds, found.first, found.second, strict=True)
    ]
    short = f"  {found.too_short} of {len(found.spoiled)} texts have too few words to spoil; they count as not fooled"
    return "\n".join([*lines, short] if found.too_short else lines)

"""One table of a report as a file: CSV for programs and spreadsheets, LaTeX for papers; and as lines of a terminal."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from defusedcsv import csv as defused

from annotation.protocols.analysis import Table
from scoring.result import Estimate
from scoring.wording import shown_cell

from .export import BOM

PARTS: Final = ("", " low", " high", " n")
"""What an estimate is in a CSV file, by the end of its column's name: its value, the ends of its interval, and n."""
_ESCAPED: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}", '"': r"\textquotedbl{}",
    "\N{MINUS SIGN}": "$-$", "–": "--", "“": "``", "”": "''", "’": "'", "…": r"\ldots{}", "·": r"$\cdot$", "δ": r"$\delta$",
    "\N{NO-BREAK SPACE}": "~", "|": r"\textbar{}",
}  # fmt: skip
_LIGATURE: Final = re.compile("(?<=[-',`!?])(?=[-',`])")
"""Between characters of which LaTeX would make another one: two hyphens a dash, two commas a quotation mark."""
_WIDEST: Final = 68
"""So many characters of the widest cells, and two between columns, fit in a line; a wider table is shrunk to it."""
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


def table_csv(table: Table) -> str:
    """The table with every digit. A column of estimates becomes four: value, low and high of the interval, and n."""
    cells = [[cell for cell, _ in row] for row in table.cells]
    wide = [any(isinstance(row[place], Estimate) for row in cells) for place in range(len(table.columns))]
    out = io.StringIO()
    writer = defused.writer(out, quoting=csv.QUOTE_MINIMAL)
    out.write(BOM)
    names = [name or "what" for name in table.columns]
    writer.writerow(
        [f"{name}{part}" for name, is_wide in zip(names, wide, strict=True) for part in (PARTS if is_wide else ("",))]
    )
    for row in cells:
        writer.writerow([part for cell, is_wide in zip(row, wide, strict=True) for part in _csv_cells(cell, is_wide)])
    return out.getvalue()


def _csv_cells(cell: Any, wide: bool) -> Sequence[Any]:
    if not wide:
        return [cell]
    if not isinstance(cell, Estimate):
        return [cell, None, None, None]
    interval = cell.interval
    return [cell.value, interval and interval.low, interval and interval.high, cell.n]


def table_tex(table: Table, *, campaign: str, simulated: str = "") -> str:
    """The table as it is shown, for booktabs. Letters that are not Latin need XeLaTeX or LuaLaTeX, and a font that has them."""
    return "\n".join(_tex_lines(table, campaign, simulated)) + "\n"


def _tex_lines(table: Table, campaign: str, simulated: str) -> Iterator[str]:
    shown = [table.columns, *([shown_cell(cell, style) for cell, style in row] for row in table.cells)]
    wide = sum(max(map(len, column)) + 2 for column in zip(*shown, strict=True)) > _WIDEST
    yield r"% \usepackage{booktabs,graphicx}; pdfLaTeX: \usepackage[T1]{fontenc}; letters that are not Latin: XeLaTeX or LuaLaTeX"
    yield r"\begin{table}"
    yield r"\centering"
    yield rf"\caption{{{tex(_caption(table.title, simulated))}}}"
    yield rf"\label{{tab:{campaign}-{table.key}}}".replace("_", "-")
    if wide:
        yield r"\resizebox{\linewidth}{!}{%"
    yield rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}"
    yield r"\toprule"
    yield _tex_row(shown[0])
    yield r"\midrule"
    yield from map(_tex_row, shown[1:])
    yield r"\bottomrule"
    yield r"\end{tabular}" + ("}" if wide else "")
    if table.note:
        yield rf"\par\smallskip{{\footnotesize {tex(table.note)}}}"
    yield r"\end{table}"


def table_files(tables: Iterable[Table], *, name: str, simulated: str = "") -> dict[str, str]:
    """Each table as both files, by their names. `name` is that of what the tables are about."""
    found = {}
    for table in tables:
        found[f"{table.key}.csv"] = table_csv(table)
        found[f"{table.key}.tex"] = table_tex(table, campaign=name, simulated=simulated)
    return found


def table_text(table: Table) -> str:
    """The table with its title and its note, in columns of equal width: the first to the left, the others to the right."""
    rows = [list(table.columns), *([shown_cell(cell, style) for cell, style in row] for row in table.cells)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    )
    said = [table.title, *(f"  {line}".rstrip() for line in lines), *([f"  {table.note}"] if table.note else [])]
    return "\n".join(said)


def _caption(title: str, simulated: str) -> str:
    return f"{title}. {simulated}" if simulated else title


def _tex_row(cells: Sequence[str]) -> str:
    return f"{' & '.join(_tex_cell(cell) for cell in cells)} \\\\"


def _tex_cell(cell: str) -> str:
    """A cell that begins with a bracket would be taken for the option of the line break before it."""
    return "{}" + tex(cell) if cell.startswith(("[", "*")) else tex(cell)


def tex(text: str) -> str:
    """The text so that LaTeX prints it as it is: nothing in it is a command."""
    parts = _LIGATURE.split(_CONTROL.sub(" ", text))
    return "{}".join("".join(_ESCAPED.get(char, char) for char in part) for part in parts)

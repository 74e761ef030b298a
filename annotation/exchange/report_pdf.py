"""The report as PDF: text that can be selected, plots as lines and letters, and no character that vanishes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from django.conf import settings
from django.template.defaultfilters import capfirst

from .drawing import FONTS, pdfs_of, written_out
from .records import utc
from .report import Report, ShownFigure, ShownTable

FONT: Final = "DejaVu"
BOOK, BOLD = "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"
INK, SOFT, LINE = (29, 33, 41), (92, 100, 112), (227, 223, 214)
TEXT, SMALL, TITLE, HEADING = 9.0, 7.5, 18.0, 10.5
MARGIN: Final = 18.0
MOST_COLUMNS_AT_FULL_SIZE: Final = 6
POINT_IN_MM: Final = 25.4 / 72
LARGEST: Final = 0.72
"""The scale of a plot that has room: its letters are then as large as those of the text."""
NARROWEST, WIDEST = 6, 28
"""Characters between which a column's share of the width is."""
LETTER: Final = 0.7
"""How wide a bold character is with its share of what is around a cell, as a part of its height."""


@dataclass(slots=True)
class _Pages:
    """The pages as they grow, and the plots to lay over them at the end: page, mm from the left and the top, scale, drawing."""

    pdf: Any
    plots: list[tuple[int, float, float, float, Any]] = field(default_factory=list)


def report_pdf(report: Report) -> bytes:
    """The whole report. The same report gives the same bytes."""
    pages = _begun(report)
    pdf = pages.pdf
    if report.simulated:
        _paragraph(pdf, report.simulated, bold=True)
    _paragraph(pdf, f"Report · {report.protocol.title}", size=SMALL, colour=SOFT)
    _paragraph(pdf, report.campaign.title, size=TITLE, bold=True)
    _paragraph(pdf, report.campaign.settings["question"], after=4)
    _heading(pdf, "Figures")
    for figure in report.figures:
        _figure(pdf, figure)
    _heading(pdf, "Method")
    _paragraph(pdf, report.method)
    plots = {shown.table.key: shown.table.plot for shown in report.tables if shown.table.plot}
    drawn = dict(zip(plots, pdfs_of(list(plots.values()), printable), strict=True))
    for shown in report.tables:
        _table(pages, shown, drawn.get(shown.table.key))
    _heading(pdf, "Answers and what they mean")
    for label in report.labels:
        _paragraph(pdf, f"{label.name} ({label.value}, {label.key})", bold=True, after=0)
        _paragraph(pdf, label.definition or "No definition was given.")
    facts = {"Answers so far": report.counts, "Settings": report.settings, "Where the items came from": report.origin}
    for title, pairs in facts.items():
        _heading(pdf, title)
        _rows(pdf, [[name, value] for name, value in pairs], align="LEFT", widths=(2, 3))
    _paragraph(pdf, f"Written {utc(report.written)} by {report.software}.", size=SMALL, colour=SOFT, before=4)
    _paragraph(pdf, f"Data behind this report: items.jsonl with SHA-256 {report.data_sha256}.", size=SMALL, colour=SOFT)
    return _with_plots(pages)


def printable(text: str) -> str:
    """The text with what nobody sees, and what the font cannot show, as its code point: [U+4E2D]."""
    known, lines = _known(), text.split("\n")
    return "\n".join(
        "".join(char if ord(char) in known else f"[U+{ord(char):04X}]" for char in written_out(line)) for line in lines
    )


@cache
def _known() -> frozenset[int]:
    from fontTools.ttLib import TTFont

    with (
        TTFont(settings.BASE_DIR / FONTS / "DejaVuSans-Bold.ttf") as bold,
        TTFont(settings.BASE_DIR / FONTS / "DejaVuSans.ttf") as book,
    ):
        return frozenset(bold.getBestCmap()) & frozenset(book.getBestCmap())


def _begun(report: Report) -> _Pages:
    from fpdf import FPDF

    class Paper(FPDF):
        def footer(self) -> None:
            self.set_y(-12)
            self.set_font(FONT, size=SMALL)
            self.set_text_color(*SOFT)
            self.cell(0, 5, f"{self.page_no()}", align="R")

    pdf = Paper(format="A4")
    for style, file in (("", BOOK), ("B", BOLD)):
        pdf.add_font(FONT, style, str(settings.BASE_DIR / FONTS / file))
    pdf.set_margins(MARGIN, MARGIN, MARGIN)
    pdf.set_auto_page_break(True, MARGIN)
    pdf.set_title(f"Report: {report.campaign.title}")
    pdf.set_lang("en")
    pdf.set_creation_date(report.written)
    pdf.add_page()
    return _Pages(pdf)


def _paragraph(
    pdf: Any,
    text: str,
    *,
    size: float = TEXT,
    bold: bool = False,
    colour: tuple[int, int, int] = INK,
    before: float = 0,
    after: float = 1.5,
) -> None:
    pdf.ln(before)
    pdf.set_font(FONT, "B" if bold else "", size)
    pdf.set_text_color(*colour)
    pdf.multi_cell(0, size * POINT_IN_MM * 1.4, printable(text), align="L", new_x="LMARGIN", new_y="NEXT")
    pdf.ln(after)


def _heading(pdf: Any, title: str, *, room: float = 30) -> None:
    """A heading, on a new page where there is no room for it and what follows."""
    if pdf.will_page_break(room):
        pdf.add_page()
    pdf.start_section(printable(title))
    _paragraph(pdf, title, size=HEADING, bold=True, before=5)


def _figure(pdf: Any, figure: ShownFigure) -> None:
    if pdf.will_page_break(20):
        pdf.add_page()
    _paragraph(pdf, f"{figure.title}: {figure.value}", bold=True, after=0)
    said = [figure.circumstances, figure.detail, capfirst(figure.method)]
    _paragraph(pdf, ". ".join(part.rstrip(".") for part in said if part) + ".", size=SMALL, colour=SOFT, after=2)


def _table(pages: _Pages, shown: ShownTable, plot: bytes | None) -> None:
    pdf = pages.pdf
    drawn = _drawing(plot) if plot else None
    scale = min(LARGEST, pdf.epw / (float(drawn.mediabox.width) * POINT_IN_MM)) if drawn else 0
    height = scale * float(drawn.mediabox.height) * POINT_IN_MM if drawn else 0
    _heading(pdf, shown.table.title, room=min(height + 45, pdf.eph))
    if drawn:
        pages.plots.append((pdf.page_no(), pdf.l_margin, pdf.get_y(), scale, drawn))
        pdf.ln(height + 2)
    elif shown.table.plot:
        _paragraph(pdf, "This plot could not be drawn; its numbers follow.", size=SMALL, colour=SOFT)
    if shown.rows:
        _rows(pdf, shown.rows, head=shown.columns)
    else:
        _paragraph(pdf, "Nothing to count yet.", colour=SOFT)
    if shown.table.note:
        _paragraph(pdf, shown.table.note, size=SMALL, colour=SOFT, before=1)


def _rows(
    pdf: Any, rows: Sequence[Sequence[str]], *, head: Sequence[str] = (), align: str = "RIGHT", widths: Sequence[int] = ()
) -> None:
    from fpdf.enums import TableBordersLayout
    from fpdf.fonts import FontFace

    columns = len(rows[0])
    size = TEXT * min(1.0, (MOST_COLUMNS_AT_FULL_SIZE / columns) ** 0.7) * 0.9
    pdf.set_font(FONT, size=size)
    pdf.set_text_color(*INK)
    pdf.set_draw_color(*LINE)
    with pdf.table(
        borders_layout=TableBordersLayout.HORIZONTAL_LINES,
        col_widths=tuple(widths) or column_widths([head, *rows] if head else rows, pdf.epw / (size * POINT_IN_MM * LETTER)),
        first_row_as_headings=bool(head),
        headings_style=FontFace(emphasis="BOLD", color=SOFT),
        line_height=size * POINT_IN_MM * 1.35,
        padding=0.8,
        text_align=("LEFT", *(align for _ in range(columns - 1))),
    ) as table:
        for row in ([head] if head else []) + list(rows):
            table.row([printable(cell) for cell in row])


def column_widths(rows: Sequence[Sequence[str]], room: float) -> tuple[int, ...]:
    """The columns' parts of the width, by their longest cells. The longest give way first, until all fit into so many characters
    with no word broken."""
    columns = list(zip(*rows, strict=True))
    words = [max(NARROWEST, *(len(word) for cell in column for word in cell.split()), 0) for column in columns]
    cells = [max(map(len, column)) for column in columns]
    widths: list[int] = []
    for most in range(WIDEST, 0, -1):
        widths = [max(word, min(cell, most)) for word, cell in zip(words, cells, strict=True)]
        if sum(widths) <= room:
            break
    return tuple(widths)


def _drawing(page: bytes) -> Any:
    from pypdf import PdfReader

    return PdfReader(io.BytesIO(page)).pages[0]


def _with_plots(pages: _Pages) -> bytes:
    from pypdf import PdfReader, PdfWriter, Transformation

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(bytes(pages.pdf.output()))))
    for number, left, top, scale, drawn in pages.plots:
        page = writer.pages[number - 1]
        bottom = float(page.mediabox.height) - top / POINT_IN_MM - scale * float(drawn.mediabox.height)
        page.merge_transformed_page(drawn, Transformation().scale(scale).translate(left / POINT_IN_MM, bottom))
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()

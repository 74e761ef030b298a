"""A small campaign of each protocol, reported in every format."""

from __future__ import annotations

import csv
import io
import os
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexWalker
from pypdf import PdfReader

from annotation.exchange import drawing
from annotation.exchange.report import Report, report_html, report_of, table_files
from annotation.exchange.report_files import table_csv, table_tex, tex
from annotation.exchange.report_folder import write_report
from annotation.exchange.report_pdf import column_widths, printable, report_pdf
from annotation.models import Campaign, Example, Judgement, Original, Slot, User, Variant
from annotation.protocols import PROTOCOLS, protocol_of
from annotation.protocols.analysis import Table
from annotation.protocols.plots import Plot, bars, intervals, parts
from annotation.services.answering import submit
from annotation.services.campaigns import NewItem, add_items, create_campaign, open_campaign
from annotation.services.claiming import claim_next
from annotation.services.uploads import store_upload
from scoring.result import Estimate, Interval, Reason
from tests.annotation.conftest import MakeAnnotator, variant

pytestmark = pytest.mark.django_db

WRITTEN = datetime(2026, 1, 31, 12, tzinfo=UTC)
STRANGE = "bеrt_аttack & 中 50%"  # the е and the а are Cyrillic
PLOTS = {
    "meaning": ["kept_by_variant", "pairs", "automatic", "times", "days"],
    "suspicion": ["likert", "splits", "pairs", "automatic", "times", "days"],
    "binary": ["by_variant", "pairs", "automatic", "times", "days"],
    "mark_words": ["by_attacker", "automatic", "times", "days"],
    "preference": ["votes", "automatic", "times", "days"],
    "question": ["by_variant", "pairs", "automatic", "times", "days"],
}
AnsweredCampaign = Callable[[str], Campaign]


def test_every_protocol_is_here() -> None:
    assert PLOTS.keys() == PROTOCOLS.keys()


@pytest.fixture
def answered(organiser: User, make_annotator: MakeAnnotator) -> AnsweredCampaign:
    """Six texts of two attackers, one of which has letters that look Latin and are not, judged by three people."""

    def make(protocol: str) -> Campaign:
        campaign = create_campaign(name=f"few-{protocol}", title="Few texts", protocol=protocol, created_by=organiser)
        upload = store_upload(campaign=campaign, name="few.csv", chunks=[b"few"], most=9, by=organiser)
        items = []
        for number in range(6):
            original = Original.objects.create(task="headlines", key=f"{number}")
            before = variant(original, Variant.UNCHANGED, f"The bridge number {number} closes on Monday evening.")
            changed = ("brdige", "bridge numbre", "bri dge")[number % 3]
            after = variant(original, ("deepwordbug", STRANGE)[number % 2], before.text.replace("bridge", changed))
            pair = protocol_of(campaign).pair
            example = Example.objects.create(upload=upload, before=before, after=after, status="successful")
            items.append(NewItem(original, before, after, example) if pair else NewItem(original, after, None, example))
        add_items(campaign=campaign, items=items, slots=3)
        open_campaign(campaign=campaign)
        for person in range(3):
            user = make_annotator(campaign, f"lovelace-{person}")
            for turn in range(6):
                claim = claim_next(campaign=campaign, annotator=user)
                data = _answer(Slot.objects.select_related("item__campaign").get(pk=claim.slot_id), person + turn)
                submit(claim_id=claim.pk, annotator=user, data=data)
        for number, judgement in enumerate(Judgement.objects.order_by("pk")):
            judgement.active_seconds = 4 + number % 7
            judgement.submitted_at = datetime(2026, 1, 10 + number // 5, 9, tzinfo=UTC)
            judgement.save()
        return campaign

    return make


def _answer(slot: Slot, turn: int) -> dict[str, object]:
    protocol = protocol_of(slot.item.campaign)
    wanted = protocol.exposition(slot).words_wanted
    if wanted is not None:
        return {"words": list(range(turn % 3, turn % 3 + wanted)), "confidence": 1 + turn % 5}
    options = protocol.options(slot)
    return {"label": options[turn % len(options)].label.key, "confidence": 1 + turn % 5}


@pytest.fixture
def report(answered: AnsweredCampaign, request: pytest.FixtureRequest) -> Report:
    return report_of(answered(request.param), written=WRITTEN)


@pytest.fixture
def report_of_preference(answered: AnsweredCampaign) -> Report:
    return report_of(answered("preference"), written=WRITTEN)


EVERY = pytest.mark.parametrize("report", PROTOCOLS, indirect=True)


@EVERY
def test_the_page_shows_every_plot_with_its_numbers_under_it(report: Report) -> None:
    page = report_html(report)
    protocol = report.protocol.key
    assert [shown.table.key for shown in report.tables if shown.table.plot] == PLOTS[protocol]
    for section in re.findall(r"<section>.*?</section>", page, re.DOTALL):
        if '<svg class="plot"' in section:
            assert re.search(r'<svg class="plot" role="img" aria-label="[^"]{20,}"', section)
            assert section.index("</svg>") < section.index("<table>")
    assert page.count('<svg class="plot"') == len(PLOTS[protocol])
    assert re.findall(r"<(?:script|link|img|iframe|object)\b|\b(?:src|href|style)=|url\(|@import|https?:", page) == []
    assert re.findall(r"\b(?:nan|NaN|None)\b|lovelace|olga", page) == []
    assert "bеrt_аttack &amp; 中 50%" in page


@EVERY
def test_the_pdf_holds_all_text_and_draws_the_plots_in_lines(report: Report) -> None:
    data = report_pdf(report)
    pages, text = PdfReader(io.BytesIO(data)).pages, _text(data)
    said = [report.campaign.title, report.method, *(figure.title for figure in report.figures)]
    said += [shown.table.title for shown in report.tables] + [
        cell for shown in report.tables for row in shown.rows for cell in row
    ]
    assert [part for part in said if _squeezed(printable(part)) not in text] == []
    assert "bеrt_аttack&[U+4E2D]50%" in text
    assert re.findall("lovelace|olga|NaN", text) == []
    if where := os.environ.get("PASSABLE_SCREENSHOTS"):
        Path(where, f"report-{report.protocol.key}.pdf").write_bytes(data)
        Path(where, f"report-{report.protocol.key}.html").write_text(report_html(report))
    assert sum(len(page.images) for page in pages) == 0
    bare = sum(len(page.get_contents().get_data()) for page in PdfReader(io.BytesIO(report_pdf(_without_plots(report)))).pages)
    assert sum(len(page.get_contents().get_data()) for page in pages) > bare + 400 * len(PLOTS[report.protocol.key])


@pytest.mark.parametrize("report", ["meaning", "question"], indirect=True)
def test_the_same_data_give_the_same_bytes(report: Report) -> None:
    html, pdf = report_html(report), report_pdf(report)
    cache.clear()
    assert report_html(report_of(report.campaign, written=WRITTEN)) == html
    assert report_pdf(report_of(report.campaign, written=WRITTEN)) == pdf


@EVERY
def test_every_table_is_latex_that_reads_like_the_table(report: Report) -> None:
    for shown in report.tables:
        source = table_files(shown.table, campaign=report.campaign)[f"{shown.table.key}.tex"]
        nodes, _, _ = LatexWalker(source, tolerant_parsing=False).get_latex_nodes()
        assert nodes
        body = re.search(r"\\midrule\n(.*)\\bottomrule", source, re.DOTALL)
        assert body is not None
        rows = [[_plain_tex(cell) for cell in re.split(r"(?<!\\)&", line.removesuffix(r"\\"))] for line in body[1].splitlines()]
        assert rows == [[_squeezed(cell) for cell in row] for row in shown.rows]


@EVERY
def test_every_table_is_csv_with_every_digit(report: Report) -> None:
    for shown in report.tables:
        text = table_files(shown.table, campaign=report.campaign)[f"{shown.table.key}.csv"]
        head, *rows = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
        assert len(rows) == len(shown.rows)
        assert {len(row) for row in rows} <= {len(head)}
        assert [row[0] for row in rows] == [str(row[0]) for row in shown.table.rows]


def test_a_column_of_estimates_is_a_value_an_interval_and_n() -> None:
    known = Estimate(1 / 3, None, 9, "share", interval=Interval(0.1, 0.7, "Wilson"))
    unknown = Estimate(None, Reason("empty", "Nothing."), 0, "share")
    table = Table("t", "T", ["who", "kept"], [["=1+1", known], ["A, B", unknown], ["C", None]])
    assert table_csv(table) == (
        '\ufeffwho,kept,kept low,kept high,kept n\r\n\'=1+1,0.3333333333333333,0.1,0.7,9\r\n"A, B",,,,0\r\nC,,,,\r\n'
    )


def test_latex_prints_what_was_written() -> None:
    assert tex(r"50 % of $x_1 & {#~^\ ") == (r"50 \% of \$x\_1 \& \{\#\textasciitilde{}\textasciicircum{}\textbackslash{} ")
    assert table_tex(Table("a_b", "A & B", ["", "n"], [["[x]", -0.5]], note="50 %"), campaign="rain_1") == (
        "% \\usepackage{booktabs,graphicx}; pdfLaTeX: \\usepackage[T1]{fontenc}; "
        "letters that are not Latin: XeLaTeX or LuaLaTeX\n"
        "\\begin{table}\n\\centering\n\\caption{A \\& B}\n\\label{tab:rain-1-a-b}\n"
        "\\begin{tabular}{lr}\n\\toprule\n & n \\\\\n\\midrule\n{}[x] & $-$0.500 \\\\\n\\bottomrule\n\\end{tabular}\n"
        "\\par\\smallskip{\\footnotesize 50 \\%}\n\\end{table}\n"
    )


@pytest.mark.parametrize(
    ("text", "printed"),
    [("a--b", "a-{}-b"), ("---", "-{}-{}-"), (",,a''``", ",{},a'{}'{}`{}`"), ("?`!`", "?{}`!{}`"), ("a-b, c", "a-b, c")],
)
def test_latex_makes_no_other_characters_of_those_that_follow_each_other(text: str, printed: str) -> None:
    assert tex(text) == printed


def test_a_table_wider_than_the_line_is_shrunk_to_it() -> None:
    narrow, wide = (Table("t", "T", ["who", "what"], [["a", "b" * length]]) for length in (61, 62))
    assert "resizebox" not in table_tex(narrow, campaign="c")
    assert "\\resizebox{\\linewidth}{!}{%\n\\begin{tabular}" in table_tex(wide, campaign="c")
    assert "\\end{tabular}}\n" in table_tex(wide, campaign="c")


def test_columns_of_the_pdf_break_no_word_where_there_is_room() -> None:
    rows = [["annotator", "items", "Very confident that a person wrote it"], ["A1", "60", "0.058 (−0.297 to 0.384)"]]
    assert [column_widths(rows, room) for room in (100, 40, 10)] == [(9, 6, 28), (9, 6, 25), (9, 6, 9)]


def test_what_no_font_shows_is_written_out() -> None:
    assert printable("aа δ−中\u200b\U0001f9ff") == "aа δ−[U+4E2D][U+200B][U+1F9FF]"


@pytest.mark.parametrize(
    "plot",
    [
        parts([("<script>alert(1)</script>", (1, 2))], ['a"b', "c&d"], row="variant", part="answer"),
        intervals([("]]>", Estimate(0.5, None, 3, "share"))], row='"><script>', value="kept"),
        bars([("\u202eevil\x00", 3)], row="votes", value="items"),
    ],
)
def test_names_stay_text_in_a_plot(plot: Plot) -> None:
    (svg,) = drawing.svgs_of([plot])
    assert svg.startswith('<svg class="plot" role="img"') and svg.count(" role=") == 1
    assert re.findall(r"<script|\bon\w+=|\bstyle=|<image|<a\b|<foreignObject", svg) == []


def test_a_plot_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    plots = [bars([(f"{votes} for the first", votes)], row="votes", value="items") for votes in (4, 5)]
    cache.clear()
    first, again = (drawing.svgs_of(plots), drawing.are_drawn(plots)), drawing.svgs_of(plots[:1])
    assert "4 for the first" in first[0][0] and "5 for the first" in first[0][1]
    monkeypatch.setattr(drawing, "_asked", lambda **_: pytest.fail("drawn again"))
    assert (drawing.svgs_of(plots), again, first[1]) == (first[0], first[0][:1], True)


def test_without_a_drawing_the_numbers_stay(report_of_preference: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(sys, "executable", "/bin/false")
    page, text = report_html(report_of_preference), _text(report_pdf(report_of_preference))
    assert '<svg class="plot"' not in page
    assert page.count("This plot could not be drawn") == text.count("Thisplotcouldnotbedrawn") == len(PLOTS["preference"])
    assert "3 for the first" in page and "3forthefirst" in text


def test_the_command_writes_every_format(answered: AnsweredCampaign, tmp_path: Path) -> None:
    campaign = answered("suspicion")
    out = io.StringIO()
    call_command("report", campaign.name, "--out", str(tmp_path / "new"), "--written", "2026-01-31T12:00:00Z", stdout=out)
    written = sorted(path.relative_to(tmp_path / "new") for path in (tmp_path / "new").rglob("*") if path.is_file())
    keys = sorted(shown.table.key for shown in report_of(campaign).tables)
    tables = [Path(f"few-suspicion-tables/{key}.{kind}") for key in keys for kind in ("csv", "tex")]
    assert written == [*tables, Path("few-suspicion.html"), Path("few-suspicion.pdf")]
    assert sorted(out.getvalue().split()) == sorted(str(tmp_path / "new" / path) for path in written)
    assert "Written 2026-01-31T12:00:00Z by" in (tmp_path / "new" / "few-suspicion.html").read_text()


def test_a_time_that_is_none_is_an_error_in_one_line(answered: AnsweredCampaign, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="'yesterday' is no time; give one such as 2026-01-31T12:00:00Z"):
        call_command("report", "few", "--out", str(tmp_path), "--written", "yesterday")


def test_an_empty_campaign_has_a_report(organiser: User, tmp_path: Path) -> None:
    for protocol in PROTOCOLS:
        campaign = create_campaign(name=f"empty-{protocol}", title="Empty", protocol=protocol, created_by=organiser)
        assert [path.stat().st_size > 0 for path in write_report(campaign, tmp_path, written=WRITTEN)]


def _text(pdf: bytes) -> str:
    return _squeezed("".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages))


def _squeezed(text: str) -> str:
    """Where lines break, and how wide spaces are, is the page's business."""
    return re.sub(r"\s+", "", text)


def _plain_tex(cell: str) -> str:
    return _squeezed(LatexNodes2Text(math_mode="text").latex_to_text(cell.replace("$-$", "\N{MINUS SIGN}")))


def _without_plots(report: Report) -> Report:
    return replace(report, tables=[replace(shown, table=replace(shown.table, plot=None)) for shown in report.tables])

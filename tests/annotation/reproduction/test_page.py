"""What is written, and that nothing is where something is wrong."""

from __future__ import annotations

import io
import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.reproduction.given import Given
from annotation.reproduction.page import reproduced, write_reproduction
from annotation.reproduction.papers import PAPERS, listed
from tests.annotation.exchange.files import INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS, as_bytes

DOCS = Path(__file__).resolve().parents[3] / "docs" / "reference" / "papers.md"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.csv"
    path.write_bytes(as_bytes(INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS))
    return path


def said(*command: object) -> str:
    out = io.StringIO()
    call_command(*map(str, command), stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_a_page_json_and_each_table_as_csv_and_latex(data: Path, tmp_path: Path) -> None:
    told = said("reproduce", "incrediblae", "--data", data, "--out", tmp_path / "out")
    assert told.splitlines()[-1] == f"Report: {tmp_path / 'out' / 'index.html'}"
    assert "Table 8, Share of examples that keep the meaning, by team: table-8; lacks: The released file has no column" in told
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    keys = [key for part in summary["parts"] for key in part["tables"]]
    written = {path.name for path in (tmp_path / "out" / "tables").iterdir()}
    assert written == {f"{key}.{ending}" for key in keys for ending in ("csv", "tex")}
    page = (tmp_path / "out" / "index.html").read_text()
    assert _Named.of(page) >= {part.name for part in PAPERS["incrediblae"].parts}
    assert "http://" not in page.replace("http://www.w3.org", "") and "<script" not in page
    first = (tmp_path / "out" / "tables" / "material.csv").read_text("utf-8-sig").splitlines()[1]
    assert first.startswith("pairs,4,600,-596,")


@pytest.mark.parametrize("paper", PAPERS)
def test_tables_have_names_of_their_own(paper: str, tmp_path: Path) -> None:
    if paper in ("bodega", "second-order"):
        tables = reproduced(paper, Given(tmp_path)).tables
        assert len({table.key for table in tables}) == len(tables)


def test_what_is_wrong_is_one_line_and_nothing_is_written(data: Path, tmp_path: Path) -> None:
    data.write_bytes(data.read_bytes()[:-30])
    with pytest.raises(CommandError, match=r"data\.csv: line 5: ") as refused:
        said("reproduce", "incrediblae", "--data", data, "--out", tmp_path / "out")
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_to_is_told(data: Path) -> None:
    with pytest.raises(CommandError, match=r"/proc/x cannot be written"):
        said("reproduce", "incrediblae", "--data", data, "--out", "/proc/x")


def test_fetch_says_what_it_wrote(tmp_path: Path, data: Path) -> None:
    with pytest.raises(CommandError, match="is none of the released files"):
        said("fetch", "incrediblae", "--from", data, "--out", tmp_path / "out")


def test_writing_again_gives_the_same_tables(data: Path, tmp_path: Path) -> None:
    found = reproduced("incrediblae", Given(data))
    texts = []
    for name in ("one", "two"):
        write_reproduction(found, tmp_path / name)
        texts.append([path.read_text() for path in sorted((tmp_path / name / "tables").iterdir())])
    assert texts[0] == texts[1]


def test_the_reference_lists_every_part_of_every_paper() -> None:
    text = DOCS.read_text()
    start, end = text.index("\n## ") + 1, text.index("## Print and data")
    assert text[start:end].strip() == "\n".join(listed()).strip()


class _Named(HTMLParser):
    """The headings of rows."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._within = False

    @classmethod
    def of(cls, page: str) -> set[str]:
        parser = cls()
        parser.feed(page)
        return parser.found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._within = tag == "th" and ("scope", "row") in attrs

    def handle_data(self, data: str) -> None:
        if self._within:
            self.found.add(data)

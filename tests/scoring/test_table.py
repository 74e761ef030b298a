from __future__ import annotations

from pathlib import Path

import pytest

from scoring.table import Table, TableError, as_label, as_number, parse_table, read_table


def parsed(text: str, required: tuple[str, ...] = ()) -> Table:
    return parse_table(text.encode(), required=required, name="f.csv")


def test_rows_carry_the_physical_line_on_which_they_start() -> None:
    table = parsed('a,b\n"two\nlines",x\n\nlast,y\n')
    assert [(row.line, dict(row)) for row in table.rows] == [
        (2, {"a": "two\nlines", "b": "x"}),
        (5, {"a": "last", "b": "y"}),
    ]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_byte_order_mark_and_windows_line_ends_are_no_part_of_the_text(ending: str) -> None:
    table = parse_table(b"\xef\xbb\xbf" + ending.join(["a,b", "1,2", ""]).encode(), required=["a"], name="f.csv")
    assert [dict(row) for row in table.rows] == [{"a": "1", "b": "2"}]


def test_the_delimiter_goes_by_the_name(tmp_path: Path) -> None:
    (tmp_path / "f.tsv").write_text("a\tb\n1,5\t2\n")
    assert [dict(row) for row in read_table(tmp_path / "f.tsv", required=["a"]).rows] == [{"a": "1,5", "b": "2"}]


@pytest.mark.parametrize(
    ("data", "line", "column", "problem"),
    [
        (b"", None, None, "the file is empty"),
        (b"\n\n", None, None, "the file is empty"),
        (b"a,c\n", 1, "b", "required column is missing: b; found a, c"),
        (b"x\n", 1, "a", "required columns are missing: a, b; found x"),
        (b"a,b,a\n", 1, "a", "this column stands twice in the header"),
        (b'a,b\n"x\ny",1\n1,2,3\n', 4, None, "this row has 3 cells, but the header has 2 columns"),
        (b"a,b\n1\n", 2, None, "this row has 1 cell, but the header has 2 columns"),
        (b"a,b\n1,2\n3,caf\xe9\n", 3, None, "byte 6 of this line (0xe9) is not UTF-8; save the file as UTF-8"),
        (b"a,b\n1,\x00\n", 2, None, "byte 3 of this line is NUL, which no text holds"),
        ("a,b\n".encode("utf-16"), 1, None, "the file is in UTF-16; save it as UTF-8"),
        (b'a,b\n1,2\n3,"x\n4,5\n', 3, None, "a quote that opens in the row starting here is never closed"),
        (b'a,b\n"x"y,2\n', 2, None, "a quote stands inside a quoted field; write it twice"),
        (
            b"a,b\n1\r2,3\n",
            2,
            None,
            "a carriage return stands outside quotes; end lines with a line feed: save the file with Windows or Unix line ends",
        ),
    ],
)
def test_a_bad_file_is_refused_with_its_place(data: bytes, line: int | None, column: str | None, problem: str) -> None:
    with pytest.raises(TableError) as caught:
        parse_table(data, required=["a", "b"], name="f.csv")
    places = [f"line {line}" if line else "", f"column {column}" if column else ""]
    where = ", ".join(place for place in places if place)
    assert str(caught.value) == ": ".join(part for part in ("f.csv", where, problem) if part)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_field_past_the_limit_points_to_its_row() -> None:
    with pytest.raises(TableError, match="line 2: a field of the row starting here is longer than"):
        parsed('a,b\n1,"' + "x\n" * 70_000)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"nothing\.csv: there is no such file"):
        read_table(tmp_path / "nothing.csv", required=[])
    with pytest.raises(TableError, match="cannot be read"):
        read_table(tmp_path, required=[])


def test_an_error_stays_one_line_whatever_the_header_holds() -> None:
    with pytest.raises(TableError) as caught:
        parsed('"a\nb",c\n', required=("d",))
    assert "\n" not in str(caught.value)


class TestCells:
    table = parsed("n,who\n2.0,yes\nx,NO\n,maybe\n7,\n1.5, \n٣,1.0\n")

    def test_a_whole_number_may_be_written_with_decimals(self) -> None:
        assert self.table.integer(self.table.rows[0], "n", 0, 2) == 2

    @pytest.mark.parametrize(
        ("row", "high", "message"),
        [
            (1, 2, "f.csv: line 3, column n: 'x' is not one of 0, 1, 2"),
            (2, 2, "f.csv: line 4, column n: the cell is empty"),
            (3, 2, "f.csv: line 5, column n: '7' is not one of 0, 1, 2"),
            (4, 100, "f.csv: line 6, column n: '1.5' is not a whole number from 0 to 100"),
        ],
    )
    def test_a_wrong_number_names_line_column_and_what_was_expected(self, row: int, high: int, message: str) -> None:
        with pytest.raises(TableError) as caught:
            self.table.integer(self.table.rows[row], "n", 0, high)
        assert str(caught.value) == message

    def test_an_empty_cell_is_none_only_where_that_is_allowed(self) -> None:
        assert self.table.integer(self.table.rows[2], "n", 0, 2, empty_ok=True) is None
        assert self.table.text(self.table.rows[3], "who", empty_ok=True) is None
        assert self.table.choice(self.table.rows[4], "who", ["a"], empty_ok=True) is None
        assert self.table.boolean(self.table.rows[4], "who", empty_ok=True) is None

    def test_booleans(self) -> None:
        assert [self.table.boolean(self.table.rows[i], "who") for i in (0, 1, 5)] == [True, False, True]
        with pytest.raises(TableError, match="line 4, column who: 'maybe' is not one of true, false"):
            self.table.boolean(self.table.rows[2], "who")

    def test_choices(self) -> None:
        assert self.table.choice(self.table.rows[0], "n", ["1", "2"]) == "2"
        with pytest.raises(TableError, match="line 2, column who: 'yes' is not one of a, b"):
            self.table.choice(self.table.rows[0], "who", ["a", "b"])

    def test_an_unknown_column_is_an_error_not_a_traceback(self) -> None:
        with pytest.raises(TableError, match="column nope: there is no such column; found n, who"):
            self.table.text(self.table.rows[0], "nope")


@pytest.mark.parametrize(("cell", "label"), [("0.0", "0"), ("2", "2"), ("-0.0", "0"), ("1.5", "1.5"), ("kept", "kept")])
def test_whole_numbers_as_labels_lose_their_decimals(cell: str, label: str) -> None:
    assert as_label(cell) == label


def test_a_header_of_very_many_columns_is_refused_quickly_and_briefly() -> None:
    header = ",".join(f"c{number}" for number in range(100_000))
    with pytest.raises(TableError) as refused:
        parse_table(header.encode(), required=["original"], name="wide.csv")
    assert "found c0, c1, " in str(refused.value)
    assert str(refused.value).endswith("and 99970 more")
    assert len(str(refused.value)) < 500


def test_a_path_with_nul_is_no_path() -> None:
    with pytest.raises(TableError) as caught:
        read_table("a\0b.csv", required=[])
    assert str(caught.value) == "a\\x00b.csv: a path holds no NUL"


@pytest.mark.parametrize(
    ("cell", "number"),
    [("1", 1.0), ("-2.50", -2.5), (" .5 ", 0.5), ("1.", 1.0), ("+3e-2", 0.03), ("1E100", 1e100), ("1e-320", 1e-320)],
)
def test_numbers(cell: str, number: float) -> None:
    table = parsed(f"n\n{cell}\n")
    assert (table.number(table.rows[0], "n"), as_number(cell)) == (number, number)


@pytest.mark.parametrize(
    "cell", ["1_000", "\u0663", "nan", "inf", "-Infinity", "1e999", "0x1", "1 0", "1e", ".", "one", "9" * 400]
)
def test_what_python_takes_for_a_number_and_nobody_else_is_none(cell: str) -> None:
    assert as_number(cell) is None
    table = parsed(f"n\n{cell}\n")
    with pytest.raises(TableError, match=r"line 2, column n: .* is not a number"):
        table.number(table.rows[0], "n")


def test_numbers_that_cannot_be_squared_are_too_large() -> None:
    table = parsed("n\n-1e300\n")
    with pytest.raises(TableError, match=r"line 2, column n: '-1e300' is too large to compute with; numbers reach to 1e\+100"):
        table.number(table.rows[0], "n")

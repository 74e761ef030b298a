from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attacks import AttackError
from attacks.tasks import Row, Task, decode, decode_loosely, encode, read_rows, read_task, write_task


@pytest.mark.parametrize(
    ("encoded", "text"),
    [
        (r"C:\\new", r"C:\new"),
        (r"a\nb", "a\nb"),
        (r"a\\\nb", "a\\\nb"),
        (r"\\\\n", r"\\n"),
        ("plain ~ text", "plain ~ text"),
    ],
)
def test_escapes(encoded: str, text: str) -> None:
    assert decode(encoded) == text
    assert encode(text) == encoded


@given(st.text(alphabet=st.sampled_from("\\n\n ab\u2028é"), max_size=12))
def test_every_text_survives(text: str) -> None:
    assert decode(encode(text)) == text


def test_tabs_and_foreign_line_ends_become_plain() -> None:
    assert encode("a\tb\r\nc\rd") == r"a b\nc\nd"


def test_a_task_survives_writing_and_reading(tmp_path: Path) -> None:
    rows = [Row(1, "The Source", "C:\\new\nline ~ two"), Row(0, "", ""), Row(1, "s", "\u2028\x85 kept in one row")]
    write_task(Task("t", rows, rows[:1], rows[1:]), tmp_path / "t")
    assert read_task(tmp_path / "t") == Task("t", rows, rows[:1], rows[1:])


def test_pairs_are_joined_and_windows_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_bytes(b"\xef\xbb\xbf1\ts\tclaim\tevi\\ndence\r\n0\ts\tlast\r\n")
    assert read_rows(tmp_path / "x.tsv") == [Row(1, "s", "claim ~ evi\ndence"), Row(0, "s", "last")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"1\ts\tt\n1\tonly two\n", "line 2: 2 tab-separated columns"),
        (b"1\ts\tt\ne\tx\ty\tz\tq\n", "line 2: 5 tab-separated columns"),
        (b"1\ts\tt\n2\ts\tt\n", "line 2, column 1: label '2' is neither 0"),
        (b"1\ts\tt\n\n", "line 2: 1 tab-separated columns"),
        (b"1\ts\tcaf\xe9\n", "line 1: byte 8 is not UTF-8"),
        (b"1\ts\tok\tC:\\temp\n", "line 1, column 4, character 3: a backslash must be followed"),
        (b"1\ts\tends\\\n", "line 1, column 3, character 5: a backslash must be followed"),
    ],
)
def test_errors_name_file_line_and_column(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "bad.tsv").write_bytes(content)
    with pytest.raises(AttackError) as error:
        read_rows(tmp_path / "bad.tsv")
    assert str(error.value).startswith(str(tmp_path / "bad.tsv"))
    assert message in str(error.value)


def test_missing_folder_and_file(tmp_path: Path) -> None:
    with pytest.raises(AttackError, match="no such task folder"):
        read_task(tmp_path / "none")
    with pytest.raises(AttackError, match=r"train\.tsv: cannot be read"):
        read_task(tmp_path)


@pytest.mark.parametrize(
    ("folder", "card", "kind"),
    [
        ("FC", None, "FC"),
        ("PR2", None, "PR"),
        ("mine", None, None),
        ("mine", '{"task": "RD"}', "RD"),
        ("HN", '{"task": "something else"}', None),
    ],
)
def test_which_of_bodegas_tasks_it_is(tmp_path: Path, folder: str, card: str | None, kind: str | None) -> None:
    rows = [Row(0, "", "a")]
    write_task(Task(folder, rows, rows, rows), tmp_path / folder)
    if card is not None:
        (tmp_path / folder / "card.json").write_text(card)
    assert read_task(tmp_path / folder).kind == kind


@pytest.mark.parametrize("card", ["{", "[]", "{}"])
def test_a_broken_card_is_named(tmp_path: Path, card: str) -> None:
    write_task(Task("t", [Row(0, "", "a")], [Row(0, "", "a")], [Row(0, "", "a")]), tmp_path)
    (tmp_path / "card.json").write_text(card)
    with pytest.raises(AttackError, match=r"card\.json: not the card of a task; write the task's folder again"):
        read_task(tmp_path)


def test_backslashes_that_are_not_doubled() -> None:
    assert [decode_loosely(text) for text in (r"a\\b\n", r"a\b\n", r"\o/")] == ["a\\b\n", "a\\b\n", r"\o/"]

from __future__ import annotations

from pathlib import Path

import pytest

from attacks import AttackError
from attacks.tasks.corpora import KINDS, Corpus, Labelled
from tests.attacks.tasks.corpora.layouts import propaganda

#            0         10        20        30
ARTICLE = "Title here\n\nA vile plot, said he.\nRain fell.\n"
SECOND = "Two\nwords"


def read(folder: Path) -> Corpus:
    return KINDS["PR"].read(folder, lambda done, total, message: None)


def rows(corpus: Corpus) -> list[tuple[int, str, str]]:
    return [(row.label, row.source, *row.texts) for row in [*corpus.train, *corpus.attack, *corpus.dev]]


def test_a_sentence_that_overlaps_any_span_is_propaganda(tmp_path: Path) -> None:
    labels = "1114\t0\t2\n1111\t14\t23\n1111\t30\t33\n"
    corpus = read(propaganda(tmp_path, {"1111": ARTICLE, "1114": SECOND, "1119": "No span\n"}, labels))
    assert list(corpus.train) == [
        Labelled(1, "SemEval2020T11-1111", ("A vile plot, said he.",)),
        Labelled(0, "SemEval2020T11-1111", ("Title here",)),
        Labelled(0, "SemEval2020T11-1111", ("Rain fell.",)),
    ]
    assert rows(corpus)[3:] == [(1, "SemEval2020T11-1114", "Two"), (0, "SemEval2020T11-1114", "words")]
    assert corpus.remarks == {"articles left out: no span is marked in them": 1}


@pytest.mark.parametrize(
    ("span", "marked"), [((0, 10), 1), ((10, 11), 0), ((11, 12), 0), ((9, 13), 2), ((32, 34), 1), ((33, 34), 0)]
)
def test_a_span_that_only_touches_a_sentence_does_not_overlap_it(tmp_path: Path, span: tuple[int, int], marked: int) -> None:
    corpus = read(propaganda(tmp_path, {"1111": ARTICLE}, f"1111\t{span[0]}\t{span[1]}\n"))
    assert sum(row.label for row in corpus.train) == marked


def test_articles_whose_number_ends_in_4_or_9_are_the_test_split(tmp_path: Path) -> None:
    numbers = [str(number) for number in range(700, 720)]
    labels = "".join(f"{number}\t0\t1\n" for number in numbers)
    corpus = read(propaganda(tmp_path, dict.fromkeys(numbers, "one\ntwo\n"), labels))
    tested = {row.source.rpartition("-")[2] for row in corpus.attack}
    assert tested == {"704", "709", "714", "719"}
    assert [row.label for row in corpus.attack] == [1, 1, 1, 1, 0, 0, 0, 0]
    assert len(corpus.train) == 32


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("train-task2-TC.labels", "1111\tLoaded_Language\t14\t23\n"),
        ("train-labels-task1-span-identification/article1111.task1-SI.labels", "1111\t14\t23\n"),
    ],
)
def test_other_files_of_labels(tmp_path: Path, name: str, labels: str) -> None:
    assert rows(read(propaganda(tmp_path, {"1111": ARTICLE}, labels, name)))[0] == (
        1,
        "SemEval2020T11-1111",
        "A vile plot, said he.",
    )


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ("1111\t0\n", r"SI\.labels, line 1: 2 tab-separated columns, expected article"),
        ("1111\t0\t3\n\n1111\ta\t3\n", r"SI\.labels, line 3, begin: 'a' is no whole number"),
        ("1111\t0\t-3\n", r"line 1, end: '-3' is no whole number"),
        ("1111\t90\t93\n", r"article1111\.txt: a span from 90 to 93 is marked in it, but it has 45 characters"),
        ("1111\t5\t5\n", r"article1111\.txt: a span from 5 to 5"),
        ("2222\t0\t3\n", r"article2222\.txt: cannot be read \(No such file or directory\)"),
    ],
)
def test_faults_name_file_and_line(tmp_path: Path, labels: str, message: str) -> None:
    with pytest.raises(AttackError, match=message):
        read(propaganda(tmp_path, {"1111": ARTICLE}, labels))


def test_what_is_no_corpus_is_named(tmp_path: Path) -> None:
    with pytest.raises(AttackError, match=r"there is none of train-task1-SI\.labels, train-task2-TC"):
        read(tmp_path)
    (tmp_path / "train-task1-SI.labels").write_text("1\t0\t1\n")
    with pytest.raises(AttackError, match="0 folders are called train-articles; expected exactly one"):
        read(tmp_path)
    propaganda(tmp_path, {"1111": ARTICLE}, "", "train-task2-TC.labels")
    (tmp_path / "train-task1-SI.labels").write_bytes(b"1111\t0\t1\xff\n")
    with pytest.raises(AttackError, match="byte 9 is not UTF-8"):
        read(tmp_path)

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path

import pytest

from attacks import AttackError
from attacks.tasks.corpora import KINDS, Corpus, Labelled
from tests.attacks.tasks.corpora.layouts import hyperpartisan

ARTICLES = [
    (
        10,
        "true",
        "Fish &amp; &quot;chips&quot;",
        '\n<p>One <a href="x" type="external">linked</a> word.</p>\n<p>C:\\new &lt;b&gt;</p>\n',
    ),
    (11, "true", "Not a tenth", "<p>x</p>"),
    (20, "false", "Calm", "<p>Rain.</p>"),
]


def read(folder: Path) -> Corpus:
    return KINDS["HN"].read(folder, lambda done, total, message: None)


def test_a_tenth_of_the_training_set_and_all_of_the_test_set(tmp_path: Path) -> None:
    hyperpartisan(tmp_path, ARTICLES, ARTICLES[1:])
    (tmp_path / "._articles-test-bypublisher-20181212.xml").write_bytes(b"\x00\x05")  # what a Mac leaves in archives
    corpus = read(tmp_path)
    assert list(corpus.train) == [
        Labelled(1, "https://x.example/10", ('Fish & "chips"\n\nOne linked word.\nC:\\new <b>\n',)),
        Labelled(0, "https://x.example/20", ("Calm\nRain.",)),
    ]
    assert [row.source for row in corpus.attack] == ["https://x.example/11", "https://x.example/20"]
    assert list(corpus.dev) == []
    assert sorted(corpus.files) == ["articles, test", "articles, training", "ground-truth, test", "ground-truth, training"]


def test_an_article_is_in_memory_one_at_a_time(tmp_path: Path) -> None:
    many = [(10 * i + 1, "true", "t", f"<p>{'word ' * 200}</p>") for i in range(4_000)]
    size = sum(len(article[3]) for article in many)
    folder = hyperpartisan(tmp_path, [ARTICLES[0], *many], ARTICLES)
    del many
    gc.collect()
    tracemalloc.start()
    corpus = read(folder)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(corpus.train) == 1
    assert peak < size / 2


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "ground-truth-training",
            'hyperpartisan="true"',
            'hyperpartisan="mixed"',
            r"article 0000010, attribute hyperpartisan: 'mixed'",
        ),
        ("articles-training", 'title="Calm"', 'heading="Calm"', r"article 0000020, attribute title: missing"),
        ("articles-training", 'id="0000020"', 'id="0000030"', r"there is no article 0000020, which ground-truth-training-"),
        ("articles-test", 'id="0000011"', 'id="eleven"', r"attribute id: 'eleven' is not the number of an article"),
        ("articles-test", "</articles>", "", r"not XML \(no element found: line 10, column 0\)"),
        ("articles-test", "<articles>", '<!DOCTYPE a [<!ENTITY b "bbb">]><articles>', r"declares entities.*EntitiesForbidden"),
    ],
)
def test_faults_name_file_article_and_attribute(tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    hyperpartisan(tmp_path, ARTICLES, ARTICLES)
    [path] = tmp_path.rglob(f"{file}-bypublisher*.xml")
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(AttackError, match=f"{path}.*{message}"):
        read(tmp_path)


def test_a_missing_file_and_one_too_many_are_named(tmp_path: Path) -> None:
    hyperpartisan(tmp_path, ARTICLES, ARTICLES)
    truth = tmp_path / "ground-truth-test-bypublisher-20181212.xml"
    copy = truth.with_name("ground-truth-test-bypublisher-20181201.xml")
    copy.write_text("")
    with pytest.raises(
        AttackError, match=rf"2 files are called ground-truth-test-bypublisher\*\.xml, among them {copy} and {truth}"
    ):
        read(tmp_path)
    truth.unlink()
    copy.unlink()
    with pytest.raises(AttackError, match=r"there is no file ground-truth-test-bypublisher\*\.xml; expected exactly one"):
        read(tmp_path)

"""A corpus becomes a task folder: sizes, order, card, cutting, and nothing half-written."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest

from attacks import AttackError
from attacks.__main__ import main
from attacks.tasks import read_task
from attacks.tasks.conversion import convert
from attacks.tasks.corpora import KINDS
from attacks.tasks.corpora.corpus import divided
from tests.attacks.tasks.corpora.layouts import fever, propaganda, thread


def articles(folder: Path, test: int = 1, train: int = 1) -> Path:
    """A corpus of so many sentences in an article of either split, every other one propaganda."""
    texts = {id: "".join(f"Sentence {i} of {id}.\n" for i in range(n)) for id, n in (("10", train), ("14", test))}
    labels = [
        f"{id}\t{text.index(line)}\t{text.index(line) + 3}\n" for id, text in texts.items() for line in text.splitlines()[::2]
    ]
    return propaganda(folder, texts, "".join(labels))


@pytest.mark.parametrize(
    ("size", "step", "attacked"),
    [
        (4_000, 10, 400),  # HN, whose test set is of this size
        (3_736, 9, 416),  # sizes that give the attack sets which BODEGA published for PR, FC and RD
        (19_011, 47, 405),
        (2_485, 6, 415),
        (595, 1, 595),  # C19
        (799, 1, 799),
        (800, 2, 400),
        (1, 1, 1),
    ],
)
def test_every_nth_is_attacked(size: int, step: int, attacked: int) -> None:
    attack, dev = divided(range(size))
    assert attack == [*range(0, size, step)]
    assert len(attack) == attacked
    assert sorted(attack + dev) == [*range(size)]


def test_files_and_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = articles(tmp_path / "corpus", test=803, train=6)
    assert main(["convert", "PR", str(source), str(tmp_path / "PR")]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [
        "train          6 texts, 50.0% non-credible",
        "dev          401 texts, 50.1% non-credible",
        "attack       402 texts, 50.0% non-credible",
        f"task: {tmp_path / 'PR'}",
    ]
    assert "2 of 2  PR: read" in shown.err
    task = read_task(tmp_path / "PR")
    assert (task.name, task.kind) == ("PR", "PR")
    card = json.loads((tmp_path / "PR" / "card.json").read_text())
    assert card["splits"]["attack"] == {"n": 402, "non-credible": 201, "share": 0.5}
    assert [len(rows) for rows in (task.train, task.dev, task.attack)] == [
        card["splits"][s]["n"] for s in ("train", "dev", "attack")
    ]
    labels, listed = source / "datasets" / "train-task1-SI.labels", source / "datasets" / "train-articles"
    assert card["files"]["labels"] == {
        "file": "datasets/train-task1-SI.labels",
        "sha256": hashlib.sha256(labels.read_bytes()).hexdigest(),
    }
    lines = [f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.relative_to(source)}\n" for p in sorted(listed.iterdir())]
    assert card["files"]["articles"] == {"files": 2, "sha256": hashlib.sha256("".join(lines).encode()).hexdigest()}
    assert {name: card[name] for name in ("task", "released", "seed", "pieces", "compat")} == {
        "task": "PR", "released": False, "seed": 1, "pieces": 512, "compat": None
    }  # fmt: skip


def test_every_nth_of_the_test_split_is_attacked_and_splits_are_shuffled_as_in_bodega(tmp_path: Path) -> None:
    convert("PR", articles(tmp_path / "corpus", test=802, train=9), tmp_path / "PR")
    task = read_task(tmp_path / "PR")

    def sentences(id: int, n: int) -> list[str]:
        return [f"Sentence {i} of {id}." for i in [*range(0, n, 2), *range(1, n, 2)]]

    train, test, generator = sentences(10, 9), sentences(14, 802), random.Random(1)
    attack, dev = test[::2], test[1::2]
    for texts in (train, attack, dev):
        generator.shuffle(texts)
    assert [[row.text for row in rows] for rows in (task.train, task.attack, task.dev)] == [train, attack, dev]
    convert("PR", tmp_path / "corpus", tmp_path / "again")
    convert("PR", tmp_path / "corpus", tmp_path / "other", seed=2)
    names = ("train.tsv", "dev.tsv", "attack.tsv", "card.json")
    assert all((tmp_path / "PR" / name).read_bytes() == (tmp_path / "again" / name).read_bytes() for name in names)
    assert sorted(row.text for row in read_task(tmp_path / "other").dev) == sorted(dev) != [row.text for row in task.dev]


def test_a_small_corpus_has_a_tenth_of_its_training_set_for_development(tmp_path: Path) -> None:
    card = convert("PR", articles(tmp_path / "corpus", test=5, train=21), tmp_path / "PR")
    assert {split: found["n"] for split, found in card["splits"].items()} == {"train": 18, "dev": 3, "attack": 5}
    assert card["remarks"] == {"training texts moved to the development set, which was empty": 3}


def test_pairs_have_a_column_each(tmp_path: Path) -> None:
    page = {"id": "A", "lines": "0\tIt rains ."}
    claims = [{"label": "REFUTES", "claim": f"No {i}.", "evidence": [[[0, 0, "A", 0]]]} for i in range(2)]
    convert("FC", fever(tmp_path / "corpus", claims, claims[:1], [page]), tmp_path / "FC")
    assert (tmp_path / "FC" / "attack.tsv").read_text() == "1\tWikipedia:A\tA. It rains .\tNo 0.\n"
    assert [row.text for row in read_task(tmp_path / "FC").attack] == ["A. It rains . ~ No 0."]


def rumours(folder: Path, text: str) -> Path:
    """The same text to train with, twice, and to attack."""
    for event, id in (("ottawa", 1), ("sydney", 2), ("charliehebdo", 3)):
        thread(folder, event, "rumours", {id: {"text": text}}, {})
    return folder


def attacked(tmp_path: Path, text: str, **options: Any) -> tuple[str, str]:
    """What becomes of a text in the attack set and in the training set."""
    convert("RD", rumours(tmp_path / "corpus", text), tmp_path / "RD", **options)
    task = read_task(tmp_path / "RD")
    return task.attack[0].text, task.train[0].text


WORDS = "Ünusual " * 600  # one word piece each after folding: see the test on 512


@pytest.mark.parametrize("pieces", [510, 511, 512])
def test_a_text_of_512_pieces_or_fewer_is_left_whole(tmp_path: Path, pieces: int) -> None:
    text = " ".join(WORDS.split()[:pieces])
    assert attacked(tmp_path, text) == (text, text)


def test_a_longer_text_ends_with_its_512th_piece_where_it_is_attacked(tmp_path: Path) -> None:
    text = " ".join(WORDS.split()[:511]) + " unaffable"  # which has three pieces: una, ##ffa, ##ble
    assert attacked(tmp_path, text) == (text.removesuffix("ffable"), text)


def test_other_lengths(tmp_path: Path) -> None:
    text = WORDS.strip()
    assert attacked(tmp_path / "all", text, pieces=0)[0] == text
    assert attacked(tmp_path / "two", text, pieces=2)[0] == "Ünusual Ünusual"


def test_bodega_loses_a_text_of_511_pieces(tmp_path: Path) -> None:
    for pieces, left in ((510, 510), (511, 0), (512, 512), (513, 512)):
        text, trained = attacked(tmp_path / str(pieces), " ".join(WORDS.split()[:pieces]), compat="bodega")
        assert (len(text.split()), len(trained.split())) == (left, pieces)


@pytest.mark.parametrize(
    ("text", "bodegas"),
    [
        (r"C:\new", "C:\\\new"),  # a backslash, a line break, "ew"
        (r"a\b", r"a\b"),
        (r"two \\ of them", r"two \\ of them"),
        ("tab\there", "tabhere"),
        ("  space around ", "space around"),
    ],
)
def test_backslashes_and_space_survive_but_not_in_bodega(tmp_path: Path, text: str, bodegas: str) -> None:
    kept = text.replace("\t", " ")
    assert attacked(tmp_path / "here", text) == (kept, kept)
    assert attacked(tmp_path / "there", text, compat="bodega") == (bodegas, bodegas)


def test_a_backslash_before_t_becomes_a_tab_in_bodega(tmp_path: Path) -> None:
    """Files hold no tab, so it is a space here: word pieces are the same."""
    assert attacked(tmp_path, r"C:\temp", compat="bodega")[0] == "C:\\ emp"


def test_a_release_keeps_its_splits_and_their_order(tmp_path: Path) -> None:
    (tmp_path / "released").mkdir()
    for split, n in (("train", 12), ("dev", 4), ("attack", 3)):
        lines = "".join(f"{i % 2}\ts\t{split} {i}\\nline\n" for i in range(n))
        (tmp_path / "released" / f"{split}.tsv").write_text(lines)
    card = convert("HN", tmp_path / "released", tmp_path / "HN", pieces=2)
    task = read_task(tmp_path / "HN")
    assert [row.text for row in task.train] == [f"train {i}\nline" for i in range(12)]
    assert [row.text for row in task.dev] == [f"dev {i}\nline" for i in range(4)]
    assert [row.text for row in task.attack] == [f"attack {i}" for i in range(3)]
    assert (card["released"], card["seed"], card["files"]["dev"]["file"]) == (True, None, "dev.tsv")


def test_faults_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    source = articles(tmp_path / "corpus", test=3, train=20)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "none").mkdir()
    for arguments, message in {
        ("PR", source, tmp_path / "full"): "full: not empty; choose another folder",
        (
            "PR",
            tmp_path / "nowhere",
            tmp_path / "out",
        ): "nowhere: no such folder; it should hold train-articles/articleNUMBER.txt",
        ("RD", source, tmp_path / "out"): "there is no folder of the event charliehebdo",
        ("PR", articles(tmp_path / "b", test=0, train=20), tmp_path / "out"): "no text for attack.tsv; is this the whole corpus?",
    }.items():
        assert main(["convert", *map(str, arguments)]) == 2
        assert message in capsys.readouterr().err
    assert main(["convert", "PR", str(source), str(tmp_path / "out"), "--compat", "bodega", "--pieces", "9"]) == 2
    assert "BODEGA cuts texts after 512 word pieces" in capsys.readouterr().err
    with pytest.raises(AttackError, match="unknown task 'XX'; there are HN, PR, FC, RD, C19"):
        convert("XX", source, tmp_path / "out")
    monkeypatch.setattr("attacks.tasks.conversion.line_of", lambda *columns: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        convert("PR", source, tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "corpus", "full", "none"]
    monkeypatch.undo()
    convert("PR", source, tmp_path / "none")
    assert len(read_task(tmp_path / "none").attack) == 3


def test_every_kind_says_what_it_is() -> None:
    assert {task: (kind.task, kind.texts) for task, kind in KINDS.items()} == {
        "HN": ("HN", 1), "PR": ("PR", 1), "FC": ("FC", 2), "RD": ("RD", 1), "C19": ("C19", 2)
    }  # fmt: skip

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from attacks import AttackError
from attacks.tasks.corpora import KINDS, Corpus, Labelled
from tests.attacks.tasks.corpora.layouts import fever

DORRIT = {
    "id": "Little_Dorrit",
    "text": "",
    "lines": "0\tLittle Dorrit is a novel .\tnovel\tNovel\n1\t\n2\tIt has -LRB- many -RRB- pages .",
}
CAFE = {"id": "Cafe\u0301_-LRB-place-RRB-", "text": "", "lines": "0\tA cafe\u0301 .\nlinked\twords\n1\tIt sells tea .\n"}
EMPTY = {"id": "", "text": "", "lines": ""}
COMPOSED = "Café_-LRB-place-RRB-"


def claim(label: str, text: str, *sets: list[tuple[str | None, int | None]]) -> dict[str, Any]:
    return {"id": 1, "label": label, "claim": text, "evidence": [[[7, 8, title, at] for title, at in each] for each in sets]}


SUPPORTED = claim(
    "SUPPORTS", "It is a novel.", [("Little_Dorrit", 0)], [("Little_Dorrit", 0), ("Little_Dorrit", 2), (COMPOSED, 1)]
)
REFUTED = claim("REFUTES", "It is a ~ film.", [(COMPOSED, 0)], [(COMPOSED, 0)])
UNDECIDED = claim("NOT ENOUGH INFO", "It is long.", [(None, None)])


def read(folder: Path) -> Corpus:
    return KINDS["FC"].read(folder, lambda done, total, message: None)


def test_a_text_per_claim_and_set_of_evidence(tmp_path: Path) -> None:
    corpus = read(fever(tmp_path, [UNDECIDED, SUPPORTED], [REFUTED], [EMPTY, DORRIT], [CAFE]))
    assert list(corpus.train) == [
        Labelled(0, "Wikipedia:Little_Dorrit", ("Little Dorrit. Little Dorrit is a novel .", "It is a novel.")),
        Labelled(
            0,
            "Wikipedia:Little_Dorrit/Café_(place)",
            (
                "Little Dorrit. Little Dorrit is a novel . It has ( many ) pages . Café (place). It sells tea .",
                "It is a novel.",
            ),
        ),
    ]
    assert list(corpus.attack) == [Labelled(1, "Wikipedia:Café_(place)", ("Café (place). A café .", "It is a ~ film."))]
    assert corpus.remarks == {
        "claims left out: NOT ENOUGH INFO": 1,
        "sets of evidence left out: another one of the claim says the same": 1,
    }
    assert [path.name for path in corpus.files["pages"]] == ["wiki-001.jsonl", "wiki-002.jsonl"]


def test_evidence_that_wikipedia_lacks(tmp_path: Path) -> None:
    cut = claim("SUPPORTS", "c", [("Little_Dorrit", 0), ("Little_Dorrit", 9), ("Little_Dorrit", 2)], [("Nowhere", 0)])
    corpus = read(fever(tmp_path, [cut], [REFUTED], [DORRIT, CAFE]))
    assert [row.texts[0] for row in corpus.train] == ["Little Dorrit. Little Dorrit is a novel ."]
    assert corpus.remarks["sets of evidence cut short: a sentence is not on its page"] == 2
    assert corpus.remarks["sets of evidence left out: nothing of them is in Wikipedia"] == 1


def test_only_sentences_that_claims_need_stay_in_memory(tmp_path: Path) -> None:
    from attacks.tasks.corpora.fever import _sentences

    fever(tmp_path, [], [], [DORRIT, CAFE])
    pages = sorted(tmp_path.rglob("wiki-0*.jsonl"))
    found = _sentences(pages, {("Little_Dorrit", 2), ("Nowhere", 1)}, lambda done, total, message: None)
    assert found == {("Little_Dorrit", 2): "It has ( many ) pages ."}


@pytest.mark.parametrize(
    ("train", "page", "message"),
    [
        (
            {"label": "MAYBE", "claim": "c"},
            DORRIT,
            r"train\.jsonl, line 2, field label: 'MAYBE' is none of REFUTES, SUPPORTS, NOT",
        ),
        ({"claim": "c"}, DORRIT, r"train\.jsonl, line 2, field label: missing"),
        ({"label": "REFUTES", "claim": None}, DORRIT, r"line 2, field claim: not a text"),
        ({"label": "REFUTES", "claim": "c", "evidence": [[["x", 0]]]}, DORRIT, r"line 2, field evidence: expected lists of"),
        ({"label": "REFUTES", "claim": "c", "evidence": None}, DORRIT, r"line 2, field evidence"),
        ({"label": "REFUTES", "claim": "c", "evidence": [[[1, 2, "x", None]]]}, DORRIT, r"line 2, field evidence"),
        (SUPPORTED, {"id": "Little_Dorrit"}, r"wiki-001\.jsonl, line 1, field lines: missing"),
    ],
)
def test_faults_name_file_line_and_field(tmp_path: Path, train: dict[str, Any], page: dict[str, Any], message: str) -> None:
    with pytest.raises(AttackError, match=message):
        read(fever(tmp_path, [SUPPORTED, train], [REFUTED], [page, CAFE]))


def test_missing_pages_are_named(tmp_path: Path) -> None:
    with pytest.raises(AttackError, match=r"there are no pages of Wikipedia, wiki-pages/wiki-NUMBER\.jsonl"):
        read(fever(tmp_path, [SUPPORTED], [REFUTED]))

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.protocols.analysis import Table
from annotation.reproduction.given import Given
from annotation.reproduction.incrediblae import PARTS, sections
from tests.annotation.exchange.files import INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS, as_bytes, changed
from tests.annotation.reproduction.shown import estimate, here, printed, tables_of


@pytest.fixture
def by_hand(tmp_path: Path) -> dict[str, Table]:
    (tmp_path / "file.csv").write_bytes(as_bytes(INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS))
    return tables_of(sections(Given(tmp_path)))


def test_four_pairs_by_hand(by_hand: dict[str, Table]) -> None:
    assert here(by_hand["material"]) == {
        "pairs": 4,
        "distinct originals": 2,
        "judgements": 11,
        "third judgements": 3,
        "third judgements on conflicts": 2,
        "third judgements on pairs already agreed": 1,
        "pairs with three different labels": 1,
        "of these, tied in confidence": 1,
    }
    assert list(here(by_hand["rules"]).values()) == [2, 1, 0, 1]
    assert [row[:2] for row in by_hand["confidence"].rows] == [
        ["judgement 1", 4],
        ["judgement 2", 4],
        ["judgement 3", 3],
        ["all", 11],
    ]


def test_a_released_label_that_the_rule_does_not_give_is_counted(tmp_path: Path) -> None:
    (tmp_path / "file.csv").write_bytes(as_bytes(INCREDIBLAE_COLUMNS, changed(INCREDIBLAE_ROWS, 1, 8, "0.0")))
    assert here(tables_of(sections(Given(tmp_path)))["decisions"])["equal to the released label"] == 3


@pytest.mark.published_data
def test_the_released_file(published_data: Callable[[str], Path]) -> None:
    given = Given(published_data("incrediblae_manual_evaluation.csv"))
    found = list(sections(given))
    assert [section.part for section in found] == list(PARTS)
    tables = tables_of(found)
    assert list(here(tables["material"]).values()) == [680, 345, 1626, 266, 203, 63, 8, 1]
    assert printed(tables["material"])["pairs"] == ("600", 80)
    kappa = estimate(tables["agreement"], "Cohen's kappa")
    assert (kappa.value, kappa.n) == (pytest.approx(0.5240984624, abs=1e-10), 680)
    assert kappa.interval is not None
    assert printed(tables["agreement"])["Cohen's kappa"] == ("0.52", pytest.approx(0.0040984624, abs=1e-10))
    assert printed(tables["agreement"])["Cohen's kappa, as in the data set's README"][1] == pytest.approx(0, abs=1e-15)
    assert here(tables["agreement"])["raw agreement"] == pytest.approx(0.7014705882, abs=1e-10)
    assert [row[1:4] for row in tables["decisions"].rows[:3]] == [[n, f"{n}", 0] for n in (318, 246, 116)]
    assert here(tables["decisions"])["equal to the released label"] == 680
    assert [round(value, 3) for value in list(here(tables["decisions"]).values())[3:6]] == [0.468, 0.362, 0.171]
    assert list(here(tables["rules"]).values()) == [477, 195, 7, 1]
    assert [row[1] for row in tables["confidence"].rows] == [680, 680, 266, 1626]


def test_what_is_printed_of_teams_is_not_computed(by_hand: dict[str, Table]) -> None:
    assert {row[0]: row[1:4] for row in by_hand["table-8"].rows} == {
        team: [None, share, None]
        for team, share in (
            ("SINAI", "99 %"), ("MMU_NLP", "96 %"), ("TurQUaz", "62 %"), ("Palöri", "14 %"), ("OpenFact", "11 %"),
            ("TextTrojaners", "7 %"),
        )
    }  # fmt: skip

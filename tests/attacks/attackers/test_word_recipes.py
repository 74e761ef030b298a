from __future__ import annotations

import pytest

from attacks import AttackError
from attacks.attackers import make_attacker
from attacks.resources import Resources
from attacks.text import Text


def test_openfact_is_exhaustive_search_then_the_genetic_attack(resources: Resources) -> None:
    made = make_attacker("incrediblae:openfact", resources)
    described = made.describe()
    assert (described["name"], described["variant"]) == ("incrediblae:openfact", "one attacker, then the next")
    exhaustive, genetic = described["made_of"]["parts"]
    assert (exhaustive["name"], exhaustive["parameters"]["most"]) == ("exhaustive", 7)
    assert genetic["name"] == "genetic"
    assert [constraint.name for constraint in made.constraints] == ["words_changed"]


@pytest.mark.parametrize(
    ("name", "inner"),
    [
        ("incrediblae:palori", "masked-shift"),
        ("incrediblae:mmu-nlp-lexical", "important-synonyms"),
        ("incrediblae:texttrojaners", "beam"),
    ],
)
def test_the_others_are_single_attackers(name: str, inner: str, resources: Resources) -> None:
    made = make_attacker(name, resources)
    assert made.describe()["made_of"]["name"] == inner
    assert "CheckThat! 2024" in made.source
    assert made.most_queries(Text("good movie")) >= 4


def test_what_is_missing_is_said() -> None:
    with pytest.raises(AttackError, match="incrediblae:openfact needs the masked language model: give a masked language model"):
        make_attacker("incrediblae:openfact")

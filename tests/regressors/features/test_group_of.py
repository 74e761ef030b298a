"""Feature groups by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from regressors.errors import RegressorError
from regressors.features import GIVEN, GROUPS, group_of


@pytest.mark.parametrize("name", GROUPS)
def test_a_group_is_made_of_its_own_spec(name: str) -> None:
    group = group_of(name)
    assert (group.name, group.spec, group.path) == (name, name, None)


@pytest.mark.parametrize("name", GIVEN)
def test_a_group_of_something_given_is_made_of_its_own_spec(name: str, tmp_path: Path) -> None:
    (tmp_path / "texts").write_text("\n".join(f"text {number}" for number in range(30)))
    special = {"languagetool": "http://127.0.0.1:8081", "rating": "small@http://127.0.0.1:8081", "lid": f"{tmp_path}/texts"}
    given = special.get(name, str(tmp_path))
    group = group_of(f"{name}:{given}")
    assert (group.name, group.spec, group.path) == (name, f"{name}:{given}", given)


@pytest.mark.parametrize("spec", ["", "Lexical", "lexical:path", "vectors:", ":path", "unheard:of"])
def test_what_is_unknown_is_refused_with_what_there_is(spec: str) -> None:
    with pytest.raises(RegressorError, match=r"There are no features '.*': choose among lexical, encoder, layers, .*vectors:P"):
        group_of(spec)

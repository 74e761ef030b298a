"""The reference of models names every model and every feature group that can be asked for."""

from __future__ import annotations

import re

import pytest

from regressors.features import GIVEN, GROUPS
from regressors.models import MODELS

from .test_commands import ROOT


@pytest.mark.parametrize(("heading", "names"), [("Models", MODELS), ("Feature groups", GROUPS | GIVEN)])
def test_the_reference_names_all(heading: str, names: dict[str, object]) -> None:
    text = (ROOT / "docs" / "reference" / "models.md").read_text()
    section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    named = {name.partition(":")[0] for cell in cells for name in re.findall(r"`([^`]+)`", cell)}

    assert named == set(names)

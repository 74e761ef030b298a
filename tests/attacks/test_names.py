"""Victims have one name on pages, whichever way a program or a file writes it."""

from __future__ import annotations

from attacks.names import VICTIMS, victim_name
from attacks.victims import KINDS


def test_one_name_for_a_victim() -> None:
    assert [victim_name(victim) for victim in ("bilstm", "BiLSTM", "linear", "")] == ["BiLSTM", "BiLSTM", "linear", ""]
    assert set(VICTIMS) <= set(KINDS)

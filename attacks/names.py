"""What people read in place of the names that programs use."""

from __future__ import annotations

VICTIMS = {"bilstm": "BiLSTM"}


def victim_name(victim: str) -> str:
    """The victim as pages and reports name it: files of BODEGA write “BiLSTM”, and so does the literature."""
    return VICTIMS.get(victim, victim)

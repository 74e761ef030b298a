"""What a report and a codebook say about a campaign's provenance, as pairs of name and value."""

from __future__ import annotations

import platform
import tomllib
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from django.conf import settings

from annotation.models import Campaign
from annotation.protocols import protocol_of
from annotation.protocols.settings import SETTINGS
from annotation.queries.sources import sources_of
from scoring.wording import EMPTY

COMPUTED_WITH = ("Django", "numpy", "scipy", "scikit-learn")

SIMULATED = (
    "Simulated: every answer in this campaign was drawn from a documented model of readers. It shows how the product works; "
    "it is no evidence about people."
)
SIMULATED_MODEL = (
    "Simulated: the suspicion model behind this learned from simulated readers, drawn from a documented model. It shows how the "
    "product works; it is no evidence about people."
)


def origin_of(campaign: Campaign) -> list[tuple[str, str]]:
    """The file that the whole campaign is from, with its SHA-256, format and rows; the files and attack runs that its items are
    from; and figures that were kept with it."""
    kept = [(name.replace("_", " "), _text(value)) for name, value in campaign.source.items()]
    drawn = [
        ("file", f"{each.name}, SHA-256 {each.sha256}") if each.sha256 else ("attack run", each.name)
        for each in sources_of(campaign)
    ]
    return kept + drawn or [("source", "no file and no attack run on record")]


def settings_of(campaign: Campaign) -> list[tuple[str, str]]:
    """The settings of the campaign's protocol, chosen or from its preset, in the words of the settings page."""
    offered = protocol_of(campaign).offered_settings
    names = {label.key: label.name for label in campaign.labels.all()}
    return [
        (setting.title, "; ".join(setting.kind.said(campaign.settings[name], names)) or EMPTY)
        for name, setting in SETTINGS.items()
        if name in offered
    ]


def software() -> str:
    """The product's version and those of what its figures are computed with."""
    parts = ", ".join(f"{name} {version(name)}" for name in COMPUTED_WITH)
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return f"Passable {project['version']} (Python {platform.python_version()}, {parts})"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_text(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_text(part) for part in value)
    return str(value)

"""Feature groups by name."""

from __future__ import annotations

from collections.abc import Callable

from regressors.errors import RegressorError
from regressors.features.encoder import EncoderFeatures
from regressors.features.group import FeatureGroup
from regressors.features.lexical import LexicalFeatures

GROUPS: dict[str, Callable[[], FeatureGroup]] = {
    LexicalFeatures.name: LexicalFeatures,
    EncoderFeatures.name: EncoderFeatures,
}
"""Those that need nothing but what ships; none of them knows the original."""


def group_of(spec: str) -> FeatureGroup:
    """The group of a name. RegressorError for an unknown one."""
    if spec not in GROUPS:
        raise RegressorError(f"There are no features {spec!r}: choose among {', '.join(GROUPS)}.")
    return GROUPS[spec]()

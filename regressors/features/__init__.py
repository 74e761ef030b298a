"""Feature groups by name."""

from __future__ import annotations

from collections.abc import Callable

from regressors.errors import RegressorError
from regressors.features.corrector import CorrectorFeatures
from regressors.features.encoder import EncoderFeatures, LayerFeatures
from regressors.features.fluency import FluencyFeatures
from regressors.features.grammar import GrammarFeatures
from regressors.features.group import FeatureGroup
from regressors.features.languagetool import LanguageToolFeatures
from regressors.features.lexical import LexicalFeatures
from regressors.features.lid import LidFeatures
from regressors.features.rating import RatingFeatures
from regressors.features.remembered import Remembered
from regressors.features.vectors import VectorFeatures

GROUPS: dict[str, Callable[[], FeatureGroup]] = {
    LexicalFeatures.name: LexicalFeatures,
    EncoderFeatures.name: EncoderFeatures,
    LayerFeatures.name: LayerFeatures,
    VectorFeatures.name: VectorFeatures,
    GrammarFeatures.name: GrammarFeatures,
}
"""Those that need nothing but what ships; none of them knows the original."""

GIVEN: dict[str, Callable[[str | None], FeatureGroup]] = {
    VectorFeatures.name: VectorFeatures,
    FluencyFeatures.name: lambda path: Remembered(FluencyFeatures(path)),
    CorrectorFeatures.name: lambda path: Remembered(CorrectorFeatures(path)),
    LidFeatures.name: lambda path: Remembered(LidFeatures.from_file(path)),
    RatingFeatures.name: RatingFeatures.of_address,
    LanguageToolFeatures.name: lambda address: Remembered(LanguageToolFeatures(address)),
}
"""Those of something that is given, "name:path", or that may be installed; what takes long to compute is remembered."""


def group_of(spec: str) -> FeatureGroup:
    """The group of a "name" or a "name:path". RegressorError for one that is unknown, or that cannot be had here."""
    name, colon, given = spec.partition(":")
    if not colon and name in GROUPS:
        return GROUPS[name]()
    if name in GIVEN and bool(colon) == bool(given):
        return GIVEN[name](given or None)
    raise RegressorError(
        f"There are no features {spec!r}: choose among {', '.join([*GROUPS, *(f'{name}:PATH' for name in GIVEN)])}."
    )

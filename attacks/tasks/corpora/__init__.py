"""Public corpora as the tasks of BODEGA: what each one's own files look like, and what they become."""

from __future__ import annotations

from collections.abc import Mapping

from attacks.tasks.corpora import fever, hyperpartisan, propaganda, release, rumours
from attacks.tasks.corpora.corpus import Corpus, Kind, Labelled

_KINDS = (hyperpartisan.KIND, propaganda.KIND, fever.KIND, rumours.KIND, release.KIND)
KINDS: Mapping[str, Kind] = {kind.task: kind for kind in _KINDS}

__all__ = ["KINDS", "Corpus", "Kind", "Labelled"]

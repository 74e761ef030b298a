"""Which characters the reading face cannot show: in another font, a look-alike letter would give itself away."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache

from django.conf import settings

COVERAGE = "static/vendor/source-serif-4/coverage.txt"
NEEDS_NO_GLYPH = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})


@cache
def covered() -> frozenset[str]:
    """Every character that the vendored subsets have."""
    ranges = re.findall(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?", (settings.BASE_DIR / COVERAGE).read_text(encoding="ascii"))
    return frozenset(chr(point) for low, high in ranges for point in range(int(low, 16), int(high or low, 16) + 1))


def uncovered(texts: Iterable[str]) -> Counter[str]:
    """Characters that are shown in another font, with the number of texts that hold each."""
    known = covered()
    found = Counter(char for text in texts for char in set(text) - known)
    return Counter({char: count for char, count in found.items() if unicodedata.category(char) not in NEEDS_NO_GLYPH})


def described(char: str) -> str:
    """The character's code point and name."""
    return f"U+{ord(char):04X} {unicodedata.name(char, 'without a name').lower()}"

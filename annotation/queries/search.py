"""Finding items by what their texts say.

Migration `text_search` makes an index of all parts of three characters, where the database can have one. It answers at once for
what few texts hold. What many texts hold is found by walking along the items in order of their numbers: a page is full soon.
"""

from __future__ import annotations

from django.db import connections
from django.db.models import Q, QuerySet

from annotation.models import Item, Variant

INDEX = "annotation_variant_search"
SHORTEST = 3
"""Characters; the index knows nothing of shorter parts."""
FEW = 2000


def holding(items: QuerySet[Item], text: str) -> QuerySet[Item]:
    """The items one of whose texts holds this, in upper or lower case."""
    found = items.filter(Q(first__text__icontains=text) | Q(second__text__icontains=text))
    candidates = _candidates(text, items.db) if len(text) >= SHORTEST else None
    if candidates is None or len(candidates) > FEW:
        return found
    return found.filter(Q(first__in=candidates) | Q(second__in=candidates))


def _candidates(text: str, database: str) -> list[int] | None:
    """Ids of texts of which some hold this, at most one more than FEW; None where there is no index."""
    connection = connections[database]
    if connection.vendor != "sqlite":
        return list(Variant.objects.filter(text__icontains=text).order_by().values_list("pk", flat=True)[: FEW + 1])
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM sqlite_master WHERE name = %s", [INDEX])
        if cursor.fetchone() is None:
            return None
        # An escape would keep SQLite from using the index. Without it, "%" and "_" find too much here, never too little.
        cursor.execute(f"SELECT rowid FROM {INDEX} WHERE text LIKE %s LIMIT %s", [f"%{text}%", FEW + 1])
        return [pk for (pk,) in cursor.fetchall()]

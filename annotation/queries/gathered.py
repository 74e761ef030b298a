"""A subquery's rows as one list."""

from __future__ import annotations

from typing import Any

from django.db.models import JSONField, Subquery


class Gathered(Subquery):
    """The column `value` of a query's rows as a list: Django has none that works on both databases."""

    template = "(SELECT %(function)s(value) FROM (%(subquery)s) gathered)"
    output_field = JSONField()

    def as_sql(self, compiler: Any, connection: Any, template: str | None = None, **context: Any) -> Any:
        return super().as_sql(compiler, connection, template, **{"function": "JSONB_AGG", **context})

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, function="JSON_GROUP_ARRAY", **context)

"""An index of all parts of three characters of all texts, where the database can have one; without it, search is slower.

On SQLite it is a table that triggers keep. A later migration that changes `annotation_variant` makes that table anew, which
drops the triggers: it has to call `make` again.
"""

from django.db import DatabaseError, migrations, transaction

POSTGRESQL = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "CREATE INDEX IF NOT EXISTS annotation_variant_search ON annotation_variant USING gin (UPPER(text) gin_trgm_ops)",
)
SQLITE = (
    "DROP TABLE IF EXISTS annotation_variant_search",
    """CREATE VIRTUAL TABLE annotation_variant_search USING fts5(
        text, content='annotation_variant', content_rowid='id', tokenize='trigram', detail=none)""",
    "DROP TRIGGER IF EXISTS annotation_variant_search_insert",
    """CREATE TRIGGER annotation_variant_search_insert AFTER INSERT ON annotation_variant BEGIN
        INSERT INTO annotation_variant_search (rowid, text) VALUES (new.id, new.text); END""",
    "DROP TRIGGER IF EXISTS annotation_variant_search_delete",
    """CREATE TRIGGER annotation_variant_search_delete AFTER DELETE ON annotation_variant BEGIN
        INSERT INTO annotation_variant_search (annotation_variant_search, rowid, text) VALUES ('delete', old.id, old.text); END""",
    "DROP TRIGGER IF EXISTS annotation_variant_search_update",
    """CREATE TRIGGER annotation_variant_search_update AFTER UPDATE OF text ON annotation_variant BEGIN
        INSERT INTO annotation_variant_search (annotation_variant_search, rowid, text) VALUES ('delete', old.id, old.text);
        INSERT INTO annotation_variant_search (rowid, text) VALUES (new.id, new.text); END""",
    "INSERT INTO annotation_variant_search (annotation_variant_search) VALUES ('rebuild')",
)
UNDO = {
    "postgresql": ("DROP INDEX IF EXISTS annotation_variant_search",),
    "sqlite": (
        *(f"DROP TRIGGER IF EXISTS annotation_variant_search_{when}" for when in ("insert", "delete", "update")),
        "DROP TABLE IF EXISTS annotation_variant_search",
    ),
}


def make(apps, schema_editor):
    connection = schema_editor.connection
    statements = {"postgresql": POSTGRESQL, "sqlite": SQLITE}.get(connection.vendor, ())
    try:
        # Not everybody may add an extension to a database, and not every SQLite has full text search.
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
    except DatabaseError as refused:
        print(f"  Search stays without an index: {str(refused).strip()}")


def unmake(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        for statement in UNDO.get(schema_editor.connection.vendor, ()):
            cursor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0015_claims_by_time")]

    operations = [migrations.RunPython(make, unmake)]

"""What a withdrawal erases is gone from SQLite's files too, not only from its tables."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = """
import hashlib, sys
from pathlib import Path
import django
django.setup()
from annotation.models import Original, User, Variant
from annotation.services.answering import submit
from annotation.services.campaigns import NewItem, add_items, create_campaign, open_campaign
from annotation.services.claiming import claim_next
from annotation.services.people import admit
from annotation.services.withdrawal import withdraw

def variant(original, kind, text):
    return Variant.objects.create(original=original, kind=kind, text=text, sha256=hashlib.sha256(text.encode()).hexdigest())

olga = User.objects.create(username="olga", is_organiser=True)
campaign = create_campaign(name="c", title="C", protocol="meaning", created_by=olga, settings={"comment": True})
original = Original.objects.create(task="headlines", key="1")
add_items(campaign=campaign, items=[NewItem(original, variant(original, Variant.UNCHANGED, "a"), variant(original, "x", "b"))])
open_campaign(campaign=campaign)
ada = User.objects.create(username="ada")
admit(campaign=campaign, user=ada)
data = {"label": "preserve", "confidence": 4, "comment": "behind-the-lighthouse " * 20}
submit(claim_id=claim_next(campaign=campaign, annotator=ada).pk, annotator=ada, data=data)

def found():
    folder = Path(sys.argv[1])
    return any(b"behind-the-lighthouse" in path.read_bytes() for path in folder.iterdir() if path.name.startswith("db.sqlite3"))

before = found()
if "reading" in sys.argv:
    import sqlite3
    reader = sqlite3.connect(Path(sys.argv[1]) / "db.sqlite3", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM annotation_judgement").fetchall()
withdraw(campaign=campaign, user=ada)
print(before, found())
if "reading" in sys.argv:
    from annotation.management.commands.start import RegularDuty
    RegularDuty()()
    print(found())
    reader.execute("ROLLBACK")
    RegularDuty()()
    print(found())
    from django.db import connection
    with connection.cursor() as cursor:
        print(*cursor.execute("PRAGMA journal_size_limit").fetchone())
"""


@pytest.fixture(autouse=True)
def _database(tmp_path: Path, migrated: Path) -> None:
    shutil.copy(migrated, tmp_path / "db.sqlite3")


def printed(tmp_path: Path, *arguments: str) -> list[str]:
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}",
        "PASSABLE_DATA": str(tmp_path),
    }
    # In a process of its own, which looks while its connection is open: closing the last one empties the journal by itself.
    command = [sys.executable, "-c", SCRIPT, str(tmp_path), *arguments]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


def test_no_file_of_the_database_holds_the_comment_any_more(tmp_path: Path) -> None:
    assert printed(tmp_path) == ["True False"]


def test_whoever_reads_during_the_withdrawal_only_puts_it_off(tmp_path: Path) -> None:
    """The supervisor's regular duty empties the journal as soon as nobody is in the way."""
    assert printed(tmp_path, "reading") == ["True True", "True", "False", str(16 * 2**20)]

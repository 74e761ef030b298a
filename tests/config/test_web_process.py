"""The web process stays small: it never imports what only jobs need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("torch", "transformers", "xgboost", "sklearn", "scipy.stats", "statsmodels", "pandas", "vl_convert", "fpdf", "pypdf")

PROBE = f"""
import sys
from config.wsgi import application
from django.urls import get_resolver
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
assert get_resolver().url_patterns
client = Client(headers={{"host": "localhost"}})
for address in ("/signin/", "/api/docs/", "/api/nowhere/", "/api/campaigns/"):
    client.get(address)
SchemaGenerator().get_schema(public=True)
print([name for name in {HEAVY!r} if name in sys.modules])
"""


def test_it_never_imports_torch() -> None:
    done = subprocess.run([sys.executable, "-c", PROBE], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"

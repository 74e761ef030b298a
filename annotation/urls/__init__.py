"""The addresses of the pages, one module for each part of the product."""

from __future__ import annotations

from . import api, campaigns, entry, files, library, people, results, working

urlpatterns = [
    *entry.urlpatterns,
    *working.urlpatterns,
    *campaigns.urlpatterns,
    *people.urlpatterns,
    *results.urlpatterns,
    *files.urlpatterns,
    *library.urlpatterns,
    *api.urlpatterns,
]

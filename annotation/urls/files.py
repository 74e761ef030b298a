"""Files in and out."""

from __future__ import annotations

from django.urls import path

from annotation.views import results

urlpatterns = [
    path("campaigns/<slug:name>/export/", results.export, name="export"),
    path("campaigns/<slug:name>/export/<str:file>", results.download, name="download"),
]

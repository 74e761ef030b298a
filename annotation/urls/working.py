"""The annotator's work."""

from __future__ import annotations

from django.urls import path

from annotation.views import working

urlpatterns = [
    path("campaigns/<slug:name>/work/", working.work, name="work"),
    path("campaigns/<slug:name>/work/<int:claim_id>/", working.answer, name="answer"),
    path("campaigns/<slug:name>/work/<int:claim_id>/draft/", working.draft, name="draft"),
]

"""What a campaign's judgements come to."""

from __future__ import annotations

from django.urls import path

from annotation.views import results

urlpatterns = [
    path("campaigns/<slug:name>/items/", results.items, name="items"),
    path("campaigns/<slug:name>/agreement/", results.agreement, name="agreement"),
    path("campaigns/<slug:name>/train/", results.train, name="train"),
]

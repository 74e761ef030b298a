"""A campaign's people, as its organiser sees them."""

from __future__ import annotations

from django.urls import path

from annotation.views import campaigns

urlpatterns = [
    path("campaigns/<slug:name>/invite/", campaigns.invite, name="invite"),
]

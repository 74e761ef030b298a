"""Making campaigns, their settings, opening and closing."""

from __future__ import annotations

from django.urls import path

from annotation.views import campaigns, overview

urlpatterns = [
    path("campaigns/new/", campaigns.new, name="new_campaign"),
    path("campaigns/<slug:name>/", overview.overview, name="campaign"),
    path("campaigns/<slug:name>/open/", campaigns.open_, name="open_campaign"),
    path("campaigns/<slug:name>/close/", campaigns.close, name="close_campaign"),
]

"""Making campaigns, their settings, opening and closing."""

from __future__ import annotations

from django.urls import path
from django.views.generic import RedirectView

from annotation.views import campaigns, overview, settings

urlpatterns = [
    # The start page lists the campaigns; people shorten an address to see the list.
    path("campaigns/", RedirectView.as_view(pattern_name="start", http_method_names=["get", "head"]), name="campaigns"),
    path("campaigns/new/", campaigns.new, name="new_campaign"),
    path("campaigns/new/file/", campaigns.from_file, name="new_campaign_from_file"),
    path("campaigns/<slug:name>/", overview.overview, name="campaign"),
    path("campaigns/<slug:name>/open/", campaigns.open_, name="open_campaign"),
    path("campaigns/<slug:name>/close/", campaigns.close, name="close_campaign"),
    path("campaigns/<slug:name>/delete/", campaigns.delete, name="delete_campaign"),
    path("campaigns/<slug:name>/pause/", campaigns.pause, name="pause_campaign"),
    path("campaigns/<slug:name>/settings/", settings.settings, name="settings"),
    path("campaigns/<slug:name>/copy/", settings.copy, name="copy_campaign"),
    path("campaigns/<slug:name>/link/", settings.link, name="link_campaign"),
    path("campaigns/<slug:name>/unlink/", settings.unlink, name="unlink_campaign"),
]

"""The annotator's work."""

from __future__ import annotations

from django.urls import path

from annotation.views import revising, working

work = "campaigns/<slug:name>/work/"
claim = work + "<int:claim_id>/"

urlpatterns = [
    path(work, working.work, name="work"),
    path(work + "history/", revising.history, name="history"),
    path(work + "last/", revising.last, name="last_answer"),
    path(work + "skipped/", revising.skipped, name="skipped"),
    path(claim, working.answer, name="answer"),
    path(claim + "given/", revising.own_answer, name="own_answer"),
    path(claim + "change/", revising.change_answer, name="change_answer"),
    path(claim + "draft/", working.draft, name="draft"),
    path(claim + "beat/", working.beat, name="beat"),
    path(claim + "extend/", working.extend, name="extend"),
    path(claim + "skip/", revising.skip_item, name="skip_item"),
    path(claim + "flag/", revising.flag_item, name="flag_item"),
]

"""What a campaign's judgements come to."""

from __future__ import annotations

from django.urls import path

from annotation.views import conflicts, items, log, overview, report, results

urlpatterns = [
    path("campaigns/<slug:name>/claims/release/", overview.release, name="release_claims"),
    path("campaigns/<slug:name>/items/", items.items, name="items"),
    path("campaigns/<slug:name>/items/<int:number>/", items.item, name="item"),
    path("campaigns/<slug:name>/items/<int:number>/gold/", items.gold, name="item_gold"),
    path("campaigns/<slug:name>/items/<int:number>/ask/", items.ask, name="ask_one_more"),
    path("campaigns/<slug:name>/answers/<int:pk>/exclude/", items.exclude, name="exclude_answer"),
    path("campaigns/<slug:name>/answers/<int:pk>/include/", items.include, name="include_answer"),
    path("campaigns/<slug:name>/answers/of/<int:pk>/exclude/", items.exclude_all, name="exclude_answers"),
    path("campaigns/<slug:name>/answers/of/<int:pk>/include/", items.include_all, name="include_answers"),
    path("campaigns/<slug:name>/flags/<int:pk>/resolve/", items.resolve, name="resolve_flag"),
    path("campaigns/<slug:name>/conflicts/", conflicts.conflicts, name="conflicts"),
    path("campaigns/<slug:name>/conflicts/<int:number>/", conflicts.conflict, name="conflict"),
    path("campaigns/<slug:name>/agreement/", results.agreement, name="agreement"),
    path("campaigns/<slug:name>/report/", report.report, name="report"),
    path("campaigns/<slug:name>/report/<str:file>", report.report_table, name="report_table"),
    path("campaigns/<slug:name>/train/", results.train, name="train"),
    path("campaigns/<slug:name>/log/", log.log, name="log"),
]

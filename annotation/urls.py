"""The addresses of the pages."""

from __future__ import annotations

from django.contrib.auth import views as auth
from django.urls import path

from .views import campaigns, jobs, joining, models, results, runs, start, working

sign_in = auth.LoginView.as_view(
    template_name="people/sign_in.html", redirect_authenticated_user=True, extra_context={"signing_in": True}
)

urlpatterns = [
    path("", start.start, name="start"),
    path("signin/", sign_in, name="login"),
    path("signout/", auth.LogoutView.as_view(), name="logout"),
    path("join/<str:token>/", joining.join, name="join"),
    path("jobs/<int:pk>/", jobs.job, name="job"),
    path("jobs/<int:pk>/cancel/", jobs.cancel, name="cancel_job"),
    path("campaigns/new/", campaigns.new, name="new_campaign"),
    path("campaigns/<slug:name>/", campaigns.overview, name="campaign"),
    path("campaigns/<slug:name>/open/", campaigns.open_, name="open_campaign"),
    path("campaigns/<slug:name>/close/", campaigns.close, name="close_campaign"),
    path("campaigns/<slug:name>/invite/", campaigns.invite, name="invite"),
    path("campaigns/<slug:name>/items/", results.items, name="items"),
    path("campaigns/<slug:name>/agreement/", results.agreement, name="agreement"),
    path("campaigns/<slug:name>/export/", results.export, name="export"),
    path("campaigns/<slug:name>/export/<str:file>", results.download, name="download"),
    path("campaigns/<slug:name>/train/", results.train, name="train"),
    path("campaigns/<slug:name>/sheet/", joining.sheet, name="sheet"),
    path("campaigns/<slug:name>/work/", working.work, name="work"),
    path("campaigns/<slug:name>/work/<int:claim_id>/", working.answer, name="answer"),
    path("campaigns/<slug:name>/work/<int:claim_id>/draft/", working.draft, name="draft"),
    path("models/", models.models, name="models"),
    path("models/<int:pk>/", models.model, name="model"),
    path("attacks/", runs.attacks, name="attacks"),
    path("attacks/<int:pk>/", runs.attack, name="attack"),
]

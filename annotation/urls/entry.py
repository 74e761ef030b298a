"""Coming in: the start page, signing in, invitation links, the information sheet."""

from __future__ import annotations

from django.contrib.auth import views as auth
from django.urls import path

from annotation.views import joining, start

sign_in = auth.LoginView.as_view(
    template_name="people/sign_in.html", redirect_authenticated_user=True, extra_context={"signing_in": True}
)

urlpatterns = [
    path("", start.start, name="start"),
    path("signin/", sign_in, name="login"),
    path("signout/", auth.LogoutView.as_view(), name="logout"),
    path("join/<str:token>/", joining.join, name="join"),
    path("campaigns/<slug:name>/sheet/", joining.sheet, name="sheet"),
]

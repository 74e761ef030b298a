"""Coming in and leaving: the start page, signing in, invitations, the crowd's address, the information sheet, withdrawing."""

from __future__ import annotations

from django.contrib.auth import views as auth
from django.urls import path

from annotation.views import crowd, joining, signing, start, withdrawal

urlpatterns = [
    path("", start.start, name="start"),
    path("signin/", signing.SignIn.as_view(), name="login"),
    path("signout/", auth.LogoutView.as_view(), name="logout"),
    path("password/", signing.password, name="password"),
    path("join/<str:token>/", joining.join, name="join"),
    path("crowd/<slug:name>/", crowd.crowd, name="crowd"),
    path("campaigns/<slug:name>/register/", joining.open_registration, name="register"),
    path("campaigns/<slug:name>/sheet/", joining.sheet, name="sheet"),
    path("campaigns/<slug:name>/withdraw/", withdrawal.withdraw, name="withdraw"),
]

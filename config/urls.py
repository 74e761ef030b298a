"""The site's addresses: all of them are the annotation app's."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [path("", include("annotation.urls"))]

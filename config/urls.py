"""The site's addresses: all of them are the annotation app's."""

from __future__ import annotations

from django.urls import include, path

handler500 = "annotation.faults.failed"
urlpatterns = [path("", include("annotation.urls"))]

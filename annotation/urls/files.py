"""Files in and out, and drawing samples."""

from __future__ import annotations

from django.urls import path

from annotation.views import files, sampling

urlpatterns = [
    path("campaigns/<slug:name>/import/", files.uploads, name="uploads"),
    path("campaigns/<slug:name>/import/<int:pk>/", files.upload, name="upload"),
    path("campaigns/<slug:name>/import/<int:pk>/preview/", files.preview_upload, name="preview_upload"),
    path("campaigns/<slug:name>/import/<int:pk>/drop/", files.drop, name="drop_upload"),
    path("campaigns/<slug:name>/sample/", sampling.sample, name="sample"),
    path("campaigns/<slug:name>/export/", files.export, name="export"),
    path("campaigns/<slug:name>/export/<str:file>", files.download, name="download"),
]

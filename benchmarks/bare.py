"""The yardstick: a bare Django view that does one INSERT, with no middleware, behind the same server and database."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest, HttpResponse
from django.urls import path

django.setup(set_prefix=False)

from annotation.models import Original  # noqa: E402

settings.ROOT_URLCONF = __name__
settings.MIDDLEWARE = []


def insert(request: HttpRequest) -> HttpResponse:
    """One row; its key is in the address, so that nothing has to be looked up."""
    Original.objects.create(task="bare", key=request.GET["key"])
    return HttpResponse("stored")


def alive(request: HttpRequest) -> HttpResponse:
    return HttpResponse("alive")


urlpatterns = [path("insert/", insert), path("signin/", alive)]
application = WSGIHandler()

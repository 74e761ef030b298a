from __future__ import annotations

from django.test import Client, RequestFactory
from django.urls import reverse
from django.views.defaults import server_error

from annotation.models import User


def test_not_found_is_a_page_of_the_look(db: None, client: Client) -> None:
    response = client.get("/nowhere/")
    assert (response.status_code, "There is nothing here for you" in response.text) == (404, True)
    assert "css/passable.css" in response.text


def test_not_allowed_is_a_page_of_the_look(db: None, client: Client) -> None:
    client.force_login(User.objects.create_user(username="anna"))
    response = client.get(reverse("models"))
    assert (response.status_code, "This is not open to you" in response.text) == (403, True)


def test_a_failure_is_a_page_of_the_look_that_needs_no_database() -> None:
    response = server_error(RequestFactory().get("/"))
    assert (response.status_code, "Something went wrong here" in response.content.decode()) == (500, True)


def test_a_form_from_an_old_page_says_what_to_do(db: None) -> None:
    response = Client(enforce_csrf_checks=True).post("/signin/", {"username": "a", "password": "b"})
    assert (response.status_code, "This page was out of date" in response.text) == (403, True)

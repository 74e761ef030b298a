"""A campaign's people, as its organisers see them."""

from __future__ import annotations

from django.urls import path

from annotation.views import entrance, people

urlpatterns = [
    path("campaigns/<slug:name>/people/", people.people, name="people"),
    path("campaigns/<slug:name>/people/<str:file>", people.people_file, name="people_file"),
    path("campaigns/<slug:name>/people/<int:pk>/", people.member, name="member"),
    path("campaigns/<slug:name>/people/<int:pk>/<slug:verb>/", people.act_on_member, name="act_on_member"),
    path("campaigns/<slug:name>/people/<int:pk>/<slug:verb>/sure/", people.ask_about_member, name="ask_about_member"),
    path("campaigns/<slug:name>/transfer/", people.transfer, name="transfer"),
    path("campaigns/<slug:name>/invite/", people.invite, name="invite"),
    path("campaigns/<slug:name>/invitations/<int:pk>/revoke/", people.revoke, name="revoke"),
    path("campaigns/<slug:name>/teams/", people.add_team, name="add_team"),
    path("campaigns/<slug:name>/teams/<int:pk>/<slug:verb>/", people.act_on_team, name="act_on_team"),
    path("campaigns/<slug:name>/groups/", people.draw_groups, name="draw_groups"),
    path("campaigns/<slug:name>/entrance/", entrance.entrance, name="entrance"),
    path("campaigns/<slug:name>/sheet/edit/", entrance.edit_sheet, name="edit_sheet"),
]

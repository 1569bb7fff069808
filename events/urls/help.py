"""URLs of the help pages, and of the page with the site's address."""

from django.urls import path

from events.views import help, here

urlpatterns = [
    path("here/", here.here, name="here"),
    path("help/", help.front, name="help"),
    path("help/who-may-do-what/", help.who_may, name="who-may"),
    path("help/<slug:key>/", help.guide, name="help-guide"),
]

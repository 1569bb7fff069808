"""URLs of the installation's set-up and settings."""

from django.urls import path

from events.views import installation

urlpatterns = [
    path("set-up/", installation.set_up, name="set-up"),
    path("set-up/<str:token>/", installation.set_up_link, name="set-up-link"),
    path("office/settings/", installation.settings, name="installation"),
]

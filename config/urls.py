"""Addresses of the site: each app brings its own."""

from django.urls import include, path

urlpatterns = [
    path("accounts/", include("allauth.urls")),
]

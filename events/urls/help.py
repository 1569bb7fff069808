"""Addresses: help."""

from django.urls import path

from events.views import help

urlpatterns = [
    path("help/who-may-do-what/", help.who_may, name="who-may"),
]

"""Addresses: entries."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

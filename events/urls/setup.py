"""Addresses: setup."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

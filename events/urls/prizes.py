"""URLs of prize drafts."""

from django.urls import path

from events.views import prizes

urlpatterns = [
    path("events/<str:public_id>/prizes/", prizes.prizes, name="prizes"),
    path("events/<str:public_id>/prizes/<str:verb>/", prizes.prizes_act, name="prizes-act"),
]

"""URLs of pages seen from outside the site."""

from django.urls import path

from events.views import outside

urlpatterns = [
    path("events/<str:public_id>/frame/<str:what>/", outside.frame, name="outside"),
    path("events/<str:public_id>/broadcast/", outside.broadcast, name="broadcast"),
    path("events/<str:public_id>/embed/", outside.embed, name="embed"),
]

"""URLs of the clock, the display and live updates."""

from django.urls import path

from events.views import clock, display, live

urlpatterns = [
    path("events/<str:public_id>/changes", live.change_notification, name="change-notification"),
    path("events/<str:public_id>/clock/", clock.control, name="clock"),
    path("events/<str:public_id>/clock/withdraw/<int:pk>/", clock.withdraw, name="extension-withdraw"),
    path("events/<str:public_id>/rounds/<int:number>/tables/<int:table>/extend/", clock.extend, name="extend"),
    path("events/<str:public_id>/display/", display.display, name="display"),
]

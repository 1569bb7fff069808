"""URLs for finding and setting up events."""

from django.urls import path

from events.views import setup, webhooks

urlpatterns = [
    path("events/", setup.events, name="list"),
    path("events/new/", setup.event_create, name="create"),
    path("events/<str:public_id>/", setup.event, name="event"),
    path("events/<str:public_id>/edit/", setup.event_edit, name="edit"),
    path("events/<str:public_id>/copy/", setup.event_copy, name="copy"),
    path("events/<str:public_id>/open/", setup.event_open, name="open"),
    path("events/<str:public_id>/cancel/", setup.event_cancel, name="cancel"),
    path("events/<str:public_id>/officials/", setup.officials, name="officials"),
    path("events/<str:public_id>/officials/<int:pk>/accept/", setup.official_accept, name="official-accept"),
    path(
        "events/<str:public_id>/officials/<int:pk>/accept-for/", setup.official_accept_for, name="official-accept-for"
    ),
    path("events/<str:public_id>/officials/<int:pk>/confirm/", setup.official_confirm, name="official-confirm"),
    path("events/<str:public_id>/officials/<int:pk>/remove/", setup.official_remove, name="official-remove"),
    path("events/<str:public_id>/announce/", setup.announce, name="announce"),
    path("events/<str:public_id>/announce/next-round/", setup.next_round, name="next-round"),
    path(
        "events/<str:public_id>/announce/<int:pk>/withdraw/",
        setup.announcement_withdraw,
        name="announcement-withdraw",
    ),
    path("events/<str:public_id>/webhooks/", webhooks.webhooks, name="webhooks"),
    path("events/<str:public_id>/webhooks/<int:pk>/", webhooks.webhook, name="webhook"),
    path("events/<str:public_id>/webhooks/<int:pk>/<str:act>/", webhooks.webhook_act, name="webhook-act"),
    path(
        "events/<str:public_id>/webhooks/<int:pk>/messages/<uuid:message>/",
        webhooks.webhook_resend,
        name="webhook-resend",
    ),
]

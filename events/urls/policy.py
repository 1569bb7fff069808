"""URLs of the sanctioning policy, seasons, an event's compliance, and calendars."""

from django.urls import path

from events.views import calendar, policy

urlpatterns = [
    path("policy/", policy.rules, name="policy"),
    path("policy/seasons/", policy.seasons, name="seasons"),
    path("policy/seasons/<int:pk>/", policy.season_change, name="season"),
    path("policy/seasons/<int:pk>/remove/", policy.season_remove, name="season-remove"),
    path("events/<str:public_id>/policy/", policy.event_policy, name="event-policy"),
    path("events/<str:public_id>/policy/exceptions/", policy.grant_exception, name="policy-exception"),
    path(
        "events/<str:public_id>/policy/exceptions/<int:pk>/revoke/",
        policy.revoke_exception,
        name="policy-exception-revoke",
    ),
    path("venues/<int:pk>/conflicts/", policy.conflicts, name="policy-check"),
    path("calendar/", calendar.mine, name="calendar"),
    path("calendar/calendar.ics", calendar.my_file, name="calendar-file"),
    path("calendar/address/", calendar.change_address, name="calendar-address"),
    path("calendar/read/<str:token>.ics", calendar.read_by_others, name="calendar-read"),
    path("events/<str:public_id>/event.ics", calendar.event_file, name="event-calendar-file"),
    path("venues/<int:pk>/calendar/", calendar.of_venue, name="venue-calendar"),
    path("venues/<int:pk>/calendar.ics", calendar.venue_file, name="venue-calendar-file"),
]

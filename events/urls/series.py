"""URLs of series."""

from django.urls import path

from events.views import series, series_prizes

urlpatterns = [
    path("series/", series.series_list, name="series-list"),
    path("series/new/", series.series_create, name="series-create"),
    path("series/<str:series_id>/", series.series, name="series"),
    path("series/<str:series_id>/edit/", series.series_edit, name="series-edit"),
    path("series/<str:series_id>/events/", series.series_events, name="series-events"),
    path("series/<str:series_id>/events/<int:row>/<str:act>/", series.series_event_act, name="series-event-act"),
    path("series/<str:series_id>/players/", series.series_players, name="series-players"),
    path("series/<str:series_id>/players/<int:pk>/separate/", series.series_join_separate, name="series-join-separate"),
    path("series/<str:series_id>/act/<str:act>/", series.series_act, name="series-act"),
    path("series/<str:series_id>/prizes/", series_prizes.prizes, name="series-prizes"),
    path("series/<str:series_id>/display/", series_prizes.display, name="series-display"),
    path("series/<str:series_id>/changes", series_prizes.changes, name="series-changes"),
    path("series/<str:series_id>/prizes/<str:act>/", series_prizes.prizes_act, name="series-prizes-act"),
    path("series/<str:series_id>/table.csv", series.series_csv, name="series-csv"),
    path("series/<str:series_id>/table.json", series.series_json, name="series-json"),
    path("series/<str:series_id>/table.pdf", series.series_pdf, name="series-pdf"),
]

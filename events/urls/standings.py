"""URLs of standings and drawings."""

from django.urls import path

from events.views import standings

urlpatterns = [
    path("events/<str:public_id>/standings/", standings.standings, name="standings"),
    path("events/<str:public_id>/cross-table/", standings.cross_table, name="cross-table"),
    path("events/<str:public_id>/paths/<int:number>/", standings.path, name="path"),
    path("events/<str:public_id>/chart/", standings.chart, name="chart"),
    path("events/<str:public_id>/bracket/", standings.bracket, name="bracket"),
]

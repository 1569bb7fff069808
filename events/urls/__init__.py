"""Addresses of events, one list a subject."""

from . import clock, entries, forces, help, papers, people, policy, results, rounds, setup, standings, venues

app_name = "events"
urlpatterns = [
    *people.urlpatterns,
    *venues.urlpatterns,
    *setup.urlpatterns,
    *entries.urlpatterns,
    *forces.urlpatterns,
    *rounds.urlpatterns,
    *clock.urlpatterns,
    *results.urlpatterns,
    *standings.urlpatterns,
    *papers.urlpatterns,
    *policy.urlpatterns,
    *help.urlpatterns,
]

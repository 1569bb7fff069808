"""URLs of events, one module per subject."""

from . import (
    clock,
    entries,
    forces,
    help,
    installation,
    outside,
    papers,
    people,
    pods,
    policy,
    prizes,
    results,
    rounds,
    series,
    setup,
    standings,
    venues,
)

app_name = "events"
urlpatterns = [
    *results.urlpatterns,  # first what a whole hall opens at once
    *entries.urlpatterns,
    *installation.urlpatterns,
    *people.urlpatterns,
    *venues.urlpatterns,
    *series.urlpatterns,
    *setup.urlpatterns,
    *forces.urlpatterns,
    *rounds.urlpatterns,
    *clock.urlpatterns,
    *standings.urlpatterns,
    *papers.urlpatterns,
    *outside.urlpatterns,
    *pods.urlpatterns,
    *prizes.urlpatterns,
    *policy.urlpatterns,
    *help.urlpatterns,
]

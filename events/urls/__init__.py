"""URLs of events, one module per subject."""

from . import (
    clock,
    entries,
    forces,
    help,
    installation,
    papers,
    people,
    policy,
    results,
    rounds,
    setup,
    standings,
    venues,
)

app_name = "events"
urlpatterns = [
    *installation.urlpatterns,
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

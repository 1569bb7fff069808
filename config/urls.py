"""URLs of the site; each app brings its own."""

from django.urls import include, path

from config.api import about, api
from config.api_calls import calls
from config.health import details, health
from config.installable import manifest, worker
from config.watching import metrics
from events.preferences import choose_language, choose_theme
from events.unsent import unsent
from events.views.addresses import AddressesView
from events.views.home import home

handler500 = "config.watching.server_error"
urlpatterns = [
    path("health/", health, name="health"),
    path("health/details/", details, name="health-details"),
    path("metrics/", metrics, name="metrics"),
    path("", home, name="home"),
    path("app.webmanifest", manifest, name="manifest"),
    path("worker.js", worker, name="worker"),
    path("theme/", choose_theme, name="choose-theme"),
    path("language/", choose_language, name="choose-language"),
    path("unsent/", unsent, name="unsent"),
    path("api/", about, name="api"),
    path("api/calls/", calls, name="api-calls"),
    path("api/", api.urls),
    path("accounts/email/", AddressesView.as_view(), name="account_email"),
    path("accounts/", include("allauth.urls")),
    path("rules/", include("rules.urls")),
    path("", include("judging.urls")),
    path("", include("events.urls")),
]

"""Helpers for tests of event files: empty an installation, as another machine would be, and count an event's rows."""

from django.apps import apps
from django.db import connection, models

from events.models import Event, Person
from judging.keeping import rows
from tests import factories


def empty() -> None:
    """Delete all rows, and make the next keys differ from those used before."""
    for model in apps.get_models(include_auto_created=True):
        if model._meta.app_label in ("events", "judging", "rules", "account", "mfa"):
            models.QuerySet(model)._raw_delete(connection.alias)
    for _n in range(3):
        factories.MatchFactory(round__event__name="Another event")
    factories.PersonFactory(name="Somebody Else")
    for model in rows.models_of_event():
        rows.reserve(model, 11)


def counts(event: Event) -> dict[str, int]:
    """Return the number of an event's rows by model."""
    return {rows.label_of(model): len(found) for model, found in rows.rows_of(event).items()}


def people_of(emails) -> int:
    return Person.objects.filter(email__in=emails).count()

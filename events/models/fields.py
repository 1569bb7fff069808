"""Model fields of our own: a match's result, numbers of rounds, and names that sort without regard to case or accents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.fields.json import KeyTransform
from django.utils.translation import gettext as _

from events.names import COLLATION
from events.results.result import BadResult, Result, as_json, from_json

MAX_ROUND = 99
"""No event has more rounds."""
AT_FAULT = "value"
"""The code of an error that says which value of an event file is at fault."""
MAX_KEPT = 600
"""The longest JSON of a result without a battle file; these are read from text once."""


class ResultField(models.JSONField):
    """A result, typed on the row; the database, the audit log and event files hold its JSON."""

    def deconstruct(self) -> Any:
        """Present the field to migrations as plain JSON, as it is in the database."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.JSONField", args, kwargs

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """Convert the stored JSON; leave a single key selected by a query unchanged."""
        if isinstance(expression, KeyTransform):
            return super().from_db_value(value, expression, connection)
        if isinstance(value, str) and len(value) <= MAX_KEPT:
            return _read(value)
        return self.to_python(super().from_db_value(value, expression, connection))

    def to_python(self, value: Any) -> Result | None:
        """Return the result from JSON of the audit log or an event file. Raise ValidationError if it is invalid."""
        if value is None or isinstance(value, Result):
            return value
        try:
            if isinstance(value, Mapping):
                return from_json(value)
        except BadResult as fault:
            raise ValidationError(str(fault)) from fault
        raise ValidationError(f"{value!r} isn't a result.")

    def get_prep_value(self, value: Any) -> Any:
        """Return the JSON to store."""
        return super().get_prep_value(as_json(value) if isinstance(value, Result) else value)

    def value_from_object(self, obj: models.Model) -> Any:
        """Return the row's result as the JSON of the audit log and event files."""
        value = super().value_from_object(obj)
        return as_json(value) if isinstance(value, Result) else value


@lru_cache(maxsize=10_000)
def _read(text: str) -> Result | None:
    """Return the result in a stored text: standings and pairings read the same thousands for every page."""
    return ResultField().to_python(json.loads(text))


class RoundNumbersField(models.JSONField):
    """Numbers of rounds, in order."""

    def deconstruct(self) -> Any:
        """Present the field to migrations as plain JSON, as it is in the database."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.JSONField", args, kwargs

    def to_python(self, value: Any) -> list[int]:
        """Return the numbers from JSON of the audit log or an event file. Raise ValidationError for anything else."""
        if isinstance(value, list) and all(type(one) is int and 1 <= one <= MAX_ROUND for one in value):
            return value
        wrong = _("Awarded byes must be a list of round numbers from 1 to %(most)d, not %(said)s.")
        raise ValidationError(wrong % {"most": MAX_ROUND, "said": repr(value)[:60]}, code=AT_FAULT)


class NameField(models.CharField):
    """A name; the database sorts it without regard to case or accents, as `events.names.name_key` does."""

    COLLATIONS: ClassVar = {"sqlite": COLLATION, "postgresql": "und-x-icu"}

    def db_parameters(self, connection: Any) -> Any:
        """Return the column's type, with the database's collation for names."""
        return super().db_parameters(connection) | {"collation": self.COLLATIONS[connection.vendor]}

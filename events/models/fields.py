"""A model's column for a match's result: JSON in the database, a `Result` on the row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.fields.json import KeyTransform

from events.results.result import BadResult, Result, as_json, from_json


class ResultField(models.JSONField):
    """A result: rows hold the typed value; the database, the record and event files hold its JSON."""

    def deconstruct(self) -> Any:
        """Tell migrations that the column is plain JSON, as it is in the database."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.JSONField", args, kwargs

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """Read the value; a key of it that a query asked for stays as it is."""
        read = super().from_db_value(value, expression, connection)
        return read if isinstance(expression, KeyTransform) else self.to_python(read)

    def to_python(self, value: Any) -> Result | None:
        """Return the result that JSON from the record or an event file holds. Raises ValidationError for what is none."""
        if value is None or isinstance(value, Result):
            return value
        try:
            if isinstance(value, Mapping):
                return from_json(value)
        except BadResult as fault:
            raise ValidationError(str(fault)) from fault
        raise ValidationError(f"{value!r} is no result")

    def get_prep_value(self, value: Any) -> Any:
        """Return what the database keeps."""
        return super().get_prep_value(as_json(value) if isinstance(value, Result) else value)

    def value_from_object(self, obj: models.Model) -> Any:
        """Return the row's result as the record and event files keep it."""
        value = super().value_from_object(obj)
        return as_json(value) if isinstance(value, Result) else value

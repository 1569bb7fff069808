"""Keyset paging: the next page begins after the last row shown.

Nothing is counted or skipped, so the thousandth page costs as much as the first, and new rows don't shift others to
another page. The URL holds the values of the row to continue from. Orders over nullable columns have no usable keys;
those lists are paged by number, without counting.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

import django_tables2 as tables
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Field, Model, Q, QuerySet
from django.http import HttpRequest
from django_tables2 import LazyPaginator, RequestConfig
from django_tables2.rows import BoundRows

PER_PAGE = 50
MAX_MARK = 600
AFTER, BEFORE = "a", "b"
Keys = list[Any]


class KeyPage:
    """One page of rows, and the marks from which its neighbours continue."""

    def __init__(self, object_list: BoundRows, previous: str, following: str) -> None:
        self.object_list = object_list
        self._previous, self._following = previous, following
        self.number = None

    def has_next(self) -> bool:
        """Return whether rows follow."""
        return bool(self._following)

    def has_previous(self) -> bool:
        """Return whether rows precede."""
        return bool(self._previous)

    def next_page_number(self) -> str:
        """Return the mark of the next page."""
        return self._following

    def previous_page_number(self) -> str:
        """Return the mark of the previous page."""
        return self._previous


class KeyPaginator:
    """Paginator of a table's rows by their keys; `page` is a mark, or anything else for the first page."""

    def __init__(self, rows: BoundRows, per_page: int, fields: Sequence[tuple[str, Field, bool]]) -> None:
        self.rows, self.per_page, self.fields = rows, per_page, fields
        self.num_pages = 1

    def page(self, mark: Any) -> KeyPage:
        """Return the page that continues from a mark."""
        found: QuerySet[Any] = self.rows.data.data
        found = found.order_by(*(f"-{name}" if falls else name for name, _field, falls in self.fields))
        read = self._read(mark)
        way, keys = read if read else (AFTER, None)
        if keys is not None:
            found = found.filter(self._beyond(keys, backwards=way == BEFORE))
        if way == BEFORE:
            found = found.reverse()
        shown = list(found[: self.per_page + 1])
        more, shown = len(shown) > self.per_page, shown[: self.per_page]
        if way == BEFORE:
            shown.reverse()
        if not shown:
            return self.page(None) if keys is not None else KeyPage(self._bound([]), "", "")
        before = self._mark(BEFORE, shown[0]) if (more if way == BEFORE else keys is not None) else ""
        after = self._mark(AFTER, shown[-1]) if (more if way == AFTER else True) else ""
        return KeyPage(self._bound(shown), before, after)

    def _bound(self, records: list[Any]) -> BoundRows:
        return BoundRows(data=records, table=self.rows.table)

    def _beyond(self, keys: Keys, *, backwards: bool) -> Q:
        """Return the condition for rows after (or before) the row with these keys."""
        conditions = []
        for at, (name, _field, falls) in enumerate(self.fields):
            alike = Q(**{f"{self.fields[n][0]}": keys[n] for n in range(at)})
            conditions.append(alike & Q(**{f"{name}__{'lt' if falls != backwards else 'gt'}": keys[at]}))
        first, _field, falls = self.fields[0]
        # the first key alone narrows the index; the rest distinguishes rows that share it
        narrowed = Q(**{f"{first}__{'lte' if falls != backwards else 'gte'}": keys[0]})
        return narrowed & reduce(or_, conditions)

    def _mark(self, way: str, row: Model) -> str:
        keys = []
        for name, _field, _falls in self.fields:
            value: Any = row
            for step in name.split("__"):
                value = getattr(value, step)
            keys.append(value)
        told = json.dumps(keys, cls=_Exact, ensure_ascii=False, separators=(",", ":"))
        return way + base64.urlsafe_b64encode(told.encode()).decode().rstrip("=")

    def _read(self, mark: Any) -> tuple[str, Keys] | None:
        if not isinstance(mark, str) or mark[:1] not in (AFTER, BEFORE) or len(mark) > MAX_MARK:
            return None
        try:
            told = json.loads(base64.urlsafe_b64decode(mark[1:] + "=" * (-len(mark[1:]) % 4)))
            if not isinstance(told, list) or len(told) != len(self.fields):
                return None
            keys = [field.to_python(value) for (_name, field, _falls), value in zip(self.fields, told, strict=True)]
            return None if None in keys else (mark[0], keys)
        except (ValueError, TypeError, ValidationError, binascii.Error, OverflowError):
            return None


class _Exact(DjangoJSONEncoder):
    """JSON encoder that keeps a time's microseconds, so that a page continues exactly there."""

    def default(self, o: Any) -> Any:
        """Return a value that JSON can hold."""
        return o.isoformat() if hasattr(o, "isoformat") else super().default(o)


def _keys(rows: QuerySet[Any]) -> list[tuple[str, Field, bool]] | None:
    """Return the fields that order the rows, primary key last; None if the order has no usable keys."""
    named = [name for name in (rows.query.order_by or rows.model._meta.ordering) if isinstance(name, str)]
    if len(named) != len(rows.query.order_by or rows.model._meta.ordering):
        return None
    found = []
    for name in named:
        plain = name.lstrip("-")
        steps, model, field = plain.split("__"), rows.model, None
        try:
            for step in steps:
                field = model._meta.pk if step == "pk" else model._meta.get_field(step)
                model = field.related_model or model
        except FieldDoesNotExist:
            return None
        if not isinstance(field, Field) or field.null or field.is_relation:
            return None
        found.append((plain, field, name.startswith("-")))
        if field.primary_key and len(steps) == 1:
            return found
    key = rows.model._meta.pk
    return [*found, ("pk", key, bool(found) and found[-1][2])]


def paged(request: HttpRequest, table: tables.Table, per_page: int = PER_PAGE) -> tables.Table:
    """Order and page a table as the request asks, and return it."""
    RequestConfig(request, paginate=False).configure(table)
    keys = _keys(table.data.data)
    if keys is None:
        RequestConfig(request, paginate={"per_page": per_page, "paginator_class": LazyPaginator}).configure(table)
        return table
    mark = request.GET.get(table.prefixed_page_field, "")
    return table.paginate(KeyPaginator, per_page, mark, fields=keys)

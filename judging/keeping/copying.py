"""An unsigned event file turned into the document of a new event that gives no one any power.

Such a file may claim anything about anyone. What was played is kept: entries, rounds, results, forces, calls, rulings.
Everything that gives or proves a power is left out or emptied: roles, accounts, policy exceptions, the verification.
Every public id and secret is replaced, so the copy can't collide with existing data.

    officials   are offered their role if they have an account here; otherwise they become a name without an account
    entries     belong to no account; they keep their e-mail address, and its owner may accept the entry
    audit log   has the file as its only author; its text names the person, and it has no values before and after
    judges      who ruled or gave a penalty become names without an account, marked as coming from the file
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.validators import validate_slug
from django.db import models
from django.utils.crypto import get_random_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from events.audit import CLAIMED_BY
from events.models import AuditEntry, Entry, Event, Official, Person, PolicyOverride
from judging.keeping import rows as graph
from judging.keeping.whole_file import Document
from judging.models import Decision, TableDispute, VerifiedReport
from rules.engine import EDITIONS, BadInput
from rules.models import SavedDispute
from rules.services.disputes import check_dispute

NOBODY = "@from-a-file.invalid"
"""The domain of accounts that stand for a name in a file."""
LEFT_OUT = frozenset({PolicyOverride, VerifiedReport})
"""Granted or signed by an administrator or a head judge, which a file can't do."""
MAX_ADDRESS = 16
MAX_SMALL = 32_767
YEARS = range(1990, 2200)
SECRET = frozenset({"link_secret", "key"})
NOT_VERIFIED = {"verified_at": None, "verified_by_id": None, "reported_at": None}
Values = dict[str, Any]


@dataclass(frozen=True)
class Account:
    """A person who has or had an account here; `is_erased` if nothing may restore their data."""

    pk: int
    email: str
    name: str
    is_erased: bool = False


@dataclass(eq=False)
class Named:
    """A person in the copy: an existing account (`pk`), or a name for which a closed account is created."""

    name: str
    email: str
    pk: int | None = None


@dataclass
class Copy:
    """The document of a new event, its people in the order of their numbers, and each model's number of rows."""

    document: Document
    people: list[Named]
    counts: dict[str, int]


def as_copy(document: Document, accounts: Mapping[str, Account]) -> Copy:
    """Return the file as a new event that belongs to no one; `accounts` maps lower-case addresses to accounts here.

    Raises KeyError, TypeError or ValueError if no version of Headjudge can have written the file.
    """
    return _Copying(document, accounts).made()


@dataclass
class _Copying:
    document: Document
    accounts: Mapping[str, Account]
    numbers: dict[str, dict[int, int]] = field(default_factory=dict)
    people: dict[tuple[str, int], Named] = field(default_factory=dict)
    disputes: dict[str, str] = field(default_factory=dict)
    token: str = field(default_factory=lambda: get_random_string(12).lower())
    staff: frozenset[int] = frozenset()
    players: dict[int, str] = field(default_factory=dict)

    def made(self) -> Copy:
        whole = self.document["whole"]
        found: dict[type[models.Model], list[Values]] = {
            model: list(whole["rows"].get(graph.label_of(model), [])) for model in graph.models_of_event()
        }
        for model in LEFT_OUT:
            found[model] = []
        for model, of_model in found.items():
            numbers = sorted(int(row["n"]) for row in of_model)
            if len(set(numbers)) != len(numbers):
                raise ValueError("a number is given twice")
            self.numbers[graph.label_of(model)] = {n: place for place, n in enumerate(numbers, 1)}
        self.staff = self._staff(found)
        self.players = {row["n"]: str(row["name"]) for row in found[Entry]}
        disputes = [self._dispute(values) for values in whole["disputes"]]
        rows = {
            graph.label_of(model): [self._row(model, row) for row in sorted(of_model, key=lambda row: row["n"])]
            for model, of_model in found.items()
        }
        people = sorted(self.people.values(), key=lambda person: person.email)  # the order of `rows`
        place = {person: n for n, person in enumerate(people, 1)}
        for of_label in rows.values():
            for row in of_label:
                row |= {name: place[value] for name, value in row.items() if isinstance(value, Named)}
        document = {"event": dict(self.document["event"]), "whole": {"rows": rows, "disputes": disputes}}
        return Copy(document, people, {label: len(of_label) for label, of_label in rows.items()})

    # people

    def _staff(self, found: Mapping[type[models.Model], list[Values]]) -> frozenset[int]:
        """Return the numbers of the people whom a row requires: officials, and judges who ruled."""
        return frozenset(
            row[column.attname]
            for model, rows in found.items()
            for column in graph.columns_of(model)
            if column.related_model is Person and not column.null
            for row in rows
        )

    def _account(self, number: int) -> Account | None:
        return self.accounts.get(self._facts(number)["email"].lower())

    def _facts(self, number: int) -> Values:
        if number < 1:
            raise ValueError("a person without a number")
        facts: Values = self.document["whole"]["people"][number - 1]
        return facts

    def _official(self, number: int) -> Named:
        account = self._account(number)
        if account is None or account.is_erased:
            return self._name(number)
        return self.people.setdefault(("account", account.pk), Named(account.name, account.email, account.pk))

    def _name(self, number: int) -> Named:
        account = self._account(number)
        name = account.name if account is not None and account.is_erased else str(self._facts(number)["name"])
        return self._anonymized("name", number, _("%(name)s (from a file)") % {"name": name[:100]})

    def _author(self) -> Named:
        return self._anonymized("author", 0, _("Imported file"))

    def _anonymized(self, kind: str, number: int, name: str) -> Named:
        """Return a person who can't sign in, with an address that can't be guessed or receive mail."""
        email = f"{kind}-{number}-{self.token}{NOBODY}"
        return self.people.setdefault((kind, number), Named(name, email))

    # rows

    def _row(self, model: type[models.Model], row: Values) -> Values:
        told: Values = {}
        if model is Event:
            is_over = row["state"] == Event.State.VERIFIED
            told = {**NOT_VERIFIED, "state": Event.State.FINISHED if is_over else row["state"]}
        elif model is Official:
            told = {"person_id": self._official(row["person_id"]), "accepted": None, "confirmed": None}
        elif model is Entry:
            told = self._entry(row)
        elif model is AuditEntry:
            told = self._told(row)
        elif model is TableDispute:
            told = {"key": self.disputes.setdefault(row["key"], _fresh(SavedDispute, "public_id"))}
        elif model is Decision:
            told = {"dispute_key": self.disputes.get(row["dispute_key"], "")}
        made: Values = {"n": self.numbers[graph.label_of(model)][row["n"]]}
        for column in graph.columns_of(model):
            if column.attname in told:
                made[column.attname] = told[column.attname]
                if not column.is_relation:
                    _must_fit(column, made[column.attname])
            elif column.attname in row:
                made[column.attname] = self._value(column, row[column.attname])
        return made

    def _value(self, column: models.Field, value: Any) -> Any:
        if column.is_relation:
            return self._relation(column, value)
        if (column.unique or column.name in SECRET) and column.has_default():
            return column.get_default()
        _must_fit(column, value)
        return value

    def _relation(self, column: models.Field, value: Any) -> Any:
        if value is None:
            return None
        label = graph.label_of(graph.target_of(column))
        if label == graph.PERSON:
            return self._name(value) if value in self.staff else None
        if label in (graph.VENUE, graph.HALL):
            return 1
        return self.numbers[label][value] if self.numbers.get(label) else None

    def _entry(self, row: Values) -> Values:
        number = row["person_id"]
        email = (self._facts(number)["email"] if number is not None else row["email"]).lower()
        account = self.accounts.get(email)
        if account is not None and account.is_erased:
            return {"person_id": None, "email": "", "name": account.name, "link_issue": 1}
        return {"person_id": None, "email": email, "link_issue": 1}

    def _told(self, row: Values) -> Values:
        """Return an audit log entry by the imported file: no one here did that, and it can't be undone."""
        if row["by_person_id"] is not None:
            who = str(self._facts(row["by_person_id"])["name"])
        else:
            who = self.players.get(row["by_entry_id"], "")
        summary, facts = str(row["summary"]), row.get("facts", {})
        if not isinstance(facts, dict):
            raise TypeError("no facts of an entry")
        subject = self.numbers.get(row["subject_model"], {}).get(row["subject_id"])
        return {
            "by_person_id": self._author(),
            "by_entry_id": None,
            "as_role": "",
            "venue_id": None,
            "summary": (f"{who}: {summary}" if who and summary else summary)[:300],
            "facts": {**facts, CLAIMED_BY: who} if who else facts,
            "subject_model": row["subject_model"] if subject else "",
            "subject_id": subject,
            "changes": [],
        }

    def _dispute(self, values: Values) -> Values:
        made = {}
        for column in SavedDispute._meta.concrete_fields:
            if column.attname in values and not column.primary_key:
                _must_fit(column, values[column.attname])
                made[column.attname] = values[column.attname]
        self.disputes[values["public_id"]] = _fresh(SavedDispute, "public_id")
        return made | {
            "public_id": self.disputes[values["public_id"]],
            "key": _fresh(SavedDispute, "key"),
            "return_to": "",
            "released_at": None,
        }


def _fresh(model: type[models.Model], name: str) -> Any:
    return model._meta.get_field(name).get_default()  # type: ignore[union-attr]


def must_be_an_address(public_id: str) -> None:
    """Raise an error for a public id that doesn't fit in a URL: it would break every list that links to it."""
    validate_slug(public_id)
    if len(public_id) > MAX_ADDRESS:
        raise ValueError("too long for an address")


def must_be_a_dispute(values: Mapping[str, Any]) -> None:
    """Raise an error for a saved dispute that pages can't show, or that links to another site."""
    must_be_an_address(values["public_id"])
    if values["edition"] not in EDITIONS:
        raise ValueError("no such book")
    if values.get("return_to") and not url_has_allowed_host_and_scheme(values["return_to"], None):
        raise ValueError("it leads elsewhere")
    if values.get("released_at"):
        try:
            check_dispute(values["document"], values.get("waiting", ()))
        except BadInput as fault:
            raise ValueError("released, and no position") from fault


def _must_fit(column: models.Field, value: Any) -> None:
    """Raise an error for a value that no form would accept: an unknown choice, too long or large, an odd year."""
    if value is None or (value == "" and column.blank):
        return
    column.run_validators(value)
    if column.choices and value not in dict(column.flatchoices):
        raise ValueError(f"{column.name}: no such choice")
    longest = getattr(column, "max_length", None)
    if longest and isinstance(value, str) and len(value) > longest:
        raise ValueError(f"{column.name} is too long")
    if isinstance(column, models.PositiveSmallIntegerField) and not 0 <= int(value) <= MAX_SMALL:
        raise ValueError(f"{column.name} is too much")
    if isinstance(column, models.DateField) and column.to_python(value).year not in YEARS:
        raise ValueError(f"{column.name} is out of all time")


__all__ = ["NOBODY", "Account", "Copy", "Named", "as_copy", "must_be_a_dispute", "must_be_an_address"]

"""The audit log: one append-only row for every write, with what it changed."""

from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _

from .events import Entry, Event
from .people import Person
from .roles import Role
from .venues import Venue


class AppendOnlyError(Exception):
    """Raised on an attempt to change or delete an entry of the audit log."""


class AppendOnly(models.QuerySet):
    """Rows that can be read and added, but never changed or deleted."""

    def update(self, **changed: Any) -> int:
        """Refuse."""
        raise AppendOnlyError("The audit log is append-only: its entries can't be changed.")

    def bulk_update(self, *args: Any, **named: Any) -> int:
        """Refuse."""
        raise AppendOnlyError("The audit log is append-only: its entries can't be changed.")

    def delete(self) -> tuple[int, dict[str, int]]:
        """Refuse."""
        raise AppendOnlyError("The audit log is append-only: its entries can't be deleted.")


class FactsEncoder(DjangoJSONEncoder):
    """JSON encoder that leaves letters unescaped, so that a search in any database finds names in facts."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**how | {"ensure_ascii": False})


class AuditEntry(models.Model):
    """An entry of the audit log: who did what, when, by which client and why, and each row before and after.

    Only the door writes entries, and nothing changes them. `by_token` is the name of the API token that acted for
    the person. `sentence` names the text and `facts` fill it in
    (`events.audit`); `summary` is the whole sentence in entries of older versions, otherwise "".
    """

    at = models.DateTimeField(auto_now_add=True)
    verb = models.CharField(max_length=60)
    by_person = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="record")
    by_entry = models.ForeignKey(Entry, on_delete=models.SET_NULL, null=True, blank=True, related_name="record")
    as_role = models.CharField(max_length=20, blank=True)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="record")
    venue = models.ForeignKey(Venue, on_delete=models.CASCADE, null=True, blank=True, related_name="record")
    subject_model = models.CharField(max_length=60, blank=True)
    subject_id = models.BigIntegerField(null=True, blank=True)
    summary = models.CharField(max_length=300, blank=True)
    sentence = models.CharField(max_length=60, blank=True)
    facts = models.JSONField(default=dict, blank=True, encoder=FactsEncoder)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    is_non_standard = models.BooleanField(default=False)
    by_code = models.BooleanField(default=False)
    by_token = models.CharField(max_length=60, blank=True)
    changes = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    undoes = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="undone_by")

    objects = AppendOnly.as_manager()

    class Meta:
        verbose_name = _("audit log entry")
        verbose_name_plural = _("audit log")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["event", "-id"], name="record_by_event")]

    def __str__(self) -> str:
        return self.words

    def save(self, *args: Any, **named: Any) -> None:
        """Save a new entry; refuse to save an existing one again."""
        if not self._state.adding:
            raise AppendOnlyError("The audit log is append-only: its entries can't be changed.")
        super().save(*args, **named)

    def delete(self, *args: Any, **named: Any) -> tuple[int, dict[str, int]]:
        """Refuse."""
        raise AppendOnlyError("The audit log is append-only: its entries can't be deleted.")

    @property
    def words(self) -> str:
        """The entry's sentence, in the current language."""
        from events.audit import words

        return words(self.verb, self.sentence, self.facts, self.summary)

    def get_role_words(self) -> str:
        """Return the role in which the author acted, in words."""
        return Role(self.as_role).label if self.as_role else ""

    def get_means_words(self) -> str:
        """Return by what the author acted, in words, if not in a session of their own account."""
        if self.by_token:
            return str(_("with the token “%(token)s”") % {"token": self.by_token})
        return str(_("by sign-in code")) if self.by_code else ""


class SignInCode(models.Model):
    """A sign-in code, with which a head judge lets a person act at this event only.

    `attempts` counts wrong tries that begin as the code does: those of someone who has it, or is close to it.
    """

    UNRECORDED = ("begins",)

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="sign_in_codes")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="sign_in_codes")
    code_hash = models.CharField(max_length=128)
    begins = models.CharField(max_length=4, default="")
    made_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    made = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()
    used = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)
    told = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.person} · {self.made:%Y-%m-%d %H:%M}"


class ApiToken(models.Model):
    """An API token: lets a script do chosen rows of the action table at one event, with its owner's roles there.

    Only a hash of the secret is kept. `password_mark` marks the owner's password of that time: a token ends when the
    password changes.
    """

    UNRECORDED = ("secret_hash", "password_mark", "last_used")

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="api_tokens")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("name"), max_length=60)
    rows = models.JSONField(default=list)
    secret_hash = models.CharField(max_length=64)
    password_mark = models.CharField(max_length=128)
    made = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()
    last_used = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class SentForm(models.Model):
    """A form that has created rows; submitted again (a double-click, a lost response), it creates none.

    `key` is a digest of the form's token, its URL and what was typed; `entry` is what it wrote in the audit log.
    """

    key = models.CharField(max_length=64, primary_key=True)
    entry = models.BigIntegerField()
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} · {self.entry}"

"""What leaves the site by itself: webhooks with their messages, e-mails about pairings, and push messages."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .events import Event
from .people import Person


class Webhook(models.Model):
    """An address to which an event's messages are sent, and the secret that signs them.

    The address is a secret, too: whoever has Discord's can write there. `upto` is the newest entry of the event's audit
    log that has become messages. `due` is when the next message may be tried, `fails` how often in a row one failed.
    While a thread sends, `held_until` keeps others from sending.
    """

    class Form(models.TextChoices):
        JSON = "json", _("JSON")
        DISCORD = "discord", _("Discord")
        TEXT = "text", _("plain text")

    class Kind(models.TextChoices):
        PAIRINGS = "pairings", _("pairings published or changed")
        RESULT = "result", _("result recorded or changed")
        STANDINGS = "standings", _("standings after a round")
        FINISHED = "finished", _("event finished")
        CALL = "call", _("judge called")
        TEST = "test", _("test message")

    UNRECORDED = ("address", "upto", "due", "fails", "held_until")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="webhooks")
    name = models.CharField(_("name"), max_length=60)
    address = models.CharField(_("address"), max_length=500)
    form = models.CharField(_("format"), max_length=8, choices=Form, default=Form.JSON)
    kinds = models.JSONField(_("messages"), default=list)
    language = models.CharField(_("language"), max_length=10, choices=settings.LANGUAGES)
    secret = models.CharField(max_length=64)
    is_on = models.BooleanField(default=True)
    made = models.DateTimeField(auto_now_add=True)
    upto = models.BigIntegerField(default=0)
    due = models.DateTimeField(default=timezone.now)
    fails = models.PositiveSmallIntegerField(default=0)
    held_until = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name


class WebhookMessage(models.Model):
    """A message of a webhook, sent in the order of the keys; the receiver recognises it by its `key`.

    `status` is the HTTP status of the last answer, `fault` why none came. It is tried until `ends`.
    """

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("message", "waiting")
        SENT = "sent", pgettext_lazy("message", "sent")
        GIVEN_UP = "given-up", pgettext_lazy("message", "failed")

    class Fault(models.TextChoices):
        NO_HOST = "no-host", _("the host name wasn't found")
        INSIDE = "inside", _("the address is inside the server's network")
        NO_CONNECTION = "no-connection", _("no connection")
        NOT_TRUSTED = "not-trusted", _("the certificate isn't valid")
        TOO_SLOW = "too-slow", _("no answer in time")
        NO_HTTP = "no-http", _("not a valid HTTP answer")

    UNRECORDED = ("body",)

    hook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="messages")
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=12, choices=Webhook.Kind)
    body = models.TextField()
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.WAITING)
    made = models.DateTimeField(default=timezone.now)
    ends = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    tried = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    fault = models.CharField(max_length=13, choices=Fault, blank=True)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ["pk"]
        indexes = [models.Index(fields=["hook", "state", "id"], name="messages_to_send")]

    def __str__(self) -> str:
        return str(self.key)

    @property
    def last_answer(self) -> str:
        """The last answer in words; "" before the first try."""
        if self.status is None:
            return self.get_fault_display()
        if 300 <= self.status < 400:
            return str(_("the address redirects elsewhere (%(status)d)") % {"status": self.status})
        return str(self.status)


class PairingMail(models.Model):
    """The e-mail that told a person where they play in a round, sent once; `told` is a digest of table and opponents."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    round_number = models.PositiveSmallIntegerField()
    told = models.CharField(max_length=64)
    sent = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "person", "round_number"], name="one_pairing_mail_per_round")
        ]

    def __str__(self) -> str:
        return f"{self.person} · {self.event} · {self.round_number}"


class PushSubscription(models.Model):
    """A browser in which a person wants push messages: the push service's address for it, and its two public values.

    All three are secrets: whoever has them can send to the browser. `fails` is how often in a row its push service
    gave no answer; `host` is the service's.
    """

    UNRECORDED = ("endpoint", "host", "p256dh", "auth", "fails")

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=500, unique=True)
    host = models.CharField(max_length=255)
    p256dh = models.CharField(max_length=88)
    auth = models.CharField(max_length=24)
    language = models.CharField(_("language"), max_length=10, choices=settings.LANGUAGES)
    made = models.DateTimeField(default=timezone.now)
    fails = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("device with notifications")
        verbose_name_plural = _("devices with notifications")
        ordering = ["made", "pk"]

    def __str__(self) -> str:
        return f"{self.person} · {self.host}"


class PushMessage(models.Model):
    """What a browser is told about an event under a key, such as "pairings-3": sent once, and again if `told` changes.

    It replaces an earlier message with the same `tag`. `due` is when it is to be sent, empty once it needn't be.
    """

    subscription = models.ForeignKey(PushSubscription, on_delete=models.CASCADE, related_name="messages")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=32)
    told = models.CharField(max_length=64)
    tag = models.CharField(max_length=32)
    body = models.TextField(blank=True)
    made = models.DateTimeField(default=timezone.now)
    ends = models.DateTimeField()
    due = models.DateTimeField(null=True, blank=True, db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["subscription", "event", "key"], name="one_push_message_per_key")
        ]

    def __str__(self) -> str:
        return f"{self.subscription} · {self.event} · {self.key}"

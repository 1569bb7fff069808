"""Public profiles: what a person has agreed to show."""

import secrets

from django.db import models
from django.utils.translation import gettext_lazy as _

from .people import Person


def new_key() -> str:
    """Return the key of a profile's address, which nothing about the person reveals."""
    return secrets.token_urlsafe(16)


class PublicProfileQuerySet(models.QuerySet["PublicProfile"]):
    """Profiles, by whether they may be shown."""

    def shown(self) -> "PublicProfileQuerySet":
        """Return the profiles that are turned on; never those of people under 18 or of closed accounts."""
        return self.filter(is_on=True, person__is_active=True, person__is_minor=False)


class PublicProfile(models.Model):
    """A person's public page, off until they turn it on; each time with a new address.

    `in_archives`: whether archives of events made from now on show the person's name.
    """

    UNRECORDED = ("key",)

    person = models.OneToOneField(Person, on_delete=models.CASCADE, related_name="profile")
    key = models.CharField(max_length=40, unique=True, default=new_key, editable=False)
    is_on = models.BooleanField(_("Show a public profile"), default=False)
    shows_events = models.BooleanField(_("My place in each event"), default=True)
    shows_forces = models.BooleanField(_("Forces"), default=False)
    in_archives = models.BooleanField(_("Show my name in archives of events"), default=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    objects = PublicProfileQuerySet.as_manager()

    class Meta:
        verbose_name = _("public profile")
        verbose_name_plural = _("public profiles")

    def __str__(self) -> str:
        return str(self.person)

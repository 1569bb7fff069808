"""People with accounts, and which of them are registered volunteers."""

from django.apps import apps
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from events.eligibility import until_words

from .fields import NameField


class PersonManager(BaseUserManager["Person"]):
    """Manager that creates people, with e-mail addresses in lower case."""

    def create_user(self, email: str, password: str | None = None, **fields) -> "Person":
        """Return a new person who signs in with this e-mail address."""
        if not email:
            raise ValueError("A person needs an e-mail address.")
        person = self.model(email=self.normalize_email(email).lower(), **fields)
        person.set_password(password)
        person.save(using=self._db)
        return person

    def create_superuser(self, email: str, password: str | None = None, **fields) -> "Person":
        """Return a new administrator with all rights.

        Only someone with access to the machine can create one, so the address counts as confirmed without an e-mail.
        """
        person = self.create_user(email, password, is_superuser=True, is_office=True, **fields)
        apps.get_model("account", "EmailAddress").objects.create(
            user=person, email=person.email, verified=True, primary=True
        )
        return person

    def get_by_natural_key(self, username: str | None) -> "Person":
        """Return the person who confirmed this e-mail address, else the one whose account has it, ignoring case.

        Letters that a database treats as equal (ı and i) stay distinct, because failures are counted per spelling.
        """
        address = (username or "").lower()
        confirmed = apps.get_model("account", "EmailAddress").objects.filter(verified=True, email=address)
        return self.filter(pk__in=confirmed.values("user")).first() or self.get(email=address)


class Person(AbstractBaseUser, PermissionsMixin):
    """A person with an account. Roles at events and venues are separate rows."""

    email = models.EmailField(_("e-mail address"), unique=True)
    name = NameField(_("name"), max_length=120, help_text=_("As it should appear on pairings and result sheets."))
    phone = models.CharField(_("telephone"), max_length=40, blank=True)
    is_minor = models.BooleanField(
        _("under 18"), default=False, help_text=_("The name is shortened on pages, displays and posted sheets.")
    )
    publisher_family = models.BooleanField(
        _("employee of the publisher, or a family member of one"),
        default=False,
        help_text=_("Employees and their immediate families can't play in sanctioned events."),
    )
    is_office = models.BooleanField(_("sanctioning office"), default=False)
    suspended_until = models.DateField(_("suspended until"), null=True, blank=True)
    suspension_reason = models.CharField(_("reason for the suspension"), max_length=300, blank=True)
    language = models.CharField(_("language of e-mails"), max_length=10, blank=True, editable=False)
    calendar_since = models.DateTimeField(_("calendar address created"), null=True, blank=True, editable=False)
    wants_pairings = models.BooleanField(
        _("E-mail me my table when pairings are published"),
        default=False,
        help_text=_("You get one e-mail per round with your table and your opponent, and another only if they change."),
    )
    is_active = models.BooleanField(_("active"), default=True)
    is_staff = models.BooleanField(default=False)
    joined = models.DateTimeField(_("joined"), auto_now_add=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    objects = PersonManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [models.UniqueConstraint(Lower("email"), name="one_person_per_email")]
        indexes = [models.Index(fields=["name", "id"], name="people_by_name")]
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name or self.email

    @property
    def is_judge(self) -> bool:
        """Return whether the person judges, or has judged, an event that has begun at an approved venue."""
        return (
            self.is_active
            and self.offices.at_work()
            .filter(
                role__in=("head-judge", "judge"),
                event__state__in=("running", "finished", "verified"),
                event__venue__state="approved",
            )
            .exists()
        )

    @property
    def suspended(self) -> str:
        """Until when the person is suspended, in words; "" if they may play today."""
        until = self.suspended_until
        return until_words(until) if until is not None and until >= timezone.localdate() else ""


class Volunteer(models.Model):
    """A person's registration as a judge, decided by the sanctioning office."""

    class State(models.TextChoices):
        PENDING = "pending", _("waiting for approval")
        APPROVED = "approved", _("approved")
        REFUSED = "refused", _("rejected")
        SUSPENDED = "suspended", _("suspended")

    person = models.OneToOneField(Person, on_delete=models.PROTECT, related_name="volunteer")
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.PENDING)
    city = models.CharField(_("city"), max_length=80, blank=True)
    experience = models.TextField(_("experience"), blank=True, max_length=2000)
    registered = models.DateTimeField(_("registered"), auto_now_add=True)
    decided = models.DateTimeField(_("decided"), null=True, blank=True)
    decision_reason = models.CharField(_("reason"), max_length=300, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("volunteer")
        verbose_name_plural = _("volunteers")
        ordering = ["person__name", "pk"]

    def __str__(self) -> str:
        return str(self.person)

    @property
    def is_approved(self) -> bool:
        """Whether the sanctioning office has approved this volunteer."""
        return self.state == self.State.APPROVED

"""Forms about venues."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy as _

from events.models import Hall, Installation, Person, Venue, Volunteer
from events.models.venues import time_zones
from events.registration import check_registration
from events.services.venues import Member, registration

from .people import AccountField, DateInput


def read_members(typed: str) -> list[Member]:
    """Return the members listed as lines “name, e-mail address”. Raise ValidationError with each faulty line."""
    found: list[Member] = []
    faults: list[ValidationError] = []
    for number, line in enumerate(typed.splitlines(), start=1):
        if not line.strip():
            continue
        parts = [part.strip() for part in re.split(r"[,;\t]", line)]
        name, email = (parts[0] if parts else ""), (parts[1] if len(parts) > 1 else "")
        try:
            if not name or len(name) > 120 or len(parts) > 2:
                raise ValidationError("")
            if email:
                validate_email(email)
        except ValidationError:
            faults.append(
                ValidationError(
                    _("Line %(number)d, “%(line)s”: enter a name, a comma and an e-mail address."),
                    params={"number": number, "line": line.strip()[:80]},
                )
            )
            continue
        found.append((name, email.lower()))
    if faults:
        raise ValidationError(faults)
    return found


def zone_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return all time zones by continent, as choices."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(time_zones()):
        area, _slash, place = name.partition("/")
        if place and area in AREAS:
            groups.setdefault(area, []).append((name, place.replace("_", " ").replace("/", ", ")))
    return [(str(_("Universal")), [("UTC", "UTC")]), *groups.items()]


AREAS = frozenset(
    {
        "Africa",
        "America",
        "Antarctica",
        "Arctic",
        "Asia",
        "Atlantic",
        "Australia",
        "Europe",
        "Indian",
        "Pacific",
    }
)


class VenueForm(forms.ModelForm):
    """A venue's registration, with what the policy requires of its kind; faults are shown at their fields."""

    members = forms.CharField(
        label=_("Members"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 9}),
        help_text=_(
            "List all members of the club, at least 8. On each line, enter a name, a comma and an e-mail address."
        ),
    )
    website = forms.URLField(label=_("Website"), required=False, assume_scheme="https")
    volunteer_email = forms.EmailField(
        label=_("Registered volunteer"),
        required=False,
        help_text=_("For a game club, enter the e-mail address of the member who is a registered volunteer."),
    )

    class Meta:
        model = Venue
        fields = [
            "kind",
            "name",
            "public_location",
            "city",
            "country",
            "time_zone",
            "shipping_address",
            "telephone",
            "website",
            "tables",
            "tax_number",
            "resale_number",
            "opens",
            "closes",
        ]
        widgets = {
            "kind": forms.RadioSelect,
            "public_location": forms.Textarea(attrs={"rows": 2, "autocomplete": "street-address"}),
            "shipping_address": forms.Textarea(attrs={"rows": 3}),
            "telephone": forms.TextInput(attrs={"type": "tel", "autocomplete": "tel"}),
            "country": forms.TextInput(attrs={"autocomplete": "country-name"}),
            "opens": DateInput(),
            "closes": DateInput(),
        }
        help_texts = {
            "telephone": _("The venue's page shows this number. Conventions can leave it empty."),
            "tables": _("Each table seats two players."),
            "tax_number": _(
                "Retail stores: enter a tax number if the sanctioning office asks for one. Only the office can see it."
            ),
        }

    PRIVATE = ("tax_number", "resale_number")

    def __init__(self, *given: Any, person: Person, **named: Any) -> None:
        super().__init__(*given, **named)
        self.person = person
        kinds = self.fields["kind"]
        if isinstance(kinds, forms.ChoiceField):
            kinds.choices = Venue.Kind.choices
        self.fields["telephone"].required = False
        self.fields["telephone"].help_says_when = True  # type: ignore[attr-defined]
        self.fields["time_zone"] = forms.ChoiceField(
            label=_("Time zone"),
            choices=zone_choices if self.instance.pk else lambda: [("", _("Choose a time zone…")), *zone_choices()],
            help_text=_("Event times at this venue use this time zone."),
        )
        if self.instance.pk is None:
            here = Installation.here()
            self.initial.update(time_zone=here.time_zone if here.pk else "", country=here.country)
            return
        for name in self.PRIVATE:
            if getattr(self.instance, name):
                self.initial[name] = ""
                self.fields[name].help_text = _(
                    "A number is on file. Enter a new one to replace it, or leave this empty to keep it."
                )
        if self.instance.is_approved or self.instance.state == Venue.State.SUSPENDED:
            del self.fields["kind"]
        del self.fields["members"]
        if self.instance.registered_volunteer is not None:
            self.initial["volunteer_email"] = self.instance.registered_volunteer.person.email

    def clean_name(self) -> str:
        """Refuse the name of another registered venue."""
        name = self.cleaned_data["name"].strip()
        if Venue.objects.filter(name__iexact=name).exclude(pk=self.instance.pk).exists():
            raise ValidationError(_("Another venue already has this name. Add your city to the name."))
        return name

    def clean_members(self) -> list[Member]:
        """Parse the list of members."""
        return read_members(self.cleaned_data["members"])

    def clean_volunteer_email(self) -> Volunteer | None:
        """Return the registered volunteer, None for an empty value. Raise ValidationError if there is none."""
        typed = self.cleaned_data["volunteer_email"]
        if not typed:
            return None
        found = Volunteer.objects.select_related("person").filter(person__email__iexact=typed).first()
        if found is None or found.state in (Volunteer.State.REFUSED, Volunteer.State.SUSPENDED):
            raise ValidationError(_("No registered volunteer uses this address. Volunteers register under My account."))
        return found

    def clean(self) -> dict[str, Any]:
        """Check what the policy requires of this kind of venue."""
        given = super().clean() or {}
        for name in self.PRIVATE:
            if self.instance.pk is not None and not given.get(name):
                given[name] = getattr(self.instance, name)
        facts = {**given, "kind": given.get("kind", self.instance.kind)}
        if self.instance.pk is None:
            members = given.get("members") or []
        else:
            members = [(row.name, row.email) for row in self.instance.members.all()]
        volunteer = given.get("volunteer_email")
        agreed = volunteer is not None and (
            volunteer == self.instance.agreed_volunteer or volunteer.person == self.person
        )
        for finding in check_registration(registration(facts, members, volunteer=volunteer, agreed=agreed)):
            if finding.field in self.fields and finding.field not in self.errors:
                self.add_error(finding.field, ValidationError(finding.message, code=finding.rule))
        return given

    @property
    def facts(self) -> dict[str, Any]:
        """The venue's fields as the services take them."""
        given = self.cleaned_data
        kind = given.get("kind", self.instance.kind)
        found = {name: given[name] for name in self.Meta.fields if name in given}
        if kind != Venue.Kind.CONVENTION:
            found |= {"opens": None, "closes": None}
        found["registered_volunteer"] = given.get("volunteer_email") if kind == Venue.Kind.CLUB else None
        return found


class MembersForm(forms.Form):
    """People to add to a club's list of members."""

    members = forms.CharField(
        label=_("New members"),
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Enter one member per line: the name and, if you have it, a comma and the e-mail address."),
    )

    def clean_members(self) -> list[Member]:
        """Parse the list of members."""
        return read_members(self.cleaned_data["members"])


class ManagerForm(forms.Form):
    """A person who is to act for the venue."""

    email = AccountField(label=_("E-mail address of the account"))


class HallForm(forms.ModelForm):
    """A hall of the venue."""

    class Meta:
        model = Hall
        fields = ["name", "tables"]

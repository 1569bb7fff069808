"""Forms of the installation: the set-up, and the settings that can be changed later."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from events.models import Installation, Person, Venue
from events.places import country_codes
from events.registration import CLUB_MEMBERS, check_registration
from events.services.venues import Member, registration

from .venues import read_members, zone_choices

SHOP, CLUB, OFFICE = "shop", "club", "office"
HUNDRED = 100
MAX_POINTS = 1_000_000


class ZoneSelect(forms.Select):
    """A select of time zones with their countries, so that a script can suggest both from the browser's zone."""

    def create_option(self, *given: Any, **named: Any) -> dict[str, Any]:
        """Return an option with its country's two-letter code."""
        option: dict[str, Any] = super().create_option(*given, **named)
        if code := country_codes().get(str(option["value"])):
            option["attrs"]["data-country"] = code
        return option


class InstallationForm(forms.ModelForm):
    """Defaults for new events and venues."""

    class Meta:
        model = Installation
        fields = ["edition", "build_total", "format", "country", "time_zone", "language", "report_to"]
        widgets = {"country": forms.TextInput(attrs={"autocomplete": "country-name"})}
        labels = {"report_to": _("E-mail address for verified results")}
        help_texts = {
            "build_total": _("Enter a multiple of 100."),
            "language": _("Visitors see this language if their browser asks for one that the site doesn't have."),
        }

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.fields["time_zone"] = forms.ChoiceField(
            label=_("Time zone"), choices=zone_choices, widget=ZoneSelect(choices=())
        )
        own_names = [(code, get_language_info(code)["name_local"].capitalize()) for code, _name in self._languages()]
        self.fields["language"] = forms.ChoiceField(
            label=_("Language"), choices=own_names, help_text=self.Meta.help_texts["language"]
        )

    @staticmethod
    def _languages() -> list[tuple[str, Any]]:
        return list(Installation._meta.get_field("language").choices or ())

    def clean_build_total(self) -> int:
        """Refuse a build total that no sanctioned event may have."""
        total: int = self.cleaned_data["build_total"]
        if not 0 < total <= MAX_POINTS or total % HUNDRED:
            raise ValidationError(_("A sanctioned event's build total must be a multiple of 100, for example 300."))
        return total

    @property
    def defaults(self) -> dict[str, Any]:
        """The settings as the services take them."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


class SetUpForm(InstallationForm):
    """The set-up: administrator, venue (unless the installation serves many), defaults for new events and venues."""

    kind = forms.ChoiceField(
        label=_("What is this installation for?"),
        choices=[
            (SHOP, _("One shop")),
            (CLUB, _("A game club")),
            (OFFICE, _("A sanctioning office for many venues")),
        ],
        widget=forms.RadioSelect,
        initial=SHOP,
    )
    name = forms.CharField(label=_("Your name"), max_length=120, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    email = forms.EmailField(
        label=_("E-mail address"),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text=_("You'll sign in with this address. No e-mail is sent."),
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("Use at least 8 characters."),
    )
    venue_name = forms.CharField(
        label=_("Name of the shop or club"),
        max_length=120,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    public_location = forms.CharField(
        label=_("Street and number"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "street-address"}),
    )
    city = forms.CharField(
        label=_("City"), max_length=80, required=False, widget=forms.TextInput(attrs={"autocomplete": "address-level2"})
    )
    telephone = forms.CharField(
        label=_("Telephone"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "tel"}),
        help_text=_(
            "The sanctioning policy requires a telephone number from shops and clubs. It appears on the venue's page."
        ),
    )
    members = forms.CharField(
        label=_("Other members"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 7}),
        help_text=_("The sanctioning policy requires eight members. You're the first; list the others, one per line."),
    )
    field_order = ["kind", "name", "email", "password", "venue_name", "public_location", "city", "telephone", "members"]
    ACCOUNT = ("name", "email", "password")
    OF_PLACE = ("country", "time_zone", "language")
    OF_EVENTS = ("edition", "build_total", "format")
    OF_VENUE = ("venue_name", "public_location", "city", "telephone")

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.fields["country"].required = True
        for name in (*self.OF_VENUE, "members"):
            self.fields[name].help_says_when = True  # type: ignore[attr-defined]

    def groups(self) -> list[list[forms.BoundField]]:
        """Return the fields in groups: administrator, venue, place, defaults for new events."""
        groups = (self.ACCOUNT, self.OF_VENUE, self.OF_PLACE, self.OF_EVENTS)
        return [[self[name] for name in names] for names in groups]

    def clean_members(self) -> list[Member]:
        """Parse the list of members."""
        return read_members(self.cleaned_data["members"])

    def clean(self) -> dict[str, Any]:
        """Check the password, and what the policy requires of this kind of venue."""
        given = super().clean() or {}
        if given.get("password"):
            person = Person(email=given.get("email", ""), name=given.get("name", ""))
            try:
                validate_password(given["password"], person)
            except ValidationError as fault:
                self.add_error("password", fault)
        if given.get("kind") in (SHOP, CLUB):
            self._check_venue(given)
        return given

    def _check_venue(self, given: dict[str, Any]) -> None:
        missing = {"venue_name": _("Enter the name that players know."), "city": _("Enter the city.")}
        for name, words in missing.items():
            if not given.get(name) and name not in self.errors:
                self.add_error(name, words)
        found = registration(self._venue(given), self._members(given), volunteer=None, agreed=False)
        for finding in check_registration(found):
            if finding.rule == "members":
                words = _("A game club needs at least %(least)d members. List %(others)d other members.")
                self.add_error("members", words % {"least": CLUB_MEMBERS, "others": CLUB_MEMBERS - 1})
            elif finding.rule == "public-location" and given.get("public_location") and "city" in self.errors:
                continue  # reported with the city
            elif finding.field in self.fields and finding.field not in self.errors:
                self.add_error(finding.field, ValidationError(finding.message, code=finding.rule))

    def _members(self, given: dict[str, Any]) -> list[Member]:
        you = (given.get("name", ""), given.get("email", "").lower())
        others = [row for row in given.get("members") or [] if row[1] != you[1] and row[0] != you[0]]
        return [you, *others] if given["kind"] == CLUB else []

    @staticmethod
    def _venue(given: dict[str, Any]) -> dict[str, Any]:
        street, city, country = (given.get(name, "") for name in ("public_location", "city", "country"))
        return {
            "kind": Venue.Kind.CLUB if given["kind"] == CLUB else Venue.Kind.STORE,
            "name": given.get("venue_name", ""),
            "public_location": street,
            "city": city,
            "country": country,
            "shipping_address": "\n".join(part for part in (street, city, country) if part),
            "telephone": given.get("telephone", ""),
            "time_zone": given.get("time_zone", ""),
        }

    @property
    def parts(self) -> dict[str, Any]:
        """The arguments of `set_up`."""
        given = self.cleaned_data
        return {
            "account": {name: given[name] for name in self.ACCOUNT},
            "defaults": self.defaults,
            "venue": None if given["kind"] == OFFICE else self._venue(given),
            "members": self._members(given),
        }

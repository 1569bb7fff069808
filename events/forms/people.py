"""Forms that people fill in about themselves, and administrators about them."""

from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from events.eligibility import FURTHER_NOTICE
from events.mails import is_mail_configured
from events.models import Event, Person, PublicProfile, Volunteer
from events.services.people import NEEDS_REASON, NO_CODE_HERE, SAY_WHY, entry_for_code, office_for_code


class DateInput(forms.DateInput):
    """A date, chosen in the browser's calendar."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class AccountField(forms.EmailField):
    """The e-mail address of an account; its value is the person who confirmed it, else the account's owner."""

    def clean(self, value: Any) -> Person | None:
        """Return the account's person, None for an empty value. Raise ValidationError if there is no account."""
        address = super().clean(value)
        if not address:
            return None
        try:
            found = Person.objects.get_by_natural_key(address)
        except Person.DoesNotExist:
            found = None
        if found is None or not found.is_active:
            raise forms.ValidationError(_("No account uses this address. The person needs to create an account first."))
        return found


class VolunteerForm(forms.ModelForm):
    """A registration as a volunteer."""

    class Meta:
        model = Volunteer
        fields = ["city", "experience"]
        widgets = {"experience": forms.Textarea(attrs={"rows": 4})}
        help_texts = {
            "city": _("Enter the city where you can judge."),
            "experience": _(
                "Tell the sanctioning office which events you've judged or played in and which rulebooks you know."
            ),
        }

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.fields["city"].required = True


class AccountForm(forms.ModelForm):
    """A person's own name and details."""

    class Meta:
        model = Person
        fields = ["name", "phone", "is_minor", "publisher_family", "wants_pairings"]
        help_texts = {"is_minor": _("Pages, displays and posted sheets then shorten your name, even for past events.")}

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        if not (is_mail_configured() or self.instance.wants_pairings):
            del self.fields["wants_pairings"]


class ProfileForm(forms.ModelForm):
    """What a person's public profile shows, if they want one."""

    class Meta:
        model = PublicProfile
        fields = ["is_on", "shows_events", "shows_forces", "in_archives"]
        help_texts = {
            "is_on": _("Your profile is off by default. Each time you turn it on, it gets a new address."),
            "shows_forces": _("The profile shows only forces that a finished event has made public."),
            "in_archives": _(
                "Archives are pages that venues keep or publish. If you turn this off, new archives show a "
                "number instead of your name, such as “Player 12”."
            ),
        }


class DecisionForm(forms.Form):
    """The sanctioning office's decision on a volunteer or a venue, made by a button; a refusal needs a reason."""

    decision = forms.CharField(widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Reason"),
        required=False,
        max_length=300,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Give a reason if you reject or suspend. The people concerned can read it."),
    )

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.fields["reason"].help_says_when = True  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Ask for a reason if the decision needs one."""
        given = super().clean() or {}
        if given.get("decision") in NEEDS_REASON and not given.get("reason", "").strip():
            self.add_error("reason", forms.ValidationError(str(SAY_WHY)))
        return given


class SuspensionForm(forms.Form):
    """The last day of a player's suspension, which may be left open, and the reason."""

    until = forms.DateField(label=_("Last day of the suspension"), required=False, widget=DateInput())
    open_ended = forms.BooleanField(label=_("Until further notice"), required=False)
    reason = forms.CharField(label=_("Reason"), max_length=300, widget=forms.Textarea(attrs={"rows": 2}))

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.fields["until"].help_says_when = True  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Ask for a day that isn't past, or for “until further notice”."""
        given = super().clean() or {}
        until = given.get("until")
        if until is not None and until < timezone.localdate():
            self.add_error("until", _("That day is in the past. Choose today or a later day."))
        elif "until" in given and (until is None) != given.get("open_ended"):
            self.add_error("until", _("Choose the last day, or tick “Until further notice”."))
        return given

    @property
    def last_day(self) -> datetime.date:
        """The last day of the suspension."""
        return self.cleaned_data["until"] or FURTHER_NOTICE


class AskCodeForm(forms.Form):
    """The person who is to act at the event with a sign-in code."""

    email = forms.EmailField(
        label=_("E-mail address of the account"), widget=forms.EmailInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *given: Any, event: Event, **named: Any) -> None:
        super().__init__(*given, **named)
        self.event = event

    def clean_email(self) -> str:
        """Find the account among those of this event; don't reveal whether others have one."""
        found = Person.objects.filter(email__iexact=self.cleaned_data["email"]).first()
        if found is None or not (office_for_code(self.event, found) or entry_for_code(self.event, found)):
            raise forms.ValidationError(str(NO_CODE_HERE))
        self.person = found
        return found.email


class UseCodeForm(forms.Form):
    """A sign-in code, typed by the person who was given it."""

    email = forms.EmailField(label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"}))
    code = forms.CharField(
        label=_("Sign-in code"),
        max_length=24,
        help_text=_(
            "Enter the eight letters and digits that the head judge gave you. Capitals and spaces don't matter."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autocapitalize": "characters"}),
    )

"""What a person gives when making an account, beside e-mail and password."""

from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from events.models import Person
from events.roles import Actor
from events.services.entries import join_entries


class SignupForm(forms.Form):
    """The extra fields of allauth's sign-up page."""

    name = forms.CharField(
        label=_("Your name"), max_length=120, help_text=_("As it should stand on pairings and result sheets.")
    )
    is_minor = forms.BooleanField(
        label=_("I am under age"), required=False, help_text=_("Public pages then show a shortened name.")
    )

    field_order = ["name", "email", "password1", "password2", "is_minor"]

    def signup(self, request, person: Person) -> None:
        """Keep the name with the new account; called by allauth inside its own transaction."""
        person.name = self.cleaned_data["name"]
        person.is_minor = self.cleaned_data["is_minor"]
        person.save(update_fields=["name", "is_minor"])
        if app_settings.EMAIL_VERIFICATION != app_settings.EmailVerificationMethod.MANDATORY:
            join_entries(by=Actor(person=person), email=person.email)


class AccountAdapter(DefaultAccountAdapter):
    """Joins entries that were made under an e-mail address to the account, once the address is known to be its own."""

    def confirm_email(self, request: HttpRequest, email_address: Any) -> bool:
        """Confirm the address; entries from lists and from the door that bear it are the person's own from now on."""
        confirmed = bool(super().confirm_email(request, email_address))
        if confirmed:
            join_entries(by=Actor(person=email_address.user), email=email_address.email)
        return confirmed

"""What a person gives when making an account, beside e-mail and password."""

import logging
from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as allauth
from allauth.core.exceptions import ImmediateHttpResponse
from django import forms
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from events.door import Refused
from events.models import Person
from events.roles import Actor
from events.services.entries import join_entries

logger = logging.getLogger(__name__)
CONFIRMING = "account/email/email_confirmation"


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
    """Joins entries that were made under an e-mail address to the account, once the address is known to be its own.

    A mail server that does not answer is told on the page; where the mail only confirms an address, one goes on.
    """

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail; where that fails say so, and refuse what cannot go on without it."""
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as fault:
            logger.exception("A mail could not be sent")
            is_needed = app_settings.EMAIL_VERIFICATION == app_settings.EmailVerificationMethod.MANDATORY
            if is_needed or not template_prefix.startswith(CONFIRMING):
                raise Refused(
                    _("The mail server does not answer, and no mail was sent. Try again in a few minutes.")
                ) from fault
            messages.warning(
                allauth.request, _("The mail that confirms your address could not be sent: ask for it on your page.")
            )

    def save_user(self, request: HttpRequest, user: Person, form: Any, commit: bool = True) -> Person:
        """Save a new account; of two forms with one address at the same instant the second goes on to the sign-in page."""
        try:
            with transaction.atomic():
                saved: Person = super().save_user(request, user, form, commit)
        except IntegrityError as fault:
            raise ImmediateHttpResponse(redirect("account_login")) from fault
        return saved

    def confirm_email(self, request: HttpRequest, email_address: Any) -> bool:
        """Confirm the address; entries from lists and from the door that bear it are the person's own from now on."""
        confirmed = bool(super().confirm_email(request, email_address))
        if confirmed:
            join_entries(by=Actor(person=email_address.user), email=email_address.email)
        return confirmed

"""What a person gives when making an account, beside e-mail and password."""

import logging
from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as allauth
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from events.door import Refused
from events.models import Person
from events.services.people import tell_of_codes

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


class AccountAdapter(DefaultAccountAdapter):
    """Tells whoever signs in what was done in their name by sign-in code.

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

    def post_login(self, request: HttpRequest, user: Any, **given: Any) -> HttpResponse:
        """Go where one wanted to go; the page tells of sign-in codes that were used meanwhile."""
        response = super().post_login(request, user, **given)
        for words in tell_of_codes(person=user):
            messages.warning(request, words)
        return response

"""The e-mail addresses of an account: allauth's page with one more check."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.views import EmailView
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy

from events.mails import is_mail_configured
from events.models import Person
from events.services.offers import has_confirmed_address, owes_an_answer

ANSWER_FIRST = gettext_lazy(
    "Your home page has offers that were sent to your current address. Answer them before you change the address."
)


class AddressesView(EmailView):
    """Adds, confirms and removes addresses, and chooses the main one, never one that another account signs in with.

    With mail configured, only a confirmed address can become the main one, so that the response doesn't reveal who has
    an account. Offers were made to the account's present address: with another, confirmed one they would count as
    accepted by the right person.
    """

    def get_context_data(self, **given: Any) -> dict[str, Any]:
        """Add which buttons have an address to act on."""
        mine = list(self.request.user.emailaddress_set.all())
        return super().get_context_data(**given) | {
            "has_secondary": not all(address.primary for address in mine),
            "has_unconfirmed": not all(address.verified for address in mine),
        }

    def _action_primary(self, request: HttpRequest) -> HttpResponse | None:
        address = self._get_email_address(request)
        if address is not None:
            is_taken = Person.objects.filter(email=address.email).exclude(pk=address.user_id).exists()
            if is_taken or (is_mail_configured() and not address.verified):
                words = "account/messages/unverified_primary_email.txt"
                get_adapter().add_message(request, messages.ERROR, words)
                return None
            if not has_confirmed_address(address.user) and owes_an_answer(address.user):
                messages.error(request, ANSWER_FIRST)
                return None
        answer: HttpResponse | None = super()._action_primary(request)
        return answer

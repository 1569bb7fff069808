"""Sign-up and sign-in: extra fields, failed attempts, and the e-mails that go with them."""

import logging
import secrets
from typing import Any
from urllib.parse import urlsplit

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.email_verification import send_verification_email_at_login
from allauth.account.models import Login
from allauth.account.utils import has_verified_email
from allauth.core import context as allauth
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from events.door import Refused
from events.models import Person
from events.services.people import tell_of_codes
from events.setup_link import is_set_up
from events.tries import known_device, remember_device, who_tries

logger = logging.getLogger(__name__)
INCORRECT_CODE = _("This code is incorrect.")
CONFIRMING = "account/email/email_confirmation"


def must_confirm() -> bool:
    """Return whether an account can sign in only after its e-mail address is confirmed."""
    return bool(app_settings.EMAIL_VERIFICATION == app_settings.EmailVerificationMethod.MANDATORY)


class SignupForm(forms.Form):
    """The extra fields of allauth's sign-up page."""

    name = forms.CharField(
        label=_("Your name"), max_length=120, help_text=_("As it should appear on pairings and result sheets.")
    )
    is_minor = forms.BooleanField(
        label=_("I'm under 18"),
        required=False,
        help_text=_("Pages, displays and posted pairings then show only your first name and an initial."),
    )

    field_order = ["name", "email", "password1", "password2", "is_minor"]

    def signup(self, request, person: Person) -> None:
        """Save the name of a new account; allauth calls this inside its own transaction."""
        person.name = self.cleaned_data["name"]
        person.is_minor = self.cleaned_data["is_minor"]
        person.save(update_fields=["name", "is_minor"])


class AccountAdapter(DefaultAccountAdapter):
    """allauth adapter: counts wrong passwords, reports sign-in codes used in a person's name, sends e-mails.

    If the mail server doesn't answer, the page says so; a request that doesn't depend on the e-mail goes on.
    """

    error_messages = DefaultAccountAdapter.error_messages | {
        "too_many_login_attempts": _(
            "Too many failed sign-in attempts. Wait five minutes, then try again. At an event, the head judge can give you "
            "a sign-in code."
        ),
        "wrong_or_unconfirmed": _(
            "The e-mail address or password is incorrect. If you've just signed up, confirm your address with the link in "
            "our e-mail first."
        ),
        "account_inactive": _("This account is closed."),
        "cannot_remove_primary_email": _("This is your primary address. Make another address primary first."),
        "duplicate_email": _("This address is already part of your account."),
        "email_password_mismatch": _("The e-mail address or password is incorrect."),
        "email_taken": _("This address already has an account. Sign in to it, or use another address."),
        "enter_current_password": _("This isn't your current password."),
        "incorrect_password": _("The password is incorrect."),
        "incorrect_code": INCORRECT_CODE,
        "invalid_password_reset": _("This link no longer works. Request a new one."),
        "max_email_addresses": _("An account can have at most %d e-mail addresses. Remove one first."),
        "unverified_primary_email": _("Confirm the address before you make it primary."),
        "rate_limited": _("Too many attempts. Wait a minute, then try again."),
    }

    def validation_error(self, code: str, *given: Any) -> Any:
        """Return the error to show; a wrong password reads like an unconfirmed address."""
        if code == "email_password_mismatch" and must_confirm():
            code = "wrong_or_unconfirmed"
        return super().validation_error(code, *given)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return False until the installation is set up: its first account is the administrator's."""
        return is_set_up()

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse, without hashing, a login with too many failures from here, and an address with very many.

        The address is checked first, so that it can't fill the counters with logins that are refused anyway.
        """
        is_known = known_device(request, credentials.get("email", ""))
        if not is_known and not ratelimit.consume(request, action="login_failed_from_address", dry_run=True):
            raise self.validation_error("too_many_login_attempts")
        super().pre_authenticate(request, **credentials)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Return the person with this login and password; None also if the address must be confirmed first.

        In that case the confirmation is sent again. A different response would let anyone sign up with an address, sign
        in, and learn whether it already had an account.
        """
        user = super().authenticate(request, **credentials)
        if user is None or not must_confirm() or has_verified_email(user, credentials.get("email")):
            return user
        super().pre_authenticate(request, **credentials)  # counts as a failure, so that both look the same
        self.authentication_failed(request, **credentials)
        send_verification_email_at_login(request, Login(user=user, email=credentials.get("email")))
        return None

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the failure for the address, too."""
        ratelimit.consume(request, action="login_failed_from_address")

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        return who_tries(request, credentials.get("email", ""))

    def reauthenticate(self, user: Any, password: str) -> bool:
        """Check the password of a signed-in person; guesses on the sign-in page can't lock this one."""
        return bool(user.check_password(password))

    def post_login(self, request: HttpRequest, user: Any, *, email: str | None, **named: Any) -> HttpResponse:
        """Remember that this login signed in on this device, and report sign-in codes used in this person's name."""
        response = super().post_login(request, user, email=email, **named)
        remember_device(response, email or user.email)
        for words in tell_of_codes(person=user):
            messages.warning(request, words)
        return response

    def respond_email_verification_sent(self, request: HttpRequest, user: Any) -> HttpResponse:
        """Answer a sign-up; for a known address, compute one hash so that it takes as long as a new account."""
        if user is None:
            make_password(secrets.token_urlsafe())
        return super().respond_email_verification_sent(request, user)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an e-mail; on failure say so, and refuse the request if it depends on the e-mail.

        Links use `SITE_URL` if the installation sets it, because the client controls its request's host and port.
        """
        domain = settings.SITE_URL or f"{allauth.request.scheme}://{allauth.request.get_host()}"
        context["current_site"] = {"name": settings.SITE_NAME, "domain": domain}
        if settings.SITE_URL:
            links = {name: str(link) for name, link in context.items() if name.endswith("_url")}
            context |= {name: f"{settings.SITE_URL}{urlsplit(link).path}" for name, link in links.items()}
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as fault:
            logger.exception("An e-mail couldn't be sent")
            if must_confirm() or not template_prefix.startswith(CONFIRMING):
                raise Refused(
                    _(
                        "The e-mail couldn't be sent because the mail server isn't responding. Try again in a few minutes."
                    )
                ) from fault
            messages.warning(
                allauth.request,
                _("The e-mail to confirm your address couldn't be sent. Request a new one under My account."),
            )

    def save_user(self, request: HttpRequest, user: Person, form: Any, commit: bool = True) -> Person:
        """Save a new account; if two forms with one address arrive at once, send the second to the sign-in page."""
        try:
            with transaction.atomic():
                saved: Person = super().save_user(request, user, form, commit)
        except IntegrityError as fault:
            raise ImmediateHttpResponse(redirect("account_login")) from fault
        return saved


class MFAAdapter(DefaultMFAAdapter):
    """allauth adapter of two-factor sign-in, with this site's words."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "add_email_blocked": _("Turn off two-factor sign-in before you add an address."),
        "cannot_delete_authenticator": _("Two-factor sign-in can't be turned off."),
        "cannot_generate_recovery_codes": _("Set up the authenticator app first."),
        "incorrect_code": INCORRECT_CODE,
        "unverified_email": _("Confirm your e-mail address first."),
    }

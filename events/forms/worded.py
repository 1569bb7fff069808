"""allauth's forms with this site's labels; `ACCOUNT_FORMS` names them."""

from typing import Any

from allauth.account import forms
from django.utils.translation import gettext_lazy as _

EMAIL, PASSWORD, NEW_PASSWORD, REPEATED = (
    _("E-mail address"),
    _("Password"),
    _("New password"),
    _("Repeat the password"),
)


class Worded:
    """Gives a form the labels of its class."""

    labels: dict[str, Any] = {"email": EMAIL, "login": EMAIL, "password1": PASSWORD, "password2": REPEATED}

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        for name, field in self.fields.items():  # type: ignore[attr-defined]
            field.label = self.labels.get(name, field.label)
            field.widget.attrs.pop("placeholder", None)


class NewPassword(Worded):
    """Gives a form that replaces a password its labels."""

    labels = {"oldpassword": _("Current password"), "password1": NEW_PASSWORD, "password2": REPEATED}


class LoginForm(Worded, forms.LoginForm):
    """Sign in."""


class SignupForm(Worded, forms.SignupForm):
    """Create an account."""


class AddEmailForm(Worded, forms.AddEmailForm):
    """Add an address."""


class ResetPasswordForm(Worded, forms.ResetPasswordForm):
    """Ask for the link that sets a new password."""


class SetPasswordForm(Worded, forms.SetPasswordForm):
    """Set the first password of an account."""


class ChangePasswordForm(NewPassword, forms.ChangePasswordForm):
    """Change the password."""


class ResetPasswordKeyForm(NewPassword, forms.ResetPasswordKeyForm):
    """Set a new password by the mailed link."""

"""What a person gives when making an account, beside e-mail and password."""

from django import forms
from django.utils.translation import gettext_lazy as _

from events.models import Person


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

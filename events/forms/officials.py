"""The forms of officials and announcements."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from events import policy
from events.models import Announcement, Event, Official
from events.services.setup import publishing_of

from .moments import MomentField
from .people import AccountField
from .setup import WORKED_HERE


class OfficialForm(forms.Form):
    """A person offered a role at the event."""

    email = AccountField(label=_("E-mail address of the account"), widget=forms.EmailInput(attrs=WORKED_HERE))
    role = forms.ChoiceField(
        label=_("Role"),
        choices=[
            (Official.Role.HEAD_JUDGE, Official.Role.HEAD_JUDGE.label),
            (Official.Role.JUDGE, Official.Role.JUDGE.label),
            (Official.Role.SCOREKEEPER, Official.Role.SCOREKEEPER.label),
        ],
        initial=Official.Role.JUDGE,
    )


class NextRoundForm(forms.Form):
    """When the next round starts."""

    def __init__(self, *given: Any, event: Event, **named: Any) -> None:
        super().__init__(*given, **named)
        zone = event.venue.time_zone
        self.fields["starts"] = MomentField(
            venue=event.venue, label=_("Next round starts"), help_text=_("Venue time (%(zone)s).") % {"zone": zone}
        )


class AnnouncementForm(forms.ModelForm):
    """An announcement to everyone at the event."""

    class Meta:
        model = Announcement
        fields = ["text"]

    minutes = forms.TypedChoiceField(
        label=_("Duration"),
        coerce=int,
        choices=[(10, _("10 minutes")), (30, _("30 minutes")), (120, _("2 hours")), (0, _("until withdrawn"))],
        initial=30,
    )

    def __init__(self, *given: Any, event: Event, **named: Any) -> None:
        super().__init__(*given, **named)
        self.event = event

    def clean_text(self) -> str:
        """Refuse text that may not be published, such as contact data."""
        text = self.cleaned_data["text"]
        for one in publishing_of(self.event, text):
            raise ValidationError(policy.sentence(one))
        return text

"""The form for a webhook."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from events.models import Webhook
from events.sending import split_address
from events.webhook_messages import CHOSEN


class WebhookForm(forms.Form):
    """Where a webhook's messages are sent, in which format, and which ones."""

    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        help_text=_("Name the receiver, for example “Discord #events”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    form = forms.ChoiceField(label=_("Format"), choices=Webhook.Form.choices, initial=Webhook.Form.DISCORD)
    address = forms.CharField(
        label=_("Address"),
        max_length=500,
        help_text=_(
            "Anyone who knows this address may be able to post there. After you save it, only part of it is shown."
        ),
        widget=forms.URLInput(attrs={"autocomplete": "off", "placeholder": "https://"}),
    )
    kinds = forms.MultipleChoiceField(
        label=_("Messages"),
        choices=lambda: [(kind.value, capfirst(str(kind.label))) for kind in CHOSEN],
        initial=[kind.value for kind in CHOSEN if kind is not Webhook.Kind.CALL],
        widget=forms.CheckboxSelectMultiple,
    )

    def clean_address(self) -> str:
        """Return the address if messages can be sent there."""
        address: str = self.cleaned_data["address"]
        split_address(address)
        return address

    @property
    def facts(self) -> dict[str, Any]:
        """The arguments of `create_webhook`."""
        return {name: self.cleaned_data[name] for name in ("name", "form", "address", "kinds")}

"""Forms for moving events: a file to import, the machine an event is handed over to, a machine to pair."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import FileExtensionValidator
from django.utils.translation import gettext_lazy as _

from judging.models import PairedMachine
from rules.uploads import TooLarge, check_size

NEW_MACHINE = "new"
CODE = forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"})


class EventFileForm(forms.Form):
    """An event file, exported by another installation or from a snapshot."""

    file = forms.FileField(
        label=_("Event file"),
        help_text=_("Choose an event file from another machine or a snapshot (.json or .json.gz)."),
        widget=forms.ClearableFileInput(attrs={"accept": ".json,.gz,application/json,application/gzip"}),
        validators=[FileExtensionValidator(["json", "gz"], _("Choose a .json or .json.gz file."))],
    )

    pairing_code = forms.CharField(
        label=_("Pairing code"),
        required=False,
        max_length=60,
        widget=CODE,
        help_text=_(
            "Enter the code that the other machine showed when it handed the event over. You need it "
            "only for the first file from that machine."
        ),
    )

    def __init__(self, *given: Any, may_pair: bool = False, **named: Any) -> None:
        super().__init__(*given, **named)
        if not may_pair:
            del self.fields["pairing_code"]

    def clean_file(self) -> UploadedFile:
        """Refuse a file above the size limit of its kind."""
        file: UploadedFile = self.cleaned_data["file"]
        try:
            check_size("event-file", file.size)
        except TooLarge as fault:
            raise forms.ValidationError(str(fault)) from fault
        return file


class HandOverForm(forms.Form):
    """The machine the event is handed over to: a paired one, or another one by name."""

    machine = forms.ChoiceField(
        label=_("Machine"),
        required=False,
        help_text=_(
            "A paired machine trusts the file. On any other machine, the event becomes a copy in which "
            "no one has a role, unless an administrator of that machine vouches for the file."
        ),
    )
    other = forms.CharField(
        label=_("Name of the machine, if it isn't in the list"),
        required=False,
        max_length=120,
        help_text=_("For example: the laptop at the venue."),
    )

    def __init__(self, *given: Any, may_pair: bool = False, **named: Any) -> None:
        super().__init__(*given, **named)
        machine = self.fields["machine"]
        assert isinstance(machine, forms.ChoiceField), "a list to choose from"
        machine.choices = [
            *PairedMachine.objects.values_list("pk", "name"),
            *([(NEW_MACHINE, _("New machine (pair it now)"))] if may_pair else []),
            ("", _("Unpaired machine")),
        ]
        self.initial["machine"] = machine.choices[0][0]
        for field in self.fields.values():
            field.help_says_when = True  # type: ignore[attr-defined]


class MachineForm(forms.Form):
    """A machine to pair, with the code it showed; without a code, one is made here."""

    name = forms.CharField(
        label=_("Name of the other machine"), max_length=120, help_text=_("For example: the laptop at the venue.")
    )
    code = forms.CharField(
        label=_("Pairing code"),
        required=False,
        max_length=60,
        widget=CODE,
        help_text=_("Enter the code that the other machine shows, or leave this empty to create one here."),
    )

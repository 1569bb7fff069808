"""Forms about copies of events: a file to read, where an event is handed over to."""

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import FileExtensionValidator
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _


class EventFileForm(forms.Form):
    """An event file, as it was written by another installation or as a snapshot."""

    file = forms.FileField(
        label=_("Event file"),
        help_text=_("A file that was copied or handed over by another machine, or a snapshot: .json or .json.gz"),
        widget=forms.ClearableFileInput(attrs={"accept": ".json,.gz,application/json,application/gzip"}),
        validators=[FileExtensionValidator(["json", "gz"], _("Choose a file that ends in .json or .json.gz."))],
    )

    def clean_file(self) -> UploadedFile:
        """Refuse a file beyond `MOST_UPLOADED` bytes."""
        file: UploadedFile = self.cleaned_data["file"]
        if file.size is not None and file.size > settings.MOST_UPLOADED:
            raise forms.ValidationError(
                _("The file is too large: %(size)s at most."), params={"size": filesizeformat(settings.MOST_UPLOADED)}
            )
        return file


class HandOverForm(forms.Form):
    """Where the event goes."""

    other = forms.CharField(
        label=_("To whom, or to which machine"), max_length=120, help_text=_("For example: the laptop at the venue.")
    )

"""What judges fill in."""

from django import forms
from django.utils.translation import gettext_lazy as _

from events.models import Entry, Event, Round
from judging.models import Penalty


class PenaltyForm(forms.Form):
    """A penalty for one player of the event."""

    entry = forms.ModelChoiceField(label=_("Player"), queryset=Entry.objects.none(), empty_label=_("choose …"))
    kind = forms.ChoiceField(label=_("Penalty"), choices=Penalty.Kind.choices, widget=forms.RadioSelect)
    category = forms.ChoiceField(label=_("For"), choices=Penalty.Category.choices)
    text = forms.CharField(label=_("What happened"), max_length=400, widget=forms.Textarea(attrs={"rows": 3}))
    round = forms.ModelChoiceField(
        label=_("Round"), queryset=Round.objects.none(), required=False, empty_label=_("none")
    )

    def __init__(self, *args, event: Event, **options) -> None:
        super().__init__(*args, **options)
        self.fields["entry"].queryset = event.entries.order_by("name")  # type: ignore[attr-defined]
        self.fields["round"].queryset = event.rounds.exclude(state=Round.State.DRAFT)  # type: ignore[attr-defined]

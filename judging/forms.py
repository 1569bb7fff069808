"""The form for penalties."""

from typing import Any

from django import forms
from django.db.models import Count, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from events.models import Entry, Event, Round
from judging.forms_calls import sentence_case
from judging.models import Penalty
from judging.services.penalties import HEAD_ONLY


class PlayerChoice(forms.ModelChoiceField):
    """A choice of players, labelled with their number of penalties at this event."""

    def label_from_instance(self, obj: Any) -> str:
        """Return the player's name, with the number of penalties if there are any."""
        if not getattr(obj, "given", 0):
            return str(obj)
        return ngettext("%(name)s (%(n)d penalty)", "%(name)s (%(n)d penalties)", obj.given) % {
            "name": obj,
            "n": obj.given,
        }


class PenaltyForm(forms.Form):
    """A penalty for one of the event's players."""

    entry = PlayerChoice(label=_("Player"), queryset=Entry.objects.none(), empty_label=_("Choose…"))
    kind = forms.ChoiceField(label=_("Penalty"), choices=sentence_case(Penalty.Kind.choices), widget=forms.RadioSelect)
    category = forms.ChoiceField(
        label=_("Infraction"), choices=[("", _("Choose…")), *sentence_case(Penalty.Category.choices)]
    )
    text = forms.CharField(label=_("Description"), max_length=400, widget=forms.Textarea(attrs={"rows": 3}))
    round = forms.ModelChoiceField(
        label=_("Round"), queryset=Round.objects.none(), required=False, empty_label=_("none")
    )
    opponents_points = forms.IntegerField(
        label=_("Victory points for the opponent"),
        required=False,
        min_value=0,
        max_value=1_000_000,
        help_text=_(
            "These points count only for a game loss. Headjudge suggests as many points as a player gets for a bye."
        ),
    )

    def __init__(self, *args, event: Event, is_head: bool = True, **options) -> None:
        super().__init__(*args, **options)
        self.is_head = is_head
        if not is_head:
            only = _("%(penalty)s (head judge only)")
            self.fields["kind"].choices = [  # type: ignore[attr-defined]
                (kind, only % {"penalty": words} if kind in HEAD_ONLY else words)
                for kind, words in sentence_case(Penalty.Kind.choices)
            ]
        counted = Count("penalties", filter=Q(penalties__withdrawn=False))
        self.fields["entry"].queryset = event.entries.annotate(given=counted).order_by("name")  # type: ignore[attr-defined]
        self.fields["round"].queryset = event.rounds.exclude(state=Round.State.DRAFT)  # type: ignore[attr-defined]

    def clean_kind(self) -> str:
        """Refuse a penalty that only the head judge gives; the error keeps everything that was typed."""
        kind: str = self.cleaned_data["kind"]
        if kind in HEAD_ONLY and not self.is_head:
            raise forms.ValidationError(
                _("Only the head judge can give a game loss or a disqualification. Ask the head judge.")
            )
        return kind

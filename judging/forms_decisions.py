"""Forms for decisions: the ruling (which may resolve its call), the appeal, the final answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from events.models import Event
from events.services.clock import MAX_MINUTES
from judging.forms_calls import MAX_AGREED, minutes_field, sentence_case
from judging.models import Call, Decision
from judging.readings import LINES, Reading, topic_title
from judging.services.calls import can_extend
from rules.engine import headings

Answer = Decision.Answer
ABOUT_A_LINE = (Answer.CLEAR, Answer.HINDERED, Answer.BLOCKED, Answer.WORDS)
ABOUT_A_RULE = (Answer.YES, Answer.NO, Answer.WORDS)


def _answers(reading: Reading | None) -> list[tuple[str, Any]]:
    """Return the possible answers: those of a line of fire, those of a rule, or all if neither is known."""
    if reading is not None and reading.answer in LINES:
        wanted: Iterable[Answer] = ABOUT_A_LINE
    elif reading is not None and reading.answer:
        wanted = ABOUT_A_RULE
    else:
        wanted = (Answer.YES, Answer.NO, Answer.CLEAR, Answer.HINDERED, Answer.BLOCKED, Answer.WORDS)
    return sentence_case((one.value, one.label) for one in wanted)


def _text(label: Any, most: int, rows: int = 0, **options: Any) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows}) if rows else forms.TextInput(attrs={"autocomplete": "off"})
    return forms.CharField(label=label, max_length=most, required=False, widget=widget, **options)


class Reason(forms.CharField):
    """A reason that is required only sometimes: its help says when, so it isn't marked "optional"."""

    help_says_when = True


def _reason(label: Any, most: int, *, help_text: Any) -> Reason:
    widget = forms.TextInput(attrs={"autocomplete": "off"})
    return Reason(label=label, max_length=most, required=False, widget=widget, help_text=help_text)


class RulingForm(forms.Form):
    """A ruling, prefilled with the engine's answer if a position is attached, so that agreeing takes one press."""

    answer = forms.ChoiceField(
        label=_("Your ruling"), widget=forms.RadioSelect, error_messages={"required": _("Choose your ruling.")}
    )
    question = forms.CharField(
        label=_("Question"),
        max_length=200,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": _("Enter the question.")},
    )
    text = _text(_("Ruling in words"), 600, rows=2)
    against_reading = _reason(
        _("Reason for overruling the rules engine"),
        400,
        help_text=_("Enter a reason if your ruling differs from the rules engine's answer."),
    )
    departs_why = _reason(
        _("Reason for differing from the earlier ruling"),
        400,
        help_text=_("Enter a reason if an earlier ruling on the same case differs."),
    )
    reasons = _text(_("Reasons"), 1000, rows=2)
    topics = forms.MultipleChoiceField(label=_("Topics"), required=False, widget=forms.CheckboxSelectMultiple)
    more_topics = _text(_("Add topics, separated by commas"), 300)
    citations = forms.MultipleChoiceField(
        label=_("Sections cited"), required=False, widget=forms.CheckboxSelectMultiple
    )
    section = _text(_("Add a section"), 200)
    rulings = forms.MultipleChoiceField(
        label=_("Official rulings cited"), required=False, widget=forms.CheckboxSelectMultiple
    )
    belongs = forms.MultipleChoiceField(
        label=_("Link this ruling to"), required=False, widget=forms.CheckboxSelectMultiple
    )
    category = forms.ChoiceField(
        label=_("Subject of the call"), required=False, choices=sentence_case(Call.Category.choices)
    )
    minutes = minutes_field(_("Minutes lost"), MAX_MINUTES, required=False)
    agreed = minutes_field(_("Extra minutes"), MAX_AGREED, required=False)

    def __init__(
        self,
        *args: Any,
        event: Event,
        reading: Reading | None = None,
        closing: bool = False,
        can_extend: bool = False,
        belongs: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.edition, self.reading, self.closing = event.edition, reading, closing
        self.choose("answer", _answers(reading))
        found = reading or Reading("", "", "")
        self.choose("topics", [(name, topic_title(name)) for name in found.topics])
        self.choose("citations", [(one["section"], one["section"]) for one in found.citations])
        self.choose("rulings", [(one["id"], one["text"]) for one in found.rulings])
        self.choose("belongs", list((belongs or {}).items()))
        for name in ("topics", "citations", "rulings", "belongs"):
            if not self.fields[name].choices:  # type: ignore[attr-defined]
                del self.fields[name]
        if reading is None or not reading.answer:
            del self.fields["against_reading"]
        if not closing:
            del self.fields["category"]
        if not (closing and can_extend):
            del self.fields["minutes"], self.fields["agreed"]
        self.fields["more_topics"].widget.attrs["list"] = "topics-known"
        self.fields["section"].widget.attrs["list"] = "sections-known"

    def choose(self, name: str, choices: list[tuple[str, Any]]) -> None:
        """Set the choices of the fields."""
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def clean_section(self) -> str:
        """Refuse sections that the book doesn't have."""
        given = self.cleaned_data["section"].strip()
        if given and headings(self.edition).find(given) is None:
            raise forms.ValidationError(_("This event's rulebook has no such section. Choose one from the list."))
        return given

    def clean(self) -> dict[str, Any]:
        """Refuse a sum of minutes above the limit of one extension."""
        given = super().clean() or self.cleaned_data
        if (given.get("minutes") or 0) + (given.get("agreed") or 0) > MAX_MINUTES:
            self.add_error(
                "minutes", _("Minutes lost and extra minutes can't exceed %(most)d in total.") % {"most": MAX_MINUTES}
            )
        return given


class AppealForm(forms.Form):
    """The reason for an appeal."""

    appeal = forms.CharField(
        label=_("Reason for the appeal"),
        max_length=600,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Explain briefly what is wrong with the ruling.")},
    )


class FinalForm(forms.Form):
    """The head judge's final ruling."""

    final_answer = forms.ChoiceField(label=_("New ruling"), required=False, widget=forms.RadioSelect)
    final_text = _text(_("New ruling in words"), 600)
    final_reasons = forms.CharField(
        label=_("Reasons"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Give your reasons. The players and other judges will read them.")},
    )

    minutes = minutes_field(
        _("Extra minutes for the table"),
        MAX_MINUTES,
        required=False,
        help_text=_("Headjudge suggests the time since the appeal. Enter 0 to give the table no extra minutes."),
    )

    def __init__(self, *args: Any, decision: Decision, **options: Any) -> None:
        super().__init__(*args, **options)
        if decision.match is None or not can_extend(decision.match):
            del self.fields["minutes"]
        wanted: Iterable[Answer] = ABOUT_A_LINE if decision.answer in LINES else ABOUT_A_RULE
        if decision.answer == Answer.WORDS:
            wanted = Answer
        self.fields["final_answer"].choices = sentence_case(  # type: ignore[attr-defined]
            (one.value, one.label) for one in wanted if one != decision.answer or one == Answer.WORDS
        )

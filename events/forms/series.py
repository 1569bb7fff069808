"""Forms about series."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from events import choices
from events.models import Event, Series, SeriesEvent
from events.series_table import SeriesPlayer
from events.services.series import NO_EVENT

MAX_LISTED = 100
"""The events of the organiser's own venues that can be chosen from a list; any event can be added by its address."""


class SeriesForm(forms.ModelForm):
    """A series' name and rules, and the multiplier of each of its events; `facts` is what the services take."""

    place_points = forms.CharField(
        label=_("Points by place"),
        required=False,
        max_length=200,
        help_text=_(
            "Enter the points for the places in an event's standings, from first place down, such as "
            "4/3/2/1. Players who share a place get the same points."
        ),
    )

    class Meta:
        model = Series
        fields = (
            "name", "description", "place_points", "win_points", "match_point_points", "attendance_points", "best_of",
            "min_events",
        )  # fmt: skip
        widgets = {"description": forms.Textarea(attrs={"rows": 3})}
        labels = {"best_of": _("Results counted for each player"), "min_events": _("Events needed to be eligible")}
        help_texts = {
            "description": _(
                "Describe the series, for example its prizes, rules and dates. The description appears above "
                "the standings."
            ),
            "win_points": _("A bye counts as a win."),
            "match_point_points": _(
                "Match points are those in the event's standings. In a Battle Royale, they are the points "
                "for finishing first, second and so on at the table."
            ),
            "attendance_points": _("A player gets these points for each event they take part in."),
            "best_of": _("Only a player's best results count towards the series. Leave empty to count all."),
            "min_events": _("Players with fewer events take no part in the prize draft."),
        }

    def __init__(self, *given: Any, rows: list[SeriesEvent] | None = None, **named: Any) -> None:
        super().__init__(*given, **named)
        self.rows = rows or []
        self.initial["place_points"] = "/".join(map(str, self.instance.place_points))
        for row in self.rows:
            self.fields[f"multiplier_{row.pk}"] = forms.DecimalField(
                label=row.event.name,
                min_value=0,
                max_value=20,
                max_digits=4,
                decimal_places=2,
                initial=row.multiplier.normalize() if row.multiplier % 1 else int(row.multiplier),
            )

    def clean_place_points(self) -> list[int]:
        """Read the points for each place."""
        try:
            return choices.place_points_of(self.cleaned_data["place_points"])
        except ValueError:
            raise ValidationError(choices.BAD_PLACE_POINTS) from None

    @property
    def multiplier_fields(self) -> list[forms.BoundField]:
        """The fields of the events' multipliers."""
        return [self[f"multiplier_{row.pk}"] for row in self.rows]

    @property
    def facts(self) -> dict[str, Any]:
        """The name and the rules."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}

    @property
    def multipliers(self) -> dict[int, Decimal]:
        """The multipliers, by the keys of the series' rows."""
        return {row.pk: self.cleaned_data[f"multiplier_{row.pk}"] for row in self.rows}


class AddEventForm(forms.Form):
    """An event to add to a series: one of the organiser's own, or any by the address of its page."""

    event = forms.ModelChoiceField(
        label=_("Event at one of your venues"), queryset=Event.objects.none(), required=False, to_field_name="public_id"
    )
    address = forms.CharField(
        label=_("Or the address of an event's page"),
        required=False,
        max_length=300,
        help_text=_("An event at another venue joins the series once a manager of that venue accepts."),
    )
    multiplier = forms.DecimalField(
        label=_("Multiplier"), min_value=0, max_value=20, max_digits=4, decimal_places=2, initial=1
    )

    def __init__(self, *given: Any, events: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        chosen = self.fields["event"]
        assert isinstance(chosen, forms.ModelChoiceField)
        chosen.queryset = events

    def clean(self) -> dict[str, Any]:
        """Find the event."""
        given = super().clean() or {}
        address = given.get("address", "").split("?")[0].rstrip("/")
        if address and not given.get("event"):
            given["event"] = Event.objects.select_related("venue").filter(public_id=address.split("/")[-1]).first()
            if given["event"] is None:
                self.add_error("address", NO_EVENT)
        elif not given.get("event") and "event" not in self.errors:
            self.add_error("event", _("Choose an event, or enter its address."))
        return given


class JoinForm(forms.Form):
    """Two players of a series who are the same person: a name without an account, and any other player."""

    name = forms.ChoiceField(label=_("Player without an account"))
    other = forms.ChoiceField(label=_("Same person as"))

    def __init__(self, *given: Any, players: list[SeriesPlayer], **named: Any) -> None:
        super().__init__(*given, **named)
        with_account = _("%(name)s (account)")
        names = [(player.id, player.full_name) for player in players if player.is_name]
        accounts = [(p.id, with_account % {"name": p.full_name}) for p in players if p.account is not None]
        for name, listed in (("name", names), ("other", [*accounts, *names])):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", "–"), *listed]

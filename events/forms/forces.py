"""Forms of forces: catalogue search, an element typed by hand, a pasted list or force file."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from events.choices import NEEDS_BUILD_TOTAL
from events.force_words import SECTIONS
from events.models import Event
from rules.documents import CHARACTER_KINDS, OBJECT_KINDS, OTHER_KINDS, RANKS, BadFacts, read_facts
from rules.finding import Results, in_tabs
from rules.models import Set
from rules.queries import search_elements
from rules.tables import KIND_WORDS, RANK_WORDS, suggested

SHOWN = 24
MAX_POINTS = 1_000_000
LONGEST_PASTE = 400_000
NO_RING = ("uncommon", "rare", "chase")


class ElementSearchForm(forms.Form):
    """The builder's search in the catalogue; every field is optional."""

    q = forms.CharField(
        label=_("Search by name, number, keyword…"),
        required=False,
        max_length=80,
        widget=forms.SearchInput(
            attrs={
                "autocomplete": "off",
                "enterkeyhint": "search",
                "placeholder": _("Name, number"),
            }
        ),
    )
    set = forms.ChoiceField(label=_("Set"), required=False)
    low = forms.IntegerField(label=_("Points from"), required=False, min_value=0, max_value=MAX_POINTS)
    high = forms.IntegerField(label=_("to"), required=False, min_value=0, max_value=MAX_POINTS)
    keyword = forms.CharField(label=_("Keyword"), required=False, max_length=80, widget=suggested("keyword"))
    team = forms.CharField(label=_("Team"), required=False, max_length=80, widget=suggested("team"))
    power = forms.CharField(label=_("Power"), required=False, max_length=80, widget=suggested("power"))
    every = forms.BooleanField(label=_("Include items not allowed in this event"), required=False)

    def __init__(self, *args: Any, edition: str, sets: list[str] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.edition, self.sets = edition, list(sets or ())
        chosen = self.fields["set"]
        assert isinstance(chosen, forms.ChoiceField)
        chosen.choices = [("", _("all sets")), *Set.objects.order_by("name").values_list("code", "name")]

    @property
    def is_narrowed(self) -> bool:
        """Whether any filter besides the text is set, so that the filters are shown open."""
        return any(self[name].value() for name in self.fields if name != "q")

    def results(self, day: datetime.date | None, tab: str, recent: Callable[[], list[Set]]) -> Results:
        """Return the elements found; before anything is asked, those of the event's sets or of the sets last used."""
        asked = self.cleaned_data if self.is_valid() else {}
        text, every = asked.get("q") or "", bool(asked.get("every"))
        only = [asked["set"]] if asked.get("set") else [] if every else self.sets
        opening = [] if only or any(asked.values()) or "all" in self.data else recent()
        rows = search_elements(
            edition="" if every else self.edition,
            text=text,
            sets=only or [row.code for row in opening] or None,
            points_from=asked.get("low"),
            points_to=asked.get("high"),
            keyword=asked.get("keyword") or None,
            team=asked.get("team") or None,
            power=asked.get("power") or None,
            date=day,
        )
        return in_tabs(rows, tab, opening)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


class ByHandForm(forms.Form):
    """An element that the catalogue lacks, typed as printed."""

    name = forms.CharField(label=_("Name"), max_length=120)
    section = forms.ChoiceField(
        label=_("Type"), choices=[(name, words) for name, words in SECTIONS.items() if name != "sideline"]
    )
    points = forms.IntegerField(label=_("Points"), required=False, min_value=0, max_value=MAX_POINTS)
    set = forms.CharField(label=_("Set"), required=False, max_length=40)
    number = forms.CharField(label=_("Collector number"), required=False, max_length=20)
    rank = forms.ChoiceField(
        label=_("Rank"),
        required=False,
        choices=[
            (rank, _("no ring") if rank == "common" else RANK_WORDS[rank]) for rank in RANKS if rank not in NO_RING
        ],
        initial="common",
    )
    kind = forms.ChoiceField(
        label=_("Subtype"),
        required=False,
        choices=[
            ("", _("standard")),
            *[(kind, KIND_WORDS[kind]) for kind in (*CHARACTER_KINDS[1:], *OBJECT_KINDS, *OTHER_KINDS)],
        ],
    )
    base_color = forms.CharField(label=_("Base colour"), required=False, max_length=20, initial="black")
    teams = forms.CharField(
        label=_("Teams"), required=False, max_length=200, help_text=_("Separate two or more with commas.")
    )
    keywords = forms.CharField(
        label=_("Keywords"), required=False, max_length=300, help_text=_("Separate two or more with commas.")
    )
    street_date = forms.DateField(
        label=_("Street date"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def clean(self) -> dict[str, Any]:
        """Turn the typed values into an element's facts; report faults at their fields."""
        typed = super().clean() or self.cleaned_data
        section = typed.get("section") or "characters"
        figure = section == "characters"
        kind = typed.get("kind") or None
        if kind and kind not in {"characters": CHARACTER_KINDS, "objects": OBJECT_KINDS, "other": OTHER_KINDS}.get(
            section, ()
        ):
            self.add_error("kind", _("This subtype doesn't match the type chosen above."))
            return typed
        facts = {
            "name": typed.get("name", ""),
            "number": typed.get("number") or None,
            "points": typed.get("points") if section != "battlefield_conditions" else None,
            "kind": kind or ("heavy" if section == "objects" else None),
            "rank": typed.get("rank") or None if figure else None,
            "base_color": typed.get("base_color") or None if figure else None,
            "teams": _listed(typed.get("teams", "")) if figure else None,
            "keywords": _listed(typed.get("keywords", "")) if figure else None,
            "street_date": day.isoformat() if (day := typed.get("street_date")) else None,
        }
        if section == "team_ability_cards":
            facts["cost_per_character"] = facts.pop("points")
        if figure and typed.get("points") is None:
            self.add_error("points", _("Enter the figure's points."))
        if self.errors:
            return typed
        try:
            typed["facts"] = read_facts(
                section, {key: value for key, value in facts.items() if value not in (None, [])}
            )
        except BadFacts as wrong:
            self.add_error(wrong.where if wrong.where in self.fields else None, str(wrong.message))
            return typed
        if figure and typed.get("set"):
            typed["facts"]["set"] = typed["set"]
        return typed


class TermsForm(forms.Form):
    """The terms under which a free force is checked."""

    edition = forms.ChoiceField(label=_("Rulebook edition"), choices=Event.Edition.choices)
    build_total = forms.IntegerField(
        label=_("Build total"),
        required=False,
        min_value=0,
        max_value=MAX_POINTS,
        initial=300,
        help_text=_("Leave empty for a Battle Royale without a build total."),
    )
    format = forms.ChoiceField(label=_("Format"), choices=Event.Format.choices)
    sanctioned = forms.BooleanField(label=_("Sanctioned event"), required=False)
    date = forms.DateField(
        label=_("Event date"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def clean(self) -> dict[str, Any]:
        """Require a build total, except in a Battle Royale."""
        given = super().clean() or self.cleaned_data
        if (
            "build_total" in given
            and given["build_total"] is None
            and given.get("format") != Event.Format.BATTLE_ROYALE
        ):
            self.add_error("build_total", NEEDS_BUILD_TOTAL)
        return given


class ForceListForm(forms.Form):
    """A force from elsewhere: a list with one element per line, or a force file; pasted or uploaded."""

    text = forms.CharField(
        label=_("Your list"),
        required=False,
        strip=False,
        max_length=LONGEST_PASTE,
        widget=forms.Textarea(
            attrs={"rows": 7, "spellcheck": "false", "class": "code", "placeholder": "2x Brine Ghoul\nsvc 012 100"}
        ),
        help_text=_(
            "Enter one item per line, by name or by set and number. Count and points are optional. "
            "You can also paste a force file."
        ),
    )
    file = forms.FileField(
        label=_("Or choose a file"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".txt,.json,.csv,text/plain,application/json"}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for field in self.fields.values():
            field.help_says_when = True  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Read the file in place of the text, if one was sent."""
        given = super().clean() or self.cleaned_data
        if (file := given.get("file")) is not None:
            given["text"] = self._text_of(file)
        if not self.errors and not given.get("text", "").strip():
            self.add_error("text", _("Paste a list, or choose a file."))
        return given

    def _text_of(self, file: Any) -> str:
        if file.size > LONGEST_PASTE:
            self.add_error(
                "file",
                _("This file is too large. It can have at most %(most)d bytes.") % {"most": LONGEST_PASTE},
            )
            return ""
        try:
            text = str(file.read(), "utf-8-sig")
        except UnicodeDecodeError:
            self.add_error("file", _("The file can't be read as text. Save it as UTF-8 and try again."))
            return ""
        return text.replace("\0", "")

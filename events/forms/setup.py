"""The form for an event's settings: quick to fill in, with advanced choices folded away."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from events import choices, policy, standings
from events.forms.setup_tables import build_total_of, faults_of_first_round, faults_of_tables
from events.models import Event, Person, Venue
from events.policy import PolicyViolation
from events.services.policy import is_approved_volunteer
from events.services.rounds import MAX_ROUND_MINUTES
from events.services.setup import NO_DRAFT, new_violations, publishing_of, violations_of_draft
from rules.models import Set

from .moments import MomentField
from .people import AccountField

AS_EDITION, NONE = "default", "none"
SCENARIO_ROUNDS = 8
WORKED_HERE = {"list": "worked-here", "autocomplete": "off"}
SETS_HELP = _(
    "Leave this empty to allow every set or, in a new head-to-head event with the May 2002 "
    "rules, only Infinity Challenge."
)


POLICY_FIELDS = (
    "starts", "universe", "format", "build_total", "preparation_minutes", "is_practice", "seats", "number_of_rounds",
    "pairing_style", "cut_to", "round_minutes",
)  # fmt: skip


class EventForm(forms.ModelForm):
    """An event's settings; `facts` is what the services take."""

    FIRST = ("name", "starts", "format", "edition", "build_total", "seats")
    GROUPS = (
        ("about", _("Description, fee and prizes")),
        ("rounds", _("Rounds and pairing")),
        ("time", _("Time")),
        ("scenarios", _("Scenarios")),
        ("standings", _("Standings and points")),
        ("figures", _("Figures and sets")),
        ("hall", _("Hall and tables")),
        ("entries", _("Entries and privacy")),
    )
    IN_GROUP = {
        "about": ("description", "fee", "prizes"),
        "rounds": (
            "pairing_style",
            "number_of_rounds",
            "table_size",
            "place_points",
            "table_ties",
            "teams_of_two",
            "pair_bonus",
            "first_round",
            "keep_clubs_apart",
            "cut_to",
            "third_place",
        ),
        "time": (
            "round_minutes",
            "cut_minutes",
            "final_minutes",
            "preparation_minutes",
            "time_called",
            "tied_game",
        ),
        "scenarios": ("scenario_of_all", *(f"scenario_{n}" for n in range(1, SCENARIO_ROUNDS + 1))),
        "standings": (*(f"by_{n}" for n in range(1, choices.CASCADE_LENGTH + 1)), "bye_score", "cap_points"),
        "figures": ("universe", "sets", "tactics", "event_dial", "forces_close", "forces_public"),
        "hall": ("hall", "first_table"),
        "entries": ("entries_close", "late_start", "self_check_in", "shorten_minors"),
    }

    head_judge = AccountField(
        label=_("Head judge"),
        required=False,
        widget=forms.EmailInput(attrs=WORKED_HERE),
        help_text=_("Enter an approved volunteer's e-mail address, or choose the head judge later."),
    )
    despite = forms.BooleanField(
        label=_("Save as a draft anyway"),
        required=False,
        help_text=_(
            "You can't open registration until the event follows the policy or the sanctioning office "
            "grants an exception."
        ),
    )
    sets = forms.CharField(
        label=_("Allowed sets"),
        required=False,
        help_text=SETS_HELP,
    )
    tactics = forms.MultipleChoiceField(
        label=_("Allowed tactics, if the edition has them"),
        required=False,
        choices=list(choices.TACTICS.items()),
        widget=forms.CheckboxSelectMultiple,
    )
    cut_to = forms.IntegerField(
        label=_("Cut to top"),
        required=False,
        min_value=0,
        max_value=choices.LARGEST_CUT,
        help_text=_(
            "After the last round, the top players continue in single elimination. Leave empty for no "
            "cut. If the number isn't a power of two (2, 4, 8, 16 …), the top seeds start with a bye."
        ),
    )

    place_points = forms.CharField(
        label=_("Points by place"),
        required=False,
        max_length=40,
        help_text=_("For tables of three or four, enter the points from first place down. Leave empty for 4/3/2/1."),
    )

    class Meta:
        model = Event
        fields = [
            "name",
            "format",
            "edition",
            "build_total",
            "seats",
            "is_practice",
            "universe",
            "event_dial",
            "hall",
            "first_table",
            "pairing_style",
            "table_size",
            "table_ties",
            "first_round",
            "teams_of_two",
            "pair_bonus",
            "number_of_rounds",
            "third_place",
            "round_minutes",
            "cut_minutes",
            "final_minutes",
            "preparation_minutes",
            "bye_score",
            "cap_points",
            "time_called",
            "tied_game",
            "late_start",
            "keep_clubs_apart",
            "shorten_minors",
            "self_check_in",
            "forces_public",
            "description",
            "fee",
            "prizes",
        ]
        widgets = {name: forms.Textarea(attrs={"rows": 3}) for name in ("description", "prizes")}
        help_texts = {
            "build_total": _("Enter a multiple of 100. A Battle Royale has none unless you enter one."),
            "seats": _("Later entries join the waiting list."),
            "number_of_rounds": _("Leave empty to get a suggestion once players have checked in."),
            "bye_score": _("A bye counts as a win."),
            "event_dial": _("Only the 2014 rulebook has event dials."),
            "first_round": _(
                "To pair by rank, enter each player's rank when you add the player, or import the ranks with "
                "the list of players."
            ),
            "cut_minutes": _(
                "This length applies in a cut and in single elimination. Leave empty to use the length of "
                "the other rounds."
            ),
            "final_minutes": _(
                "This length also applies to the match for third place. Leave empty to use the length of the "
                "other bracket rounds."
            ),
            "prizes": _("The event's page shows the prizes. Example: “Top 4: a booster each”."),
            "third_place": _("The losing semifinalists play each other during the final."),
            "keep_clubs_apart": _("Club-mates still meet if no other pairing is possible."),
            "first_table": _("The event's table numbers start at this number."),
            "format": _("In a Battle Royale, four players share a table."),
            "teams_of_two": _(
                "Two players form a team. Two teams meet at two neighbouring tables, or at one table of four."
            ),
            "pair_bonus": _(
                "In events with teams, each player of the team that wins a table of four gets these extra points."
            ),
        }

    def __init__(self, *given: Any, venue: Venue, actor: Person | None = None, **named: Any) -> None:
        super().__init__(*given, **named)
        self.venue = venue
        self.is_new = self.instance.pk is None
        self.stored = copy.copy(self.instance)
        self.violations: list[PolicyViolation] = []
        self.may_stay_a_draft = False
        self.fields["starts"] = MomentField(
            venue=venue, label=_("Starts"), help_text=_("Venue time (%(zone)s).") % {"zone": venue.time_zone}
        )
        for name, label in (("entries_close", _("Registration closes")), ("forces_close", _("Forces due"))):
            self.fields[name] = MomentField(
                venue=venue, label=label, required=False, help_text=_("Leave empty to use the start of the event.")
            )
        for name in ("starts", "entries_close", "forces_close"):
            self.initial.setdefault(name, None if self.is_new else getattr(self.instance, name))
        halls = self.fields["hall"]
        if isinstance(halls, forms.ModelChoiceField):
            halls.queryset = venue.halls.all()
        self._scenario_fields()
        self._cascade_fields()
        self._sets_field()
        allowed = self.instance.tactics
        self.initial["tactics"] = list(choices.TACTICS) if allowed is None else allowed
        self.initial["cut_to"] = self.instance.cut_to or None
        self.fields["build_total"].required = self["format"].value() != Event.Format.BATTLE_ROYALE
        self.fields["build_total"].error_messages["required"] = choices.NEEDS_BUILD_TOTAL
        if not self.instance.build_total:
            self.initial["build_total"] = None
        for name in ("table_size", "table_ties", "first_round", "pair_bonus"):
            self.fields[name].required = False
        self.initial["place_points"] = "/".join(map(str, self.instance.place_points))
        if not self.is_new:
            del self.fields["head_judge"]
        elif actor is not None and is_approved_volunteer(actor):
            self.initial.setdefault("head_judge", actor.email)

    def _sets_field(self) -> None:
        """Offer the catalogue's sets if there is a catalogue; otherwise their abbreviations are typed."""
        catalogue = dict(Set.objects.values_list("code", "name"))
        allowed = list(self.instance.sets)
        if catalogue:
            known = {code: f"{name} ({code})" for code, name in catalogue.items()}
            self.fields["sets"] = forms.MultipleChoiceField(
                label=_("Allowed sets"),
                required=False,
                choices=[*known.items(), *((code, code) for code in allowed if code not in known)],
                widget=forms.CheckboxSelectMultiple,
                help_text=SETS_HELP,
            )
        self.initial["sets"] = allowed if catalogue else ", ".join(allowed)

    def _scenario_fields(self) -> None:
        known = [(name or NONE, title) for name, title in choices.SCENARIOS.items()]
        self.fields["scenario_of_all"] = forms.ChoiceField(
            label=_("Scenario for each round"),
            choices=[
                (AS_EDITION, _("the edition's default: Challenge of the Champions in 2002, none in later editions")),
                *known,
            ],
            help_text=_("Each edition has its own scenarios. Choose one from the event's edition."),
        )
        stored = list(self.instance.scenarios)
        base = stored[-1] if stored else choices.NO_SCENARIO
        if self.is_new or base == choices.default_scenario(self.instance.edition):
            self.initial["scenario_of_all"] = AS_EDITION
        else:
            self.initial["scenario_of_all"] = base or NONE
        for number in range(1, SCENARIO_ROUNDS + 1):
            self.fields[f"scenario_{number}"] = forms.ChoiceField(
                label=_("Round %(number)d") % {"number": number},
                required=False,
                choices=[("", _("same as the other rounds")), *known],
            )
            if number <= len(stored) and stored[number - 1] != base:
                self.initial[f"scenario_{number}"] = stored[number - 1] or NONE

    def _cascade_fields(self) -> None:
        chosen = list(self.instance.cascade or standings.usual_cascade(by_place=self.instance.has_tables))
        known = [("", "–"), *choices.CRITERIA.items()]
        for place in range(1, choices.CASCADE_LENGTH + 1):
            self.fields[f"by_{place}"] = forms.ChoiceField(
                label=_("Rank players by") if place == 1 else _("Tie-breaker %(place)d") % {"place": place},
                required=place == 1,
                choices=known[1:] if place == 1 else known,
            )
            self.initial[f"by_{place}"] = chosen[place - 1] if place <= len(chosen) else ""

    def groups(self) -> Iterator[dict[str, Any]]:
        """Yield the folded groups of fields, each with its heading and whether it contains a fault."""
        for name, heading in self.GROUPS:
            fields = [self[field] for field in self.IN_GROUP[name]]
            yield {
                "name": name,
                "heading": heading,
                "fields": fields,
                "open": any(field.errors for field in fields),
                "grid": name in ("scenarios", "standings", "rounds", "time", "hall"),
            }

    def first(self) -> list[forms.BoundField]:
        """Return the fields that everyone fills in."""
        return [self[name] for name in self.FIRST]

    def clean_sets(self) -> list[str]:
        """Parse the abbreviations of the sets."""
        if not isinstance(self.cleaned_data["sets"], str):
            return list(self.cleaned_data["sets"])
        found = [part.strip().lower() for part in re.split(r"[,;\s]+", self.cleaned_data["sets"]) if part.strip()]
        odd = [part for part in found if len(part) > 20 or not re.fullmatch(r"[\w.\-]+", part)]
        if odd:
            raise ValidationError(_("“%(set)s” isn't the abbreviation of a set."), params={"set": odd[0][:40]})
        return list(dict.fromkeys(found))

    def clean_description(self) -> str:
        """Refuse text that may not be published, such as contact data."""
        return self._published("description")

    def clean_prizes(self) -> str:
        """Refuse text that may not be published."""
        return self._published("prizes")

    def _published(self, name: str) -> str:
        text: str = self.cleaned_data[name]
        for one in publishing_of(self.stored, text) if not self.is_new else ():
            raise ValidationError(policy.sentence(one))
        return text

    def clean_seats(self) -> int:
        """Require at least two players."""
        seats = self.cleaned_data["seats"]
        if not 2 <= seats <= 5000:
            raise ValidationError(_("An event can have 2 to 5,000 seats."))
        return seats

    def clean_build_total(self) -> int:
        """Read an empty field, or one left as it was for a new Battle Royale, as no build total."""
        royale = Event.Format.BATTLE_ROYALE
        becomes_one = self.cleaned_data.get("format") == royale != self.stored.format
        untouched = becomes_one and "build_total" not in self.changed_data
        return build_total_of(None if untouched else self.cleaned_data["build_total"], self.cleaned_data.get("format"))

    def clean_number_of_rounds(self) -> int | None:
        """Require at least one round, if given."""
        rounds = self.cleaned_data["number_of_rounds"]
        if rounds is not None and not 1 <= rounds <= 99:
            raise ValidationError(_("Enter a number from 1 to 99, or leave this empty."))
        return rounds

    def clean_cut_to(self) -> int:
        """Read an empty field as no cut."""
        places = self.cleaned_data["cut_to"] or 0
        if places == 1:
            raise forms.ValidationError(_("A cut needs at least two players. Leave this empty for no cut."))
        return int(places)

    def clean_table_size(self) -> int:
        """Keep the size that the event has if none is given."""
        return int(self.cleaned_data["table_size"] or self.stored.table_size)

    def clean_table_ties(self) -> str:
        """Keep the choice that the event has if none is given."""
        return str(self.cleaned_data["table_ties"] or self.stored.table_ties)

    def clean_first_round(self) -> str:
        """Keep the choice that the event has if none is given."""
        return str(self.cleaned_data["first_round"] or self.stored.first_round)

    def clean_pair_bonus(self) -> int:
        """Keep the bonus that the event has if none is given."""
        bonus = self.cleaned_data["pair_bonus"]
        if bonus is not None and bonus > choices.MAX_PLACE_POINTS:
            raise ValidationError(_("A bonus can be at most %(n)d points.") % {"n": choices.MAX_PLACE_POINTS})
        return int(self.stored.pair_bonus if bonus is None else bonus)

    def clean_place_points(self) -> list[int]:
        """Read the points for each place."""
        try:
            return choices.place_points_of(self.cleaned_data["place_points"])
        except ValueError:
            raise forms.ValidationError(choices.BAD_PLACE_POINTS) from None

    def clean_preparation_minutes(self) -> int:
        """Allow up to four hours."""
        minutes = self.cleaned_data["preparation_minutes"]
        if minutes > 240:
            raise ValidationError(_("Enter at most 240 minutes of preparation."))
        return minutes

    def clean_first_table(self) -> int:
        """Require table numbers from 1."""
        first = self.cleaned_data["first_table"]
        if not 1 <= first <= 9000:
            raise ValidationError(_("Enter a table number from 1 to 9,000."))
        return first

    def clean(self) -> dict[str, Any]:
        """Check fields that depend on each other: build total, sanction, edition, scenarios, tie-breakers, times."""
        given = super().clean() or {}
        for field, message in (*faults_of_tables(given), *faults_of_first_round(given)):
            self.add_error(field, message)
        self._check_scenarios(given)
        self._check_cascade(given)
        for name in ("round_minutes", "cut_minutes", "final_minutes"):
            if given.get(name) is not None and not 1 <= given[name] <= MAX_ROUND_MINUTES:
                self.add_error(name, _("A round can last 1 to %(most)d minutes.") % {"most": MAX_ROUND_MINUTES})
        if given.get("event_dial") and given.get("edition") not in choices.EVENT_DIALS_IN:
            self.add_error(
                "event_dial", _("This edition has no event dials. Choose the 2014 rulebook or no event dial.")
            )
        if given.get("cut_to"):
            if given.get("pairing_style") == Event.Style.ELIMINATION:
                self.add_error("cut_to", _("Single elimination has no cut. Leave this empty."))
            elif given.get("seats", 16) < given["cut_to"]:
                self.add_error(
                    "cut_to", _("The cut is larger than the number of seats. Choose a smaller cut or add seats.")
                )
        for name in ("entries_close", "forces_close"):
            if given.get(name) and given.get("starts") and given[name] > given["starts"]:
                self.add_error(name, _("This is after the event starts. Choose an earlier time."))
        self._check_policy(given)
        return given

    def _check_policy(self, given: dict[str, Any]) -> None:
        """Report policy conflicts at their fields, unless they are saved in a draft."""
        wanted = {
            name: given[name] for name in POLICY_FIELDS if given.get(name) is not None and name not in self.errors
        }
        if "starts" not in wanted or "build_total" in self.errors:
            return
        if self.is_new:
            event = Event(venue=self.venue, **wanted)
            self.violations = violations_of_draft(event, given.get("head_judge"))
        else:
            self.violations = new_violations(self.stored, wanted)
        is_draft = self.is_new or self.stored.state == Event.State.DRAFT
        against = policy.refusals(self.violations)
        self.may_stay_a_draft = is_draft and not any(one.rule in NO_DRAFT for one in against)
        if self.may_stay_a_draft and given.get("despite"):
            return
        for one in against:
            self.add_error(one.field if one.field in self.fields else None, policy.sentence(one))

    def _check_scenarios(self, given: dict[str, Any]) -> None:
        edition = given.get("edition")
        if edition is None:
            return
        known = choices.SCENARIOS_OF[edition]
        for name in self.IN_GROUP["scenarios"]:
            chosen = given.get(name)
            if given.get("build_total") == 0 and chosen in choices.BY_BUILD_TOTAL:
                self.add_error(name, choices.SCENARIO_NEEDS_BUILD_TOTAL)
            elif chosen and chosen not in (AS_EDITION, NONE) and chosen not in known:
                self.add_error(
                    name,
                    _("“%(scenario)s” isn't in this edition (%(edition)s). Choose another scenario.")
                    % {"scenario": choices.SCENARIOS[chosen], "edition": Event.Edition(edition).label},
                )

    def _check_cascade(self, given: dict[str, Any]) -> None:
        seen: set[str] = set()
        for place in range(1, choices.CASCADE_LENGTH + 1):
            chosen = given.get(f"by_{place}")
            if chosen and chosen in seen:
                self.add_error(f"by_{place}", _("You've already chosen this above."))
            seen.add(chosen or "")

    @property
    def facts(self) -> dict[str, Any]:
        """The event's fields as the services take them."""
        given = self.cleaned_data
        found = {name: given[name] for name in self.Meta.fields}
        if not found["build_total"]:
            found |= {"bye_score": Event.ByeScore.NONE, "cap_points": False}
        for name in ("starts", "entries_close", "forces_close", "cut_to", "sets", "place_points"):
            found[name] = given[name]
        if self.is_new and not found["sets"]:
            found["sets"] = choices.default_sets(given["edition"], given["format"])
        found["tactics"] = None if set(given["tactics"]) == set(choices.TACTICS) else given["tactics"]
        found["cascade"] = [
            chosen for place in range(1, choices.CASCADE_LENGTH + 1) if (chosen := given[f"by_{place}"])
        ]
        by_place = given["table_size"] > Event.TableSize.TWO
        before = list(standings.usual_cascade(by_place=self.stored.has_tables))
        if by_place != self.stored.has_tables and found["cascade"] == before:
            found["cascade"] = list(standings.usual_cascade(by_place=by_place))
        found["scenarios"] = self._scenarios(given)
        return found

    def _scenarios(self, given: dict[str, Any]) -> list[str]:
        base = given["scenario_of_all"]
        usual = choices.default_scenario(given["edition"]) if given["build_total"] else choices.NO_SCENARIO
        base = usual if base == AS_EDITION else base
        base = choices.NO_SCENARIO if base == NONE else base
        rounds = []
        for number in range(1, SCENARIO_ROUNDS + 1):
            chosen = given[f"scenario_{number}"] or base
            rounds.append(choices.NO_SCENARIO if chosen == NONE else chosen)
        while rounds and rounds[-1] == base:
            rounds.pop()
        return [*rounds, base] if rounds or base else []

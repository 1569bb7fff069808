"""Results: what a match's result says, whether two reports say the same, and how a winner follows from it.

A result is a plain dictionary with the keys of KEYS; sides are "a" and "b", scores are uncapped victory points. Here
lives what is true of any result without a database; who may report one is `events.services.results`, what it is worth
in the standings is `events.standings`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

Result = dict[str, Any]

SIDES = ("a", "b")
OTHER = {"a": "b", "b": "a", "both": "both"}
MOST_POINTS = 1_000_000
FAR_TOO_MANY = 10
"""Scores above this many build totals are taken for a slip of the finger (archenemies double, captives triple)."""

EMPTY: Result = {
    "winner": None,
    "score_a": 0,
    "score_b": 0,
    "double_loss": False,
    "went_first": None,
    "map_by": None,
    "to_time": False,
    "roll_off": None,
    "late": None,
    "abandoned_by": None,
    "decided_by": None,
    "battle": None,
}
KEYS = frozenset(EMPTY)

WAYS = {
    "victory-points": gettext_lazy("more victory points"),
    "lowest-force": gettext_lazy("the force built with fewer points"),
    "roll-off": gettext_lazy("a roll-off with two dice"),
    "last-standing": gettext_lazy("the last characters standing"),
    "scenario": gettext_lazy("the scenario's own rule"),
    "late": gettext_lazy("the opponent came too late"),
    "abandoned": gettext_lazy("the opponent abandoned the battle"),
    "judge": gettext_lazy("a judge's decision"),
    "double-loss": gettext_lazy("a loss for both"),
    "bye": gettext_lazy("a bye"),
    "missed": gettext_lazy("the round was missed"),
}
TIE_BREAK = {
    "ic-2002": "lowest-force",
    "car-2002": "lowest-force",
    "dc-2005": "lowest-force",
    "core-2014": "roll-off",
    "core-modern": "roll-off",
}
"""How each edition breaks a tie in victory points (the chapters "Victory!" and "Determining the Winner")."""

BESIDE_POINTS = {
    "ic-2002": ("scenario",),
    "car-2002": ("scenario",),
    "dc-2005": ("lowest-force", "scenario"),
    "core-2014": ("last-standing", "scenario"),
    "core-modern": ("last-standing", "scenario"),
}
"""What may decide against the points: dc-2005 gives a battle without a defeat to the smaller force."""


def _apart(name: str) -> str:
    """Return a name that is read from right to left so that it does not turn round the points beside it (UAX 9)."""
    turns = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    return f"\u2068{name}\u2069" if turns else name


@dataclass(frozen=True)
class Terms:
    """What a result is judged by: the edition, the event's choices, both names, the forces' points where known."""

    edition: str
    build_total: int
    tied_game: str = "edition"
    name_a: str = "A"
    name_b: str = "B"
    force_a: int | None = None
    force_b: int | None = None
    by_judge: bool = False

    @property
    def tie_break(self) -> str:
        """The edition's own tie-break."""
        return TIE_BREAK.get(self.edition, "lowest-force")

    @property
    def beside_points(self) -> tuple[str, ...]:
        """The ways in which somebody may win against the points."""
        return (*BESIDE_POINTS.get(self.edition, ("scenario",)), "late", *(("judge",) if self.by_judge else ()))

    def name(self, side: str | None) -> str:
        """The name of a side; a dash for nobody, both names for both."""
        if side == "both":
            return _("both")
        return {"a": _apart(self.name_a), "b": _apart(self.name_b)}.get(side or "", "–")


class Difference(NamedTuple):
    """A line in which two reports differ, in words."""

    what: str
    one: str
    other: str


def read_score(given: object) -> int:
    """Return victory points from what was typed; raise ValidationError saying what is wrong."""
    if isinstance(given, bool) or given is None or given == "":
        raise ValidationError(_("Type the victory points: a whole number, 0 for none."))
    if isinstance(given, int):
        number = given
    elif isinstance(given, str) and given.strip().isascii() and given.strip().isdecimal() and len(given.strip()) < 10:
        number = int(given.strip())
    else:
        raise ValidationError(
            _("“%(given)s” is no whole number: type the victory points in digits, such as 120."),
            params={"given": str(given)[:40]},
        )
    if not 0 <= number <= MOST_POINTS:
        raise ValidationError(_("Victory points are whole numbers from 0 to 1,000,000."))
    return number


def _read_die_total(given: object) -> int:
    number = read_score(given)
    if not 2 <= number <= 12:
        raise ValidationError(_("Two dice show 2 to 12."))
    return number


class _Reading:
    """Collects what is wrong, field by field, while a result is read."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given
        self.faults: dict[str, list[str]] = {}

    def fault(self, field: str, message: str) -> None:
        self.faults.setdefault(field, []).append(message)

    def number(self, field: str, reader: Any = read_score) -> int | None:
        try:
            return reader(self.given.get(field))
        except ValidationError as wrong:
            self.fault(field, " ".join(wrong.messages))
            return None

    def side(self, field: str, *more: str) -> str | None:
        value = self.given.get(field) or None
        if value is not None and value not in (*SIDES, *more):
            self.fault(field, _("Choose one of the two players."))
            return None
        return value

    def flag(self, field: str) -> bool:
        return self.given.get(field) in (True, "true", "on", "yes", "1", 1)

    def roll_off(self) -> dict[str, int] | None:
        given = self.given.get("roll_off")
        if not given:
            return None
        if not isinstance(given, Mapping) or set(given) != set(SIDES):
            self.fault("roll_off", _("A roll-off has a total for each player."))
            return None
        try:
            return {side: _read_die_total(given[side]) for side in SIDES}
        except ValidationError as wrong:
            self.fault("roll_off", " ".join(wrong.messages))
            return None


def normalise(given: Mapping[str, Any], terms: Terms) -> Result:
    """Return the whole result that was meant, with its winner and how it was decided.

    The winner follows from the uncapped scores; equal scores need the edition's tie-break or, where the event says so
    and nobody scored, count as a loss for both. Somebody may win against the points only in a way that is named.
    Raises ValidationError with a message for each field.
    """
    reading = _Reading(given)
    unknown = sorted(set(given) - KEYS)
    if unknown:
        raise ValidationError(_("A result has no “%(name)s”."), params={"name": str(unknown[0])[:40]})
    result = dict(EMPTY)
    score_a, score_b = reading.number("score_a"), reading.number("score_b")
    for field, score in (("score_a", score_a), ("score_b", score_b)):
        if score is not None and terms.build_total and score > FAR_TOO_MANY * terms.build_total:
            reading.fault(
                field,
                _("%(score)d is more than a battle of %(total)d points can give: look again.")
                % {"score": score, "total": terms.build_total},
            )
    result["went_first"] = reading.side("went_first")
    result["map_by"] = reading.side("map_by")
    result["late"] = reading.side("late", "both")
    result["abandoned_by"] = reading.side("abandoned_by")
    result["to_time"] = reading.flag("to_time")
    result["roll_off"] = reading.roll_off()
    battle = given.get("battle")
    if battle is not None and not isinstance(battle, Mapping):
        reading.fault("battle", _("A battle is a battle file."))
    result["battle"] = battle or None
    named, way = reading.side("winner"), given.get("decided_by") or None
    if reading.faults or score_a is None or score_b is None:
        raise ValidationError(reading.faults)
    result["score_a"], result["score_b"] = score_a, score_b
    winner, decided = _decide(reading, result, terms, named, way)
    if reading.faults:
        raise ValidationError(reading.faults)
    result["winner"], result["decided_by"] = winner, decided
    result["double_loss"] = decided == "double-loss"
    return result


def _decide(
    reading: _Reading, result: Result, terms: Terms, named: str | None, way: object
) -> tuple[str | None, str | None]:
    """Return the winner and what decided; what is missing or contradicts itself becomes a fault."""
    a, b = result["score_a"], result["score_b"]
    ahead = "a" if a > b else "b" if b > a else None
    if result["abandoned_by"]:
        if reading.flag("double_loss") or named == result["abandoned_by"]:
            reading.fault("winner", _("Who abandons the battle does not win it, and the opponent does."))
        return OTHER[result["abandoned_by"]], "abandoned"
    if reading.flag("double_loss") or (ahead is None and a == 0 and terms.tied_game == "double-loss" and not named):
        return None, _double_loss(reading, result, terms, named)
    if way == "judge" and not terms.by_judge:
        reading.fault("decided_by", _("Only a judge decides, and gives the reason."))
        return None, None
    if ahead is None:
        if result["roll_off"]:
            return _rolled(reading, result, terms, named)
        return _tied(reading, result, terms, named, way)
    if result["roll_off"]:
        reading.fault("roll_off", _("The victory points are not equal: nothing was rolled off."))
        return None, None
    if named in (None, ahead) and way in (None, "victory-points"):
        return ahead, "victory-points"
    if way in terms.beside_points:
        return _beside_the_points(reading, result, terms, named, str(way))
    if way not in (None, "victory-points"):
        reading.fault("decided_by", _("In this event a battle with different victory points is not decided that way."))
    else:
        reading.fault(
            "winner",
            _("%(ahead)s has more victory points. If %(named)s won all the same, say what decided.")
            % {"ahead": terms.name(ahead), "named": terms.name(named)},
        )
    return None, None


def _double_loss(reading: _Reading, result: Result, terms: Terms, named: str | None) -> str:
    if named:
        reading.fault("winner", _("A loss for both has no winner."))
    scored = result["score_a"] or result["score_b"]
    by_event = not scored and terms.tied_game == "double-loss"
    if not (by_event or result["late"] == "both" or terms.by_judge):
        reading.fault(
            "double_loss",
            _("Here only a judge gives a loss to both.")
            if terms.tied_game != "double-loss"
            else _("At this event both lose where nobody scored; otherwise only a judge decides so."),
        )
    return "double-loss"


def _rolled(reading: _Reading, result: Result, terms: Terms, named: str | None) -> tuple[str | None, str | None]:
    a, b = result["roll_off"]["a"], result["roll_off"]["b"]
    smaller = _smaller_force(terms)
    if terms.tie_break == "lowest-force" and smaller:
        reading.fault(
            "roll_off",
            _("In this edition the smaller force wins a tie: %(name)s.") % {"name": terms.name(smaller)},
        )
        return None, None
    if a == b:
        reading.fault("roll_off", _("Both rolled the same: roll again and type the roll that decided."))
        return None, None
    winner = "a" if a > b else "b"
    if named and named != winner:
        reading.fault("winner", _("%(name)s won the roll-off.") % {"name": terms.name(winner)})
    return winner, "roll-off"


def _smaller_force(terms: Terms) -> str | None:
    if terms.force_a is None or terms.force_b is None or terms.force_a == terms.force_b:
        return None
    return "a" if terms.force_a < terms.force_b else "b"


def _beside_the_points(
    reading: _Reading, result: Result, terms: Terms, named: str | None, way: str
) -> tuple[str | None, str]:
    """Somebody won by something else than points: who must be said, and it must be possible."""
    smaller = _smaller_force(terms)
    if named is None:
        reading.fault("winner", _("Say who won."))
    elif way == "late" and result["late"] != OTHER[named]:
        reading.fault("late", _("Say that %(name)s came too late.") % {"name": terms.name(OTHER[named])})
    elif way == "lowest-force" and smaller and named != smaller:
        reading.fault("winner", _("The smaller force is that of %(name)s.") % {"name": terms.name(smaller)})
    return named, way


def _tied(
    reading: _Reading, result: Result, terms: Terms, named: str | None, way: object
) -> tuple[str | None, str | None]:
    """Equal scores and no roll: the smaller force where that is the edition's way, else somebody must say."""
    if way in terms.beside_points and way != "lowest-force":
        return _beside_the_points(reading, result, terms, named, str(way))
    if terms.tie_break == "roll-off":
        reading.fault("roll_off", _("The victory points are equal: type what each rolled with two dice."))
        return None, None
    smaller = _smaller_force(terms)
    if smaller and named and named != smaller:
        reading.fault(
            "winner", _("In this edition the smaller force wins a tie: %(name)s.") % {"name": terms.name(smaller)}
        )
    winner = smaller or named
    if winner is None:
        reading.fault(
            "winner",
            _("The victory points are equal: name the player whose force was built with fewer points as the winner."),
        )
    return winner, "lowest-force"


LINES = (
    ("winner", gettext_lazy("winner")),
    ("score_a", gettext_lazy("victory points of %(a)s")),
    ("score_b", gettext_lazy("victory points of %(b)s")),
    ("double_loss", gettext_lazy("a loss for both")),
    ("roll_off", gettext_lazy("roll-off")),
    ("went_first", gettext_lazy("went first")),
    ("map_by", gettext_lazy("chose the map")),
    ("late", gettext_lazy("came late")),
    ("abandoned_by", gettext_lazy("abandoned the battle")),
    ("to_time", gettext_lazy("went to time")),
)
ALWAYS_SAID = frozenset({"winner", "score_a", "score_b", "double_loss"})


def in_words(result: Mapping[str, Any], key: str, terms: Terms) -> str:
    """Return one value of a result as a page shows it."""
    value = result.get(key)
    if key in ("winner", "went_first", "map_by", "late", "abandoned_by"):
        if key == "winner" and value is None:
            return _("nobody")
        return terms.name(value)
    if key in ("double_loss", "to_time"):
        return _("yes") if value else _("no")
    if key == "roll_off":
        return f"{value['a']} : {value['b']}" if value else "–"
    if key == "decided_by":
        return str(WAYS.get(str(value), "–"))
    return str(value)


def label_of(key: str, terms: Terms) -> str:
    """Return what a line of a result is called, with the players' names."""
    return str(dict(LINES)[key]) % {"a": terms.name_a, "b": terms.name_b}


def compare(one: Mapping[str, Any], other: Mapping[str, Any], terms: Terms) -> list[Difference]:
    """Return the lines in which two reports contradict each other; what one of them leaves out contradicts nothing."""
    found = []
    for key, _label in LINES:
        mine, theirs = one.get(key), other.get(key)
        silent = key not in ALWAYS_SAID and (not mine or not theirs)
        if mine != theirs and not silent:
            found.append(Difference(label_of(key, terms), in_words(one, key, terms), in_words(other, key, terms)))
    return found


def merge(one: Mapping[str, Any], other: Mapping[str, Any]) -> Result:
    """Return what two reports that do not contradict each other say together."""
    return {key: one.get(key) or other.get(key) or EMPTY[key] for key in EMPTY}


PLAYERS_OF_A_BATTLE = frozenset(
    {
        "player",
        "abandoned_by",
        "scenario_winner",
        "attacker",
        "defender",
        "on_turn_of",
        "controller",
        "last_damaged_by",
    }
)
SWAPPED_NAME = {"A": "B", "B": "A"}


def _swap_battle(value: Any) -> Any:
    if isinstance(value, Mapping):
        swapped: dict[str, Any] = {}
        for key, inner in value.items():
            if key in PLAYERS_OF_A_BATTLE and isinstance(inner, str):
                swapped[key] = SWAPPED_NAME.get(inner, inner)
            elif key == "roll_off" and isinstance(inner, Mapping):
                swapped[key] = {SWAPPED_NAME.get(name, name): total for name, total in inner.items()}
            else:
                swapped[key] = _swap_battle(inner)
        return swapped
    return [_swap_battle(inner) for inner in value] if isinstance(value, list) else value


def swap(result: Mapping[str, Any]) -> Result:
    """Return the same result with the players' sides exchanged; twice is the result itself."""
    swapped = dict(result)
    for key in ("winner", "went_first", "map_by", "late", "abandoned_by"):
        swapped[key] = OTHER.get(result.get(key) or "")
    swapped["score_a"], swapped["score_b"] = result["score_b"], result["score_a"]
    rolled = result.get("roll_off")
    swapped["roll_off"] = {"a": rolled["b"], "b": rolled["a"]} if rolled else None
    battle = result.get("battle")
    if battle:
        swapped["battle"] = _swap_battle(battle)
        if isinstance(swapped["battle"].get("sides"), list):
            swapped["battle"]["sides"].reverse()
    return swapped


def double_loss(score_a: int = 0, score_b: int = 0) -> Result:
    """Return a loss for both."""
    return EMPTY | {"score_a": score_a, "score_b": score_b, "double_loss": True, "decided_by": "double-loss"}


def abandon(side: str, score_a: int = 0, score_b: int = 0) -> Result:
    """Return the result of a battle that this side abandoned; nobody concedes, so who abandons leaves the event.

    Compiled and Annotated Rulebook, sanctioning policy of 2002-10-01, "Withdrawing from a Tournament".
    """
    return EMPTY | {
        "winner": OTHER[side],
        "score_a": score_a,
        "score_b": score_b,
        "abandoned_by": side,
        "decided_by": "abandoned",
    }


def bye(points: int) -> Result:
    """Return the result of a bye, always on side a: a win worth these victory points."""
    return EMPTY | {"winner": "a", "score_a": points, "decided_by": "bye"}


def missed() -> Result:
    """Return the result of a round missed: a loss without victory points; nobody wins it."""
    return EMPTY | {"decided_by": "missed"}


def recorded(score: int, build_total: int, capped: bool) -> int:
    """Return the victory points that go into the standings: at most the build total where the event caps them."""
    return min(score, build_total) if capped else score


def sentence(result: Mapping[str, Any] | None, terms: Terms) -> str:
    """Return the result in one line, as lists, messages and the record say it; nothing where there is none."""
    if result is None:
        return ""
    scores = {"a": terms.name("a"), "b": terms.name("b"), "score_a": result["score_a"], "score_b": result["score_b"]}
    if result.get("decided_by") == "bye":
        return _("%(a)s has a bye (%(score_a)d)") % scores
    if result.get("decided_by") == "missed":
        return _("%(a)s missed the round: a loss") % scores
    if result.get("double_loss"):
        return _("%(a)s %(score_a)d : %(score_b)d %(b)s, a loss for both") % scores
    said = _("%(a)s %(score_a)d : %(score_b)d %(b)s, %(winner)s wins") % (
        scores | {"winner": terms.name(result.get("winner"))}
    )
    if result.get("decided_by") not in (None, "victory-points"):
        said += f" ({in_words(result, 'decided_by', terms)})"
    return said

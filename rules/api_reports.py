"""What the API of the rules answers: the reports on force files, battle files and position files."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field

from rules.api_schema import Described
from rules.engine import CHECKS, EDITIONS, Authority, DecidedBy, PartKind, StepName, Weight


class Report(Described):
    """A report, or a part of one: it has no other keys."""

    model_config = ConfigDict(extra="forbid")


class FaultOut(Report):
    """What is wrong in a document, and where."""

    code: Literal["bad-input"]
    """The kind of fault."""
    where: str = Field(examples=["/force/characters/0/points"])
    """A JSON pointer to the fault, or to where a missing key would be; empty if the text isn't a JSON object."""
    message: str = Field(examples=['This must be a whole number, not "many".'])
    """What is wrong."""


class FirstFaultOut(FaultOut):
    """The first fault of a document."""

    more: list[FaultOut] | None = None
    """Further faults, at most 20."""


class FaultReport(Report):
    """The report on a document that can't be read."""

    id: str | None = Field(examples=["t1"])
    """The document's id."""
    error: FirstFaultOut
    """What is wrong with the document."""


class CitationOut(Report):
    """A place in a rulebook."""

    edition: str = Field(json_schema_extra={"enum": list(EDITIONS)})
    """The rulebook."""
    section: str = Field(examples=["Assembling Your Force › Build Total"])
    """The path of headings in the book."""
    note: str | None = Field(None, examples=["The book prints “150”."])
    """A misprint, or a value that isn't in the book."""
    authority: Authority | None = None
    """Who gave the ruling."""
    date: str | None = Field(None, examples=["2002-08-14"])
    """The day of the ruling, if it is known."""


Citations = list[CitationOut]
RULES: Any = {"enum": list(CHECKS)}


class ViolationOut(Report):
    """A broken rule."""

    rule: str = Field(json_schema_extra=RULES)
    """The rule."""
    message: str = Field(examples=["The force costs 315 points, 15 more than its build total."])
    """What breaks it."""
    elements: list[str] = Field(examples=[["mara", "pell"]])
    """The refs of the elements that break it."""
    citations: Citations
    """Where the books say so."""


class UncheckedOut(Report):
    """A rule that can't be checked, because the document lacks a fact."""

    rule: str = Field(json_schema_extra=RULES)
    """The rule."""
    needs: str = Field(examples=["dial"])
    """The fact that is missing."""
    elements: list[str] = Field(examples=[["mara"]])
    """The refs of the elements whose fact is missing."""


class ThemedTeamOut(Report):
    """The best keyword that makes the force a themed team."""

    keyword: str = Field(examples=["Harbour Watch"])
    """The keyword."""
    kind: Literal["named", "generic"]
    """Whether the keyword is a named or a generic one."""
    initiative_bonus: int
    """The bonus to the roll for initiative."""
    probability_control_uses: int
    """How often the team may use probability control."""


class ForceReport(Report):
    """The report on a force file."""

    id: str | None = Field(examples=["t1"])
    """The document's id."""
    legal: bool
    """Whether no rule is broken. With `unchecked` rules, it may still be illegal."""
    total: int
    """The points of everything on the force."""
    build_total: int | None
    """The build total; null if there is none."""
    action_total: int | None
    """The number of actions per turn; null if the book has none without a build total."""
    violations: list[ViolationOut]
    """Every broken rule."""
    warnings: list[ViolationOut]
    """Rules that are broken, but don't make the force illegal."""
    unchecked: list[UncheckedOut]
    """Rules that can't be checked."""
    not_applied: list[str] | None = Field(None, examples=[["unique"]])
    """The rules of the edition that don't apply, because the event is a Battle Royale."""
    themed_team: ThemedTeamOut | None
    """The themed team, if the force is one."""


class ExcludedOut(Report):
    """A player who can't win, whatever the points."""

    player: str = Field(examples=["Ben"])
    """The player."""
    why: str = Field(examples=["Ben abandoned the battle."])
    """The reason."""
    citations: Citations
    """Where the books say so."""


class DecisionOut(Report):
    """Why this player wins, or what is missing."""

    text: str = Field(examples=["Ada wins: 249 victory points against Ben's 17."])
    """The reason, in a sentence."""
    citations: Citations
    """Where the books say so."""
    excluded: list[ExcludedOut]
    """The players who can't win."""


class OddityOut(Report):
    """Something that cannot have happened; it is scored as written."""

    rule: str = Field(examples=["elimination-with-survivors"])
    """The kind of oddity."""
    elements: list[str] = Field(examples=[["watchman"]])
    """The refs of the elements concerned."""
    message: str = Field(examples=["Both sides have survivors, but the battle ended by elimination."])
    """What cannot have happened."""
    citations: Citations
    """Where the books say so."""


class ScoreLineOut(Report):
    """Points of a player, with the reason."""

    player: str = Field(examples=["Ada"])
    """The player who scores."""
    points: float
    """The points; halves and thirds are exact."""
    why: str = Field(examples=["Watchman was defeated."])
    """The reason."""
    element: str | None = Field(examples=["watchman"])
    """The ref of the element scored."""
    citations: Citations
    """Where the books say so."""


class BattleReport(Report):
    """The report on a battle file."""

    id: str | None = Field(examples=["b1"])
    """The document's id."""
    victory_points: dict[str, float] = Field(examples=[{"Ada": 249, "Ben": 17}])
    """Each player's victory points."""
    winner: str | None = Field(examples=["Ada"])
    """The winner; null if no one has won yet."""
    decided_by: DecidedBy
    """What decides the battle."""
    needs: list[str] = Field(examples=[["roll-off"]])
    """What the edition's tie-break still needs."""
    decision: DecisionOut
    """The reason for the decision."""
    places: list[list[str]] = Field(examples=[[["Ada"], ["Ben"]]])
    """The players, best first, equal ones together, excluded ones last."""
    warnings: list[OddityOut]
    """What cannot have happened."""
    lines: list[ScoreLineOut]
    """The points, line by line."""


class PartOut(Report):
    """A part of a number: the amounts of the parts that nothing ignores add up to it."""

    kind: PartKind
    """How this part came to the number."""
    amount: int
    """The amount that it adds."""
    why: str = Field(examples=["Charge"])
    """The reason."""
    topic: str | None = Field(examples=["charge"])
    """The topic; null for a card's effect."""
    ignored_by: str | None = Field(examples=["Outwit"])
    """What ignores this part."""


class MarkOut(Report):
    """A place where a line of fire changes."""

    square: str = Field(examples=["E5"])
    """The square."""
    edge: str | None = Field(examples=["D5|E5"])
    """The edge, if it is there that the line changes."""
    becomes: str = Field(json_schema_extra={"enum": ["clear", "hindered", "blocked"]})
    """The line from here on."""
    topic: str = Field(examples=["hindering-terrain"])
    """The topic."""
    because: str = Field(examples=["E5 is hindering terrain."])
    """The reason."""
    citations: Citations
    """Where the books say so."""


class AnswerOut(Report):
    """The answer to a question; each kind of question has its own kind of result."""

    ask: str = Field(examples=["line-of-fire"])
    """The question."""
    result: Any = Field(examples=["hindered"])
    """The result: a word, a number, true or false, squares, or an object."""
    because: list[str] = Field(examples=[["E5 is hindering terrain."]])
    """The reasons, in sentences."""
    citations: Citations
    """Where the books say so."""
    parts: list[PartOut] | None = None
    """The parts of the number that is the result."""
    squares: list[str] | None = Field(None, examples=[["D5", "E5"]])
    """The squares that a line of fire crosses."""
    modifier: int | None = None
    """What a line of fire adds to the target's defense."""
    marks: list[MarkOut] | None = None
    """The places where a line of fire changes."""
    path: list[str] | None = Field(None, examples=[["D5", "D6"]])
    """The squares through which a character is knocked back."""


class MomentOut(Report):
    """The step that would have come next."""

    action: int
    """The place of the action, from 0."""
    then: list[int] = Field(examples=[[]])
    """The places in `then`, one for each level."""
    step: StepName
    """The step."""


class StandingCharacter(Report):
    """The state of a character; `square` or `squares`, and other keys where they apply."""

    square: str | None = Field(None, examples=["D9"])
    """The square where it stands; null if it is off the map."""
    squares: list[str] | None = Field(None, examples=[["D9", "D10"]])
    """The squares where its larger base stands."""
    click: int
    """The click that shows."""
    tokens: int
    """Its action tokens."""
    ko: bool
    """Whether it is knocked out."""
    holding: str | None = Field(examples=["crate"])
    """The object that it holds."""
    captured_by: str | None = Field(None, examples=["sentinel"])
    """The character that holds it captive."""
    flight: str | None = Field(None, examples=["soaring"])
    """Its flight mode."""
    countered: list[str] | None = Field(None, examples=[["Toughness"]])
    """The powers that are countered."""
    named_tokens: dict[str, int] | None = Field(None, examples=[{"Web": 2}])
    """Tokens of other names than action tokens, and their number."""
    named_tokens_by: dict[str, Any] | None = Field(None, examples=[{"Web": {"stoker": 2}}])
    """The same tokens by who gave them, if that is noted."""
    dials_left: int | None = None
    """The number of dials that follow."""
    left: bool | None = None
    """True if it has left the map, as the scenario allows."""
    generated_by: str | None = Field(None, examples=["stoker"])
    """The character that generated it."""
    replaces: str | None = Field(None, examples=["stoker"])
    """The character that it replaced."""
    copies: str | None = Field(None, examples=["X-Men"])
    """The team ability that a wild card uses."""
    stack: int | None = None
    """The height of a horde's stack."""


class ObjectOut(Report):
    """The state of an object."""

    square: str | None = Field(examples=["F7"])
    """The square where it lies."""
    removed: bool
    """Whether it is out of the game."""
    held_by: str | None = Field(examples=["lamplighter"])
    """The character that holds it, or on whose card it is."""
    assigned_to: str | None = Field(None, examples=["lamplighter"])
    """The character on whose card it is; equipment and relics only."""


class MarkerOut(Report):
    """A marker on the map."""

    kind: str = Field(examples=["debris"])
    """The kind of marker."""
    square: str = Field(examples=["E4"])
    """Its square."""


class TurnOut(Report):
    """Whose turn it is."""

    active: str = Field(examples=["Ada"])
    """The active player."""
    number: int
    """The number of the turn."""


class StateOut(Report):
    """The position after the last step."""

    characters: dict[str, StandingCharacter] = Field(
        examples=[{"stoker": {"square": "D9", "click": 4, "tokens": 0, "ko": False, "holding": None}}]
    )
    """The characters, by id."""
    objects: dict[str, ObjectOut] = Field(examples=[{"crate": {"square": "F7", "removed": False, "held_by": None}}])
    """The objects, by id."""
    markers: list[MarkerOut]
    """The markers, oldest first."""
    walls_destroyed: list[str] = Field(examples=[["C4|D4"]])
    """The edges whose wall, window or door is destroyed."""
    victory_points: dict[str, float] = Field(examples=[{"Ada": 0, "Ben": 0}])
    """The points scored so far by defeats and captures."""


class ChangesOut(Report):
    """What a step changed; merged over the position, step after step, this gives the board at each step."""

    characters: dict[str, dict[str, Any]] | None = Field(None, examples=[{"stoker": {"click": 4}}])
    """The changed keys of characters, by id; null where a key no longer applies."""
    objects: dict[str, ObjectOut] | None = Field(
        None, examples=[{"crate": {"square": None, "removed": True, "held_by": None}}]
    )
    """The changed objects, by id."""
    markers: list[MarkerOut] | None = None
    """All markers, if any changed."""
    walls_destroyed: list[str] | None = Field(None, examples=[["C4|D4"]])
    """The edges whose wall, window or door was destroyed."""
    turn: TurnOut | None = None
    """The turn that begins."""
    victory_points: dict[str, float] | None = Field(None, examples=[{"Ada": 54, "Ben": 0}])
    """The points scored so far."""


class StepOut(Report):
    """A step of an action."""

    action: int
    """The place of the action, from 0."""
    step: StepName
    """The step."""
    text: str = Field(examples=["Lamplighter rolls 4 + 4; attack total 11 + 8 = 19 against defense 16: hit."])
    """What happened."""
    numbers: dict[str, Any] = Field(examples=[{"attack": 11, "dice": [4, 4], "total": 19, "defense": 16}])
    """The numbers of this kind of step; `parts` has, by name, the parts of those that are worked out."""
    topics: list[str] = Field(examples=[["attack"]])
    """The topics."""
    citations: Citations
    """Where the books say so."""
    rulings: list[str] = Field(examples=[[]])
    """The ids of the rulings that bear on it."""
    changes: ChangesOut
    """What the step changed."""
    before: MomentOut | None = None
    """For an illegal action, the step that would have come next."""


class AwaitingOut(Report):
    """The roll or choice that is missing; the report stops there."""

    roll: str | None = Field(None, examples=["super-senses:stoker"])
    """The name of the roll."""
    dice: int | None = None
    """The number of dice."""
    choice: str | None = Field(None, examples=["knock-back"])
    """The name of the choice."""
    options: list[Any] | None = Field(None, examples=[[True, False]])
    """What may be chosen."""
    player: str = Field(examples=["Ben"])
    """The player who rolls or chooses."""
    why: str = Field(examples=["Ben rolls for Super Senses."])
    """The reason."""
    action: int
    """The place of the action, from 0."""
    then: list[int] = Field(examples=[[]])
    """The places in `then`, one for each level."""


class RulingFound(Report):
    """A ruling that bears on the case."""

    id: str = Field(examples=["car-2002-stealth-3"])
    """The ruling's id."""
    text: str = Field(examples=["A line of fire along the edge of hindering terrain isn't hindered."])
    """The ruling."""
    topics: list[str] = Field(examples=[["line-of-fire", "hindering-terrain"]])
    """Its topics."""
    citations: Citations
    """Where it is printed."""
    official: bool
    """Whether it is binding at an event."""
    weight: Weight | None = None
    """Whether it turns on a fact of this case."""
    followed_rather_than: list[str] | None = Field(None, examples=[["car-2002-stealth-1"]])
    """The rulings over which it takes precedence."""
    exception_to: list[str] | None = Field(None, examples=[["car-2002-stealth-2"]])
    """The rulings to which it is an exception."""


class PositionReport(Report):
    """The report on a position file."""

    id: Any = Field(examples=["d1"])
    """The document's id."""
    answers: list[AnswerOut]
    """The answers, one for each question."""
    steps: list[StepOut]
    """What happened, in order."""
    legal: bool
    """Whether every action is allowed; if not, the last step is `illegal`, and the state is that before its action."""
    awaiting: AwaitingOut | None
    """The roll or choice that is missing."""
    state: StateOut
    """The state of everything on the map after the last step."""
    unused: list[str] = Field(examples=[["super-senses:stoker"]])
    """The rolls and overrides that weren't needed."""
    rulings: list[RulingFound]
    """The rulings that bear on the case, at most twelve; deciding ones first."""

"""Facts that an adjudication meets, noted to select rulings: each for one stage of an action and one character.

Topics say what a step is about. Whether a ruling applies depends on more: what a line of fire crosses, where a
character stands, what the dice show. A rule that meets such a fact notes it (`Play.note`), and a ruling's conditions
are checked for one attack and one character at a time (`Notes.cases`). Notes never decide or cite a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from rules.engine.errors import AwaitingChoice, AwaitingRoll, Illegal

Stage = tuple[int, ...]
"""A stage of an action: () is the action itself, (0,) the first action it grants or attack it makes, and so on."""

TERRAIN: Final = "hindering-terrain blocking-terrain walls barrier stealth batman-ally elevation"
"""What a refusal is about where the terrain on a line of fire causes it."""


class Met(StrEnum):
    """A fact that a ruling may depend on, beside the topics of the steps; `meaning` says when it is met.

    `explains` are topics: only refusals about one of them may turn on the fact; none if there are none. None: the fact is
    met only where a refusal turns on it, or where nothing is refused.
    """

    meaning: str
    explains: frozenset[str] | None

    def __new__(cls, name: str, meaning: str, explains: str | None = None) -> Met:
        """Create the member with its meaning and what it explains."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.meaning = meaning
        member.explains = None if explains is None else frozenset(explains.split())
        return member

    TWO_POWERS = "two-powers", "an action is refused because it names two powers that can't share it"
    GRANTED_POWER = "granted-power", "an action that another action grants uses a power", "actions"
    WITHIN_ACTION = "within-action", "a free power is used inside another action", "actions free-action mind-control"
    ACTION_PUSHES = "action-pushes", "the token for its own action pushes a character", "pushing"
    HAS_ACTED = (
        "has-acted",
        "the character that uses a power has an action token or has acted this turn",
        "actions action-tokens pushing",
    )
    ACTOR_SOARING = "actor-soaring", "the acting character soars", "soaring flying hovering"
    ACTOR_HOVERING = "actor-hovering", "the acting character hovers", "hovering flying"
    ACTOR_IN_HINDERING = (
        "actor-in-hindering",
        "the acting character stands in hindering terrain",
        "hindering-terrain",
    )
    ACTOR_ON_OBJECT = (
        "actor-on-object",
        "the acting character stands on an object",
        "objects held-object pick-up hindering-terrain line-of-fire",
    )
    TARGET_SOARING = "target-soaring", "the target soars", "soaring hovering"
    TARGET_HOVERING = "target-hovering", "the target hovers", "hovering"
    IMMUNITY_ENDED = (
        "immunity-ended",
        "the target has lost its immunity at the start of the game",
        "first-turn-immunity",
    )
    TARGET_TOKEN = "target-token", "the target has an action token", "action-tokens pushing"
    TARGET_TWO_TOKENS = "target-two-tokens", "the target has two action tokens", "action-tokens pushing"
    TARGET_IN_HINDERING = "target-in-hindering", "the target stands in hindering terrain", "line-of-fire"
    TARGET_ON_OBJECT = "target-on-object", "the target stands on an object", "line-of-fire objects"
    KEEPS_OBJECT = (
        "keeps-object",
        "the acting character holds an object that its action doesn't use",
        "held-object objects object-attack",
    )
    TARGET_HOLDS_HEAVY = "target-holds-heavy", "the target holds a heavy object", "held-object objects"
    OBJECT_BESIDE_TARGET = "object-beside-target", "an object lies beside the target", "objects held-object"
    CONTROLLED_BEFORE = "controlled-before", "the target was mind-controlled earlier in the turn", "mind-control"
    TARGET_HUNDRED = "target-100", "the target costs 100 points or more", "action-total"
    TARGET_TEAM = "target-team", "the target has a team ability", "team-abilities"
    TARGET_PERPLEXED = "target-perplexed", "a value of the target has been modified", "perplex modifiers"
    PERPLEXED_TWICE = "perplexed-twice", "values of the target have been modified twice", "perplex modifiers"
    TURNED_ON = "turned-on", "a power that was turned off is back", "outwit counter superman-enemy"
    TURNED_OFF = (
        "turned-off",
        "a power of the character has been turned off",
        "powers outwit counter super-strength held-object pick-up",
    )
    SAME_TEAM = "same-team", "the acting character and the target have the same team ability", "team-abilities mystics"
    TARGET_REFUSED = "target-refused", "a roll protects the target from being chosen", "shape-change skrulls"
    SEVERAL_TARGETS = "several-targets", "several targets are named", "multiple-targets targeting"
    FRIEND_BESIDE_TARGET = (
        "friend-beside-target",
        "a friend of the acting character is adjacent to the target",
        "adjacency friendly-figures",
    )
    TARGETS_SELF = "targets-self", "the acting character is its own target", ""
    TARGETS_FRIEND = "targets-friend", "the target is a friend", "friendly-figures"
    NAMESAKES = "namesakes", "the acting character and the target have the same name", "archenemies"
    TARGETS_OTHER = "targets-other", "another character is the target"
    AIMS_AT_TERRAIN = "aims-at-terrain", "a square or a wall is the target", "hypersonic-speed multi-attack"
    AIMS_AT_BARRIER = "aims-at-barrier", "a barrier is the target", "barrier"
    HAS_LARGER_BASE = (
        "has-larger-base",
        "a character with a base of several squares takes part",
        "multi-base sentinel adjacency line-of-fire occupancy",
    )
    TARGET_LARGER_BASE = (
        "target-larger-base",
        "the target has a base of several squares",
        "multi-base sentinel adjacency line-of-fire occupancy",
    )
    BESIDE_LARGER_BASE = (
        "beside-larger-base",
        "an opponent with a base of several squares is adjacent",
        "multi-base adjacency",
    )
    EQUAL_MEMBER = "equal-member", "a friend with the same team ability and point value is adjacent", "superman-enemy"
    COSTLIER_MEMBER = (
        "costlier-member",
        "a friend with the same team ability and more points is adjacent",
        "superman-enemy",
    )
    HAS_WILD_CARD = "has-wild-card", "a wild card takes part", "wild-card team-abilities"
    OTHER_SIZES = (
        "other-sizes",
        "a character of another size takes part, or stands on the line",
        "size line-of-fire adjacency carry",
    )
    SOMEBODY_SOARS = "somebody-soars", "a character on the map soars", "soaring hovering flying"
    HAS_SENTINEL = "has-sentinel", "a Sentinel takes part"
    ON_BLOCKING = "on-blocking", "a character stands on top of blocking terrain", "blocking-terrain line-of-fire"
    BOTH_SOAR = "both-soar", "both characters soar", "soaring"
    ONE_SOARS = "one-soars", "one of the two characters soars", "soaring"
    RANGE_ZERO = "range-zero", "the acting character has no range", "range"
    ODD_SPEED = "odd-speed", "the speed is an odd number", "rounding"
    ODD_RANGE = "odd-range", "the range that is halved because the target soars is an odd number", "range"
    SEVERAL_BOLTS = "several-bolts", "the acting character has several bolts", "multiple-targets targeting"
    SEVERAL_CARRIED = "several-carried", "several characters are carried", "carry"
    PASSENGER_BESIDE_OPPONENT = "passenger-beside-opponent", "a passenger starts adjacent to an opponent", "break-away"
    SET_DOWN_IN_TERRAIN = "set-down-in-terrain", "a character is set down in hindering terrain or water", "occupancy"
    NO_PLACE = "no-place", "no square is free in which a passenger may be set down"
    CHANGES_FLIGHT = "changes-flight", "the flight mode changes", "soaring hovering flying"
    ZERO_SQUARES = "zero-squares", "the move is of 0 squares", ""
    STARTS_IN_HINDERING = "starts-in-hindering", "the move starts in hindering terrain", "hindering-terrain smoke-cloud"
    ENTERS_HINDERING = "enters-hindering", "the move enters hindering terrain", "hindering-terrain smoke-cloud"
    HINDERED = (
        "hindered",
        "the mover doesn't ignore the hindering terrain that it enters",
        "hindering-terrain smoke-cloud water",
    )
    ENTERS_WATER = "enters-water", "the move enters water", "water"
    LEAVES_WATER = "leaves-water", "the move goes from water into hindering terrain", "water hindering-terrain"
    ENTERS_BLOCKING = "enters-blocking", "the move enters blocking terrain", "blocking-terrain"
    COMES_BACK = "comes-back", "the move leaves a friend with the same team ability and returns to it", "superman-enemy"
    CHANGES_LEVEL = "changes-level", "the move goes from one elevation to another", "elevation occupancy"
    CUTS_CORNER = (
        "cuts-corner",
        "the move passes a corner diagonally",
        "elevation blocking-terrain intersections walls barrier",
    )
    LEAVES_OPPONENT = "leaves-opponent", "the move starts adjacent to an opponent", "break-away"
    LEAVES_SOARER = "leaves-soarer", "the move starts next to an opponent in another flight mode", "break-away"
    LEAVES_ON_TOP = (
        "leaves-on-top",
        "the move starts next to an opponent, one of the two on top of blocking terrain",
        "break-away",
    )
    BASE_TOO_WIDE = "base-too-wide", "a base of several squares doesn't fit through where its move would lead"
    MEETS_OPPONENT = "meets-opponent", "the move passes next to an opponent", "break-away adjacency"
    BEYOND_SPEED = "beyond-speed", "the move is longer than the speed value", ""
    TOO_FAR = "too-far", "the move costs more than the character may move"
    ENDS_ON_FIGURE = "ends-on-figure", "the move would end in the square of another character"
    ENDS_BESIDE_OPPONENT = "ends-beside-opponent", "the move ends next to an opponent", "break-away adjacency"
    STAYS_BESIDE_OPPONENT = (
        "stays-beside-opponent",
        "the acting character is adjacent to an opponent and doesn't move",
        "break-away",
    )
    BESIDE_OPPONENT = (
        "beside-opponent",
        "the acting character is adjacent to an opponent",
        "adjacency break-away hovering",
    )
    SEVERAL_BESIDE = (
        "several-beside",
        "several opponents are adjacent to the acting character",
        "adjacency break-away hovering",
    )
    OBJECT_UNDER_OPPONENT = "object-under-opponent", "the object lies under an opponent", "objects held-object pick-up"
    OBJECT_UNDER_ACTOR = (
        "object-under-actor",
        "the object lies under the acting character",
        "objects held-object pick-up",
    )
    NAMED_OBJECT = "named-object", "the object is a figure of its own, with a name", "objects held-object"
    HELD_BY_SOMEBODY = "held-by-somebody", "a character holds the object", "objects held-object"
    INDOORS = "indoors", "the map is indoors", "indoor soaring walls blocking-terrain"
    PASSES_OBJECT = "passes-object", "an object lies along the move", "objects held-object pick-up"
    WALLS_NEAR = (
        "walls-near",
        "walls stand along the move, or where a character is set down",
        "walls blocking-terrain occupancy multi-base",
    )
    CORNER_OF_BARRIER = (
        "corner-of-barrier",
        "a barrier and something else that blocks meet at a corner that is passed",
        "barrier blocking-terrain line-of-fire",
    )
    CORNER_OF_WALL = (
        "corner-of-wall",
        "a wall touches a corner that the line passes",
        "walls blocking-terrain line-of-fire",
    )
    STAIRS_NEAR = "stairs-near", "the move goes over stairs", "stairs elevation"
    DECLINES = "declines", "an optional power is declined", "powers optional-powers"
    DECLINES_TEAM = "declines-team", "a team ability is declined", "powers team-abilities optional-powers"
    WAIVES_KNOCK_BACK = "waives-knock-back", "knock back is declined", "knockback"
    REROLLS_ONE_DIE = "rerolls-one-die", "a roll of one die is rerolled", "reroll"
    REROLLS_OWN = "rerolls-own", "a character rerolls its own roll", "reroll"
    USED_ALREADY = "used-already", "a power has already been used this turn", "reroll probability-control timing"
    REROLLS_IN_TURN_OF_OTHER = "rerolls-in-turn-of-other", "a character rerolls during an opponent's turn", "reroll"
    CONTROLLED_ATTACKS = "controlled-attacks", "a character under Mind Control attacks", "mind-control friendly-figures"
    CONTROLLED_USES_POWER = "controlled-uses-power", "a character under Mind Control uses a power", "mind-control"
    PLACES_MARKERS = "places-markers", "markers are placed"
    WRONG_NUMBER = "wrong-number", "more or fewer squares are chosen for markers than the power places"
    PARTLY_IN_RANGE = "partly-in-range", "some of the markers that are placed lie beyond the range", "range"
    PLACES_UNSEEN = (
        "places-unseen",
        "a marker is placed where something blocks the line from the acting character",
        "line-of-fire occupancy",
    )
    MARKERS_STACKED = (
        "markers-stacked",
        "a square that is left, entered, crossed or aimed at has several markers",
        "markers water hindering-terrain blocking-terrain barrier line-of-fire",
    )
    ON_TERRAIN_FEATURE = (
        "on-terrain-feature",
        "a marker is placed on hindering or blocking terrain, or on an object",
        "terrain debris objects blocking-terrain occupancy",
    )
    ASKS_ADJACENT = "asks-adjacent", "the question is whether two characters or squares are adjacent"
    LIFTS_FIGURE = "lifts-figure", "a power moves a character", "held-object objects"
    LIFTED_ON_LINE = (
        "lifted-on-line",
        "the character that a power moves stands on the line to where it is moved",
        "line-of-fire",
    )
    MOVES_OBJECT = "moves-object", "a power moves an object", "range"
    FIRES_OBJECT = "fires-object", "an object is fired", "thrown-object object-attack destroy-object"
    DIFFERENT_LEVELS = "different-levels", "the line runs from one elevation to another", "elevation line-of-fire"
    BESIDE_THE_RIM = "beside-the-rim", "the line joins neighbouring squares on different elevations", "elevation"
    CORNER_OF_FIGURES = "corner-of-figures", "the line passes between two characters at a corner", "line-of-fire"
    CORNER_CLOSED = (
        "corner-closed",
        "both sides of a corner that the line passes hold terrain or a character",
        "line-of-fire blocking-terrain",
    )
    CORNER_HALF_OPEN = (
        "corner-half-open",
        "only one side of a corner that is passed diagonally holds terrain",
        "blocking-terrain",
    )
    CORNER_OF_TERRAIN = (
        "corner-of-terrain",
        "the line passes a corner of hindering or blocking terrain",
        "line-of-fire hindering-terrain blocking-terrain intersections",
    )
    CROSSES_FIGURE = "crosses-figure", "a character stands on the line", "line-of-fire"
    CROSSES_HOVERING = "crosses-hovering", "a hovering character is on the line", "line-of-fire"
    CROSSES_OBJECT = "crosses-object", "an object lies on the line", TERRAIN
    CROSSES_HIDDEN = "crosses-hidden", "a character hidden by Stealth stands on the line", "line-of-fire"
    CROSSES_HINDERING = "crosses-hindering", "hindering terrain lies on the line", TERRAIN
    CROSSES_SMOKE = "crosses-smoke", "smoke lies on the line, or under its target", TERRAIN
    CROSSES_BLOCKING = "crosses-blocking", "blocking terrain lies on the line", TERRAIN
    CROSSES_HIGHER = "crosses-higher", "terrain higher than the lower end of the line lies on it", "line-of-fire"
    LINE_BLOCKED = "line-blocked", "the answer to a question is that the line of fire is blocked"
    CROSSES_BARRIER = "crosses-barrier", "a barrier lies on the line", TERRAIN
    OBSCURING_ON_LINE = (
        "obscuring-on-line",
        "obscuring terrain lies on the line, or under one of its ends",
        "line-of-fire",
    )
    WATER_ON_LINE = "water-on-line", "water lies on the line, or under one of its ends", "line-of-fire"
    ROOFTOP_BLOCKING = "rooftop-blocking", "there is blocking terrain on elevated terrain", "blocking-terrain"
    ROOFTOP_HINDERING = (
        "rooftop-hindering",
        "there is hindering terrain on elevated terrain",
        "hindering-terrain line-of-fire",
    )
    WALL_BETWEEN_LEVELS = "wall-between-levels", "the wall stands between two elevations", "walls elevation"
    STILL_STANDS = "still-stands", "an attack on terrain or an object doesn't destroy it"
    SEVERAL_REDUCERS = "several-reducers", "several powers would reduce the same damage", "damage damage-dealt"
    MORE_THAN_LEFT = "more-than-left", "the damage exceeds the clicks that the dial has left", "damage damage-dealt"
    POWER_CHANGES = (
        "power-changes",
        "the attacker's side shows other powers after a click that isn't a push",
        "damage damage-dealt",
    )
    ATTACKS_ON = "attacks-on", "an action goes on to a further attack after such a click", "damage damage-dealt"
    ANOTHER_TARGET = (
        "another-target",
        "a further roll attacks another target than the one before",
        "multiple-targets targeting",
    )
    SEVERAL_IN_AREA = (
        "several-in-area",
        "an attack on everybody in reach reaches several characters",
        "pulse-wave energy-explosion",
    )
    FRIEND_IN_AREA = "friend-in-area", "an attack on everybody in reach reaches a friend", "pulse-wave energy-explosion"
    ALONE_IN_AREA = (
        "alone-in-area",
        "an attack on everybody in reach reaches one character alone",
        "pulse-wave energy-explosion",
    )
    SEVERAL_HELP = "several-help", "several characters help with one attack", "shield"
    HELPER_SEES_NOTHING = (
        "helper-sees-nothing",
        "a character that helps has no line of fire to the target, or no range",
        "shield",
    )
    HANDED_ON = (
        "handed-on",
        "a shared value comes from a character that isn't adjacent",
        "defend defenders sinister-syndicate batman-enemy justice-society",
    )
    EXCHANGED_BEFORE = (
        "exchanged-before",
        "a character exchanges a click by a team ability a second time in the turn, with another partner",
        "x-men titans",
    )
    PAIR_AGAIN = "pair-again", "the same two would exchange a click a second time in the turn"
    CHANGES_RANGE = "changes-range", "Perplex modifies the range value", "modifiers"
    FIXED_VALUE = "fixed-value", "Perplex modifies a value that the attack fixes", "perplex modifiers"
    FIRST_ROLL = "first-roll", "the first roll of an action that attacks"
    SEVERAL_ROLLS = "several-rolls", "several rolls attack the same target", "damage damage-dealt"
    SPLASH_MISSES = "splash-misses", "an attack that hits its main target misses one beside it", "energy-explosion"
    SECOND_LOST = "second-lost", "the target of a further attack is out of reach or off the map", "flurry"
    SOME_MISSED = "some-missed", "one roll hits some of its targets and misses others", "multiple-targets"
    SEVERAL_HIT = "several-hit", "several characters are hit", "multiple-targets damage damage-dealt"
    ROLLED_DOUBLES = "rolled-doubles", "an attack roll shows doubles", "knockback"
    OVER_THE_EDGE = "over-the-edge", "a knock back leads over the edge of elevated terrain", "knockback"
    OBLIQUE = "oblique", "the attacker must choose the path of a knock back", "knockback"
    COUNTS_DOUBLE = "counts-double", "a defeat scores twice its points", "archenemies victory-points"
    ALL_FALLEN = "all-fallen", "no character is left on the map", "ko"
    HEALS_TWICE = "heals-twice", "one action heals a character twice", "healing"
    BREAK_AWAY_FAILED = "break-away-failed", "the roll to break away failed", "break-away"


KINDS: Final = (
    *("present", "own", "target", "off", "beside", "facing", "apart"),
    *("figure", "step", "attack", "illegal", "note", "awaits"),
)
"""Kinds of further facts: `present:TOPIC` for a power of a character that takes part, `own:TOPIC` and `target:TOPIC` if
that is the acting character or the target, `off:TOPIC` for one that has been turned off, `beside:TOPIC` and
`facing:TOPIC` for a power of a friend or opponent adjacent to the acting character, `apart:TOPIC` for what keeps an
opponent in the next square from being adjacent, `attack:TOPIC` for a power by which an attack is made, `illegal:TOPIC`
and `note:TOPIC` for what a refusal or a note is about, `figure:NAME`, `step:NAME` and `awaits:ROLL`."""


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """The facts about one character in one stage of an action, on which rulings' conditions are checked."""

    stage: Stage
    of: str | None
    met: frozenset[str]

    def has(self, stage: Stage, of: str | None) -> bool:
        """Return whether facts noted for this stage and character belong here."""
        return self.stage[: len(stage)] == stage and (of is None or of == self.of)


@dataclass(slots=True)
class Notes:
    """The facts met by one action or question, by stage and by character.

    `stage` is the current stage. Facts noted without a character hold for the whole stage, and those of outer stages
    hold in the inner ones. `actors` maps each stage to its acting character; a stage in which nothing was noted has the
    actor of the stage around it. `stopped` is the stage in which the action was refused or had to wait; `attacked` are
    the targets of all rolls so far; `aimed` are the targets of the attack that a stage is.
    """

    stage: Stage = ()
    facts: dict[tuple[Stage, str | None], set[str]] = field(default_factory=dict)
    actors: dict[Stage, set[str]] = field(default_factory=dict)
    begun: dict[Stage, int] = field(default_factory=dict)
    stopped: Stage = ()
    attacked: set[str] = field(default_factory=set)
    aimed: dict[Stage, frozenset[str]] = field(default_factory=dict)

    def add(self, facts: Iterable[str], of: str | None = None) -> None:
        """Note facts of the current stage, about a character where one is named."""
        key = (self.stage, of)
        if key in self.facts:
            self.facts[key].update(facts)
        else:
            self.facts[key] = set(facts)

    def add_of_actor(self, facts: Iterable[str]) -> None:
        """Note facts about the acting character."""
        self.actors.setdefault(self.stage, set()).update(facts)

    def aim(self, targets: Iterable[str]) -> None:
        """Note the targets of the attack that the current stage is."""
        self.aimed[self.stage] = frozenset(targets)

    def roll_against(self, targets: Iterable[str]) -> None:
        """For each target of a roll, note whether an earlier roll of the action attacked it or another target.

        Note too whether a click since has removed powers.
        """
        if any(Met.POWER_CHANGES in facts for facts in self.facts.values()):
            self.add((Met.ATTACKS_ON,))
        for name in targets:
            if not self.attacked:
                self.add((Met.FIRST_ROLL,), name)
            elif name in self.attacked:
                self.add((Met.SEVERAL_ROLLS,), name)
            else:
                self.add((Met.ANOTHER_TARGET,), name)
        self.attacked.update(targets)

    @contextmanager
    def within(self) -> Iterator[None]:
        """Begin an inner stage: a granted action, or an attack."""
        around = self.stage
        number = self.begun.get(around, 0)
        self.begun[around] = number + 1
        self.stage = (*around, number)
        try:
            yield
        except (Illegal, AwaitingRoll, AwaitingChoice):
            self.stopped = self.stopped or self.stage
            raise
        finally:
            self.stage = around

    def resume(self) -> None:
        """Return to the stage in which the action was stopped."""
        self.stage = self.stopped

    def cases(self) -> list[CaseFacts]:
        """Return the facts of each innermost stage, once for every character they concern."""
        noted = {(), *self.actors, *(stage for stage, _ in self.facts)}
        inmost = [one for one in noted if not any(len(o) > len(one) and o[: len(one)] == one for o in noted)]
        return [seen for stage in sorted(inmost) for seen in self._of(stage)]

    def _targets_elsewhere(self, stage: Stage) -> frozenset[str]:
        """Return the targets of the action's other attacks that have no part in the attack of this stage."""
        if stage not in self.aimed:
            return frozenset()
        here = self.aimed[stage].union(of for noted, of in self.facts if noted == stage and of is not None)
        return frozenset().union(*self.aimed.values()) - here

    def _of(self, stage: Stage) -> Iterator[CaseFacts]:
        around = [stage[:depth] for depth in range(len(stage), -1, -1)]
        shared: set[str] = set()
        shared.update(next((self.actors[one] for one in around if one in self.actors), ()))
        characters: dict[str, set[str]] = {}
        elsewhere = self._targets_elsewhere(stage)
        for (noted, of), facts in self.facts.items():
            if stage[: len(noted)] != noted or of in elsewhere:
                continue
            if of is None:
                shared |= facts
            else:
                characters.setdefault(of, set()).update(facts)
        if not characters:
            yield CaseFacts(stage, None, frozenset(shared))
        for of, facts in characters.items():
            yield CaseFacts(stage, of, frozenset(shared | facts))

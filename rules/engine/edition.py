"""The `Edition` record: every question that a rulebook must answer, in small option records without defaults.

Each record holds the numbers, flags, named procedures and tables of one chapter. Records without procedures are in
`options`, which also explains how the docstring under each option is used. The editions themselves are in `editions`,
one file per book. Rules never ask for an edition's name; they ask for the option that differs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol

from rules.engine.battles import Award, Battle, BattleOutcome, BattleSide, Fallen, Fate, ScoreLine
from rules.engine.board.scene import LookedOver, Scene, Screened, Sight
from rules.engine.citations import Citation, Ruling
from rules.engine.forces import Findings, Force, ForceCharacter, ForceObject, OtherElement, OtherKind, Rank, Tactic
from rules.engine.options import (
    ActionOptions,
    BoardOptions,
    KnockBackOptions,
    SentinelOptions,
    TargetOptions,
    ValueOptions,
)
from rules.engine.position.characters import Character
from rules.engine.position.corrections import FigureCorrection
from rules.engine.position.figures import Figure
from rules.engine.position.objects import BattleObject as Token
from rules.engine.position.objects import ObjectKind
from rules.engine.position.position import Side as PlayerSide
from rules.engine.power import Power
from rules.engine.rivals import Rival, RivalKind, Stand

if TYPE_CHECKING:  # `play` explains the import cycle of play, edition and power.
    from rules.engine.play import Play

ForceCheck = Callable[["Force", "Edition"], "Findings"]
ByCards = Callable[["Play", Character, "Iterable[Power] | None"], tuple[Power, ...]]
Scenario = Callable[["Battle", "Edition", "tuple[ScoreLine, ...]"], "tuple[tuple[ScoreLine, ...], BattleOutcome]"]


class RulingsFinder(Protocol):
    """A function that finds rulings of a book, by the facts an action has met or by topics, most relevant first."""

    def __call__(
        self,
        *,
        stages: Iterable[Iterable[frozenset[str]]] | None = None,
        topics: Iterable[str] = (),
        limit: int | None = 12,
    ) -> tuple[Ruling, ...]:
        """Return the rulings."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOfFireOptions:
    """Lines of fire."""

    screen: Callable[[Scene, Sight], Screened]
    """What decides which obstacles affect a line of fire? [line-of-fire]

    The procedures are in `combat.screens`.

    - `by_single_elevation`: two elevations, ground and elevated; obstacles on the ground don't affect lines between
      elevated squares
    - `by_boundary_lines`: the terrain boundaries that the line crosses, and the elevated areas and rims at its ends
    - `by_levels`: numbered elevation levels; elevated terrain between the ends blocks the line if it is higher than
      the lower end
    """
    characters_close_corners: bool
    """When a line of fire passes exactly through a corner, does a character beside the corner block the line on its
    side? [intersections,
    line-of-fire]"""
    own_hindering: Literal["excused_if_first_square_clear", "excused", "hindered_without_modifier"]
    """What effect does hindering terrain in the attacker's own square have? [hindering-terrain]

    - `excused_if_first_square_clear`: none; if the first square that the line of fire enters is clear, all other
      hindering terrain on the line is ignored too
    - `excused`: none
    - `hindered_without_modifier`: the line of fire is hindered, but the target's defense isn't modified
    """
    hindering_modifier: int
    """How much does a hindered line of fire add to the target's defense? [hindering-terrain]"""
    areas_matter: bool
    """Does a line of fire depend on which elevated areas its ends are in, and on whether the ends are on the rim?
    [rim,
    elevation]"""
    indoor_blocking_below_blocks: bool
    """Does indoor blocking terrain below both ends of a line of fire block the line? [blocking-terrain, indoor]"""
    looked_over: LookedOver
    """Which characters does a line of fire pass over? [line-of-fire]

    - `none`: none
    - `standard_by_giants`: standard characters, if the attacker or the target is giant or colossal
    - `smaller`: characters smaller than the attacker or the target
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementOptions:
    """Moving, breaking away, carrying."""

    flight_modes: bool
    """Do fliers choose between hovering and soaring? [flying, hovering]"""
    hovering_past: frozenset[str]
    """What does a hovering character ignore when it moves? [hovering, flying]

    The values are those of `Power.moves_past`, here and in `soaring_past` and `size_past`.

    - `frozenset()`: no hovering in this edition
    """
    soaring_past: frozenset[str]
    """What does a soaring character ignore when it moves? [soaring, flying]

    - `frozenset()`: no soaring in this edition
    """
    hoverers_rest_on_blocking: bool
    """Can hovering characters end their move on top of outdoor blocking terrain? [hovering, flying]"""
    size_past: Mapping[int, frozenset[str]]
    """What does a character's size let it ignore when it moves? [giant, size, movement]"""
    ladder_cost: int
    """How many additional squares of movement does a ladder cost? [ladders, stairs, elevation]"""
    corners_hinder: bool
    """Does crossing a corner with hindering terrain on both sides stop a diagonal move? [intersections,
    hindering-terrain]"""
    giants_break_away: bool
    """Do giants add 1 to break away rolls and ignore abilities that hold others in place? [giant, break-away]"""
    staying_breaks_away: bool
    """Must a character break away even for a move of 0 squares? [break-away, movement]"""
    break_away_by_size: bool
    """Does size help a character break away? [break-away, size]"""
    bases_across_elevations: bool
    """Can fliers with multi-square bases occupy several levels at once? [multi-base, elevation]"""
    sizes_across_elevations: frozenset[int]
    """Which sizes can occupy several levels at once? [multi-base, elevation]"""
    passengers: Callable[[Play, Character], int]
    """Which characters can carry others, and how many? [carry, flying]

    - `fliers_and_sentinels_carry`: fliers and Sentinels, one character each
    - `fliers_and_transporters_carry`: fliers and transporters, one character each
    - `everybody_carries`: all characters, one character each
    """
    refuses_passenger: Callable[[Play, Figure, Figure], str | None]
    """Which characters can't be carried? [carry, flying]

    - `refuses_sentinels`: Sentinels
    - `refuses_all_but_standard_walkers`: characters with a wing symbol, a transporter symbol or a multi-square base;
      giants; colossals; stacked hordes
    - `refuses_not_smaller`: vehicles, and characters that aren't smaller than the carrier
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatOptions:
    """Attacks and damage."""

    several_targets: Literal["one_each", "divide"]
    """How does one ranged attack deal damage to several targets? [multiple-targets, damage]

    - `one_each`: 1 damage to each
    - `divide`: the damage value, divided as the attacker chooses
    """
    raises_any_damage: frozenset[str]
    """Which modifiers still raise a damage value that was replaced by a number? [replacement-values,
    replace-then-modify, modifiers, damage]

    The topics of those modifiers.

    - `enhancement`: Enhancement
    """
    critical_hits_are_evaded: bool
    """Can a hit with two 6s be evaded? [critical-hit, evade, attack]"""
    explosions_miss_neighbors: bool
    """Does an Energy Explosion that misses its target also miss the characters beside it? [energy-explosion]"""
    critical_hits_always_hurt: bool
    """Do two 6s deal 1 damage even if the attack itself deals none? [critical-hit, attack]"""
    harmless_attacks_miss_harmlessly: bool
    """If the attack itself deals no damage, is the attacker spared the damage for two 1s? [critical-miss, attack]"""
    critical_misses_wait: bool
    """Does the attacker take the damage for two 1s only after the action? [critical-miss, attack]"""
    pushing_waits: bool
    """Does a character that gets its second action token during an action take the pushing damage only after it?
    [pushing, action-tokens]"""
    support_misses_hurt: Literal["healer", "patient"]
    """Which character takes damage on a Support roll of two 1s? [support, critical-miss]

    - `healer`: the healer
    - `patient`: the target
    """
    knock_back_is_chosen: bool
    """Does the attacker choose whether a target is knocked back? [knockback]"""
    knock_back_is_part_of_the_attack: bool
    """Does knock back damage count as part of the attack's damage, so that it isn't reduced a second time?
    [knockback-damage,
    knockback]"""
    wounds_end_perplex: bool
    """Do damage and healing end Perplex? [perplex]"""
    influence: Callable[[Play, Character], int]
    """What is the range of Outwit, Perplex and Probability Control? [outwit, probability-control]

    - `ten_squares`: 10 squares
    - `own_range_or_six`: the character's own range, but at least 6 squares
    """
    reroll_reaches: Literal["action", "roll"]
    """Which figure must be within range of Probability Control? [probability-control, reroll]

    - `action`: the figure that performs the action
    - `roll`: the figure that made the roll
    """
    indomitable: bool
    """Does the indomitable symbol prevent pushing damage? [pushing-damage, pushing, symbols]"""
    thrown: Mapping[ObjectKind, tuple[int, int]]
    """How far can objects be thrown, and how much damage do they deal? [thrown-object, object-attack, objects]

    By kind: squares and damage.
    """
    own_range_throws: bool
    """Can an object be thrown as far as the thrower's own range, if that is longer? [thrown-object, objects]"""
    thrown_at_terrain: bool
    """Can objects also be thrown at terrain and at other objects? [thrown-object, objects]"""
    object_in_hand: Literal["compulsory", "named"]
    """Must a held object be used in close combat? [object-attack, held-object, objects]

    - `compulsory`: always
    - `named`: no; the holder's player chooses
    """
    object_adds_to_value: bool
    """Does an object change the damage value? (Otherwise it changes the damage dealt.) [object-attack, objects]"""
    picks_up: Callable[[Play, Character, Token], str | None]
    """Which characters can pick up objects? [pick-up, objects]

    - `lifters_pick_up`: characters with Super Strength (for ultra heavy objects, only those worth at least 100
      points); any character can pick up ultra light objects
    - `everybody_picks_up_light`: any character can pick up light objects; characters with Super Strength can also pick
      up heavy ones
    """
    keeps_hold: Callable[[Play, Character, Token], bool]
    """Which characters can keep holding an object? [held-object, pick-up, objects]

    - `lifters_keep_hold`: characters that keep Super Strength; any character can keep an ultra light object
    - `everybody_keeps_hold`: any character; it can keep a heavy object only as long as it has Super Strength
    """
    puts_down: bool
    """Can a character put down an object it holds? [pick-up, held-object, objects]"""
    one_object_to_a_square: bool
    """Is a dropped object removed if another one is already in its square? [pick-up, held-object, objects]"""
    objects_leave_debris: bool
    """Do destroyed objects leave debris? [destroy-object, debris, objects]"""
    lasting_objects: frozenset[str]
    """Which special objects aren't destroyed when used in an attack? [object-attack, held-object, objects]

    Their names in lower case.

    - `frozenset()`: none
    - `dumpster`: the Dumpster
    """
    destroying_is_no_attack: bool
    """Is destroying objects and terrain a separate action rather than an attack, and allowed even next to an opponent?
    [destroy-object, destroy-terrain, objects]

    No power or object is used for it.
    """
    wall_is_shot_at: Literal["either", "far", "across"]
    """To which square is the line of fire to a wall drawn? [destroy-terrain, walls]

    - `either`: to either square next to it
    - `far`: to the square on its far side
    - `across`: to the square on its far side, through the near one
    """
    wall_debris: Literal["both", "clear", "open"]
    """Where does a destroyed wall leave debris? [destroy-terrain, debris, walls]

    - `both`: in both squares next to it
    - `clear`: in the squares next to it that are clear terrain
    - `open`: in the squares next to it that aren't blocking terrain
    """
    debris_goes_with_marker: bool
    """Does a destroyed blocking marker's debris stay only as long as the marker would have? [debris, markers,
    destroy-terrain]"""
    themed_rerolls: Callable[[Play, PlayerSide], int]
    """How many times per match can a side reroll as a themed team? [themed-team-probability-control,
    themed-team-benefits]

    - `no_themed_rerolls`: no themed teams in this edition
    - `one_reroll_for_each_hundred`: once for each of its characters, at most once per 100 points of the build total
    - `rerolls_by_characters`: once for each of its characters with the keyword, at most five times
    """
    themed_rerolls_are_for_others: bool
    """Can a character use a themed team's reroll only on another character's roll?
    [themed-team-probability-control, themed-team-benefits]"""
    themed_rerolls_before_acting: bool
    """Can only characters that haven't acted yet and don't have Probability Control use a themed team's reroll?
    [themed-team-probability-control, themed-team-benefits]"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A legality rule of a force: its name in reports, the topic that cites it, its title, and its check.

    - `title`: its name on pages; `question`: the question it answers, as a heading.
    - `whole`: whether it checks the force as submitted; the others see it without elements that the edition lacks.
    - `limits`: whether it limits what a force holds beside its points; a Battle Royale has no such limits.
    - `variant`: where editions check one rule differently, how this check does.
    """

    name: str
    topic: str
    title: str
    question: str
    look: ForceCheck
    whole: bool = False
    limits: bool = False
    variant: str = ""

    def in_variant(self, variant: str) -> Callable[[ForceCheck], Check]:
        """Return a decorator that makes a function a variant of this check."""
        return lambda look: replace(self, look=look, variant=variant)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceOptions:
    """The elements that a force may contain, and the rules by which it is checked."""

    checks: tuple[Check, ...]
    warnings: frozenset[str]
    """Which legality rules only give a warning? [force-construction]

    By name.
    """
    tactics: frozenset[Tactic]
    """Which optional elements does the edition have? [tactics, force-construction]"""
    kinds: frozenset[RivalKind]
    """Which kinds of characters does the edition have? [force-construction]"""
    object_kinds: frozenset[ObjectKind]
    """Which kinds of objects does the edition have? [objects-in-force, objects]"""
    has_primes: bool
    """Does the edition have Primes? [prime, force-construction]"""
    has_sideline: bool
    """Does the edition have a sideline? [sideline, force-construction]"""
    other_kinds: frozenset[OtherKind]
    """Which equipment, cards and additional game elements does the edition have? [additional-game-elements,
    equipment, force-construction]"""
    bystanders_suffice: bool
    """If the edition has bystanders, can a force consist of bystanders alone? [no-character, bystanders,
    force-construction]"""
    unique_ranks: frozenset[Rank]
    """Which ranks allow only one copy of a figure in a force? [unique, limited-edition, force-construction]"""
    same_unique: Callable[[ForceCharacter], Hashable]
    """When do two figures count as the same Unique? [unique, force-construction]

    - `by_name`: if they have the same name
    - `by_name_set_and_number`: if they have the same name, set symbol and collector number
    """
    sideline_is_restricted: bool
    """Do Uniques and Primes on the sideline also count towards the force's limits? [sideline, unique,
    force-construction]"""
    objects: Callable[[Force], tuple[ForceObject | OtherElement, ...]]
    """Which elements count as objects of a force? [objects-in-force, objects]

    - `tokens_alone`: object tokens only
    - `tokens_and_equipment`: object tokens and equipment
    """
    generic_keywords: frozenset[str]
    """Which keywords are generic, whatever a card says? [keywords, themed-team]"""
    probability_control_uses: Callable[[Force, int], int] | None
    """How many times per match can a named themed team use Probability Control? [themed-team-probability-control,
    themed-team-benefits, themed-team]

    - `one_for_each_hundred`: once for each of its characters, at most once per 100 points of the build total
    - `at_most_five`: once for each of its characters with the keyword, at most five times
    - `None`: no themed teams in this edition
    """
    least_actions: int
    """What is the minimum action total, however small the build total? [action-total, actions]

    - `0`: no minimum
    """
    most_actions: int | None
    """What is the maximum action total, however large the build total? [action-total, actions]

    - `None`: no limit
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringOptions:
    """Scoring a battle and determining its winner."""

    award: Callable[[Battle, str, Fallen], Award]
    """Which player scores points for a defeated character? [victory-points]

    The procedures are in `scoring.victory_points`.

    - `to_the_striker`: the opponent who dealt the final damage; if no opponent did, the opponent who damaged the
      character most recently; if no opponent damaged it, all opponents in equal shares
    - `to_the_active_player`: the player whose turn it is; if that is the character's own player, the opponent who
      damaged it most recently; if no opponent did, all opponents in equal shares
    - `to_every_opponent`: each opponent, in full
    """
    archenemies_count_double: bool
    """Are defeated archenemies worth double victory points? [archenemies, victory-points]"""
    controller_strikes: bool
    """If the attacker was under Mind Control, does its controller count as the attacker? [mind-control,
    victory-points]"""
    scoring_fates: frozenset[Fate]
    """Which characters score points for their own player? [victory-points, victory]

    Where there are any, kept feats score too.
    """
    release: Callable[[Battle, Edition, Fallen], tuple[ScoreLine, ...]] | None
    """How much is releasing a captive worth? [release, capture, victory-points]

    - `twice_or_thrice`: double the captive's points for the captor's player; triple if the captive is an archenemy of
      the captor
    - `defeat_and_bonus`: the points for defeating the captive, plus a bonus of the same amount (at most 50)
    - `None`: no captives in this edition
    """
    feats_score: bool
    """Do opponents score points for lost feats? [feat-victory-points, feats, victory-points]"""
    objects_score: bool
    """Do opponents score points for lost objects that cost points? [object-victory-points, objects,
    victory-points]"""
    cards_score: bool
    """Do opponents score points for lost additional team abilities? [team-ability-card-victory-points,
    team-ability-card, victory-points]"""
    resources_score: bool
    """Do opponents score points for lost resources? [resource, victory-points]"""
    replaced_value_counts: bool
    """Do opponents score points for a replaced character once all its replacements have been defeated?
    [replacing-victory-points,
    replacing, victory-points]"""
    verdict: Callable[[Battle, Edition, tuple[ScoreLine, ...], tuple[BattleSide, ...]], BattleOutcome]
    """Which player wins? [victory, game-end, ties]

    - `most_points_or_smallest_force`: the one with the most victory points; among tied players, the one with the
      smallest force
    - `smallest_force_if_nobody_fell`: the one with the smallest force if no character was defeated; otherwise the one
      with the most victory points; among tied players, the one with the smallest force
    - `last_standing_or_roll_off`: the only player with characters left; otherwise the one with the most victory points;
      tied players roll off
    """
    stands: Callable[[BattleSide], bool]
    """When is a side still in the game? [game-end, victory]

    - `has_characters`: while it has characters
    - `has_characters_worth_points`: while it has characters worth at least 1 point
    """
    elimination_leaves_one: bool
    """When one of several players is eliminated, do the others play on until one is left? [game-end, victory]"""
    removed_by_rift_alone: bool
    """Are characters removed from the game only by the Dimensional Rift? [dimensional-rift, game-end]"""
    scenarios: Mapping[str, Scenario]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A rulebook: its name in documents, its title, its year, its words for actions, its sections, and its options."""

    name: str
    title: str
    year: int
    action_words: Mapping[str, str]
    topics: Mapping[str, Citation]
    rulings: RulingsFinder
    board: BoardOptions
    line_of_fire: LineOfFireOptions
    targets: TargetOptions
    values: ValueOptions
    movement: MovementOptions
    knock_back: KnockBackOptions
    actions: ActionOptions
    sentinels: SentinelOptions
    combat: CombatOptions
    powers: Mapping[str, Power]
    inherent: Mapping[str, Power]
    team_abilities: Mapping[str, Power]
    wild_cards: frozenset[str]
    """Which team abilities are wild cards? [wild-card, team-abilities]"""
    symbol_abilities: Mapping[str, Power]
    by_cards: ByCards
    rivalries: Callable[[Rival], tuple[Stand, ...]]
    """Which characters are archenemies? [archenemies]

    - `no_rivalries`: none
    - `by_colour`: figures with different names on bases of the same colour, except black
    - `by_colour_or_hunt`: figures with different names on bases of the same colour, except black; Sentinels
      together with members of the X-Men or the Brotherhood
    - `by_colour_and_set`: figures with different names and the same set symbol on bases of the same colour, except
      black
    """
    corrections: tuple[FigureCorrection, ...]
    force: ForceOptions
    scoring: ScoringOptions

    def action(self, kind: str) -> str:
        """Return what the book calls an action of that kind."""
        return f"{self.action_words.get(kind, kind.replace('-', ' '))} action"

    def attack(self, kind: str) -> str:
        """Return what the book calls a close or ranged attack."""
        return f"{self.action_words.get(kind, kind).lower()} attack"

    def row(self, name: str) -> Power | None:
        """Return the power, team ability or inherent ability of that name; None where the book doesn't have it."""
        return self.powers.get(name) or self.team_abilities.get(name) or self.inherent.get(name)

    def ability(self, name: str) -> Power | None:
        """Return what a card may grant by that name: a power, or the ability of a combat symbol."""
        symbols = self.symbol_abilities.values()
        return self.powers.get(name) or next((row for row in symbols if row.name == name), None)

    def cite(self, topics: str | Iterable[str]) -> tuple[Citation, ...]:
        """Return the book's sections on these topics, each once; topics that the book doesn't cover are skipped."""
        named = (topics,) if isinstance(topics, str) else topics
        places = (self.topics.get(topic) for topic in named)
        return tuple(dict.fromkeys(place for place in places if place is not None))

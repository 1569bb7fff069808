"""What an edition is: every question that a book must answer, in small option records without defaults.

A record holds the numbers, flags, named procedures and tables of one chapter; those without procedures
stand in `options`, which also tells what the documentation under each option is for. The editions themselves
stand in `editions`, one file a book. No rule asks for an edition's name: it asks the option that differs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol

from rules.engine.battles import Award, Battle, BattleOutcome, BattleSide, Fallen, Fate, ScoreLine
from rules.engine.board.scene import LookedOver, Scene, Screened, Sight
from rules.engine.citations import Citation, Ruling
from rules.engine.forces import Findings, Force, ForceCharacter, ForceObject, OtherElement, Rank, Tactic
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

if TYPE_CHECKING:  # The circle play, edition, power is explained in `play`.
    from rules.engine.play import Play

ForceCheck = Callable[["Force", "Edition"], "Findings"]
Scenario = Callable[["Battle", "Edition", "tuple[ScoreLine, ...]"], "tuple[tuple[ScoreLine, ...], BattleOutcome]"]


class RulingsFinder(Protocol):
    """Finds the rulings of a book: those that bear on what an action has met, or those about topics, best first."""

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
    """What stands in the way of a line of fire? [line-of-fire]

    The procedures stand in `combat.screens`.

    - `by_single_elevation`: two elevations, ground and elevated: what is on the ground does not touch lines between
      elevated squares
    - `by_boundary_lines`: the boundaries of terrain that the line crosses, with elevated areas and rims
    - `by_levels`: numbered elevation levels: terrain higher than both ends blocks
    """
    characters_close_corners: bool
    """Does a character beside an exact corner close that side of it? [intersections, line-of-fire]"""
    own_hindering: Literal["excused_if_first_square_clear", "excused", "hindered_without_modifier"]
    """What does hindering terrain in the attacker's own square do? [hindering-terrain]

    - `excused_if_first_square_clear`: nothing, and where the first square entered is clear it excuses all other
      hindering terrain of its area
    - `excused`: nothing
    - `hindered_without_modifier`: the line is hindered, without the modifier
    """
    hindering_modifier: int
    """How much does a hindered line add to the target's defense? [hindering-terrain]"""
    areas_matter: bool
    """Does it matter on which elevated area, and on its rim or inside, an end of the line stands? [rim, elevation]"""
    indoor_blocking_below_blocks: bool
    """Does indoor blocking terrain below both ends block the line? [blocking-terrain, indoor]"""
    looked_over: LookedOver
    """Which characters does a line pass over? [line-of-fire]

    - `none`: none
    - `standard_by_giants`: standard ones, where an end is a giant or colossal
    - `smaller`: those smaller than an end
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementOptions:
    """Moving, breaking away, carrying."""

    flight_modes: bool
    """Do fliers choose between hovering and soaring? [flying, hovering]"""
    hovering_past: frozenset[str]
    """What does a hovering character ignore when it moves? [hovering, flying]

    The words are those of `Power.moves_past`, here and in `soaring_past` and `size_past`.

    - `frozenset()`: there is no hovering
    """
    soaring_past: frozenset[str]
    """What does a soaring character ignore when it moves? [soaring, flying]

    - `frozenset()`: there is no soaring
    """
    hoverers_rest_on_blocking: bool
    """May hovering characters end on top of outdoor blocking terrain? [hovering, flying]"""
    size_past: Mapping[int, frozenset[str]]
    """What does a character's size let it ignore when it moves? [giant, size, movement]"""
    ladder_cost: int
    """How many squares more does a ladder cost? [ladders, stairs, elevation]"""
    corners_hinder: bool
    """Does a hindered corner stop a move like hindering terrain? [intersections, hindering-terrain]"""
    giants_break_away: bool
    """Do giants add 1 to break away, and ignore what holds others? [giant, break-away]"""
    break_away_by_size: bool
    """Does size help to break away? [break-away, size]"""
    bases_across_elevations: bool
    """May fliers on several squares stand on several levels at once? [multi-base, elevation]"""
    sizes_across_elevations: frozenset[int]
    """Which sizes may stand on several levels at once? [multi-base, elevation]"""
    passengers: Callable[[Play, Character], int]
    """Who carries, and how many? [carry, flying]

    - `fliers_and_sentinels_carry`: fliers and Sentinels, one character each
    - `fliers_and_transporters_carry`: fliers and transporters, one character each
    - `everybody_carries`: everybody who holds no object, one character each
    """
    refuses_passenger: Callable[[Play, Figure, Figure], str | None]
    """Who cannot be carried? [carry, flying]

    - `refuses_sentinels`: Sentinels
    - `refuses_all_but_standard_walkers`: who has a wing or transporter symbol or a larger base, giants, colossals,
      stacked hordes
    - `refuses_not_smaller`: vehicles, and who is not smaller than the carrier
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatOptions:
    """Attacks and damage."""

    several_targets: Literal["one_each", "divide"]
    """What are several targets of one ranged attack dealt? [multiple-targets, damage]

    - `one_each`: 1 damage each
    - `divide`: the damage value, divided as the attacker likes
    """
    raises_any_damage: frozenset[str]
    """What still adds to a damage value that was replaced by a number? [replacement-values, replace-then-modify,
    modifiers, damage]

    The topics of those modifiers.

    - `enhancement`: Enhancement
    """
    critical_hits_are_evaded: bool
    """Can two 6s be evaded? [critical-hit, evade, attack]"""
    critical_hits_always_hurt: bool
    """Do two 6s do their click also in attacks that do no damage? [critical-hit, attack]"""
    harmless_attacks_miss_harmlessly: bool
    """Do two 1s cost nothing in attacks that do no damage? [critical-miss, attack]"""
    critical_misses_wait: bool
    """Is the click of two 1s dealt only after the action? [critical-miss, attack]"""
    support_misses_hurt: Literal["healer", "patient"]
    """Whom do two 1s of Support hurt? [support, critical-miss]

    - `healer`: the healer
    - `patient`: the patient
    """
    knock_back_is_chosen: bool
    """Does the attacker choose whether a target is knocked back? [knockback]"""
    knock_back_is_part_of_the_attack: bool
    """Is damage of knock back part of the attack's, not reduced a second time? [knockback-damage, knockback]"""
    wounds_end_perplex: bool
    """Does damage or healing end Perplex? [perplex]"""
    influence: Callable[[Play, Character], int]
    """How far do Outwit, Perplex and Probability Control reach? [outwit, probability-control]

    - `ten_squares`: 10 squares
    - `own_range_or_six`: the character's own range, at least 6 squares
    """
    reroll_reaches: Literal["action", "roll"]
    """To whom does Probability Control have to reach? [probability-control, reroll]

    - `action`: to the figure that performs the action
    - `roll`: to the figure that made the roll
    """
    indomitable: bool
    """Does the indomitable symbol spare pushing damage? [pushing-damage, pushing, symbols]"""
    thrown: Mapping[ObjectKind, tuple[int, int]]
    """How far are objects thrown, and what do they do? [thrown-object, object-attack, objects]

    By kind: squares and damage.
    """
    own_range_throws: bool
    """Is an object thrown as far as its thrower's own longer range? [thrown-object, objects]"""
    thrown_at_terrain: bool
    """Is an object thrown at terrain and objects too? [thrown-object, objects]"""
    object_in_hand: Literal["compulsory", "named"]
    """Is a held object used in close combat? [object-attack, held-object, objects]

    - `compulsory`: always
    - `named`: if its holder likes
    """
    object_adds_to_value: bool
    """Does an object change the damage value? (Else the damage dealt.) [object-attack, objects]"""
    picks_up: Callable[[Play, Character, Token], str | None]
    """Who picks an object up? [pick-up, objects]

    - `lifters_pick_up`: who has Super Strength; ultra light ones anybody, ultra heavy ones only who costs 100 points or
      more
    - `everybody_picks_up_light`: everybody light ones, who has Super Strength also heavy ones
    """
    keeps_hold: Callable[[Play, Character, Token], bool]
    """Who goes on holding an object? [held-object, pick-up, objects]

    - `lifters_keep_hold`: who keeps Super Strength; an ultra light one, everybody
    - `everybody_keeps_hold`: everybody; but a heavy one only who does not lose Super Strength
    """
    puts_down: bool
    """May a held object be put down? [pick-up, held-object, objects]"""
    one_object_to_a_square: bool
    """Is a dropped object removed where another one lies? [pick-up, held-object, objects]"""
    objects_leave_debris: bool
    """Do destroyed objects leave debris? [destroy-object, debris, objects]"""
    lasting_objects: frozenset[str]
    """Which special objects are not destroyed by being used in an attack? [object-attack, held-object, objects]

    Their names in small letters.

    - `frozenset()`: none
    - `dumpster`: the Dumpster
    """
    destroying_is_no_attack: bool
    """Is destroying objects and terrain an action of its own, also beside an opponent, and no attack? [destroy-object,
    destroy-terrain, objects]

    No power or object is used for it.
    """
    wall_is_shot_at: Literal["either", "far", "across"]
    """To which square is a shot at a wall drawn? [destroy-terrain, walls]

    - `either`: to either square beside it
    - `far`: to the square on its far side
    - `across`: to the square on its far side, across the near one
    """
    wall_debris: Literal["both", "clear", "open"]
    """Where does a destroyed wall leave debris? [destroy-terrain, debris, walls]

    - `both`: in both squares beside it
    - `clear`: in the squares beside it that are clear terrain
    - `open`: in the squares beside it that are no blocking terrain
    """
    themed_rerolls: Callable[[Play, PlayerSide], int]
    """How often in a game may a side reroll as a themed team? [themed-team-probability-control, themed-team-benefits]

    - `no_themed_rerolls`: there are no themed teams
    - `one_reroll_for_each_hundred`: as often as it has characters, at most once for each 100 points
    - `rerolls_by_characters`: as often as it has characters, at most five times
    """
    themed_rerolls_before_acting: bool
    """May only those reroll for a themed team who have not acted and lack the power themselves?
    [themed-team-probability-control, themed-team-benefits]"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A legality rule of a force: its name in reports, the topic that cites it, how pages name it, what finds violations.

    - `title`: its name on pages; `question`: what it asks, as a heading.
    - `whole`: whether it looks at the force as it is; all others look at it without what the edition does not have.
    - `variant`: where editions check one rule differently, how this check does.
    """

    name: str
    topic: str
    title: str
    question: str
    look: ForceCheck
    whole: bool = False
    variant: str = ""

    def in_variant(self, variant: str) -> Callable[[ForceCheck], Check]:
        """Return a decorator that makes a function another way of checking this rule."""
        return lambda look: replace(self, look=look, variant=variant)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceOptions:
    """What may be on a force, and the rules by which it is checked."""

    checks: tuple[Check, ...]
    warnings: frozenset[str]
    """Which rules of a force only warn? [force-construction]

    By name.
    """
    tactics: frozenset[Tactic]
    """Which optional elements exist? [tactics, force-construction]"""
    kinds: frozenset[RivalKind]
    """Which kinds of characters are there? [force-construction]"""
    object_kinds: frozenset[ObjectKind]
    """Which kinds of objects are there? [objects-in-force, objects]"""
    has_primes: bool
    """Are there Primes? [prime, force-construction]"""
    has_sideline: bool
    """Is there a Sideline? [sideline, force-construction]"""
    has_additional_elements: bool
    """Are there equipment and other additional game elements? [additional-game-elements, equipment,
    force-construction]"""
    bystanders_suffice: bool
    """May a force be of bystanders alone? (Where there are bystanders.) [no-character, bystanders,
    force-construction]"""
    unique_ranks: frozenset[Rank]
    """Which ranks may be on a force only once? [unique, limited-edition, force-construction]"""
    same_unique: Callable[[ForceCharacter], Hashable]
    """When are two figures the same Unique? [unique, force-construction]

    - `by_name`: the same name
    - `by_name_set_and_number`: the same name, set symbol and collector's number
    """
    sideline_is_restricted: bool
    """Do Uniques and Primes of the Sideline count with those of the force? [sideline, unique, force-construction]"""
    objects: Callable[[Force], tuple[ForceObject | OtherElement, ...]]
    """What counts as an object of a force? [objects-in-force, objects]

    - `tokens_alone`: object tokens alone
    - `tokens_and_equipment`: object tokens and equipment
    """
    generic_keywords: frozenset[str]
    """Which keywords are generic, whatever a card says? [keywords, themed-team]"""
    probability_control_uses: Callable[[Force, int], int] | None
    """How often may a named themed team use Probability Control? [themed-team-probability-control,
    themed-team-benefits, themed-team]

    - `one_for_each_hundred`: as often as it has characters, at most once for each 100 points of the build total
    - `at_most_five`: as often as it has characters with the keyword, at most five times
    - `None`: there are no themed teams
    """
    least_actions: int
    """How many actions does a force have at least, however small the build total? [action-total, actions]

    - `0`: no least number
    """
    most_actions: int | None
    """How many actions does a force have at most, however large the build total? [action-total, actions]

    - `None`: no limit
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringOptions:
    """What a battle is worth, and who has won it."""

    award: Callable[[Battle, str, Fallen], Award]
    """Who scores a defeated character? [victory-points]

    The procedures stand in `scoring.victory_points`.

    - `to_the_striker`: the opponent who dealt the last blow, else who damaged it most recently, else all share
    - `to_the_active_player`: the opponent whose turn it was; in its own player's turn, who damaged it most recently,
      else all share
    - `to_every_opponent`: each opponent, in full
    """
    archenemies_count_double: bool
    """Do archenemies count double? [archenemies, victory-points]"""
    controller_strikes: bool
    """Does who mind-controlled the striker count in its place? [mind-control, victory-points]"""
    scoring_fates: frozenset[Fate]
    """Which characters score for their own player? [victory-points, victory]

    Where there are any, kept feats score too.
    """
    release: Callable[[Battle, Edition, Fallen], tuple[ScoreLine, ...]] | None
    """What is releasing a captive worth? [release, capture, victory-points]

    - `twice_or_thrice`: double to the captor's player; three times for the captor's archenemy
    - `defeat_and_bonus`: the captive's defeat, and as much again, at most 50
    - `None`: there are no captives
    """
    feats_score: bool
    """Do lost feats score? [feat-victory-points, feats, victory-points]"""
    objects_score: bool
    """Do lost objects that cost points score? [object-victory-points, objects, victory-points]"""
    cards_score: bool
    """Do lost additional team abilities score? [team-ability-card-victory-points, team-ability-card, victory-points]"""
    resources_score: bool
    """Do lost resources score? [resource, victory-points]"""
    replaced_value_counts: bool
    """Is a replaced character's value due once all its replacements have fallen? [replacing-victory-points, replacing,
    victory-points]"""
    verdict: Callable[[Battle, Edition, tuple[ScoreLine, ...], tuple[BattleSide, ...]], BattleOutcome]
    """Who wins? [victory, game-end, ties]

    - `most_points_or_smallest_force`: most victory points; of those who tie, the smallest force
    - `smallest_force_if_nobody_fell`: the smallest force where nobody was defeated; else most victory points, then the
      smallest force
    - `last_standing_or_roll_off`: the only player with characters left; else most victory points; those who tie roll
      off
    """
    stands: Callable[[BattleSide], bool]
    """When is a side still in the game? [game-end, victory]

    - `has_characters`: while it has characters
    - `has_characters_worth_points`: while it has characters worth at least 1 point
    """
    scenarios: Mapping[str, Scenario]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A rulebook: its name in documents, its title, its year, where it speaks of each topic, and its options."""

    name: str
    title: str
    year: int
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
    rivalries: Callable[[Rival], tuple[Stand, ...]]
    """Who is whose archenemy? [archenemies]

    - `no_rivalries`: nobody
    - `by_colour`: figures of different names on bases of one colour, not black
    - `by_colour_or_hunt`: figures of different names on bases of one colour, not black; Sentinels and the X-Men and
      Brotherhood
    - `by_colour_and_set`: figures of different names on bases of one colour, not black, with the same set symbol
    """
    corrections: tuple[FigureCorrection, ...]
    force: ForceOptions
    scoring: ScoringOptions

    def row(self, name: str) -> Power | None:
        """Return the power, team ability or inherent ability of that name, None where the book does not have it."""
        return self.powers.get(name) or self.team_abilities.get(name) or self.inherent.get(name)

    def cite(self, topics: str | Iterable[str]) -> tuple[Citation, ...]:
        """Return where the book speaks of these topics, each place once; a topic it does not know has none."""
        named = (topics,) if isinstance(topics, str) else topics
        places = (self.topics.get(topic) for topic in named)
        return tuple(dict.fromkeys(place for place in places if place is not None))

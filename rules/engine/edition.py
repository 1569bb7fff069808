"""What an edition is: every question that a book must answer, in small option records without defaults.

A record holds the numbers, flags, named procedures and tables of one chapter; the editions
themselves stand in `editions`, one file a book. No rule asks for an edition's name: it asks the
option that differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol

from rules.engine.citations import Citation, Ruling
from rules.engine.position.characters import Character
from rules.engine.position.objects import BattleObject as Token
from rules.engine.position.objects import ObjectKind
from rules.engine.power import Power

if TYPE_CHECKING:
    from collections.abc import Hashable

    from rules.engine.combat.screens import Scene, Screened, Sight
    from rules.engine.figures.archenemies import Figure as Stander
    from rules.engine.figures.archenemies import Kind, Stand
    from rules.engine.figures.corrections import FigureCorrection
    from rules.engine.figures.standing import Figure
    from rules.engine.force.values import BattleObject, Findings, Force, OtherElement, Rank, Tactic
    from rules.engine.force.values import Character as ForceCharacter
    from rules.engine.play import Play
    from rules.engine.position.position import Side as PlayerSide
    from rules.engine.scoring.values import Award, Battle, Fallen, Fate, Line, Side, Verdict

ForceCheck = Callable[["Force", "Edition"], "Findings"]
Scenario = Callable[["Battle", "Edition", "tuple[Line, ...]"], "tuple[tuple[Line, ...], Verdict]"]


class RulingsFinder(Protocol):
    """Finds the rulings of a book: those that bear on what an action has met, or those about topics, best first."""

    def __call__(
        self, *, met: Iterable[str] | None = None, topics: Iterable[str] = (), limit: int | None = 12
    ) -> tuple[Ruling, ...]:
        """Return the rulings."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardOptions:
    """The ground and adjacency.

    - `objects_hinder_sight`, `objects_hinder_movement`: the kinds of objects that make their square hindering.
    - `windows_and_doors`: whether maps may have them.
    - `top_marker_decides`: whether the topmost terrain marker alone says what its square is; else each adds to it.
    - `stairs_join_squares`: whether the two squares of a stairway are adjacent across elevations.
    - `elevation_parts_corners`: whether a corner is closed to adjacency by squares of a `higher` level, of any
      `different` one, or by `none`.
    - `large_bases_part_corners`: whether a base across a corner parts the two other squares.
    - `blocking_is_entered`: whether standing in a square of blocking terrain is no level of its own.
    - `giant_reach`: how many squares away a giant is adjacent for movement and its close attacks; 0: no further.
    - `sizes_adjacent_to_soaring`: the sizes that are adjacent to soaring characters from the ground.
    """

    objects_hinder_sight: frozenset[ObjectKind]
    objects_hinder_movement: frozenset[ObjectKind]
    windows_and_doors: bool
    top_marker_decides: bool
    stairs_join_squares: bool
    elevation_parts_corners: Literal["higher", "different", "none"]
    large_bases_part_corners: bool
    blocking_is_entered: bool
    giant_reach: int
    sizes_adjacent_to_soaring: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOfFireOptions:
    """Lines of fire.

    - `screen`: the procedure that says what stands in the way of a line (`combat.screens`).
    - `characters_close_corners`: whether a character beside an exact corner closes that side of it.
    - `own_hindering`: what hindering terrain in the square a line starts from does: it excuses all others where the
      first square entered is clear, it is itself excused, or it makes the line hindered without the modifier.
    - `hindering_modifier`: what a hindered line adds to the target's defense.
    - `areas_matter`: whether it matters which elevated area and whether its rim an end stands on.
    - `indoor_blocking_below_blocks`: whether indoor blocking terrain below both ends blocks.
    - `looked_over`: which characters a line passes over: `smaller` ones than an end, standard ones
      `standard_by_giants`, or `none`.
    """

    screen: Callable[[Scene, Sight], Screened]
    characters_close_corners: bool
    own_hindering: Literal["excused_if_first_square_clear", "excused", "hindered_without_modifier"]
    hindering_modifier: int
    areas_matter: bool
    indoor_blocking_below_blocks: bool
    looked_over: Literal["none", "standard_by_giants", "smaller"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetOptions:
    """Who may be attacked, and what an adjacent opponent prevents.

    - `first_immunity`: until when characters cannot be targeted at the start of the game.
    - `close_across_stairs`: whether the two squares of a stairway or ladder can attack each other in close combat.
    - `fliers_shoot_adjacent`: whether hovering characters shoot and are shot at by adjacent opponents.
    - `grounded_neighbours_prevent`: whether that needs no other, grounded opponent beside the one who shoots.
    - `soaring_shoots_past_adjacent`: whether an adjacent opponent leaves a soaring character free to shoot others.
    - `raised_range_shoots`: whether a printed range of 0 that is raised lets its bearer shoot; in the 2020s only one that
      is replaced by a number does (The Rule of Zeroes).
    - `full_range_to_soaring`: the sizes whose range is not halved against soaring characters.
    """

    first_immunity: Literal["none", "first_round", "first_turn"]
    close_across_stairs: bool
    fliers_shoot_adjacent: bool
    grounded_neighbours_prevent: bool
    soaring_shoots_past_adjacent: bool
    raised_range_shoots: bool
    full_range_to_soaring: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueOptions:
    """Combat values: how much all modifiers together may move one, what is replaced first, the least it may be.

    `damage_depletion`: whether each attack made this turn takes 1 from the damage value.
    """

    modifiers_limit: int | None
    numbers_before_factors: bool
    minimum: int | None
    damage_depletion: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementOptions:
    """Moving, breaking away, carrying.

    - `flight_modes`: whether fliers hover or soar; `hovering_past`, `soaring_past`: what they ignore then (the words
      are those of `Power.moves_past`).
    - `hoverers_rest_on_blocking`: whether they may end on top of outdoor blocking terrain.
    - `size_past`: what each size ignores when it moves.
    - `ladder_cost`: how many squares more a ladder costs.
    - `corners_hinder`: whether a hindered corner stops a move like hindering terrain.
    - `giants_break_away`: whether giants add 1 and ignore what holds others; `break_away_by_size`: whether size helps.
    - `bases_across_elevations`: whether fliers and `sizes_across_elevations` may stand on several levels at once.
    - `passengers`: how many characters somebody may carry; `refuses_passenger`: why somebody is not carried.
    """

    flight_modes: bool
    hovering_past: frozenset[str]
    soaring_past: frozenset[str]
    hoverers_rest_on_blocking: bool
    size_past: Mapping[int, frozenset[str]]
    ladder_cost: int
    corners_hinder: bool
    giants_break_away: bool
    break_away_by_size: bool
    bases_across_elevations: bool
    sizes_across_elevations: frozenset[int]
    passengers: Callable[[Play, Character], int]
    refuses_passenger: Callable[[Play, Figure, Figure], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockBackOptions:
    """Knock back.

    - `off_the_line`: the path where attacker and target are on no straight line: the attacker chooses one of the two
      `nearest` lines or `any` line away, or it is the `diagonal`.
    - `fall_damage`: for falling off elevated terrain; `clinging_damage`: where somebody stands in the landing square.
    - `barred_landing_is_safe`: whether a landing square of blocking terrain ends the path without damage.
    - `hoverers_fly_on`: whether hovering characters are not stopped by leaving elevated terrain.
    - `fliers_fall_unhurt`: whether fliers land in the first lower square without damage.
    - `soaring_ignores_terrain`: whether only the map's edge and other characters stop a soaring character.
    - `immune_sizes`, `large_bases_immune`, `transporters_immune`, `immune_to_smaller`: who is not knocked back.
    - `prevented_before_damage`: whether what prevents knock back is looked for before the attack's damage is dealt.
    - `characters_before_walls`: whether somebody in the next square stops the path before what lies at its border does.
    """

    off_the_line: Literal["nearest", "any", "diagonal"]
    fall_damage: int
    clinging_damage: int
    barred_landing_is_safe: bool
    hoverers_fly_on: bool
    fliers_fall_unhurt: bool
    soaring_ignores_terrain: bool
    immune_sizes: frozenset[int]
    large_bases_immune: bool
    transporters_immune: bool
    immune_to_smaller: bool
    prevented_before_damage: bool
    characters_before_walls: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionOptions:
    """Turns and actions.

    - `fewest`, `most`: how many actions a turn has at least and at most.
    - `carried_rest`: whether who was carried may not be given one.
    - `carry_costs`: the speed that each passenger costs; `carries_with_object`: whether one may do both at once.
    - `picks_up_beside_opponents`: whether a move that an opponent stops still picks up from an adjacent square.
    - `free_actions_begin`: whether a free action too ends the beginning of a turn.
    - `declined_for_the_turn`: whether what is declined is out of use until the turn ends, and not in that action only.
    - `much_stands_on_cards`: whether feats, traits and special powers may be used that stand on cards, not in the book.
    """

    fewest: int | None
    most: int | None
    carried_rest: bool
    carry_costs: int
    carries_with_object: bool
    picks_up_beside_opponents: bool
    free_actions_begin: bool
    declined_for_the_turn: bool
    much_stands_on_cards: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SentinelOptions:
    """Sentinels, and capturing, which began with them."""

    act_with_two_tokens: bool
    """Whether a Sentinel with two action tokens may be given an action."""
    passing_clears_tokens: bool
    """Whether a Sentinel that passes loses its action tokens."""
    passing_is_their_action: bool
    """Whether a pass is a Sentinel's one action of the turn; else it may pass and act as often as it likes."""
    unaffected_by: frozenset[str]
    """The powers that do nothing to a Sentinel, by their names."""
    alone_capture: bool
    """Whether only Sentinels capture."""
    alone_release: bool
    """Whether only Sentinels release captives."""
    giants_are_captured: bool
    """Whether a giant or colossal character can be captured."""
    captives_that_fill_hands: int
    """How many captives keep their captor from capturing and from close attacks."""
    captives_lower_defense: bool
    """Whether each captive takes 1 from its captor's defense against a rescue."""
    released_beside_captor: bool
    """Whether a release needs an open square of the starting area beside the captor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatOptions:
    """Attacks and damage.

    - `several_targets`: several targets of a ranged attack are dealt `one_each`, or the damage value is to `divide`.
    - `raises_any_damage`: the topics of modifiers that count although the damage value is replaced by a number.
    - `critical_hits_are_evaded`: whether what evades works against two 6s; `critical_hits_always_hurt`: whether they
      deal their click also with attacks that do no damage.
    - `harmless_attacks_miss_harmlessly`: whether two 1s cost nothing in an attack that does no damage.
    - `critical_misses_wait`: whether the click of two 1s is dealt only once the action has resolved.
    - `support_misses_hurt`: whom two 1s of Support hurt: the `healer` or the `patient`.
    - `knock_back_is_chosen`: whether the attacker chooses; `knock_back_is_part_of_the_attack`: whether its damage is
      not reduced a second time.
    - `wounds_end_perplex`: whether damage or healing ends Perplex.
    - `influence`: how far Outwit, Perplex and Probability Control reach; `reroll_reaches`: to whom the last one has to
      reach: who performs the `action`, or who made the `roll`.
    - `indomitable`: whether the symbol spares pushing damage.
    - `thrown`: how far objects are thrown and what they deal, by kind; `own_range_throws`: whether a longer range counts;
      `thrown_at_terrain`: whether they are thrown at what could be destroyed too, and not at an opponent only.
    - `object_in_hand`: whether one must be used in close combat (`compulsory`) or may be (`named`).
    - `object_adds_to_value`: whether an object changes the damage value; else the damage dealt.
    - `picks_up`, `keeps_hold`: who picks an object up, and who goes on holding it.
    - `puts_down`: whether a held object may be put down; `one_object_to_a_square`: whether a dropped one is removed
      where another lies; `objects_leave_debris`: whether a destroyed object leaves some.
    - `lasting_objects`: the names of the special objects, in small letters, that are not destroyed by being used.
    - `destroying_is_no_attack`: whether destroying is an action of its own: opponents beside one do not prevent it, and
      no power or object is used for it.
    - `wall_is_shot_at`: the square to which a shot at a wall is drawn: `either` beside it, the `far` one, or that one in a
      line `across` both; `wall_debris`: where its debris is placed: in `both` squares, in `clear` ones, in `open` ones.
    - `themed_rerolls`: how often a side may use its themed team's Probability Control; `themed_rerolls_before_acting`:
      whether only those may who have been given no action this turn and have not the power themselves.
    """

    several_targets: Literal["one_each", "divide"]
    raises_any_damage: frozenset[str]
    critical_hits_are_evaded: bool
    critical_hits_always_hurt: bool
    harmless_attacks_miss_harmlessly: bool
    critical_misses_wait: bool
    support_misses_hurt: Literal["healer", "patient"]
    knock_back_is_chosen: bool
    knock_back_is_part_of_the_attack: bool
    wounds_end_perplex: bool
    influence: Callable[[Play, Character], int]
    reroll_reaches: Literal["action", "roll"]
    indomitable: bool
    thrown: Mapping[ObjectKind, tuple[int, int]]
    own_range_throws: bool
    thrown_at_terrain: bool
    object_in_hand: Literal["compulsory", "named"]
    object_adds_to_value: bool
    picks_up: Callable[[Play, Character, Token], str | None]
    keeps_hold: Callable[[Play, Character, Token], bool]
    puts_down: bool
    one_object_to_a_square: bool
    objects_leave_debris: bool
    lasting_objects: frozenset[str]
    destroying_is_no_attack: bool
    wall_is_shot_at: Literal["either", "far", "across"]
    wall_debris: Literal["both", "clear", "open"]
    themed_rerolls: Callable[[Play, PlayerSide], int]
    themed_rerolls_before_acting: bool


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
    """What may be on a force, and the rules by which it is checked.

    - `checks`: the legality rules, in the order of reports. `warnings`: the names of rules that only warn.
    - `tactics`, `kinds`, `object_kinds`, `has_primes`, `has_sideline`, `has_additional_elements`: what exists.
    - `bystanders_suffice`: whether a force may be of bystanders alone.
    - `unique_ranks`, `same_unique`: which ranks are Unique, and what two copies of one have in common.
    - `sideline_is_restricted`: whether Uniques and Primes of the Sideline count with those of the force.
    - `objects`: what counts as an object of a force.
    - `generic_keywords`: the keywords that are generic whatever a card says.
    - `probability_control_uses`: how often a named themed team of so many characters may use Probability Control;
      None where there are no themed teams.
    - `least_actions`, `most_actions`: the bounds of the action total; None: no upper bound.
    """

    checks: tuple[Check, ...]
    warnings: frozenset[str]
    tactics: frozenset[Tactic]
    kinds: frozenset[Kind]
    object_kinds: frozenset[ObjectKind]
    has_primes: bool
    has_sideline: bool
    has_additional_elements: bool
    bystanders_suffice: bool
    unique_ranks: frozenset[Rank]
    same_unique: Callable[[ForceCharacter], Hashable]
    sideline_is_restricted: bool
    objects: Callable[[Force], tuple[BattleObject | OtherElement, ...]]
    generic_keywords: frozenset[str]
    probability_control_uses: Callable[[Force, int], int] | None
    least_actions: int
    most_actions: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringOptions:
    """What a battle is worth, and who has won it.

    - `award`: which opponents share what a fallen piece is worth (`scoring.victory_points`).
    - `archenemies_count_double`; `controller_strikes`: whether who mind-controlled the striker counts in its place.
    - `scoring_fates`: the fates in which a character scores for its own player; where there are any, kept feats do too.
    - `release`: what releasing a captive is worth; None where there are no captives.
    - `feats_score`, `objects_score`, `cards_score`, `resources_score`: what else scores when it is lost.
    - `replaced_value_counts`: whether a replaced character's value is due once all its replacements have fallen.
    - `verdict`: the procedure that finds the winner; `stands`: whether a side has still somebody in play.
    - `scenarios`: the scenarios of the book, by name.
    """

    award: Callable[[Battle, str, Fallen], Award]
    archenemies_count_double: bool
    controller_strikes: bool
    scoring_fates: frozenset[Fate]
    release: Callable[[Battle, Edition, Fallen], tuple[Line, ...]] | None
    feats_score: bool
    objects_score: bool
    cards_score: bool
    resources_score: bool
    replaced_value_counts: bool
    verdict: Callable[[Battle, Edition, tuple[Line, ...], tuple[Side, ...]], Verdict]
    stands: Callable[[Side], bool]
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
    symbol_abilities: Mapping[str, Power]
    rivalries: Callable[[Stander], tuple[Stand, ...]]
    corrections: tuple[FigureCorrection, ...]
    force: ForceOptions
    scoring: ScoringOptions

    def cite(self, topics: str | Iterable[str]) -> tuple[Citation, ...]:
        """Return where the book speaks of these topics, each place once; a topic it does not know has none."""
        named = (topics,) if isinstance(topics, str) else topics
        places = (self.topics.get(topic) for topic in named)
        return tuple(dict.fromkeys(place for place in places if place is not None))

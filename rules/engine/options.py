"""Options of an edition that are flags, numbers and tables, one record a chapter, without defaults.

Each option answers one question about the book. The question stands under it, with the topics under which the
books answer it (the first that a book speaks of) and words for answers that aren't yes, no or a number: pages
show exactly this (`editions.wording`). Options with procedures, which speak of a `Play` or of the `Edition`
itself, stand in `edition`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.engine.position.objects import ObjectKind


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardOptions:
    """The ground and adjacency."""

    objects_hinder_sight: frozenset[ObjectKind]
    """Which objects make their square hindering for lines of fire? [objects, hindering-terrain]"""
    objects_hinder_movement: frozenset[ObjectKind]
    """Which objects make their square hindering for movement? [objects, hindering-terrain]"""
    windows_and_doors: bool
    """May maps have windows and doors? [windows, doors, walls]"""
    top_marker_decides: bool
    """Does the topmost terrain marker alone say what its square is? (Else each marker adds to it.) [markers,
    terrain]"""
    stairs_join_squares: bool
    """Are the two squares of a stairway adjacent across elevations? [stairs, elevation]"""
    elevation_parts_corners: Literal["higher", "different", "none"]
    """Which elevated squares at a corner keep two others from being adjacent across it? [adjacency, elevation]

    - `higher`: those of a higher level
    - `different`: those of any other level
    - `none`: none
    """
    large_bases_part_corners: bool
    """Does a base of several squares that lies across a corner part the two other squares? [adjacency, multi-base]"""
    blocking_is_entered: bool
    """Does a character in a square of blocking terrain stand in it, on the level of its neighbours? (Else it stands on
    top.) [blocking-terrain, adjacency]"""
    giant_reach: int
    """How far away are characters adjacent to giants, for movement and close attacks? [giant, adjacency]

    - `0`: only the square beside them
    - `2`: 2 squares
    """
    sizes_adjacent_to_soaring: frozenset[int]
    """Which sizes on the ground are adjacent to soaring characters? (Where there is soaring.) [soaring, flying,
    adjacency]"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetOptions:
    """Who may be attacked, and what an adjacent opponent prevents."""

    first_immunity: Literal["none", "first_round", "first_turn"]
    """Until when can characters not be targeted at the start of the game? [first-turn-immunity, turn]

    - `none`: there is no such rule
    - `first_round`: in the first round
    - `first_turn`: in each player's first turn
    """
    close_across_stairs: bool
    """Can the two squares of a stairway or ladder attack each other in close combat? [stairs, close-combat]"""
    fliers_shoot_adjacent: bool
    """Do hovering characters shoot, and are they shot at by, adjacent opponents? [hovering, flying, ranged-combat]"""
    grounded_neighbours_prevent: bool
    """Does that need that no other, grounded opponent is beside the one who shoots? [hovering, flying,
    ranged-combat]"""
    soaring_shoots_past_adjacent: bool
    """Is a soaring character beside an opponent still free to shoot at others? [soaring, flying, ranged-combat]"""
    raised_range_shoots: bool
    """Does a range of 0 that is raised let its bearer shoot? [range, ranged-combat]

    In the 2020s only one that is replaced by a number does (The Rule of Zeroes).
    """
    full_range_to_soaring: frozenset[int]
    """Which sizes keep their full range against soaring characters? [soaring, flying, range]"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueOptions:
    """Combat values: how much all modifiers together may move one, what is replaced first, the least it may be."""

    modifiers_limit: int | None
    """By how much may all modifiers together move a value? [rule-of-three, modifiers]

    - `None`: no limit
    """
    numbers_before_factors: bool
    """Does a value replaced by a number come before one that is halved or doubled? [replacement-values,
    replace-then-modify, modifiers]"""
    minimum: int | None
    """What is the least that a value may be? [rule-of-minimums, minimum, modifiers, combat-values]

    - `None`: no limit
    """
    damage_depletion: bool
    """Does each attack that a character has made this turn take 1 from its damage value? [damage-depletion, damage]"""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockBackOptions:
    """Knock back."""

    off_the_line: Literal["nearest", "any", "diagonal"]
    """Where does the path lead when attacker and target are on no straight line? [knockback]

    - `nearest`: along one of the two nearest lines, as the attacker chooses
    - `any`: along any line away, as the attacker chooses
    - `diagonal`: along the diagonal
    """
    fall_damage: int
    """How much damage does falling off elevated terrain do? [knockback-falling, knockback]"""
    clinging_damage: int
    """How much damage does it do where somebody stands in the landing square? [knockback-falling, knockback]

    - `0`: none
    """
    barred_landing_is_safe: bool
    """Does blocking terrain in the landing square end the path without damage? [knockback-falling, knockback]"""
    hoverers_fly_on: bool
    """Do hovering characters leave elevated terrain without being stopped? [knockback-falling, knockback]"""
    fliers_fall_unhurt: bool
    """Do fliers land in the first lower square without damage? [knockback-falling, knockback]"""
    soaring_ignores_terrain: bool
    """Do only the map's edge and other characters stop a soaring character? [soaring, knockback]"""
    immune_sizes: frozenset[int]
    """Which sizes are never knocked back? [knockback-prevention, knockback]"""
    large_bases_immune: bool
    """Are characters on several squares never knocked back? [knockback-prevention, knockback]"""
    transporters_immune: bool
    """Are transporters never knocked back? [knockback-prevention, knockback]"""
    immune_to_smaller: bool
    """Are characters not knocked back by smaller ones? [knockback-prevention, size, knockback]"""
    prevented_before_damage: bool
    """Is what prevents knock back looked for before the damage? [knockback-prevention, knockback]"""
    characters_before_walls: bool
    """Does somebody behind a wall stop the path before the wall does? [knockback-damage, knockback]"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionOptions:
    """Turns and actions."""

    fewest: int | None
    """How many actions does a turn have at least? [action-total, actions]

    - `None`: no least number
    """
    most: int | None
    """How many actions does a turn have at most? [action-total, actions]

    - `None`: no limit
    """
    carried_rest: bool
    """Is a character that was carried given no action in that turn? [carry, flying]"""
    carry_costs: int
    """How much speed does each passenger cost? [carry, flying]

    - `0`: none
    """
    carries_with_object: bool
    """May a character carry another while it holds an object? [carry, held-object, flying]"""
    picks_up_beside_opponents: bool
    """Does a move that an opponent stops still pick up from an adjacent square? [pick-up, objects]"""
    free_actions_begin: bool
    """Does a free action end the beginning of a turn? [turn, actions]"""
    declined_for_the_turn: bool
    """Is a declined power out of use until the turn ends? (Else in that action only.) [powers, team-abilities]"""
    much_stands_on_cards: bool
    """May an action use what stands on a card and not in the book, such as feats and special powers? [powers,
    actions]"""
    not_on_cards: frozenset[str]
    """Which abilities of other books can no card bring to this one? [powers, actions]"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentinelOptions:
    """Sentinels, and capturing, which began with them."""

    act_with_two_tokens: bool
    """May a Sentinel with two action tokens be given an action? [sentinel]"""
    passing_clears_tokens: bool
    """Does a Sentinel that passes lose its action tokens? [sentinel]"""
    passing_is_their_action: bool
    """Is a pass a Sentinel's one action of the turn? [sentinel]

    Else it may pass and act as often as it likes.
    """
    unaffected_by: frozenset[str]
    """Which powers do nothing to a Sentinel? [sentinel]

    By their names.
    """
    alone_capture: bool
    """Do only Sentinels capture? [capture]"""
    alone_release: bool
    """Do only Sentinels release captives? [release]"""
    giants_are_captured: bool
    """Can a giant or colossal character be captured? [capture]"""
    captives_that_fill_hands: int
    """How many captives keep their captor from capturing and from close attacks? [capture]"""
    captives_lower_defense: bool
    """Does each captive take 1 from its captor's defense against a rescue? [rescue]"""
    released_beside_captor: bool
    """Does a release need an open square of the starting area beside the captor? [release]"""

"""Option records of an edition that hold only flags, numbers and tables, one record per chapter, without defaults.

Each option answers one question about the book. The docstring under it holds the question, the topics under which the
books answer it (the first that a book covers is cited) and wording for answers other than yes, no or a number. Pages
show exactly this text (`editions.wording`). Options with procedures, which involve a `Play` or the `Edition` itself,
are in `edition`.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from rules.engine.position.objects import ObjectKind

CAPITALS: Final = MappingProxyType(
    {
        "close": "CLOSE",
        "ranged": "RANGE",
        "move": "MOVE",
        "power": "POWER",
        "double-power": "DOUBLE POWER",
        "free": "FREE",
    }
)
"""The words for actions in the books of the 2020s."""
COMBAT_ACTIONS: Final = MappingProxyType({"close": "close combat", "ranged": "ranged combat"})
"""The words for attack actions in the books before the 2020s."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardOptions:
    """The ground and adjacency."""

    objects_hinder_sight: frozenset[ObjectKind]
    """Which objects make their square hindering terrain for lines of fire? [objects, hindering-terrain]"""
    objects_hinder_movement: frozenset[ObjectKind]
    """Which objects make their square hindering terrain for movement? [objects, hindering-terrain]"""
    windows_and_doors: bool
    """Can maps have windows and doors? [windows, doors, walls]"""
    top_marker_decides: bool
    """Does the topmost terrain marker alone determine its square's terrain? (Otherwise each marker adds to it.)
    [markers, terrain]"""
    markers_lie_on: Literal["open", "not_blocking"]
    """In which squares can powers place terrain markers? [markers, occupancy, terrain]

    - `open`: in squares without other terrain, markers, objects or characters
    - `not_blocking`: in any square that isn't blocking terrain; blocking markers can't be placed on characters or
      objects
    """
    stairs_join_squares: bool
    """Are the two squares of a stairway adjacent across elevations? [stairs, elevation]"""
    elevation_parts_corners: Literal["higher", "different", "none"]
    """When two squares share only a corner, which elevated squares beside that corner keep the two from being
    adjacent? [adjacency,
    elevation]

    - `higher`: those on a higher level
    - `different`: those on any other level
    - `none`: none
    """
    large_bases_part_corners: bool
    """When two squares share only a corner, does a multi-square base across that corner keep the two from being
    adjacent? [adjacency,
    multi-base]"""
    blocking_is_entered: bool
    """Do characters in blocking terrain stand inside it, on the same level as the neighbouring squares? (Otherwise they
    stand on top.) [blocking-terrain, adjacency]"""
    giant_reach: int
    """How far from a giant can a character be and still count as adjacent, for movement and close attacks? [giant,
    adjacency]

    - `0`: in the next square only
    - `2`: 2 squares
    """
    sizes_adjacent_to_soaring: frozenset[int]
    """If characters can soar, which sizes on the ground are adjacent to soaring characters? [soaring, flying,
    adjacency]"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetOptions:
    """Legal targets of attacks, and attacks prevented by adjacent opponents."""

    first_immunity: Literal["none", "first_round", "first_turn"]
    """At the start of the game, when can't characters be targeted? [first-turn-immunity, turn]

    - `none`: no such rule
    - `first_round`: in the first round
    - `first_turn`: in each player's first turn
    """
    close_across_stairs: bool
    """Can characters on the two squares of a stairway or ladder attack each other in close combat? [stairs,
    close-combat]"""
    fliers_shoot_adjacent: bool
    """Can hovering characters and adjacent opponents make ranged attacks against each other? [hovering, flying,
    ranged-combat]"""
    grounded_neighbours_prevent: bool
    """Does an adjacent opponent on the ground keep the attacker from making a ranged attack against an adjacent
    hovering opponent? [hovering, flying, ranged-combat]"""
    soaring_shoots_past_adjacent: bool
    """Can a soaring character adjacent to an opponent still make ranged attacks against others? [soaring, flying,
    ranged-combat]"""
    raised_range_shoots: bool
    """Can a character whose range of 0 has been raised make ranged attacks? [range, ranged-combat]

    In the books of the 2020s it can only if the range was replaced by a number (The Rule of Zeroes).
    """
    full_range_to_soaring: frozenset[int]
    """Which sizes use their full range against soaring characters? [soaring, flying, range]"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueOptions:
    """Combat values: the limit on all modifiers together, the order of replacements, the minimum."""

    modifiers_limit: int | None
    """By how much can modifiers change a value in total? [rule-of-three, modifiers]

    - `None`: no limit
    """
    numbers_before_factors: bool
    """Are values replaced by a number before they are halved or doubled? [replacement-values, replace-then-modify,
    modifiers]"""
    minimum: int | None
    """What is the lowest a value can be? [rule-of-minimums, minimum, modifiers, combat-values]

    - `None`: no limit
    """
    damage_depletion: bool
    """Does each attack a character has made this turn reduce its damage value by 1? [damage-depletion, damage]"""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockBackOptions:
    """Knock back."""

    off_the_line: Literal["nearest", "any", "diagonal"]
    """Which way does the knock back path lead if the attacker and the target aren't in the same row, column or
    diagonal?
    [knockback]

    - `nearest`: along one of the two nearest lines; the attacker chooses
    - `any`: along any line that leads away from the attacker; the attacker chooses
    - `diagonal`: along the diagonal
    """
    fall_damage: int
    """How much damage does a fall from elevated terrain deal? [knockback-falling, knockback]"""
    clinging_damage: int
    """How much damage does a knocked back character take if the square it would fall into is occupied?
    [knockback-falling, knockback]

    - `0`: none
    """
    barred_landing_is_safe: bool
    """Does blocking terrain in the landing square end the knock back path without damage? [knockback-falling,
    knockback]"""
    hoverers_fly_on: bool
    """When knocked back, do hovering characters pass the edge of elevated terrain without stopping?
    [knockback-falling, knockback]"""
    fliers_fall_unhurt: bool
    """When knocked back off elevated terrain, do fliers land in the first lower square without damage?
    [knockback-falling, knockback]"""
    soaring_ignores_terrain: bool
    """Is a soaring character's knock back path stopped only by the map's edge and other characters? [soaring,
    knockback]"""
    immune_sizes: frozenset[int]
    """Which sizes are never knocked back? [knockback-prevention, knockback]"""
    large_bases_immune: bool
    """Are characters with multi-square bases immune to knock back? [knockback-prevention, knockback]"""
    transporters_immune: bool
    """Are transporters immune to knock back? [knockback-prevention, knockback]"""
    immune_to_smaller: bool
    """Are larger characters immune to knock back by smaller characters? [knockback-prevention, size, knockback]"""
    prevented_before_damage: bool
    """Are effects that prevent knock back checked before damage is dealt? [knockback-prevention, knockback]"""
    characters_before_walls: bool
    """Does a character behind a wall stop the knock back path before the wall does? [knockback-damage, knockback]"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionOptions:
    """Turns and actions."""

    fewest: int | None
    """What is the minimum number of actions per turn? [action-total, actions]

    - `None`: no minimum
    """
    most: int | None
    """What is the maximum number of actions per turn? [action-total, actions]

    - `None`: no limit
    """
    carried_rest: bool
    """Must carried characters wait until a later turn to be given an action? [carry, flying]"""
    carry_costs: int
    """By how much does each passenger reduce the carrier's speed? [carry, flying]

    - `0`: not at all
    """
    carries_with_object: bool
    """Can a character carry another while holding an object? [carry, held-object, flying]"""
    picks_up_beside_opponents: bool
    """Can a character whose move is stopped by an opponent still pick up an object from an adjacent square? [pick-up,
    objects]"""
    free_actions_begin: bool
    """Does a free action end the beginning of the turn? [turn, actions]"""
    declined_for_the_turn: bool
    """Is a declined power unavailable until the turn ends? (Otherwise it is unavailable only for the current action.)
    [powers,
    team-abilities]"""
    replaced_on_same_click: bool
    """Does a replacement character begin on the click number of the one that it replaces? [replacing]"""
    replaced_keeps_effects: bool
    """Do lasting effects on a replaced character apply to its replacement, too? [replacing]"""
    much_stands_on_cards: bool
    """Can actions use abilities that are printed on cards but not in the book, such as feats and special powers?
    [powers,
    actions]"""
    not_on_cards: frozenset[str]
    """Which abilities from other books can't be granted by cards under this book? [powers, actions]"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentinelOptions:
    """Sentinels, and capturing, which was introduced with them."""

    act_with_two_tokens: bool
    """Can a Sentinel with two action tokens be given an action? [sentinel]"""
    passing_rests: bool
    """Does passing remove a Sentinel's action tokens and use up its one action of the turn? [sentinel]

    Otherwise it may pass and act as often as it likes.
    """
    unaffected_by: frozenset[str]
    """Which powers have no effect on a Sentinel? [sentinel]

    By their names.
    """
    alone_capture: bool
    """Can only Sentinels capture? [capture]"""
    alone_release: bool
    """Can only Sentinels release captives? [release]"""
    giants_are_captured: bool
    """Can giant and colossal characters be captured? [capture]"""
    captives_that_fill_hands: int
    """How many captives prevent their captor from capturing and making close attacks? [capture]"""
    captives_lower_defense: bool
    """Does each captive reduce its captor's defense against a rescue by 1? [rescue]"""
    released_beside_captor: bool
    """To release a captive, does the captor need an open adjacent square in its starting area? [release]"""

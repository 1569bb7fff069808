"""What the options, checks and powers of an edition mean, in the reader's language.

Each option of the engine has its question here, the topics under which the books answer it, and words for
its answers; each named procedure, each rule of a force and each field of a power has its words. The answers
themselves are the engine's; how they are set side by side is `comparison`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

Words = Mapping[Any, Promise]


@dataclass(frozen=True, slots=True)
class Question:
    """What an option asks, under which topics a book answers it (the first it speaks of), and words for its answers."""

    text: Promise
    topics: tuple[str, ...]
    answers: Words = field(default_factory=lambda: MappingProxyType({}))


def asks(text: Promise, *topics: str, **answers: Promise) -> Question:
    """Return a question whose answers are named procedures or choices."""
    return Question(text, topics, MappingProxyType(answers))


def asks_number(text: Promise, *topics: str, answers: Mapping[int | None, Promise] | None = None) -> Question:
    """Return a question whose answer is a number; some numbers, or none, have words of their own."""
    return Question(text, topics, MappingProxyType(dict(answers or {})))


NONE = gettext_lazy("none")
NOTHING = gettext_lazy("nothing")
NO_LIMIT = gettext_lazy("no limit")
SIZES: dict[int, Promise] = {
    0: gettext_lazy("tiny"),
    1: gettext_lazy("standard"),
    2: gettext_lazy("giant"),
    3: gettext_lazy("colossal"),
    4: gettext_lazy("Sentinel"),
}
PAST: dict[str, Promise] = {
    "hindering": gettext_lazy("hindering terrain"),
    "water": gettext_lazy("water"),
    "elevated": gettext_lazy("elevated terrain"),
    "blocking": gettext_lazy("blocking terrain"),
    "outdoor-blocking": gettext_lazy("outdoor blocking terrain"),
    "characters": gettext_lazy("opposing characters"),
    "through-characters": gettext_lazy("opposing characters, but stops beside them"),
    "adjacent": gettext_lazy("adjacent characters"),
    "break-away": gettext_lazy("breaking away"),
    "stealth": gettext_lazy("Stealth"),
}
SORTS: dict[str, Promise] = {
    "light": gettext_lazy("light"),
    "heavy": gettext_lazy("heavy"),
    "immobile": gettext_lazy("immobile"),
    "ultra-light": gettext_lazy("ultra light"),
    "ultra-heavy": gettext_lazy("ultra heavy"),
    "feats": gettext_lazy("feats"),
    "battlefield-conditions": gettext_lazy("battlefield conditions"),
    "event-dials": gettext_lazy("event dials"),
    "special-objects": gettext_lazy("special objects"),
    "resources": gettext_lazy("resources"),
    "bystanders": gettext_lazy("bystanders"),
    "team-ability-cards": gettext_lazy("additional team abilities"),
    "themed-teams": gettext_lazy("themed teams"),
    "character": gettext_lazy("characters"),
    "bystander": gettext_lazy("bystanders"),
    "horde": gettext_lazy("hordes"),
    "sentinel": gettext_lazy("Sentinels"),
    "unique": gettext_lazy("Unique"),
    "super-rare": gettext_lazy("super rare"),
    "limited-edition": gettext_lazy("Limited Edition"),
    "survived": gettext_lazy("who survived"),
    "left-map": gettext_lazy("who left the map"),
}
ANY_OBJECT = gettext_lazy("all objects")
OBJECTS = frozenset({"light", "heavy", "immobile", "ultra-light", "ultra-heavy"})

_HOW_MANY_SQUARES: Words = {0: gettext_lazy("only the square beside them"), 2: gettext_lazy("2 squares")}

QUESTIONS: dict[str, Question] = {
    # Turns and actions
    "actions.fewest": asks_number(
        gettext_lazy("How many actions does a turn have at least?"),
        "action-total",
        "actions",
        answers={None: gettext_lazy("no least number")},
    ),
    "actions.most": asks_number(
        gettext_lazy("How many actions does a turn have at most?"), "action-total", "actions", answers={None: NO_LIMIT}
    ),
    "actions.carried_rest": asks(
        gettext_lazy("Is a character that was carried given no action in that turn?"), "carry", "flying"
    ),
    "actions.carry_costs": asks_number(
        gettext_lazy("How much speed does each passenger cost?"), "carry", "flying", answers={0: NONE}
    ),
    "actions.carries_with_object": asks(
        gettext_lazy("May a character carry another while it holds an object?"), "carry", "held-object", "flying"
    ),
    "actions.picks_up_beside_opponents": asks(
        gettext_lazy("Does a move that an opponent stops still pick up from an adjacent square?"), "pick-up", "objects"
    ),
    "actions.free_actions_begin": asks(
        gettext_lazy("Does a free action end the beginning of a turn?"), "turn", "actions"
    ),
    "actions.declined_for_the_turn": asks(
        gettext_lazy("Is a declined power out of use until the turn ends? (Else in that action only.)"),
        "powers",
        "team-abilities",
    ),
    "actions.much_stands_on_cards": asks(
        gettext_lazy("May an action use what stands on a card and not in the book, such as feats and special powers?"),
        "powers",
        "actions",
    ),
    # Sentinels and captives
    "sentinels.act_with_two_tokens": asks(
        gettext_lazy("May a Sentinel with two action tokens be given an action?"), "sentinel", "action-tokens"
    ),
    "sentinels.passing_clears_tokens": asks(
        gettext_lazy("Does a Sentinel that passes lose its action tokens?"), "sentinel", "pass", "action-tokens"
    ),
    "sentinels.passing_is_their_action": asks(
        gettext_lazy("Is a pass a Sentinel's one action of the turn?"), "sentinel", "pass", "actions"
    ),
    "sentinels.unaffected_by": asks(gettext_lazy("Which powers do nothing to a Sentinel?"), "sentinel", "powers"),
    "sentinels.alone_capture": asks(gettext_lazy("Do only Sentinels capture?"), "capture", "sentinel"),
    "sentinels.alone_release": asks(gettext_lazy("Do only Sentinels release captives?"), "release", "sentinel"),
    "sentinels.giants_are_captured": asks(
        gettext_lazy("Can a giant or colossal character be captured?"), "capture", "size"
    ),
    "sentinels.captives_that_fill_hands": asks_number(
        gettext_lazy("How many captives keep their captor from capturing and from close attacks?"), "capture"
    ),
    "sentinels.captives_lower_defense": asks(
        gettext_lazy("Does each captive take 1 from its captor's defense against a rescue?"), "rescue", "capture"
    ),
    "sentinels.released_beside_captor": asks(
        gettext_lazy("Does a release need an open square of the starting area beside the captor?"), "release", "capture"
    ),
    "force.least_actions": asks_number(
        gettext_lazy("How many actions does a force have at least, however small the build total?"),
        "action-total",
        "actions",
        answers={0: gettext_lazy("no least number")},
    ),
    "force.most_actions": asks_number(
        gettext_lazy("How many actions does a force have at most, however large the build total?"),
        "action-total",
        "actions",
        answers={None: NO_LIMIT},
    ),
    # Board and adjacency
    "board.objects_hinder_sight": asks(
        gettext_lazy("Which objects make their square hindering for lines of fire?"), "objects", "hindering-terrain"
    ),
    "board.objects_hinder_movement": asks(
        gettext_lazy("Which objects make their square hindering for movement?"), "objects", "hindering-terrain"
    ),
    "board.windows_and_doors": asks(gettext_lazy("May maps have windows and doors?"), "windows", "doors", "walls"),
    "board.top_marker_decides": asks(
        gettext_lazy("Does the topmost terrain marker alone say what its square is? (Else each marker adds to it.)"),
        "markers",
        "terrain",
    ),
    "board.stairs_join_squares": asks(
        gettext_lazy("Are the two squares of a stairway adjacent across elevations?"), "stairs", "elevation"
    ),
    "board.elevation_parts_corners": asks(
        gettext_lazy("Which elevated squares at a corner keep two others from being adjacent across it?"),
        "adjacency",
        "elevation",
        higher=gettext_lazy("those of a higher level"),
        different=gettext_lazy("those of any other level"),
        none=NONE,
    ),
    "board.large_bases_part_corners": asks(
        gettext_lazy("Does a base of several squares that lies across a corner part the two other squares?"),
        "adjacency",
        "multi-base",
    ),
    "board.blocking_is_entered": asks(
        gettext_lazy(
            "Does a character in a square of blocking terrain stand in it, on the level of its neighbours? "
            "(Else it stands on top.)"
        ),
        "blocking-terrain",
        "adjacency",
    ),
    "board.giant_reach": asks_number(
        gettext_lazy("How far away are characters adjacent to giants, for movement and close attacks?"),
        "giant",
        "adjacency",
        answers=_HOW_MANY_SQUARES,
    ),
    "board.sizes_adjacent_to_soaring": asks(
        gettext_lazy("Which sizes on the ground are adjacent to soaring characters? (Where there is soaring.)"),
        "soaring",
        "flying",
        "adjacency",
    ),
    # Lines of fire
    "line_of_fire.screen": asks(
        gettext_lazy("What stands in the way of a line of fire?"),
        "line-of-fire",
        by_single_elevation=gettext_lazy(
            "two elevations, ground and elevated: what is on the ground does not touch lines between elevated squares"
        ),
        by_boundary_lines=gettext_lazy("the boundaries of terrain that the line crosses, with elevated areas and rims"),
        by_levels=gettext_lazy("numbered elevation levels: terrain higher than both ends blocks"),
    ),
    "line_of_fire.characters_close_corners": asks(
        gettext_lazy("Does a character beside an exact corner close that side of it?"), "intersections", "line-of-fire"
    ),
    "line_of_fire.own_hindering": asks(
        gettext_lazy("What does hindering terrain in the attacker's own square do?"),
        "hindering-terrain",
        excused_if_first_square_clear=gettext_lazy(
            "nothing, and where the first square entered is clear it excuses all other hindering terrain of its area"
        ),
        excused=gettext_lazy("nothing"),
        hindered_without_modifier=gettext_lazy("the line is hindered, without the modifier"),
    ),
    "line_of_fire.hindering_modifier": asks_number(
        gettext_lazy("How much does a hindered line add to the target's defense?"), "hindering-terrain"
    ),
    "line_of_fire.areas_matter": asks(
        gettext_lazy("Does it matter on which elevated area, and on its rim or inside, an end of the line stands?"),
        "rim",
        "elevation",
    ),
    "line_of_fire.indoor_blocking_below_blocks": asks(
        gettext_lazy("Does indoor blocking terrain below both ends block the line?"), "blocking-terrain", "indoor"
    ),
    "line_of_fire.looked_over": asks(
        gettext_lazy("Which characters does a line pass over?"),
        "line-of-fire",
        none=NONE,
        standard_by_giants=gettext_lazy("standard ones, where an end is a giant or colossal"),
        smaller=gettext_lazy("those smaller than an end"),
    ),
    # Targets
    "targets.first_immunity": asks(
        gettext_lazy("Until when can characters not be targeted at the start of the game?"),
        "first-turn-immunity",
        "turn",
        none=gettext_lazy("there is no such rule"),
        first_round=gettext_lazy("in the first round"),
        first_turn=gettext_lazy("in each player's first turn"),
    ),
    "targets.close_across_stairs": asks(
        gettext_lazy("Can the two squares of a stairway or ladder attack each other in close combat?"),
        "stairs",
        "close-combat",
    ),
    "targets.fliers_shoot_adjacent": asks(
        gettext_lazy("Do hovering characters shoot, and are they shot at by, adjacent opponents?"),
        "hovering",
        "flying",
        "ranged-combat",
    ),
    "targets.grounded_neighbours_prevent": asks(
        gettext_lazy("Does that need that no other, grounded opponent is beside the one who shoots?"),
        "hovering",
        "flying",
        "ranged-combat",
    ),
    "targets.soaring_shoots_past_adjacent": asks(
        gettext_lazy("Is a soaring character beside an opponent still free to shoot at others?"),
        "soaring",
        "flying",
        "ranged-combat",
    ),
    "targets.raised_range_shoots": asks(
        gettext_lazy("Does a range of 0 that is raised let its bearer shoot?"), "range", "ranged-combat"
    ),
    "targets.full_range_to_soaring": asks(
        gettext_lazy("Which sizes keep their full range against soaring characters?"), "soaring", "flying", "range"
    ),
    # Attacks and damage
    "combat.several_targets": asks(
        gettext_lazy("What are several targets of one ranged attack dealt?"),
        "multiple-targets",
        "damage",
        one_each=gettext_lazy("1 damage each"),
        divide=gettext_lazy("the damage value, divided as the attacker likes"),
    ),
    "combat.raises_any_damage": asks(
        gettext_lazy("What still adds to a damage value that was replaced by a number?"),
        "replacement-values",
        "replace-then-modify",
        "modifiers",
        "damage",
        enhancement=gettext_lazy("Enhancement"),
    ),
    "combat.critical_hits_are_evaded": asks(gettext_lazy("Can two 6s be evaded?"), "critical-hit", "evade", "attack"),
    "combat.critical_hits_always_hurt": asks(
        gettext_lazy("Do two 6s do their click also in attacks that do no damage?"), "critical-hit", "attack"
    ),
    "combat.harmless_attacks_miss_harmlessly": asks(
        gettext_lazy("Do two 1s cost nothing in attacks that do no damage?"), "critical-miss", "attack"
    ),
    "combat.critical_misses_wait": asks(
        gettext_lazy("Is the click of two 1s dealt only after the action?"), "critical-miss", "attack"
    ),
    "combat.support_misses_hurt": asks(
        gettext_lazy("Whom do two 1s of Support hurt?"),
        "support",
        "critical-miss",
        healer=gettext_lazy("the healer"),
        patient=gettext_lazy("the patient"),
    ),
    "combat.knock_back_is_chosen": asks(
        gettext_lazy("Does the attacker choose whether a target is knocked back?"), "knockback"
    ),
    "combat.knock_back_is_part_of_the_attack": asks(
        gettext_lazy("Is damage of knock back part of the attack's, not reduced a second time?"),
        "knockback-damage",
        "knockback",
    ),
    "combat.wounds_end_perplex": asks(gettext_lazy("Does damage or healing end Perplex?"), "perplex"),
    "combat.influence": asks(
        gettext_lazy("How far do Outwit, Perplex and Probability Control reach?"),
        "outwit",
        "probability-control",
        ten_squares=gettext_lazy("10 squares"),
        own_range_or_six=gettext_lazy("the character's own range, at least 6 squares"),
    ),
    "combat.indomitable": asks(
        gettext_lazy("Does the indomitable symbol spare pushing damage?"), "pushing-damage", "pushing", "symbols"
    ),
    "combat.thrown": asks(
        gettext_lazy("How far are objects thrown, and what do they do?"), "thrown-object", "object-attack", "objects"
    ),
    "combat.own_range_throws": asks(
        gettext_lazy("Is an object thrown as far as its thrower's own longer range?"), "thrown-object", "objects"
    ),
    "combat.thrown_at_terrain": asks(
        gettext_lazy("Is an object thrown at terrain and objects too?"), "thrown-object", "objects"
    ),
    "combat.object_in_hand": asks(
        gettext_lazy("Is a held object used in close combat?"),
        "object-attack",
        "held-object",
        "objects",
        compulsory=gettext_lazy("always"),
        named=gettext_lazy("if its holder likes"),
    ),
    "combat.object_adds_to_value": asks(
        gettext_lazy("Does an object change the damage value? (Else the damage dealt.)"), "object-attack", "objects"
    ),
    "combat.picks_up": asks(
        gettext_lazy("Who picks an object up?"),
        "pick-up",
        "objects",
        lifters_pick_up=gettext_lazy(
            "who has Super Strength; ultra light ones anybody, ultra heavy ones only who costs 100 points or more"
        ),
        everybody_picks_up_light=gettext_lazy("everybody light ones, who has Super Strength also heavy ones"),
    ),
    "combat.keeps_hold": asks(
        gettext_lazy("Who goes on holding an object?"),
        "held-object",
        "pick-up",
        "objects",
        lifters_keep_hold=gettext_lazy("who keeps Super Strength; an ultra light one, everybody"),
        everybody_keeps_hold=gettext_lazy("everybody; but a heavy one only who does not lose Super Strength"),
    ),
    "combat.puts_down": asks(gettext_lazy("May a held object be put down?"), "pick-up", "held-object", "objects"),
    "combat.one_object_to_a_square": asks(
        gettext_lazy("Is a dropped object removed where another one lies?"), "pick-up", "held-object", "objects"
    ),
    "combat.objects_leave_debris": asks(
        gettext_lazy("Do destroyed objects leave debris?"), "destroy-object", "debris", "objects"
    ),
    "combat.lasting_objects": Question(
        gettext_lazy("Which special objects are not destroyed by being used in an attack?"),
        ("object-attack", "held-object", "objects"),
        {frozenset(): NONE, "dumpster": gettext_lazy("the Dumpster")},
    ),
    "combat.destroying_is_no_attack": asks(
        gettext_lazy("Is destroying objects and terrain an action of its own, also beside an opponent, and no attack?"),
        "destroy-object",
        "destroy-terrain",
        "objects",
    ),
    "combat.wall_is_shot_at": asks(
        gettext_lazy("To which square is a shot at a wall drawn?"),
        "destroy-terrain",
        "walls",
        either=gettext_lazy("to either square beside it"),
        far=gettext_lazy("to the square on its far side"),
        across=gettext_lazy("to the square on its far side, across the near one"),
    ),
    "combat.wall_debris": asks(
        gettext_lazy("Where does a destroyed wall leave debris?"),
        "destroy-terrain",
        "debris",
        "walls",
        both=gettext_lazy("in both squares beside it"),
        clear=gettext_lazy("in the squares beside it that are clear terrain"),
        open=gettext_lazy("in the squares beside it that are no blocking terrain"),
    ),
    "combat.reroll_reaches": asks(
        gettext_lazy("To whom does Probability Control have to reach?"),
        "probability-control",
        "reroll",
        action=gettext_lazy("to the figure that performs the action"),
        roll=gettext_lazy("to the figure that made the roll"),
    ),
    "combat.themed_rerolls": asks(
        gettext_lazy("How often in a game may a side reroll as a themed team?"),
        "themed-team-probability-control",
        "themed-team-benefits",
        no_themed_rerolls=gettext_lazy("there are no themed teams"),
        one_reroll_for_each_hundred=gettext_lazy("as often as it has characters, at most once for each 100 points"),
        rerolls_by_characters=gettext_lazy("as often as it has characters, at most five times"),
    ),
    "combat.themed_rerolls_before_acting": asks(
        gettext_lazy("May only those reroll for a themed team who have not acted and lack the power themselves?"),
        "themed-team-probability-control",
        "themed-team-benefits",
    ),
    # Values
    "values.modifiers_limit": asks_number(
        gettext_lazy("By how much may all modifiers together move a value?"),
        "rule-of-three",
        "modifiers",
        answers={None: NO_LIMIT},
    ),
    "values.numbers_before_factors": asks(
        gettext_lazy("Does a value replaced by a number come before one that is halved or doubled?"),
        "replacement-values",
        "replace-then-modify",
        "modifiers",
    ),
    "values.minimum": asks_number(
        gettext_lazy("What is the least that a value may be?"),
        "rule-of-minimums",
        "minimum",
        "modifiers",
        "combat-values",
        answers={None: NO_LIMIT},
    ),
    "values.damage_depletion": asks(
        gettext_lazy("Does each attack that a character has made this turn take 1 from its damage value?"),
        "damage-depletion",
        "damage",
    ),
    # Movement
    "movement.flight_modes": asks(gettext_lazy("Do fliers choose between hovering and soaring?"), "flying", "hovering"),
    "movement.hovering_past": Question(
        gettext_lazy("What does a hovering character ignore when it moves?"),
        ("hovering", "flying"),
        {frozenset(): gettext_lazy("there is no hovering")},
    ),
    "movement.soaring_past": Question(
        gettext_lazy("What does a soaring character ignore when it moves?"),
        ("soaring", "flying"),
        {frozenset(): gettext_lazy("there is no soaring")},
    ),
    "movement.hoverers_rest_on_blocking": asks(
        gettext_lazy("May hovering characters end on top of outdoor blocking terrain?"), "hovering", "flying"
    ),
    "movement.size_past": asks(
        gettext_lazy("What does a character's size let it ignore when it moves?"), "giant", "size", "movement"
    ),
    "movement.ladder_cost": asks_number(
        gettext_lazy("How many squares more does a ladder cost?"), "ladders", "stairs", "elevation"
    ),
    "movement.corners_hinder": asks(
        gettext_lazy("Does a hindered corner stop a move like hindering terrain?"), "intersections", "hindering-terrain"
    ),
    "movement.giants_break_away": asks(
        gettext_lazy("Do giants add 1 to break away, and ignore what holds others?"), "giant", "break-away"
    ),
    "movement.break_away_by_size": asks(gettext_lazy("Does size help to break away?"), "break-away", "size"),
    "movement.bases_across_elevations": asks(
        gettext_lazy("May fliers on several squares stand on several levels at once?"), "multi-base", "elevation"
    ),
    "movement.sizes_across_elevations": asks(
        gettext_lazy("Which sizes may stand on several levels at once?"), "multi-base", "elevation"
    ),
    "movement.passengers": asks(
        gettext_lazy("Who carries, and how many?"),
        "carry",
        "flying",
        fliers_and_sentinels_carry=gettext_lazy("fliers and Sentinels, one character each"),
        fliers_and_transporters_carry=gettext_lazy("fliers and transporters, one character each"),
        everybody_carries=gettext_lazy("everybody who holds no object, one character each"),
    ),
    "movement.refuses_passenger": asks(
        gettext_lazy("Who cannot be carried?"),
        "carry",
        "flying",
        refuses_sentinels=gettext_lazy("Sentinels"),
        refuses_all_but_standard_walkers=gettext_lazy(
            "who has a wing or transporter symbol or a larger base, giants, colossals, stacked hordes"
        ),
        refuses_not_smaller=gettext_lazy("vehicles, and who is not smaller than the carrier"),
    ),
    # Knock back
    "knock_back.off_the_line": asks(
        gettext_lazy("Where does the path lead when attacker and target are on no straight line?"),
        "knockback",
        nearest=gettext_lazy("along one of the two nearest lines, as the attacker chooses"),
        any=gettext_lazy("along any line away, as the attacker chooses"),
        diagonal=gettext_lazy("along the diagonal"),
    ),
    "knock_back.fall_damage": asks_number(
        gettext_lazy("How much damage does falling off elevated terrain do?"), "knockback-falling", "knockback"
    ),
    "knock_back.clinging_damage": asks_number(
        gettext_lazy("How much damage does it do where somebody stands in the landing square?"),
        "knockback-falling",
        "knockback",
        answers={0: NONE},
    ),
    "knock_back.barred_landing_is_safe": asks(
        gettext_lazy("Does blocking terrain in the landing square end the path without damage?"),
        "knockback-falling",
        "knockback",
    ),
    "knock_back.hoverers_fly_on": asks(
        gettext_lazy("Do hovering characters leave elevated terrain without being stopped?"),
        "knockback-falling",
        "knockback",
    ),
    "knock_back.fliers_fall_unhurt": asks(
        gettext_lazy("Do fliers land in the first lower square without damage?"), "knockback-falling", "knockback"
    ),
    "knock_back.soaring_ignores_terrain": asks(
        gettext_lazy("Do only the map's edge and other characters stop a soaring character?"), "soaring", "knockback"
    ),
    "knock_back.immune_sizes": asks(
        gettext_lazy("Which sizes are never knocked back?"), "knockback-prevention", "knockback"
    ),
    "knock_back.large_bases_immune": asks(
        gettext_lazy("Are characters on several squares never knocked back?"), "knockback-prevention", "knockback"
    ),
    "knock_back.transporters_immune": asks(
        gettext_lazy("Are transporters never knocked back?"), "knockback-prevention", "knockback"
    ),
    "knock_back.immune_to_smaller": asks(
        gettext_lazy("Are characters not knocked back by smaller ones?"), "knockback-prevention", "size", "knockback"
    ),
    "knock_back.prevented_before_damage": asks(
        gettext_lazy("Is what prevents knock back looked for before the damage?"), "knockback-prevention", "knockback"
    ),
    "knock_back.characters_before_walls": asks(
        gettext_lazy("Does somebody behind a wall stop the path before the wall does?"), "knockback-damage", "knockback"
    ),
    # Forces
    "force.warnings": asks(gettext_lazy("Which rules of a force only warn?"), "force-construction"),
    "force.tactics": asks(gettext_lazy("Which optional elements exist?"), "tactics", "force-construction"),
    "force.kinds": asks(gettext_lazy("Which kinds of characters are there?"), "force-construction"),
    "force.object_kinds": asks(gettext_lazy("Which kinds of objects are there?"), "objects-in-force", "objects"),
    "force.has_primes": asks(gettext_lazy("Are there Primes?"), "prime", "force-construction"),
    "force.has_sideline": asks(gettext_lazy("Is there a Sideline?"), "sideline", "force-construction"),
    "force.has_additional_elements": asks(
        gettext_lazy("Are there equipment and other additional game elements?"),
        "additional-game-elements",
        "equipment",
        "force-construction",
    ),
    "force.bystanders_suffice": asks(
        gettext_lazy("May a force be of bystanders alone? (Where there are bystanders.)"),
        "no-character",
        "bystanders",
        "force-construction",
    ),
    "force.unique_ranks": asks(
        gettext_lazy("Which ranks may be on a force only once?"), "unique", "limited-edition", "force-construction"
    ),
    "force.same_unique": asks(
        gettext_lazy("When are two figures the same Unique?"),
        "unique",
        "force-construction",
        by_name=gettext_lazy("the same name"),
        by_name_set_and_number=gettext_lazy("the same name, set symbol and collector's number"),
    ),
    "force.sideline_is_restricted": asks(
        gettext_lazy("Do Uniques and Primes of the Sideline count with those of the force?"),
        "sideline",
        "unique",
        "force-construction",
    ),
    "force.objects": asks(
        gettext_lazy("What counts as an object of a force?"),
        "objects-in-force",
        "objects",
        tokens_alone=gettext_lazy("object tokens alone"),
        tokens_and_equipment=gettext_lazy("object tokens and equipment"),
    ),
    "force.generic_keywords": asks(
        gettext_lazy("Which keywords are generic, whatever a card says?"), "keywords", "themed-team"
    ),
    "force.probability_control_uses": Question(
        gettext_lazy("How often may a named themed team use Probability Control?"),
        ("themed-team-probability-control", "themed-team-benefits", "themed-team"),
        {
            "one_for_each_hundred": gettext_lazy(
                "as often as it has characters, at most once for each 100 points of the build total"
            ),
            "at_most_five": gettext_lazy("as often as it has characters with the keyword, at most five times"),
            None: gettext_lazy("there are no themed teams"),
        },
    ),
    # Winning
    "scoring.award": asks(
        gettext_lazy("Who scores a defeated character?"),
        "victory-points",
        to_the_striker=gettext_lazy(
            "the opponent who dealt the last blow, else who damaged it most recently, else all share"
        ),
        to_the_active_player=gettext_lazy(
            "the opponent whose turn it was; in its own player's turn, who damaged it most recently, else all share"
        ),
        to_every_opponent=gettext_lazy("each opponent, in full"),
    ),
    "scoring.archenemies_count_double": asks(
        gettext_lazy("Do archenemies count double?"), "archenemies", "victory-points"
    ),
    "scoring.controller_strikes": asks(
        gettext_lazy("Does who mind-controlled the striker count in its place?"), "mind-control", "victory-points"
    ),
    "scoring.scoring_fates": asks(
        gettext_lazy("Which characters score for their own player?"), "victory-points", "victory"
    ),
    "scoring.release": Question(
        gettext_lazy("What is releasing a captive worth?"),
        ("release", "capture", "victory-points"),
        {
            "twice_or_thrice": gettext_lazy("double to the captor's player; three times for the captor's archenemy"),
            "defeat_and_bonus": gettext_lazy("the captive's defeat, and as much again, at most 50"),
            None: gettext_lazy("there are no captives"),
        },
    ),
    "scoring.feats_score": asks(gettext_lazy("Do lost feats score?"), "feat-victory-points", "feats", "victory-points"),
    "scoring.objects_score": asks(
        gettext_lazy("Do lost objects that cost points score?"), "object-victory-points", "objects", "victory-points"
    ),
    "scoring.cards_score": asks(
        gettext_lazy("Do lost additional team abilities score?"),
        "team-ability-card-victory-points",
        "team-ability-card",
        "victory-points",
    ),
    "scoring.resources_score": asks(gettext_lazy("Do lost resources score?"), "resource", "victory-points"),
    "scoring.replaced_value_counts": asks(
        gettext_lazy("Is a replaced character's value due once all its replacements have fallen?"),
        "replacing-victory-points",
        "replacing",
        "victory-points",
    ),
    "scoring.verdict": asks(
        gettext_lazy("Who wins?"),
        "victory",
        "game-end",
        "ties",
        most_points_or_smallest_force=gettext_lazy("most victory points; of those who tie, the smallest force"),
        smallest_force_if_nobody_fell=gettext_lazy(
            "the smallest force where nobody was defeated; else most victory points, then the smallest force"
        ),
        last_standing_or_roll_off=gettext_lazy(
            "the only player with characters left; else most victory points; those who tie roll off"
        ),
    ),
    "scoring.stands": asks(
        gettext_lazy("When is a side still in the game?"),
        "game-end",
        "victory",
        has_characters=gettext_lazy("while it has characters"),
        has_characters_worth_points=gettext_lazy("while it has characters worth at least 1 point"),
    ),
    "rivalries": asks(
        gettext_lazy("Who is whose archenemy?"),
        "archenemies",
        no_rivalries=gettext_lazy("nobody"),
        by_colour=gettext_lazy("figures of different names on bases of one colour, not black"),
        by_colour_or_hunt=gettext_lazy(
            "figures of different names on bases of one colour, not black; Sentinels and the X-Men and Brotherhood"
        ),
        by_colour_and_set=gettext_lazy(
            "figures of different names on bases of one colour, not black, with the same set symbol"
        ),
    ),
    "wild_cards": asks(gettext_lazy("Which team abilities are wild cards?"), "wild-card", "team-abilities"),
}
"""Option, as `record.field` (or a field of the edition itself) → its question."""

SCENARIOS: dict[str, Promise] = {
    "by_standard_rules": gettext_lazy("points and winner by the standard rules"),
    "challenge_of_the_champions": gettext_lazy(
        "after five turns defeats alone count and half of the build total wins; after ten, the standard rules"
    ),
    "showdown": gettext_lazy(
        "defeats alone count: after five turns half of the build total wins, later the most; then the smallest force"
    ),
    "the_scientist": gettext_lazy(
        "the defender wins by getting the scientist away; once all its force is defeated the others count their points"
    ),
    "stand_aside": gettext_lazy(
        "the attacker also scores who left the map; its defeated count double for the defender"
    ),
    "portal_to_hypertime": gettext_lazy("who left through the portal is worth double to its own player"),
    "winner_takes_all": gettext_lazy("whoever holds the artifact after ten turns wins"),
    "raid_on_star_labs": gettext_lazy("whoever gets the briefcase off the map wins"),
    "wholly_hurricane": gettext_lazy("the only player with figures left wins"),
    "blackout": gettext_lazy(
        "where the scenario ends the battle, the most points still on the board win; else the standard rules"
    ),
}
"""The scenario's function → who wins by it."""

ACTIONS: dict[str, Promise] = {
    "move": gettext_lazy("move action"),
    "power": gettext_lazy("power action"),
    "double-power": gettext_lazy("double power action"),
    "close": gettext_lazy("close combat action"),
    "ranged": gettext_lazy("ranged combat action"),
    "free": gettext_lazy("free action"),
}
TARGETS: dict[str, Promise | None] = {
    "opponents": None,
    "friends": gettext_lazy("targets friends"),
    "all": gettext_lazy("targets friend and foe"),
}
GRANTS: dict[str, Promise] = {
    "close": gettext_lazy("with a close attack"),
    "ranged": gettext_lazy("with a ranged attack"),
}
HAS: dict[str, Promise] = {
    "replace_value": gettext_lazy("replaces a value"),
    "modify_value": gettext_lazy("changes a value of its own"),
    "share_value": gettext_lazy("friends may use its value"),
    "shares_onward": gettext_lazy("a shared value may be passed on"),
    "lend_modifier": gettext_lazy("adds to a friend's value"),
    "hides_behind_hindering": gettext_lazy("hindering terrain blocks lines to it"),
    "sees_past": gettext_lazy("lines of fire ignore something"),
    "moves_past": gettext_lazy("moves ignore something"),
    "rests_on_blocking": gettext_lazy("may end on outdoor blocking terrain"),
    "halves_speed": gettext_lazy("speed is halved"),
    "squares": gettext_lazy("moves a stated number of squares"),
    "break_away_bonus": gettext_lazy("helps to break away"),
    "holds_back": gettext_lazy("holds others back"),
    "passengers": gettext_lazy("carries more characters"),
    "may_be_carried": gettext_lazy("is not carried"),
    "may_be_knocked_back": gettext_lazy("is not knocked back"),
    "may_shoot": gettext_lazy("makes no ranged attacks"),
    "reaches_other_elevations": gettext_lazy("close attacks reach other elevations"),
    "shoots_beside": gettext_lazy("shoots beside opponents"),
    "starts_turn": gettext_lazy("at the beginning of the turn"),
    "reduce_damage": gettext_lazy("takes damage away"),
    "reduces_penetrating": gettext_lazy("also of penetrating damage"),
    "transfers_damage": gettext_lazy("a neighbour may take the damage"),
    "after_damage": gettext_lazy("does something once its bearer is damaged"),
    "after_damaging": gettext_lazy("does something once its bearer has damaged"),
    "on_ko": gettext_lazy("does something when its bearer is knocked out"),
    "pushed_unhurt": gettext_lazy("pushing does it no damage"),
    "rerolls": gettext_lazy("lets a roll be made again"),
    "free_move": gettext_lazy("moves without an action of the turn"),
    "knocks_back": gettext_lazy("its close attacks knock back without doubles"),
    "shares_action": gettext_lazy("shares an action of the turn"),
    "lifts": gettext_lazy("picks up heavy objects"),
    "grants_powers": gettext_lazy("brings powers"),
}
"""Field of a power → what a power says by having it."""
UNSAID = frozenset(
    {
        "name",
        "topic",
        "act",
        "shapes_attack",
        "implied",
        "eases_any_move",
        "leaves_first",
        "starts_eased",
        "may_target",
        "rolls_at_will",
    }
)
"""Fields of a power that have no words: its names, its own procedures, and how an action names it."""


def power_says(field_name: str, value: Any, settings: Mapping[str, Any]) -> str:
    """Return what a field of a power says, in words; nothing where the power is not concerned or has no words for it.

    `settings` are what a procedure was made from: the numbers, values and kinds of a simple row.
    """
    if isinstance(value, bool):
        return str(ALWAYS.get((field_name, value)) or (HAS.get(field_name) if value else None) or "")
    if not value:
        return ""
    match field_name:
        case "action":
            return _(" or ").join(str(ACTIONS.get(kind, kind)) for kind in value)
        case "grants":
            return ", ".join(str(GRANTS.get(kind, kind)) for kind in value)
        case "cannot_join":
            return _("not together with %(powers)s") % {"powers": ", ".join(value)}
        case "adds_actions":
            return _("%(number)+d to the action total") % {"number": value}
        case "close_reach":
            return _("close attacks reach %(number)s squares") % {"number": value} if value != 1 else ""
        case "targets":
            return str(TARGETS.get(value) or "")
        case "evade" | "shape_change":
            rolled = ", ".join(str(number) for number in sorted(value.on))
            said = _("a roll of %(numbers)s evades") if field_name == "evade" else _("a roll of %(numbers)s deceives")
            return said % {"numbers": rolled}
    return _made_from(field_name, settings) or str(HAS.get(field_name, ""))


def _made_from(field_name: str, settings: Mapping[str, Any]) -> str:
    """Return what a procedure does by the numbers and kinds it was made from; nothing where that does not say it."""
    by, value, number = settings.get("by"), settings.get("value"), settings.get("number")
    ignored = settings.get("words")
    if field_name in ("modify_value", "lend_modifier") and isinstance(by, int) and value in VALUES:
        facts = {"by": f"{by:+d}", "value": VALUES[value], "kind": ATTACKS.get(str(settings.get("kind")), "")}
        if field_name == "modify_value":
            return _("%(by)s %(value)s against %(kind)s") % facts
        return _("%(by)s %(value)s for adjacent friends in %(kind)s") % facts
    if field_name == "share_value" and value in VALUES:
        return _("friends may use its %(value)s") % {"value": VALUES[value]}
    if field_name in ("break_away_bonus", "holds_back") and isinstance(by, int):
        said = (
            _("%(by)s to break away") if field_name == "break_away_bonus" else _("%(by)s for who breaks away from it")
        )
        return said % {"by": f"{by:+d}"}
    if field_name in ("sees_past", "moves_past") and isinstance(ignored, frozenset):
        what = ", ".join(str(PAST[one]) for one in PAST if one in ignored)
        said = _("lines of fire ignore %(what)s") if field_name == "sees_past" else _("moves ignore %(what)s")
        return said % {"what": what}
    if field_name == "reduce_damage" and isinstance(by, int):
        all_on = settings.get("on")
        if not isinstance(all_on, frozenset):
            return _("takes %(by)s damage away") % {"by": by}
        rolled = ", ".join(str(result) for result in sorted(all_on))
        return _("takes %(by)s damage away, on a roll of %(numbers)s all") % {"by": by, "numbers": rolled}
    if field_name == "passengers" and isinstance(number, int):
        return _("carries %(number)s") % {"number": number}
    return ""


VALUES: dict[Any, Promise] = {
    "speed": gettext_lazy("speed"),
    "attack": gettext_lazy("attack"),
    "defense": gettext_lazy("defense"),
    "damage": gettext_lazy("damage"),
    "range": gettext_lazy("range"),
}
ATTACKS: dict[str, Promise] = {
    "close": gettext_lazy("close attacks"),
    "ranged": gettext_lazy("ranged attacks"),
}
ALWAYS: dict[tuple[str, bool], Promise] = {
    ("optional", False): gettext_lazy("always in effect"),
    ("known", False): gettext_lazy("not adjudicated: decide by its card"),
}
"""Yes-or-no fields of a power that say something by their answer."""
WILD_CARD = gettext_lazy("a wild card")
SYMBOLS: dict[str, Promise] = {
    "wing": gettext_lazy("Wing"),
    "transporter-boot": gettext_lazy("Transporter with boot"),
    "transporter-wing": gettext_lazy("Transporter with wing"),
    "transporter-dolphin": gettext_lazy("Transporter with dolphin"),
    "giant": gettext_lazy("Giant"),
    "colossal": gettext_lazy("Colossal"),
    "sharpshooter": gettext_lazy("Sharpshooter"),
}
"""Combat symbol → its name."""

"""Legality rules for everything beside characters: feats, cards, objects, resources and the Sideline."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from rules.engine.edition import Edition
from rules.engine.figures.archenemies import folded
from rules.engine.force.checks.row import legality_rule, names_of, refs_of
from rules.engine.force.themed_team import keywords_of, themed_team
from rules.engine.forces import (
    RULED_BY_CARD,
    CardRule,
    Feat,
    Findings,
    Force,
    ForceCharacter,
    ForceClick,
    ForceObject,
    OtherElement,
    OtherKind,
    Requirements,
    Resource,
    Tactic,
    Unchecked,
    Violation,
)
from rules.engine.position.dial import ValueName
from rules.engine.position.objects import ObjectKind

MAX_OBJECTS: Final = 3
SIDELINE_FOR_EACH_HUNDRED: Final = 3
MAX_ON_SIDELINE: Final = 15
Ruled = ForceCharacter | ForceObject | Resource | OtherElement
"""The elements whose cards may have rules that no book covers."""
WEIGHT: Final = {ObjectKind.ULTRA_HEAVY: ObjectKind.HEAVY, ObjectKind.ULTRA_LIGHT: ObjectKind.LIGHT}


@legality_rule("feats up to 10 percent of the build total", limits=True)
def feat_10_percent(force: Force, _edition: Edition) -> Findings:
    """Feats cost at most 10 percent of the build total."""
    points, limit = sum(feat.points for feat in force.feats), force.event.build_total
    if limit is not None and points * 10 > limit:
        text = f"The feats cost {points} points, more than 10% of the build total of {limit}."
        yield Violation(text, refs_of(feat for feat in force.feats if feat.points))


@legality_rule("each feat once per character", limits=True)
def feat_duplicate(force: Force, _edition: Edition) -> Findings:
    """Each feat at most once per character."""
    if len(force.feats) < 2:
        return
    assigned: Counter[tuple[str, str]] = Counter()
    for feat in force.feats:
        if feat.name:
            assigned.update((folded(feat.name), ref) for ref in feat.assigned_to)
    names = {one.ref: one.name for one in force.characters}
    for (feat_name, ref), copies in assigned.items():
        if copies > 1:
            text = f"{names.get(ref, ref)} is assigned {_spelled(force.feats, feat_name)} {'twice' if copies == 2 else f'{copies} times'}."
            yield Violation(text, (ref,))


@legality_rule("prerequisites of a feat")
def feat_prerequisite(force: Force, _edition: Edition) -> Findings:
    """Characters assigned a feat meet its prerequisites.

    A feat without chosen characters requires one on the force that meets them.
    """
    characters = {one.ref: one for one in force.characters}
    for feat in force.feats:
        if feat.requires is None:
            yield Unchecked("requires", (feat.ref,))
        elif feat.assigned_to:
            yield from _chosen_meet(feat, feat.requires, characters)
        else:
            yield from _somebody_meets(feat, feat.requires, force.characters)


def _chosen_meet(feat: Feat, requires: Requirements, characters: dict[str, ForceCharacter]) -> Findings:
    for character in [characters[ref] for ref in feat.assigned_to if ref in characters]:
        answer = meets(character, requires)
        if answer is False:
            text = f"{character.name} doesn't meet the prerequisites of {feat.name or 'the feat'}: {_wanted(requires)}."
            yield Violation(text, (character.ref,), ())
        elif isinstance(answer, str):
            yield Unchecked(answer, (character.ref,))


def _somebody_meets(feat: Feat, requires: Requirements, characters: Sequence[ForceCharacter]) -> Findings:
    answers = [(one, meets(one, requires)) for one in characters]
    if any(answer is True for _, answer in answers):
        return
    unknown = {answer for _, answer in answers if isinstance(answer, str)}
    for needs in sorted(unknown):
        yield Unchecked(needs, tuple(one.ref for one, answer in answers if answer == needs))
    if not unknown:
        text = f"No character on the force meets the prerequisites of {feat.name or 'the feat'}: {_wanted(requires)}."
        yield Violation(text, (feat.ref,), ())


def meets(character: ForceCharacter, requires: Requirements) -> Literal[True, False, "dial", "range"]:
    """Return whether a character can meet the requirements, or the missing fact if that can't be told.

    Teams and keywords must be the character's own. Powers and values must appear together on one click, not necessarily
    the first; a higher value also meets a requirement.
    """
    if requires.teams and not {*map(folded, requires.teams)} <= {*map(folded, character.teams)}:
        return False
    if requires.keywords and not {*map(folded, requires.keywords)} <= keywords_of(character):
        return False
    if not requires.powers and not requires.values:
        return True
    if not character.dial:
        return "dial"
    powers = frozenset(map(folded, requires.powers))
    values = [(value, least) for value, least in requires.values if value is not ValueName.RANGE]
    if not any(_shows(click, powers, values) for click in character.dial):
        return False
    return True if len(values) == len(requires.values) else "range"


def _shows(click: ForceClick, powers: frozenset[str], values: Sequence[tuple[ValueName, int]]) -> bool:
    return powers <= {*map(folded, click.powers)} and all(getattr(click, value) >= least for value, least in values)


@legality_rule("one battlefield condition", topic="battlefield-conditions", limits=True)
def battlefield_condition_limit(force: Force, _edition: Edition) -> Findings:
    """At most one battlefield condition."""
    if len(force.battlefield_conditions) > 1:
        text = f"A force can have only 1 battlefield condition, not {len(force.battlefield_conditions)}."
        yield Violation(text, refs_of(force.battlefield_conditions))


@legality_rule("battlefield condition with an event dial", topic="event-dial", limits=True)
def battlefield_condition_event_dial(force: Force, edition: Edition) -> Findings:
    """No battlefield condition together with an event dial."""
    tactics = force.event.tactics
    dial = force.event.event_dial and (tactics is None or Tactic.EVENT_DIALS in tactics)
    if dial and force.battlefield_conditions and Tactic.EVENT_DIALS in edition.force.tactics:
        text = "Battlefield conditions can't be used with an event dial."
        yield Violation(text, refs_of(force.battlefield_conditions))


@legality_rule("three objects", topic="objects-in-force", limits=True)
def object_limit(force: Force, edition: Edition) -> Findings:
    """At most three objects."""
    found = edition.force.objects(force)
    if len(found) > MAX_OBJECTS:
        text = f"A force can have at most {MAX_OBJECTS} objects, not {len(found)}."
        yield Violation(text, refs_of(found))


def tokens_alone(force: Force) -> tuple[ForceObject | OtherElement, ...]:
    """Return the object tokens and sculptures of a force."""
    return force.objects


def tokens_and_equipment(force: Force) -> tuple[ForceObject | OtherElement, ...]:
    """Return the object tokens, sculptures and equipment of a force; equipment is a kind of special object."""
    return (*force.objects, *(one for one in force.other if one.kind is OtherKind.EQUIPMENT))


@legality_rule("kinds of objects", topic="objects-in-force", limits=True)
def object_mix(force: Force, _edition: Edition) -> Findings:
    """Allowed combinations of object kinds.

    Two objects are of different kinds; three or more include a heavy and a light one.
    """
    if len(force.objects) < 2:
        return
    kinds = [WEIGHT.get(one.kind, one.kind) for one in force.objects if one.kind]
    unknown = refs_of(one for one in force.objects if one.kind is None)
    if len(force.objects) == 2:
        if unknown:
            yield Unchecked("kind", unknown)
        elif kinds[0] is kinds[1]:
            text = f"2 objects must be of different kinds: both are {kinds[0]}."
            yield Violation(text, refs_of(force.objects))
    else:
        lacking = [kind for kind in (ObjectKind.HEAVY, ObjectKind.LIGHT) if kind not in kinds]
        if lacking and len(lacking) <= len(unknown):
            yield Unchecked("kind", unknown)
        elif lacking:
            text = f"3 or more objects must include a heavy and a light one: no {' and no '.join(lacking)} object is on the force."
            yield Violation(text, refs_of(force.objects))


@legality_rule("each special object once", topic="special-objects", limits=True)
def special_object_duplicate(force: Force, edition: Edition) -> Findings:
    """Each special object at most once."""
    found: dict[str, list[ForceObject | OtherElement]] = defaultdict(list)
    for one in edition.force.objects(force):
        if one.name and (isinstance(one, OtherElement) or one.special):
            found[folded(one.name)].append(one)
    for copies in found.values():
        if len(copies) > 1:
            text = f"A force can have only 1 special object {copies[0].name}, not {len(copies)}."
            yield Violation(text, refs_of(copies))


@legality_rule("rules printed on cards", topic="force-construction", limits=True)
def element_rules(force: Force, edition: Edition) -> Findings:
    """Rules printed on an element's card that no book covers.

    A card's rule is named only where it may make this force illegal.
    """
    if found := refs_of(one for one in force.other if one.kind in RULED_BY_CARD):
        yield Unchecked("card", found)
    elements: tuple[Ruled, ...] = (*force.figures, *force.objects, *force.resources, *force.other)
    for rule in CardRule:
        having = [one for one in elements if rule in one.card_rules]
        if having and (open_ := WHERE_OPEN.get(rule, _anywhere)(having, force, edition)):
            yield Unchecked(rule, refs_of(open_))


def _anywhere(having: Sequence[Ruled], _force: Force, _edition: Edition) -> Sequence[Ruled]:
    """Return all elements with a rule that may forbid this force whatever else is on it."""
    return having


def _beside_another(having: Sequence[Ruled], _force: Force, _edition: Edition) -> Sequence[Ruled]:
    """Return the elements with a rule that may limit how many of them a force has."""
    return having if len(having) > 1 else ()


def _on_the_sideline(having: Sequence[Ruled], force: Force, _edition: Edition) -> Sequence[Ruled]:
    return [one for one in having if one in force.sideline]


def _beside_its_unique(having: Sequence[Ruled], force: Force, edition: Edition) -> Sequence[Ruled]:
    """Return the other cards of Unique figures beside a Unique that may be the same figure with its usual card."""
    copies = Counter(folded(one.name) for one in force.figures if one.rank in edition.force.unique_ranks)
    return [one for one in having if copies[folded(one.name)] > 1]


WHERE_OPEN: Final = {
    CardRule.TITLE: _beside_another,
    CardRule.TEAM_UP: _beside_its_unique,
    CardRule.UNSIDELINEABLE: _on_the_sideline,
}


@legality_rule("one resource", topic="resource", limits=True)
def resource_limit(force: Force, _edition: Edition) -> Findings:
    """At most one resource."""
    if len(force.resources) > 1:
        text = f"A force can have only 1 resource, not {len(force.resources)}."
        yield Violation(text, refs_of(force.resources))


@legality_rule("special object with a resource", topic="resource", limits=True)
def resource_special_object(force: Force, _edition: Edition) -> Findings:
    """No special object together with a resource."""
    special = [one for one in force.objects if one.special]
    if force.resources and special:
        text = "A force can't have both a resource and a special object."
        yield Violation(text, refs_of((*force.resources, *special)))


@legality_rule("one team ability card", topic="team-ability-card", limits=True)
def team_ability_card_limit(force: Force, _edition: Edition) -> Findings:
    """At most one additional team ability."""
    if len(force.team_ability_cards) > 1:
        text = f"A force can have only 1 additional team ability card, not {len(force.team_ability_cards)}."
        yield Violation(text, refs_of(force.team_ability_cards))


@legality_rule("team ability card on a themed team", topic="team-ability-card", limits=True)
def team_ability_card_themed_team(force: Force, edition: Edition) -> Findings:
    """An additional team ability requires a themed team."""
    if force.team_ability_cards and themed_team(force, edition) is None:
        text = "Only a themed team can have an additional team ability card, and this force isn't one."
        yield Violation(text, refs_of(force.team_ability_cards))


@legality_rule("characters assigned the team ability card", topic="team-ability-card")
def team_ability_card_assignment(force: Force, _edition: Edition) -> Findings:
    """An additional team ability is assigned to exactly the characters that meet its prerequisites.

    Tokens are never assigned one.
    """
    for card in force.team_ability_cards:
        if card.requires is None:
            yield Unchecked("requires", (card.ref,))
            continue
        named, assigned = card.name or "the card", frozenset(card.assigned_to)
        left_out, wrong, unknown = [], [], []
        for one in force.characters:
            answer = False if one.is_token else meets(one, card.requires)
            if isinstance(answer, str):
                unknown.append(one)
            elif answer and one.ref not in assigned:
                left_out.append(one)
            elif not answer and one.ref in assigned:
                wrong.append(one)
        if left_out:
            text = (
                f"{names_of(left_out)} must be assigned {named}: every character that meets its prerequisites must be."
            )
            yield Violation(text, refs_of(left_out))
        if wrong:
            text = f"{names_of(wrong)} can't be assigned {named}: its prerequisites are {_wanted(card.requires)}."
            yield Violation(text, refs_of(wrong))
        if unknown:
            yield Unchecked("dial", refs_of(unknown))


@legality_rule("permission for a sideline", topic="sideline", limits=True)
def sideline_not_allowed(force: Force, _edition: Edition) -> Findings:
    """A sideline requires an element of the force that allows it."""
    if force.sideline and not force.sideline_allowed_by:
        yield Violation("Nothing on the force allows a Sideline.", refs_of(force.sideline))


@legality_rule("size of the sideline", topic="sideline", limits=True)
def sideline_limit(force: Force, _edition: Edition) -> Findings:
    """Limit on the size of the sideline.

    At most three elements for each full 100 points of the build total, and never more than 15.
    """
    total = force.event.build_total
    limit = MAX_ON_SIDELINE if total is None else min(total // 100 * SIDELINE_FOR_EACH_HUNDRED, MAX_ON_SIDELINE)
    if len(force.sideline) > limit:
        text = f"The Sideline can have at most {limit} elements, not {len(force.sideline)}."
        yield Violation(text, refs_of(force.sideline))


def _spelled(feats: Iterable[Feat], name: str) -> str:
    return next(feat.name for feat in feats if folded(feat.name) == name)


def _wanted(requires: Requirements) -> str:
    parts = [*requires.powers, *(f"the team symbol {team}" for team in requires.teams)]
    parts += [f"the keyword {keyword}" for keyword in requires.keywords]
    parts += [f"{value} {least}" for value, least in requires.values]
    return ", ".join(parts) or "nothing"

"""The legality rules of a force, one function a rule, each with its rule's name.

A check takes the force and the edition and yields what it finds: violations, and what it could not
judge for want of a fact. Which checks an edition has, and which of them only warn, stands in its
`ForceOptions`. Running them is `check`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Final, Literal

from rules.engine.edition import Edition, ForceOptions
from rules.engine.figures.archenemies import Kind, by_colour, folded
from rules.engine.force.themed_team import keywords_of, themed_team
from rules.engine.force.values import (
    SEALED,
    BattleObject,
    Character,
    Click,
    Element,
    Feat,
    Findings,
    Force,
    OtherElement,
    OtherKind,
    Rank,
    Requirements,
    Tactic,
    Unchecked,
    Violation,
)
from rules.engine.position.dial import ValueName
from rules.engine.position.objects import ObjectKind

MAX_OBJECTS: Final = 3
SENTINEL_POINTS: Final = frozenset({100, 200, 300})
NEW_PRODUCT_RULE_SINCE: Final = date(2002, 10, 1)
UNTIL_NEW_PRODUCT_IS_LEGAL: Final = timedelta(days=14)
SIDELINE_FOR_EACH_HUNDRED: Final = 3
MAX_ON_SIDELINE: Final = 15
WEIGHT: Final = {ObjectKind.ULTRA_HEAVY: ObjectKind.HEAVY, ObjectKind.ULTRA_LIGHT: ObjectKind.LIGHT}


# ── The whole force, foreign elements included ─────────────────────────────────────────────────


def build_total(force: Force, _edition: Edition) -> Findings:
    """The points of everything that costs points may not exceed the build total."""
    total, limit = force.total, force.event.build_total
    if total > limit:
        costly = _refs(element for element in force.elements if element.points)
        yield Violation(f"The force costs {total} points, {total - limit} over the build total of {limit}.", costly, ())


def build_total_increment(force: Force, _edition: Edition) -> Findings:
    """Build totals are positive multiples of 100."""
    total = force.event.build_total
    if total == 0 or total % 100:
        yield Violation(f"The build total {total} is not a positive multiple of 100.", (), ())


def no_character(force: Force, edition: Edition) -> Findings:
    """A force has a character; where bystanders do not count, one that is none."""
    if not force.characters:
        yield Violation("There is no character on the force.", (), ())
    elif not edition.force.bystanders_suffice and all(one.kind is Kind.BYSTANDER for one in force.characters):
        text = "There is no character on the force that is not a bystander."
        yield Violation(text, _refs(force.characters), ("no-character", "bystanders"))


def not_in_edition(force: Force, edition: Edition) -> Findings:
    """An element that the edition does not have, or that the event does without."""
    tactics = force.event.tactics
    for found, named, exists, tactic in _sorts(force, edition.force):
        if not exists:
            text = f"There are no {named} in the rules of {edition.title}."
            yield Violation(text, _refs(found), ("force-construction",))
        elif tactic is not None and tactics is not None and tactic not in tactics:
            yield Violation(f"This event does not use {named}.", _refs(found), ("tactics", "force-construction"))


Sort = tuple[Sequence[Element], str, bool, Tactic | None]


def _sorts(force: Force, options: ForceOptions) -> Iterator[Sort]:
    """Yield the sorts of elements on a force: their name, whether the edition has them, the tactic they belong to."""

    def of_tactic(found: Sequence[Element], tactic: Tactic, named: str = "") -> Sort:
        return found, named or tactic.replace("-", " "), tactic in options.tactics, tactic

    if force.feats:
        yield of_tactic(force.feats, Tactic.FEATS)
    if force.battlefield_conditions:
        yield of_tactic(force.battlefield_conditions, Tactic.BATTLEFIELD_CONDITIONS)
    if force.resources:
        yield of_tactic(force.resources, Tactic.RESOURCES)
    if force.team_ability_cards:
        yield of_tactic(force.team_ability_cards, Tactic.TEAM_ABILITY_CARDS, "additional team ability cards")
    if force.event.event_dial:
        yield of_tactic((), Tactic.EVENT_DIALS)
    if special := [one for one in force.objects if one.special]:
        yield of_tactic(special, Tactic.SPECIAL_OBJECTS)
    for object_kind in ObjectKind:
        if ordinary := [one for one in force.objects if one.kind is object_kind and not one.special]:
            yield ordinary, f"{object_kind} objects", object_kind in options.object_kinds, None
    if force.other:
        yield force.other, "additional game elements", options.has_additional_elements, None
    if force.sideline and not options.has_sideline:
        yield force.sideline, "Sidelines", False, None
    yield from _sorts_of_figures(force.figures if options.has_sideline else force.characters, options)


def _sorts_of_figures(figures: Sequence[Character], options: ForceOptions) -> Iterator[Sort]:
    for kind in Kind:
        if kind is not Kind.CHARACTER and (found := [one for one in figures if one.kind is kind]):
            tactic = None if kind is Kind.SENTINEL else Tactic.BYSTANDERS
            yield found, f"{kind}s", kind in options.kinds, tactic
    if primes := [one for one in figures if one.rank is Rank.PRIME and one.kind in options.kinds]:
        yield primes, "Prime characters", options.has_primes, None


# ── Characters ─────────────────────────────────────────────────────────────────────────────────


def unique(force: Force, edition: Edition) -> Findings:
    """Only one copy of a Unique: what makes two the same, and whether the Sideline counts, is the edition's."""
    ranks, same = edition.force.unique_ranks, edition.force.same_unique
    uniques = [one for one in _restricted(force, edition) if one.rank in ranks]
    if len(uniques) < 2:
        return
    copies: dict[Hashable, list[Character]] = defaultdict(list)
    for one in uniques:
        copies[same(one)].append(one)
    for key, found in copies.items():
        if len(found) > 1 and not _lacks_facts(key):
            text = f"{found[0].name} is Unique and may be there only once, not {_times(len(found))}."
            yield Violation(text, _refs(found), ())
    if any(map(_lacks_facts, copies)):
        yield from _perhaps_the_same(uniques)


def by_name(character: Character) -> Hashable:
    """Two Uniques of one name are the same."""
    return folded(character.name)


def by_name_set_and_number(character: Character) -> tuple[str, str | None, str | None]:
    """Two Uniques of one name, set and collector's number are the same; None stands for a fact that is not known."""
    set_symbol, number = character.set, character.number
    return (
        folded(character.name),
        None if set_symbol is None else folded(set_symbol),
        None if number is None else plain_number(number),
    )


def _lacks_facts(key: Hashable) -> bool:
    return isinstance(key, tuple) and None in key


def _perhaps_the_same(uniques: Iterable[Character]) -> Findings:
    """Yield which Uniques may be copies of one another for all that the document tells."""
    sets: Counter[tuple[str, str | None]] = Counter()
    numbers: Counter[tuple[str, str | None]] = Counter()
    names: Counter[str] = Counter()
    known = []
    for one in uniques:
        name, set_symbol, number = by_name_set_and_number(one)
        known.append((one, name, set_symbol, number))
        names[name] += 1
        sets[name, set_symbol] += 1
        numbers[name, number] += 1
    for one, name, set_symbol, number in known:
        if set_symbol is None and number is None:
            rivals = names[name]
        elif number is None:
            rivals = sets[name, set_symbol] + sets[name, None]
        elif set_symbol is None:
            rivals = numbers[name, number] + numbers[name, None]
        else:
            continue
        if rivals > 1:
            yield Unchecked("set" if set_symbol is None else "number", (one.ref,))


def prime(force: Force, edition: Edition) -> Findings:
    """At most one Prime."""
    primes = [one for one in _restricted(force, edition) if one.rank is Rank.PRIME]
    if len(primes) > 1:
        yield Violation(f"Only one Prime character may be there, not {len(primes)}.", _refs(primes), ())


def archenemies(force: Force, edition: Edition) -> Findings:
    """Archenemies may not be on one force."""
    rivalries: dict[str, list[Character]] = defaultdict(list)
    camps: dict[str, set[str]] = defaultdict(set)
    topics: dict[str, str] = {}
    for one in force.characters:
        for stand in edition.rivalries(one):
            rivalries[stand.rivalry].append(one)
            camps[stand.rivalry].add(stand.camp)
            topics[stand.rivalry] = stand.topic
    for rivalry, found in rivalries.items():
        if len(camps[rivalry]) > 1:
            text = f"{_names(found)} are archenemies ({rivalry}) and may not be on one force."
            yield Violation(text, _refs(found), (topics[rivalry],))


def archenemies_of_a_set(force: Force, edition: Edition) -> Findings:
    """Archenemies of one set may not be on one force; where a set is not known, it cannot be told."""
    yield from archenemies(force, edition)
    colours: dict[str, list[Character]] = defaultdict(list)
    for one in force.characters:
        for stand in by_colour(one):
            colours[stand.rivalry].append(one)
    for found in colours.values():
        unknown = [one for one in found if one.set is None]
        if unknown and len({folded(one.name) for one in found}) > 1:
            yield Unchecked("set", _refs(unknown))


def point_value(force: Force, _edition: Edition) -> Findings:
    """A character costs one of the point values that are printed for it."""
    for one in force.figures:
        if one.point_options and one.points not in one.point_options:
            printed = " or ".join(map(str, one.point_options))
            yield Violation(f"{one.name} costs {printed} points, not {one.points}.", (one.ref,), ("point-value",))


def point_value_or_sentinel(force: Force, edition: Edition) -> Findings:
    """A character costs what is printed for it; a Sentinel 100, 200 or 300."""
    yield from point_value(force, edition)
    for one in force.figures:
        if one.kind is Kind.SENTINEL and one.points not in SENTINEL_POINTS:
            text = f"A Sentinel costs 100, 200 or 300 points, not {one.points}."
            yield Violation(text, (one.ref,), ("sentinel-point-value",))


# ── Feats and battlefield conditions ───────────────────────────────────────────────────────────


def feat_10_percent(force: Force, _edition: Edition) -> Findings:
    """The feats together cost at most 10% of the build total."""
    points, limit = sum(feat.points for feat in force.feats), force.event.build_total
    if points * 10 > limit:
        text = f"The feats cost {points} points, more than 10% of the build total of {limit}."
        yield Violation(text, _refs(feat for feat in force.feats if feat.points), ())


def feat_duplicate(force: Force, _edition: Edition) -> Findings:
    """A character is assigned a feat once."""
    if len(force.feats) < 2:
        return
    assigned: Counter[tuple[str, str]] = Counter()
    for feat in force.feats:
        if feat.name:
            assigned.update((folded(feat.name), ref) for ref in feat.assigned_to)
    names = {one.ref: one.name for one in force.characters}
    for (feat_name, ref), copies in assigned.items():
        if copies > 1:
            text = f"{names.get(ref, ref)} is assigned {_spelled(force.feats, feat_name)} {_times(copies)}."
            yield Violation(text, (ref,), ())


def feat_prerequisite(force: Force, _edition: Edition) -> Findings:
    """A feat is assigned to characters that meet it; one that chooses nobody needs one on the force that does."""
    characters = {one.ref: one for one in force.characters}
    for feat in force.feats:
        if feat.requires is None:
            yield Unchecked("requires", (feat.ref,))
        elif feat.assigned_to:
            yield from _chosen_meet(feat, feat.requires, characters)
        else:
            yield from _somebody_meets(feat, feat.requires, force.characters)


def _chosen_meet(feat: Feat, requires: Requirements, characters: dict[str, Character]) -> Findings:
    for ref in feat.assigned_to:
        character = characters.get(ref)
        answer = meets(character, requires) if character else False
        if answer is False and character:
            text = f"{character.name} never meets what {feat.name or 'the feat'} requires: {_wanted(requires)}."
            yield Violation(text, (ref,), ())
        elif isinstance(answer, str):
            yield Unchecked(answer, (ref,))


def _somebody_meets(feat: Feat, requires: Requirements, characters: Sequence[Character]) -> Findings:
    answers = [(one, meets(one, requires)) for one in characters]
    if any(answer is True for _, answer in answers):
        return
    unknown = {answer for _, answer in answers if isinstance(answer, str)}
    for needs in sorted(unknown):
        yield Unchecked(needs, tuple(one.ref for one, answer in answers if answer == needs))
    if not unknown:
        text = f"Nobody on the force meets what {feat.name or 'the feat'} requires: {_wanted(requires)}."
        yield Violation(text, (feat.ref,), ())


def meets(character: Character, requires: Requirements) -> Literal[True, False, "dial", "range"]:
    """Return whether a character can meet requirements, or the fact that is missing to tell.

    Teams and keywords must be the character's own. Powers and values must show together on one click,
    not necessarily its first; a value is met by a higher one.
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


def _shows(click: Click, powers: frozenset[str], values: Sequence[tuple[ValueName, int]]) -> bool:
    return powers <= {*map(folded, click.powers)} and all(getattr(click, value) >= least for value, least in values)


def battlefield_condition_limit(force: Force, _edition: Edition) -> Findings:
    """At most one battlefield condition."""
    if len(force.battlefield_conditions) > 1:
        text = f"Only one battlefield condition may be there, not {len(force.battlefield_conditions)}."
        yield Violation(text, _refs(force.battlefield_conditions), ("battlefield-conditions",))


def battlefield_condition_event_dial(force: Force, edition: Edition) -> Findings:
    """No battlefield condition where an event dial is used."""
    tactics = force.event.tactics
    dial = force.event.event_dial and (tactics is None or Tactic.EVENT_DIALS in tactics)
    if dial and force.battlefield_conditions and Tactic.EVENT_DIALS in edition.force.tactics:
        text = "Battlefield conditions are not used together with an event dial."
        yield Violation(text, _refs(force.battlefield_conditions), ("event-dial",))


# ── Objects, resources, additional team abilities ──────────────────────────────────────────────


def object_limit(force: Force, edition: Edition) -> Findings:
    """At most three objects."""
    found = edition.force.objects(force)
    if len(found) > MAX_OBJECTS:
        text = f"At most {MAX_OBJECTS} objects may be there, not {len(found)}."
        yield Violation(text, _refs(found), ("objects-in-force",))


def tokens_alone(force: Force) -> tuple[BattleObject | OtherElement, ...]:
    """The objects of a force are its object tokens and sculptures."""
    return force.objects


def tokens_and_equipment(force: Force) -> tuple[BattleObject | OtherElement, ...]:
    """The objects of a force are also its equipment, which is a sort of special object."""
    return (*force.objects, *(one for one in force.other if one.kind is OtherKind.EQUIPMENT))


def object_mix(force: Force, _edition: Edition) -> Findings:
    """Two objects are of different kinds; among three or more there are a heavy and a light one."""
    kinds = [WEIGHT.get(one.kind, one.kind) for one in force.objects if one.kind]
    unknown = _refs(one for one in force.objects if one.kind is None)
    if len(force.objects) == 2:
        if unknown:
            yield Unchecked("kind", unknown)
        elif kinds[0] is kinds[1]:
            text = f"Two objects must be of different kinds; both are {kinds[0]}."
            yield Violation(text, _refs(force.objects), ("objects-in-force",))
    elif len(force.objects) > 2:
        lacking = [kind for kind in (ObjectKind.HEAVY, ObjectKind.LIGHT) if kind not in kinds]
        if lacking and len(lacking) <= len(unknown):
            yield Unchecked("kind", unknown)
        elif lacking:
            text = f"Among the objects there is no {' and no '.join(lacking)} one."
            yield Violation(text, _refs(force.objects), ("objects-in-force",))


def special_object_duplicate(force: Force, edition: Edition) -> Findings:
    """Special objects have different names."""
    found: dict[str, list[BattleObject | OtherElement]] = defaultdict(list)
    for one in edition.force.objects(force):
        if one.name and (isinstance(one, OtherElement) or one.special):
            found[folded(one.name)].append(one)
    for copies in found.values():
        if len(copies) > 1:
            text = f"There may be only one special object {copies[0].name}, not {len(copies)}."
            yield Violation(text, _refs(copies), ("special-objects",))


def resource_limit(force: Force, _edition: Edition) -> Findings:
    """At most one resource."""
    if len(force.resources) > 1:
        text = f"Only one resource may be there, not {len(force.resources)}."
        yield Violation(text, _refs(force.resources), ("resource",))


def resource_special_object(force: Force, _edition: Edition) -> Findings:
    """No special object beside a resource."""
    special = [one for one in force.objects if one.special]
    if force.resources and special:
        text = "A force with a resource has no special objects."
        yield Violation(text, _refs((*force.resources, *special)), ("resource",))


def team_ability_card_limit(force: Force, _edition: Edition) -> Findings:
    """At most one additional team ability card."""
    if len(force.team_ability_cards) > 1:
        text = f"Only one additional team ability card may be there, not {len(force.team_ability_cards)}."
        yield Violation(text, _refs(force.team_ability_cards), ("team-ability-card",))


def team_ability_card_themed_team(force: Force, edition: Edition) -> Findings:
    """An additional team ability card is for themed teams."""
    if force.team_ability_cards and themed_team(force, edition) is None:
        text = "Additional team ability cards are for themed teams, and this force is none."
        yield Violation(text, _refs(force.team_ability_cards), ("team-ability-card",))


def team_ability_card_assignment(force: Force, _edition: Edition) -> Findings:
    """All characters that meet a card's prerequisites are assigned it, and no others; tokens are none of them."""
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
            text = f"{_names(left_out)} must be assigned {named}, for everybody who meets it is."
            yield Violation(text, _refs(left_out), ("team-ability-card",))
        if wrong:
            text = f"{_names(wrong)} cannot be assigned {named}: it requires {_wanted(card.requires)}."
            yield Violation(text, _refs(wrong), ("team-ability-card",))
        if unknown:
            yield Unchecked("dial", _refs(unknown))


# ── The Sideline ───────────────────────────────────────────────────────────────────────────────


def sideline_not_allowed(force: Force, _edition: Edition) -> Findings:
    """A Sideline is built where an element of the force allows it."""
    if force.sideline and not force.sideline_allowed_by:
        yield Violation("Nothing on the force allows a Sideline.", _refs(force.sideline), ("sideline",))


def sideline_limit(force: Force, _edition: Edition) -> Findings:
    """On a Sideline are at most three elements for each full 100 points of the build total, and never more than 15."""
    limit = min(force.event.build_total // 100 * SIDELINE_FOR_EACH_HUNDRED, MAX_ON_SIDELINE)
    if len(force.sideline) > limit:
        text = f"At most {limit} elements may be on the Sideline, not {len(force.sideline)}."
        yield Violation(text, _refs(force.sideline), ("sideline",))


# ── Events ─────────────────────────────────────────────────────────────────────────────────────


def promotional(force: Force, _edition: Edition) -> Findings:
    """No figures marked Promotional in sanctioned play."""
    if force.event.sanctioned:
        for one in force.figures:
            if one.promotional or one.rank is Rank.PROMOTIONAL:
                yield Violation(f"{one.name} is a promotional figure: not in sanctioned play.", (one.ref,), ())


def proxy(force: Force, _edition: Edition) -> Findings:
    """No proxies in sanctioned play."""
    if force.event.sanctioned:
        for one in force.figures:
            if one.proxy:
                yield Violation(f"{one.name} is a proxy: not in sanctioned play.", (one.ref,), ())


def product_not_yet_legal(force: Force, _edition: Edition) -> Findings:
    """Since 2002-10-01 a new product is legal 14 days after its street date, sealed formats excepted."""
    event = force.event
    if not event.sanctioned or event.format in SEALED:
        return
    if event.date is None:
        if force.figures:
            yield Unchecked("date", _refs(force.figures))
        return
    if event.date < NEW_PRODUCT_RULE_SINCE:
        return
    for one in force.figures:
        if one.street_date is None:
            yield Unchecked("street_date", (one.ref,))
        elif event.date - one.street_date < UNTIL_NEW_PRODUCT_IS_LEGAL:
            since = (event.date - one.street_date).days
            when = f"{since} days after" if since >= 0 else "before"
            text = f"{one.name} is played {when} its street date {one.street_date}; it is legal 14 days after it."
            yield Violation(text, (one.ref,), ("street-date",))


def not_from_sealed_product(force: Force, _edition: Edition) -> Findings:
    """In a sealed format all figures come from the player's own product."""
    if force.event.format in SEALED:
        for one in force.figures:
            if not one.from_sealed_product:
                text = f"{one.name} did not come from the player's own sealed product."
                yield Violation(text, (one.ref,), (f"{force.event.format}-forces",))


def set_not_allowed(force: Force, _edition: Edition) -> Findings:
    """Where an event names its sets, all figures are of them."""
    if not force.event.sets:
        return
    allowed = frozenset(map(folded, force.event.sets))
    for one in force.figures:
        if one.set is None:
            yield Unchecked("set", (one.ref,))
        elif folded(one.set) not in allowed:
            text = f"{one.name} is of the set {one.set}; this event is for {', '.join(force.event.sets)}."
            yield Violation(text, (one.ref,), ("sets-of-an-event",))


def collector_number_mismatch(force: Force, _edition: Edition) -> Findings:
    """The collector's number on the base is that on the dial."""
    for one in force.figures:
        if one.dial_number is None:
            continue
        if one.number is None:
            yield Unchecked("number", (one.ref,))
        elif plain_number(one.number) != plain_number(one.dial_number):
            text = f"{one.name} has number {one.number} on its base and {one.dial_number} on its dial."
            yield Violation(text, (one.ref,), ("figure-verification",))


# ── In words ───────────────────────────────────────────────────────────────────────────────────


def plain_number(number: str) -> str:
    """Return a collector's number as numbers are compared: without case, outer spaces and leading zeros."""
    return folded(number).lstrip("0")


def _restricted(force: Force, edition: Edition) -> tuple[Character, ...]:
    return force.figures if edition.force.sideline_is_restricted else force.characters


def _refs(elements: Iterable[Element]) -> tuple[str, ...]:
    return tuple([element.ref for element in elements])


def _names(characters: Iterable[Character]) -> str:
    *others, last = sorted({one.name for one in characters})
    return f"{', '.join(others)} and {last}" if others else last


def _spelled(feats: Iterable[Feat], name: str) -> str:
    return next(feat.name for feat in feats if folded(feat.name) == name)


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


def _wanted(requires: Requirements) -> str:
    parts = [*requires.powers, *(f"the team symbol {team}" for team in requires.teams)]
    parts += [f"the keyword {keyword}" for keyword in requires.keywords]
    parts += [f"{value} {least}" for value, least in requires.values]
    return ", ".join(parts) or "nothing"

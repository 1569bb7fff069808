"""Legality rules for a whole force and for its characters."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Final

from rules.engine.edition import Edition, ForceOptions
from rules.engine.figures.archenemies import by_colour, folded
from rules.engine.force.checks.row import legality_rule, names_of, plain_number, refs_of
from rules.engine.forces import Element, Findings, Force, ForceCharacter, OtherKind, Rank, Tactic, Unchecked, Violation
from rules.engine.position.objects import ObjectKind
from rules.engine.rivals import RivalKind

SENTINEL_POINTS: Final = frozenset({100, 200, 300})


@legality_rule("build total", whole=True)
def build_total(force: Force, _edition: Edition) -> Findings:
    """A force costs no more than the build total.

    If it might with the costed traits of its characters, it matters which of them the player paid for.
    """
    total, limit = force.total, force.event.build_total
    if limit is None:
        return
    if total > limit:
        costly = refs_of(element for element in force.elements if element.points)
        yield Violation(f"The force costs {total} points, {total - limit} over the build total of {limit}.", costly)
        return
    optional = [one for one in force.characters if one.optional_points]
    if total + sum(one.optional_points for one in optional) > limit:
        yield Unchecked("optional_points", refs_of(optional))


@legality_rule("build total in steps of 100", whole=True)
def build_total_increment(force: Force, _edition: Edition) -> Findings:
    """The build total is a multiple of 100."""
    total = force.event.build_total
    if total is not None and (total == 0 or total % 100):
        yield Violation(f"The build total {total} isn't a positive multiple of 100.", ())


@legality_rule("at least one character", whole=True)
def no_character(force: Force, edition: Edition) -> Findings:
    """A force has at least one character.

    Bystanders count only in editions where they suffice.
    """
    if not force.characters:
        yield Violation("The force has no characters.", ())
    elif not edition.force.bystanders_suffice and all(one.kind is RivalKind.BYSTANDER for one in force.characters):
        text = "The force has no characters except bystanders."
        yield Violation(text, refs_of(force.characters), ("no-character", "bystanders"))


@legality_rule("elements of this edition and event", topic="force-construction", whole=True)
def not_in_edition(force: Force, edition: Edition) -> Findings:
    """All elements exist in the edition and are allowed at the event.

    All other rules see the force without the elements found here.
    """
    tactics = force.event.tactics
    for found, named, exists, tactic in _sorts(force, edition.force):
        if not exists:
            text = f"This rulebook has no {named}."
            yield Violation(text, refs_of(found))
        elif tactic is not None and tactics is not None and tactic not in tactics:
            yield Violation(f"This event doesn't use {named}.", refs_of(found), ("tactics", "force-construction"))


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
    if foreign := [one for one in force.other if (one.kind or OtherKind.EQUIPMENT) not in options.other_kinds]:
        yield foreign, "additional game elements of this kind", False, None
    if force.sideline and not options.has_sideline:
        yield force.sideline, "Sidelines", False, None
    yield from _sorts_of_figures(force.figures if options.has_sideline else force.characters, options)


def _sorts_of_figures(figures: Sequence[ForceCharacter], options: ForceOptions) -> Iterator[Sort]:
    for kind in RivalKind:
        if kind is not RivalKind.CHARACTER and (found := [one for one in figures if one.kind is kind]):
            tactic = None if kind is RivalKind.SENTINEL else Tactic.BYSTANDERS
            yield found, f"{kind}s", kind in options.kinds, tactic
    if primes := [one for one in figures if one.rank is Rank.PRIME and one.kind in options.kinds]:
        yield primes, "Prime characters", options.has_primes, None


@legality_rule("Uniques", limits=True)
def unique(force: Force, edition: Edition) -> Findings:
    """Each Unique at most once.

    The edition decides when two are the same, and whether the Sideline counts.
    """
    ranks, same = edition.force.unique_ranks, edition.force.same_unique
    uniques = [one for one in _restricted(force, edition) if one.rank in ranks]
    if len(uniques) < 2:
        return
    copies: dict[Hashable, list[ForceCharacter]] = defaultdict(list)
    for one in uniques:
        copies[same(one)].append(one)
    for key, found in copies.items():
        if len(found) > 1 and not _lacks_facts(key):
            text = f"{found[0].name} is Unique: a force can have only 1, not {len(found)}."
            yield Violation(text, refs_of(found))
    if any(map(_lacks_facts, copies)):
        yield from _perhaps_the_same(uniques)


def by_name(character: ForceCharacter) -> Hashable:
    """Return the identity of a Unique by its name."""
    return folded(character.name)


def by_name_set_and_number(character: ForceCharacter) -> tuple[str, str | None, str | None]:
    """Return the identity of a Unique by name, set and collector's number; None stands for an unknown fact."""
    set_symbol, number = character.set, character.number
    return (
        folded(character.name),
        None if set_symbol is None else folded(set_symbol),
        None if number is None else plain_number(number),
    )


def _lacks_facts(key: Hashable) -> bool:
    return isinstance(key, tuple) and None in key


def _perhaps_the_same(uniques: Iterable[ForceCharacter]) -> Findings:
    """Yield pairs of Uniques that may be copies of one another, as far as the document tells."""
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


@legality_rule("Primes", limits=True)
def prime(force: Force, edition: Edition) -> Findings:
    """At most one Prime."""
    primes = [one for one in _restricted(force, edition) if one.rank is Rank.PRIME]
    if len(primes) > 1:
        yield Violation(f"A force can have only 1 Prime character, not {len(primes)}.", refs_of(primes))


@legality_rule("archenemies", limits=True, variant="as the edition defines archenemies")
def archenemies(force: Force, edition: Edition) -> Findings:
    """No archenemies on one force.

    Where a base's colour isn't known, this can't be checked beside another name on such a base or a coloured one.
    """
    yield from _known_archenemies(force, edition)
    if perhaps := _perhaps_archenemies(force.characters):
        yield Unchecked("base_color", perhaps)


def _known_archenemies(force: Force, edition: Edition) -> Findings:
    rivalries: dict[str, list[ForceCharacter]] = defaultdict(list)
    camps: dict[str, set[str]] = defaultdict(set)
    topics: dict[str, str] = {}
    for one in force.characters:
        for stand in edition.rivalries(one):
            rivalries[stand.rivalry].append(one)
            camps[stand.rivalry].add(stand.camp)
            topics[stand.rivalry] = stand.topic
    for rivalry, found in rivalries.items():
        if len(camps[rivalry]) > 1:
            text = f"{names_of(found)} are archenemies ({rivalry}), so they can't be on the same force."
            yield Violation(text, refs_of(found), (topics[rivalry],))


def _perhaps_archenemies(characters: Iterable[ForceCharacter]) -> tuple[str, ...]:
    """Return the refs of characters on bases of unknown colour that may be archenemies of another of these."""
    coloured = [one for one in characters if not one.is_token and (one.base_color is None or by_colour(one))]
    if len({folded(one.name) for one in coloured}) < 2:
        return ()
    return refs_of(one for one in coloured if one.base_color is None)


@archenemies.in_variant("only among figures with the same set symbol")
def archenemies_of_a_set(force: Force, edition: Edition) -> Findings:
    """No archenemies of one set on one force.

    Where a set or a base's colour isn't known, this can't be checked.
    """
    yield from _known_archenemies(force, edition)
    sets: dict[str | None, list[ForceCharacter]] = defaultdict(list)
    for one in force.characters:
        sets[None if one.set is None else folded(one.set)].append(one)
    anywhere = sets.pop(None, [])
    perhaps = [ref for found in sets.values() or [[]] for ref in _perhaps_archenemies([*found, *anywhere])]
    if perhaps:
        yield Unchecked("base_color", tuple(dict.fromkeys(perhaps)))
    colours: dict[str, list[ForceCharacter]] = defaultdict(list)
    for one in force.characters:
        for stand in by_colour(one):
            colours[stand.rivalry].append(one)
    for found in colours.values():
        unknown = [one for one in found if one.set is None]
        if unknown and len({folded(one.name) for one in found}) > 1:
            yield Unchecked("set", refs_of(unknown))


@legality_rule("point value", variant="one of the printed values")
def point_value(force: Force, _edition: Edition) -> Findings:
    """Characters cost the point value on their base or card."""
    for one in force.figures:
        if one.point_options and one.points not in one.point_options:
            printed = " or ".join(map(str, one.point_options))
            yield Violation(f"{one.name} costs {printed} points, not {one.points}.", (one.ref,))


@point_value.in_variant("one of the printed values; Sentinels cost 100, 200 or 300")
def point_value_or_sentinel(force: Force, edition: Edition) -> Findings:
    """Characters cost the point value on their base or card; a Sentinel costs 100, 200 or 300."""
    yield from point_value.look(force, edition)
    for one in force.figures:
        if one.kind is RivalKind.SENTINEL and one.points not in SENTINEL_POINTS:
            text = f"{one.name} is a Sentinel, which costs 100, 200 or 300 points, not {one.points}."
            yield Violation(text, (one.ref,), ("sentinel-point-value",))


def _restricted(force: Force, edition: Edition) -> tuple[ForceCharacter, ...]:
    return force.figures if edition.force.sideline_is_restricted else force.characters


OF_EVERY_BOOK: Final = (build_total, build_total_increment, no_character, not_in_edition)

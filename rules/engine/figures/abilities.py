"""The abilities that a character can use now: powers of its click, team abilities, and abilities of its symbols.

Countered powers are left out; a wild card can use the team abilities of friendly characters. The edition decides which
rows exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from rules.engine.figures.standing import SENTINEL, flies, size_of
from rules.engine.met import Met
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.power import Power
from rules.engine.reasons import Tally


def powers_of(play: Play, character: Character) -> tuple[Power, ...]:
    """Return the rows of everything the character can use now: powers first, then team abilities and symbols.

    A power that the edition's tables lack is returned as a row without moments and `known` false: its name is shown,
    and the judge decides by its card. While an attack ignores a character's powers (`OfAction.powerless`), it has none.
    Powers it declines are left out.
    """
    if character.id in play.this_action.powerless:
        return play.edition.by_cards(play, character, None) if play.carded else ()
    position = play.position
    sources: tuple[object, ...] = (position.sides,)
    if play.carded:
        sources = (position.sides, position.turn, position.map, position.objects, play.moment)
    name = "powers by sight" if play.sighting else "powers"
    if not play.carded and not character.teams:  # nothing but itself decides about them
        name, sources = "powers of those on no team", ()
    kept: dict[str, tuple[Character, tuple[Power, ...]]] = play.drawn(name, sources, dict)
    found = kept.get(character.id)
    if found is None or found[0] is not character:
        own = _rows(play, character)
        rows = play.edition.by_cards(play, character, own) if play.carded else tuple(own)
        found = kept[character.id] = (character, rows)
    if play.out_of_use:
        return tuple(
            row for row in found[1] if not (row.declinable == "yes" and play.declines(row.topic or row.name, character))
        )
    return found[1]


def _rows(play: Play, character: Character) -> Iterator[Power]:
    edition = play.edition
    showing = character.showing
    if showing is not None:
        for name in dict.fromkeys(showing.powers):
            if name not in character.countered:
                yield edition.powers.get(name) or Power(name=name, topic="powers", known=False)
    abilities = team_abilities_of(play, character, by_cards=False)
    yield from abilities
    for row in abilities:
        if row.grants_powers is not None and character.on_map:
            for name in row.grants_powers(play, character):
                if name not in character.countered and name in edition.powers:
                    yield edition.powers[name]
    for symbol in (
        *character.symbols.speed,
        *character.symbols.attack,
        *character.symbols.defense,
        *character.symbols.damage,
    ):
        for name in dict.fromkeys((symbol, symbol.removeprefix("transporter-"))):
            ability = edition.symbol_abilities.get(name)
            if ability is not None and ability.name not in character.countered:
                yield ability


WILD: Final = "Wild Card"
"""The name under which a card says that its character is a wild card."""


def team_abilities_of(play: Play, character: Character, *, by_cards: bool = True) -> list[Power]:
    """Return the team abilities the character can use: its own, and for a wild card those of friendly characters.

    `by_cards`: also what makes it a wild card only by a card.
    """
    edition = play.edition
    usable: dict[str, Power] = {}
    for team in character.teams:
        ability = edition.team_abilities.get(team)
        usable[team] = ability or Power(name=team, topic="team-abilities", known=False)
    if by_cards and play.carded:
        usable |= {row.name: row for row in powers_of(play, character) if row.name in edition.wild_cards}
    if is_wild(play, character) if by_cards else not edition.wild_cards.isdisjoint(character.teams):
        for ability in team_abilities_of_friends(play, character):
            usable.setdefault(ability.name, ability)
    return list(usable.values())


def team_abilities_of_friends(play: Play, character: Character) -> Iterator[Power]:
    """Yield the team abilities of friendly characters that the character can use if it is a wild card."""
    edition = play.edition
    for friend in play.position.side_of(character.id).characters:
        if friend.on_map and friend.id != character.id:
            for team in friend.teams:
                ability = edition.team_abilities.get(team)
                if ability is not None and team not in edition.wild_cards and character.copies in (None, team):
                    yield ability


def is_wild(play: Play, character: Character) -> bool:
    """Return whether a character is a wild card: by the symbol of its team, or by a card that says so or grants such a team."""
    wild_cards = play.edition.wild_cards
    if not wild_cards.isdisjoint(character.teams):
        return True
    return play.carded and any(row.name == WILD or row.name in wild_cards for row in powers_of(play, character))


@contextmanager
def one_team_ability(play: Play) -> Iterator[None]:
    """Let wild cards choose again after this attack or move (`keep_to`)."""
    before = play.this_action.set_aside
    try:
        yield
    finally:
        play.this_action.set_aside = before


def keep_to(play: Play, character: Character, row: Power) -> None:
    """Set aside a wild card's other borrowed team abilities while it uses this one; it uses one at a time.

    Sources: Minions of Doom, Spider-Man, Legion of Super Heroes with their FAQ (2002); Wild Cards (2005, 2014).
    """
    if borrowed(play, character, (row,)):
        others = borrowed(play, character, team_abilities_of(play, character))
        play.this_action.set_aside |= {f"{other.topic}:{character.id}" for other in others if other is not row}


def keep_to_shared(play: Play, character: Character, value: Tally) -> None:
    """Have a wild card keep to the team ability by which it shares a friend's value."""
    shared = {part.topic for part in value.replacements}
    for row in team_abilities_of(play, character) if shared else ():
        if row.topic in shared:
            keep_to(play, character, row)


def borrowed(play: Play, character: Character, rows: Iterable[Power]) -> list[Power]:
    """Return those of these rows that are team abilities a wild card has from its friends."""
    if not is_wild(play, character):
        return []
    own = play.edition.wild_cards.union(character.teams)
    return [row for row in rows if row.name in play.edition.team_abilities and row.name not in own]


def borrowing(play: Play, actor: Character, rows: Iterable[Power]) -> tuple[str, ...]:
    """Return the topics of a wild card that uses another team's ability; nothing if it borrows none."""
    if not borrowed(play, actor, rows):
        return ()
    return tuple(row.topic for row in team_abilities_of(play, actor) if row.name in play.edition.wild_cards)


def on_team(play: Play, character: Character, team: str, *, by_cards: bool = True) -> bool:
    """Return whether the character counts as a member of the team: by its symbol, by a card, or as a wild card."""
    if any(ability.name == team for ability in team_abilities_of(play, character, by_cards=False)):
        return True
    return by_cards and play.carded and can_use(play, character, team)


def can_use(play: Play, character: Character, name: str) -> bool:
    """Return whether the character can now use a power, team ability or symbol's ability of that name."""
    return any(power.name == name for power in powers_of(play, character))


def spent_by(play: Play, character: Character, name: str) -> str:
    """Return the card by which a character has used a power as often as it may, "" if there is none.

    Such a power isn't lost: what it did lasts.
    """
    if not play.carded or name in character.countered or why_barred(play, character, USING + name):
        return ""
    return next((row.name for row in powers_of(play, character) if name in row.spent), "")


def count_use(play: Play, name: str, use: str) -> None:
    """Count a character's use of what a card limits, under the name that `Power.counted_as` says."""
    now = play.character(name)
    if use not in now.used:
        play.change(replace(now, used=(*now.used, use)))


def is_flier(play: Play, character: Character) -> bool:
    """Return whether a character is a flier: by its speed symbol, or because it can use Flight (Glossary, 2014).

    Where Flight is an ability, it can be countered, granted and taken away.
    """
    by_symbol = play.edition.movement.flight_modes or not (play.carded or character.countered)
    if by_symbol or character.id in play.this_action.powerless:
        return flies(character)
    return can_use(play, character, "Flight")


def why_barred(play: Play, character: Character, what: str) -> str:
    """Return the card for which a character can't do something, in the words of cards; "" if it can."""
    if not play.carded:
        return ""
    return next((row.name for row in powers_of(play, character) if what in row.cannot), "")


USING: Final = "use "
"""Stands before a power that a card doesn't let a character use."""
FRIENDLY: Final = "friendly "
"""Stands before a power from which a card protects whoever uses it, a friend, too."""


def why_unaffected(play: Play, character: Character, power: str, *, friendly: bool = False) -> str:
    """Return why the power of that name has no effect on a character, as the end of a sentence; "" if it has.

    It is the power of an opponent, or of a friend (`friendly`).
    """
    power = FRIENDLY + power if friendly else power
    if size_of(character) == SENTINEL and power in play.edition.sentinels.unaffected_by:
        return "it is a Sentinel"
    kept = (row.name for row in powers_of(play, character) if power in row.defending.unaffected_by)
    found = next(kept, "") if play.carded else ""
    return f"it is protected by {found}" if found else ""


def sees_past(play: Play, character: Character) -> frozenset[str]:
    """Return what lines of fire drawn by the character ignore."""
    ignored = character.improved.targeting
    for power in powers_of(play, character):
        if power.attacking.sees_past is not None:
            ignored |= power.attacking.sees_past(play, character)
    return ignored


def moves_past(play: Play, character: Character, using: tuple[str, ...] | None = None) -> frozenset[str]:
    """Return what a move of the character ignores.

    Powers that require an action of their own count only if `using` names them, or if it names nothing.
    """
    ignored = character.improved.movement
    for power in powers_of(play, character):
        if power.moving.moves_past is not None and (using is None or not power.action or power.name in using):
            ignored |= power.moving.moves_past(play, character)
    return ignored


def topics_named(play: Play, character: Character, using: Iterable[str]) -> tuple[str, ...]:
    """Return the topics of those of a character's powers that `using` names."""
    named = set(using)
    return tuple(power.topic for power in powers_of(play, character) if power.name in named)


def why_countered(play: Play, character: Character, name: str) -> str:
    """Return how a power of a character is countered, as the end of a sentence; "" if it isn't."""
    if name not in character.countered:
        return ""
    play.note(Met.TURNED_OFF)
    by = next((one.by for one in play.battle.cancelled if (one.of, one.power) == (character.id, name)), None)
    return f": {play.character(by).name}'s Outwit countered it" if by is not None else ": it is countered"

"""What stands on cards, turned into rows of powers: which effects are in force now, for whom, and what each one does.

A row made here has no topic, because no section of a book speaks of it: steps and parts name the card instead. A
standard power that a card grants is the edition's own row. An effect that isn't adjudicated is a row with `known`
false, which is announced as unknown powers are, with the text of the card.

Conditions are about the character with the card; those on an attack are about the character that the effect
reaches. Where characters are described by a power, the powers on dials count, not those that cards grant: so cards
can't grant each other's conditions in a circle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from rules.engine.figures.standing import ground_of, size_of, standing_of
from rules.engine.play import Attack, Play
from rules.engine.position.cards import Card, CardCondition, CardKind, Effect, Who
from rules.engine.position.characters import Character, has_keyword
from rules.engine.position.dial import ValueName
from rules.engine.position.squares import distance
from rules.engine.power import Attacking, Bound, Defending, Evades, Moving, Power
from rules.engine.powers.building import beside, ignoring, less, never
from rules.engine.reasons import Factor, Modifier, Replacement

ABOUT_ATTACKS: Final = ("attack", "attacked", "target", "using")
NOT_TOLD: Final = ("action", "moved_this_turn", "attacked_this_turn", "carrying")
"""Words of conditions that a position doesn't tell: an effect that depends on them is decided by hand."""
PROTECTIONS: Final = frozenset({"knock-back", "pushing"})


class Told(NamedTuple):
    """An effect in force: its card, and the character that has it (None: a side or the whole battle has it)."""

    effect: Effect
    card: Card
    bearer: Character | None
    player: str | None


def by_cards(play: Play, character: Character, own: Iterable[Power]) -> tuple[Power, ...]:
    """Return the rows of a character with those of the cards in force; what cards say it can't use is left out."""
    rows = {row.name: row for row in own}
    for card in character.cards:
        if card.kind is CardKind.SPECIAL_POWER and card.name not in play.edition.powers and _in_force(card, character):
            rows.pop(card.name, None)
    cannot: set[str] = set()
    for told in _reaching(play, character):
        if not _judged(play, told.effect).adjudicated:
            _add(rows, _by_hand(told))
        elif told.effect.do == "cannot-use":
            cannot |= set(told.effect.words("powers"))
        elif told.effect.do == "can-use":
            for name in told.effect.words("powers"):
                if name not in character.countered:
                    rows.setdefault(
                        name, play.edition.powers.get(name) or Power(name=name, topic="powers", known=False)
                    )
        else:
            _add(rows, _kept_row(play, told, character))
    return tuple(row for name, row in rows.items() if name not in cannot)


def adjudicated(effect: Effect) -> bool:
    """Return whether the engine adjudicates an effect; otherwise the judge decides by the card."""
    if effect.limit is not None or effect.moment is not None or (effect.to is not None and effect.to.line_of_fire):
        return False
    keys = {key for key, _ in effect.given}
    if effect.may and effect.do not in ("can-use", "ignore"):
        return False
    if effect.when is not None:
        words = set(_words(effect.when))
        if not words.isdisjoint(NOT_TOLD):
            return False
        if effect.do not in ("modify", "set", "least", "most") and not words.isdisjoint(ABOUT_ATTACKS):
            return False
    match effect.do:
        case "can-use":
            return keys == {"powers"}
        case "set":
            return "as_of" not in keys
        case "protected":
            return PROTECTIONS.issuperset(effect.words("from"))
        case _:
            return effect.do in ("cannot-use", "modify", "least", "most", "ignore", "reduce", "evade")


class Judged(NamedTuple):
    """Whether an effect is adjudicated, and whether it turns on an attack."""

    adjudicated: bool
    on_attack: bool


def _judged(play: Play, effect: Effect) -> Judged:
    """Return what `adjudicated` says of an effect, found once for each battle; effects stay the same objects."""
    kept: dict[int, Judged] = play.drawn("effects judged", (), dict)
    found = kept.get(id(effect))
    if found is None:
        on_attack = effect.when is not None and not set(_words(effect.when)).isdisjoint(ABOUT_ATTACKS)
        found = kept[id(effect)] = Judged(adjudicated(effect), on_attack)
    return found


def _words(when: CardCondition) -> Iterator[str]:
    for word in (*ABOUT_ATTACKS, *NOT_TOLD):
        if getattr(when, word) not in (None, ()):
            yield word
    for inner in (*when.any, *([when.not_] if when.not_ is not None else [])):
        yield from _words(inner)


def _add(rows: dict[str, Power], row: Power) -> None:
    """Add a row under a key of its own, so that each effect of a card stays."""
    rows[f"{row.name} #{len(rows)}" if row.known else f"{row.name} ({row.of})"] = row


# ── Which effects are in force, and for whom ───────────────────────────────────────────────────────


def _reaching(play: Play, character: Character) -> Iterator[Told]:
    """Yield the effects in force that reach a character; those of a side or the battle as if it bore the card."""
    for told in _of_character(play, character):
        if (told.effect.to is None and _now(play, told)) or not _judged(play, told.effect).adjudicated:
            yield told
    if not character.on_map:
        return
    position = play.position
    shared = play.drawn(
        "effects on others",
        (position.sides, position.turn, position.map, position.objects),
        lambda: [told for told in _on_others(play) if told.bearer is None or _now(play, told)],
    )
    player = play.player_of(character)
    for told in shared:
        if told.bearer is not None:
            if told.effect.to is not None and _is_one(play, told.effect.to, told.bearer, character):
                yield told
        elif _meant(play, told, character):
            own = told._replace(bearer=character, player=player)
            if _now(play, own):
                yield own


def _of_character(play: Play, character: Character) -> Iterator[Told]:
    player = play.player_of(character)
    held = play.position.object(character.holding) if character.holding is not None else None
    for card in (*character.cards, *(held.cards if held is not None else ())):
        if _in_force(card, character):
            yield from (Told(effect, card, character, player) for effect in card.effects)


def _on_others(play: Play) -> Iterator[Told]:
    for side in play.position.sides:
        for character in side.characters:
            if character.on_map:
                yield from (told for told in _of_character(play, character) if told.effect.to is not None)
        yield from (Told(effect, card, None, side.player) for card in side.cards for effect in card.effects)
    yield from (Told(effect, card, None, None) for card in play.position.cards for effect in card.effects)


def _in_force(card: Card, character: Character) -> bool:
    """Return whether a card counts now: on its clicks, where the dial shows a special power's name, not countered."""
    showing = character.showing
    if showing is None or card.name in character.countered:
        return False
    if card.clicks:
        return character.click in card.clicks
    return card.kind is not CardKind.SPECIAL_POWER or card.name in showing.powers


def _now(play: Play, told: Told) -> bool:
    """Return whether an effect's condition holds, as far as it can be told without an attack."""
    when = told.effect.when
    if when is None:
        return True
    judged = _judged(play, told.effect)
    return not judged.adjudicated or judged.on_attack or _holds(play, when, told, None, None)


def _meant(play: Play, told: Told, character: Character) -> bool:
    """Return whether an effect of a side's card, or of the battle's, reaches a character."""
    who = told.effect.to
    if who is None:
        return told.player in (None, play.player_of(character))
    return _fits_side(play, who, told.player, character) and _fits(play, who, None, character)


def _is_one(play: Play, who: Who, seen_from: Character, other: Character) -> bool:
    """Return whether a character is one of those described, seen from another."""
    if other.id == seen_from.id:
        return who.side == "self" or (who.also_self and _fits(play, replace(who, within=None, size=None), None, other))
    if who.side == "self" or not _fits_side(play, who, play.player_of(seen_from), other):
        return False
    return other.on_map and _fits(play, who, seen_from, other)


def _fits_side(play: Play, who: Who, player: str | None, other: Character) -> bool:
    return who.side == "all" or player is None or (play.player_of(other) == player) == (who.side == "friends")


def _fits(play: Play, who: Who, seen_from: Character | None, other: Character) -> bool:
    showing = other.showing
    powers = {*showing.powers} - {*other.countered} if showing is not None else set()
    if seen_from is not None and who.within is not None and not _within(play, who.within, seen_from, other):
        return False
    if seen_from is not None and who.size is not None:
        bigger = size_of(other) - size_of(seen_from)
        if {"larger": bigger <= 0, "smaller": bigger >= 0, "same": bigger != 0}[who.size]:
            return False
    return (
        (not who.keyword or any(has_keyword(other, keyword) for keyword in who.keyword))
        and (not who.team or not set(who.team).isdisjoint(other.teams))
        and (not who.name or other.name in who.name)
        and (not who.power or not powers.isdisjoint(who.power))
        and (who.points_at_most is None or other.points <= who.points_at_most)
        and (not who.tokens or other.tokens in who.tokens)
    )


def _within(play: Play, within: int | str, one: Character, other: Character) -> bool:
    """Return whether a character is within that many squares of another, or adjacent to it."""
    most = max(1, play.edition.board.giant_reach) if within == "adjacent" else int(within)
    if all(distance(here, there) > most for here in one.squares for there in other.squares):
        return False
    return within != "adjacent" or beside(play, one, other)


# ── Conditions ─────────────────────────────────────────────────────────────────────────────────────


def _holds(play: Play, when: CardCondition, told: Told, character: Character | None, attack: Attack | None) -> bool:
    """Return whether a condition holds: for this attack of, or on, the character that the effect reaches."""
    if when.any and not any(_holds(play, one, told, character, attack) for one in when.any):
        return False
    if when.not_ is not None and _holds(play, when.not_, told, character, attack):
        return False
    if when.turn is not None and (play.position.turn.active == told.player) != (when.turn == "own"):
        return False
    if (when.attack or when.attacked or when.target or when.using) and not _in_attack(play, when, character, attack):
        return False
    return _of_bearer(play, when, told.bearer)


def _in_attack(play: Play, when: CardCondition, character: Character | None, attack: Attack | None) -> bool:
    if attack is None or character is None:
        return False
    if when.attacked is not None:
        hit = attack.target is not None and attack.target.id == character.id
        return hit and when.attacked in ("any", attack.kind)
    if attack.attacker.id != character.id or when.attack not in (None, "any", attack.kind):
        return False
    if when.using and set(when.using).isdisjoint(attack.using):
        return False
    return when.target is None or (attack.target is not None and _is_one(play, when.target, character, attack.target))


def _of_bearer(play: Play, when: CardCondition, bearer: Character | None) -> bool:
    """Return whether the words hold that are about the character with the card."""
    if bearer is None:
        return False
    if when.tokens and bearer.tokens not in when.tokens:
        return False
    if when.clicks and bearer.click not in when.clicks:
        return False
    if when.terrain and not any(_occupies(play, bearer, word) for word in when.terrain):
        return False
    if when.holding:
        held = play.position.object(bearer.holding) if bearer.holding is not None else None
        if held is None or not {held.kind.value, held.name, "any"} & {*when.holding}:
            return False
    for who in (when.near, when.on_map):
        if who is not None and not _someone(play, who, bearer):
            return False
    if when.adjacent_to is not None and not _someone(play, replace(when.adjacent_to, within="adjacent"), bearer):
        return False
    return when.none_near is None or not _someone(play, when.none_near, bearer)


def _occupies(play: Play, character: Character, word: str) -> bool:
    ground = ground_of(play)
    if word == "elevated":
        return any(ground.level_of(square) > 1 for square in character.squares)
    kinds = {
        "hindering": ground.hindering_sight,
        "water": ground.water,
        "blocking": ground.blocking,
        "obscuring": ground.obscuring,
    }
    return bool(ground.bits(character.squares) & kinds[word])


def _someone(play: Play, who: Who, bearer: Character) -> bool:
    """Return whether the words describe anyone on the map."""
    return any(_is_one(play, who, bearer, figure.character) for figure in standing_of(play).figures.values())


def _number(play: Play, who: Who, bearer: Character) -> int:
    """Return how many characters on the map the words describe."""
    return sum(_is_one(play, who, bearer, figure.character) for figure in standing_of(play).figures.values())


# ── What an effect does ────────────────────────────────────────────────────────────────────────────


def _kept_row(play: Play, told: Told, character: Character) -> Power:
    """Return the row of an effect, made once for each state of the character with the card."""
    kept: dict[tuple[int, int, bool], tuple[Told, Power]] = play.drawn("rows of effects", (), dict)
    own = told.bearer is None or told.bearer.id == character.id
    key = id(told.effect), id(told.bearer), own
    found = kept.get(key)
    if found is None:
        found = kept[key] = (told, _row(told, character))
    return found[1]


def _row(told: Told, character: Character) -> Power:
    """Return the row of an effect that is adjudicated."""
    effect, why = told.effect, _why(told, character)
    row = Power(name=why, topic="", declinable="no")
    match effect.do:
        case "modify":
            return replace(row, modify_value=_modifies(told, why))
        case "set":
            return replace(row, replace_value=_replaces(told, why))
        case "least" | "most":
            return replace(row, bound_value=_bounds(told, why))
        case "ignore":
            moving, targeting = effect.words("moving"), effect.words("targeting")
            return replace(
                row,
                moving=Moving(moves_past=ignoring(*moving) if moving else None),
                attacking=Attacking(sees_past=ignoring(*targeting) if targeting else None),
            )
        case "protected":
            kept = effect.words("from")
            reason = never(f"{{}} is protected from knock back by {why}") if "knock-back" in kept else None
            return replace(row, defending=Defending(may_be_knocked_back=reason, pushed_unhurt="pushing" in kept))
        case "reduce":
            return replace(row, defending=Defending(reduce_damage=less(effect.number("by"))))
        case _:
            rolled = Evades(roll="-".join(told.card.name.casefold().split()), on=effect.numbers("on"))
            return replace(row, defending=Defending(evade=rolled))


def _why(told: Told, character: Character) -> str:
    """Return what names an effect in steps and parts: "Wing Gust, trait"."""
    if told.bearer is None or told.bearer.id == character.id:
        return told.card.title
    return f"{told.bearer.name}'s {told.card.title}"


def _by_hand(told: Told) -> Power:
    """Return the row of a card of which something isn't adjudicated; its text is what the judge needs."""
    given = dict(told.effect.given).get("text")
    text = given if isinstance(given, str) else told.card.text
    return Power(name=told.card.name, topic="", known=False, text=text, of=told.bearer.id if told.bearer else None)


def _counts(play: Play, told: Told, character: Character, attack: Attack | None) -> bool:
    when = told.effect.when
    return when is None or not _judged(play, told.effect).on_attack or _holds(play, when, told, character, attack)


def _modifies(told: Told, why: str) -> Callable[[Play, Character, ValueName, Attack | None], Iterable[Modifier]]:
    effect = told.effect
    value, by, each = ValueName(effect.word("value")), effect.number("by"), effect.who("each")

    def modify(play: Play, character: Character, asked: ValueName, attack: Attack | None) -> Iterable[Modifier]:
        if asked is not value or not _counts(play, told, character, attack):
            return ()
        times = 1 if each is None else _number(play, each, told.bearer or character)
        most = effect.number("most", 99)
        made = max(-most, min(by * times, most))
        return (Modifier(made, why, ""),) if made else ()

    return modify


def _replaces(told: Told, why: str) -> Callable[[Play, Character, ValueName, Attack | None], Iterable[Replacement]]:
    effect = told.effect
    value, locked = ValueName(effect.word("value")), bool(effect.number("locked"))
    word = effect.word("set")
    to: int | Factor = "halve" if word == "halve" else "double" if word == "double" else effect.number("set")

    def replaces(play: Play, character: Character, asked: ValueName, attack: Attack | None) -> Iterable[Replacement]:
        if asked is not value or not _counts(play, told, character, attack):
            return ()
        return (Replacement(to, why, "", locked),)

    return replaces


def _bounds(told: Told, why: str) -> Callable[[Play, Character, ValueName, Attack | None], Iterable[Bound]]:
    effect = told.effect
    value, at = ValueName(effect.word("value")), effect.number("at")

    def bounds(play: Play, character: Character, asked: ValueName, attack: Attack | None) -> Iterable[Bound]:
        if asked is not value or not _counts(play, told, character, attack):
            return ()
        return (Bound("least" if effect.do == "least" else "most", at, why),)

    return bounds

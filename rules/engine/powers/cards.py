"""What stands on cards, turned into rows of powers: which effects are in force now, for whom, and what each one does.

A row made here has no topic, because no section of a book speaks of it: steps and parts name the card instead. A
standard power that a card grants is the edition's own row. An effect that isn't adjudicated is a row with `known`
false, which is announced as unknown powers are, with the text of the card.

What of a card never changes is found once for each battle, which effects are in force once for each position: values
are read far more often than positions change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from rules.engine.action import COSTED
from rules.engine.combat.moments import may_have_cards
from rules.engine.figures.abilities import FRIENDLY, USING, WILD, team_abilities_of_friends
from rules.engine.figures.standing import STANDARD, size_of
from rules.engine.figures.values import printed_value
from rules.engine.play import Attack, Damage, Play
from rules.engine.position.cards import NAMELESS, Card, CardCondition, CardKind, CardMoment, Effect, Requires, lent
from rules.engine.position.characters import Character, has_keyword
from rules.engine.position.dial import ValueName
from rules.engine.position.objects import BattleObject
from rules.engine.power import (
    AddsDamage,
    Attacking,
    Bound,
    Defending,
    Evades,
    Lending,
    MostTargets,
    Moving,
    Pierces,
    Power,
    RefusesAttack,
)
from rules.engine.powers.building import ignoring, more_actions, never
from rules.engine.powers.card_actions import acting
from rules.engine.powers.card_changes import better_of, change_of
from rules.engine.powers.card_conditions import (
    Fight,
    described,
    fight_of,
    fight_of_damage,
    fight_on_all,
    fight_under_way,
    fits,
    holds,
    is_one,
    may_hold,
)
from rules.engine.powers.card_effects import (
    HAPPENINGS,
    by_action,
    happening,
    is_spent,
    outcomes,
    roll_of,
    use_of,
    watching,
)
from rules.engine.powers.card_grants import let_happen, letting
from rules.engine.powers.card_questions import bears_on
from rules.engine.powers.wild_cards import BY_CARD
from rules.engine.reasons import Factor, Modifier, Replacement, listed

PROTECTIONS: Final = frozenset(
    {
        "knock-back",
        "pushing",
        "Force Blast",
        "Incapacitate",
        "Mind Control",
        "Outwit",
        "penetrating",
        "Penetrating/Psychic Blast",
        "Perplex",
        "Poison",
        "Psychic Blast",
        "Pulse Wave",
        "Quake",
        "Steal Energy",
        "Telekinesis",
    }
)
"""What a card can protect from: these effects, penetrating damage (it can be reduced), and powers of opponents."""
HEALERS: Final = frozenset({"Regeneration", "Support"})
"""Powers of which a card can say that they heal the character less."""
BARRED: Final = frozenset(
    {
        *("move", "attack", "carry", "be-carried", "reroll", "be-rerolled", "heal", "be-placed", "be-targeted"),
        *("ignore-pushing", "be-rerolled-by-opponents"),
    }
)
"""What a character can't do by a card, as far as the engine knows of it."""
FOUND_ELSEWHERE: Final = frozenset({"lost", "fixed", "stop", "starting-line"})
"""Kinds of effects that have no row: what they change looks at the cards itself."""
PERMITTING: Final = frozenset({"ignore", "carry", "be-carried"})
"""Kinds of effects that only allow what the book forbids: where the judge decides, it is allowed and announced."""
LISTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"ignore": ("moving", "targeting"), "protected": ("from",), "cannot": ("what",), "heal-less": ("healed_by",)}
)
"""Kinds of effects with lists of words of which each counts by itself: what isn't adjudicated leaves the others alone."""
LIMITED: Final = frozenset({"can-use", "reduce", "prevent", "evade"})
"""Kinds of effects that are used up one by one, so that a limit can be counted."""
ADJUDICATED: Final = frozenset(
    {
        *("cannot-use", "cannot", "modify", "least", "most", "ignore", "not-targeted", "targets", "range", "actions"),
        *("reduce", "prevent", "raise", "most-damage", "evade", "fixed", "set", "uncounted"),
    }
)


class Told(NamedTuple):
    """An effect of a card, and whether it is adjudicated; `lent`: a power that an effect lets be used later."""

    effect: Effect
    card: Card
    adjudicated: bool
    lent: bool = False


class Read(NamedTuple):
    """A card as read: its effects on the character with the card and on others, when it is lost, whether it is fixed."""

    card: Card
    own: tuple[Told, ...]
    others: tuple[Told, ...]
    every: tuple[Told, ...]
    lost: tuple[CardCondition, ...]
    fixed: bool


def by_cards(play: Play, character: Character, own: Iterable[Power] | None) -> tuple[Power, ...]:
    """Return the rows of a character with those of the cards in force; what cards say it can't use is left out.

    Where its powers are ignored (`own` is None), only its cards that can't be ignored count.
    """
    rows = {row.name: row for row in own or ()}
    reads = list(_cards_of(play, character))
    if own is None:
        reads = [read for read in reads if read.card.fixed_against("ignore")]
    for read in reads:
        if read.card.kind is CardKind.SPECIAL_POWER and read.card.name not in play.edition.powers:
            rows.pop(read.card.name, None)
    cannot: set[str] = set()
    unique: set[tuple[str, ...]] = set()
    judged: list[tuple[Effect, Power]] = []
    for told, bearer in _reaching(play, character, reads, alone=own is None):
        effect = told.effect
        lasts = effect.moment is None and effect.costs is None
        if effect.limit is not None and effect.moment is None and is_spent(told.card, effect, character):
            if effect.do == "can-use" and lasts:
                _add(rows, _spent(told))
            continue
        if _by_judgement(told) and _may_allow(play, told, bearer, character):
            judged += [(effect, row) for row in _judged(play, told, bearer, character)]
            if not told.adjudicated:
                _add(rows, _lender(told))
        if told.lent:
            continue
        if not told.adjudicated and lasts and effect.do != "special-ko":
            _add(rows, _by_hand(told, bearer))
            if effect.do in PERMITTING and effect.to_self and _may_allow(play, told, bearer, character):
                _add(rows, _kept_row(told, bearer, character))
        elif effect.do == "cannot-use" and lasts:
            cannot |= set(effect.words("powers"))
            _add(rows, _kept_row(told, bearer, character))
        elif effect.do == "can-use" and lasts:
            _join(rows, (row for row in _granted(play, told) if row.name not in character.countered))
        elif not effect.unique or _first(told, bearer, unique):
            _add(rows, _kept_row(told, bearer, character))
    _join(rows, (row for effect, row in judged if _adds(effect, row, rows.get(row.name))))
    if own is not None and (WILD in rows or not play.edition.wild_cards.difference(character.teams).isdisjoint(rows)):
        rows = {row.name: row for row in team_abilities_of_friends(play, character)} | rows
    return tuple(row for name, row in rows.items() if name not in cannot)


def _may_allow(play: Play, told: Told, bearer: Character, character: Character) -> bool:
    """Return whether what an effect left to the judge allows may be allowed now, as far as the engine can tell."""
    return told.effect.moment is not None or may_hold(play, told.effect, bearer, character, sometime=False)


def _first(told: Told, bearer: Character, known: set[tuple[str, ...]]) -> bool:
    """Return whether a modifier of which one of its name counts is the first; `known` are those before it.

    A card without a name is the same only on the same figure.
    """
    effect, name = told.effect, told.card.name
    whose = (bearer.name, bearer.set, bearer.number) if name == NAMELESS else ()
    key = (name, effect.word("value"), str(effect.number("by") > 0), *whose)
    new = key not in known
    known.add(key)
    return new


def adjudicated(effect: Effect) -> bool:
    """Return whether the engine adjudicates an effect; otherwise the judge decides by the card."""
    if effect.judged:
        return False
    if letting(effect) is not None:
        return not {"range", "targets", "half", "change"} & {key for key, _ in effect.given}
    if effect.do in HAPPENINGS and effect.do != "place":
        return (effect.moment is not None or effect.costs is not None) and _happens(effect)
    if effect.moment is not None or effect.costs is not None:
        return effect.do == "place" and _placed(effect)
    if effect.limit is not None and effect.do not in (*LIMITED, "free-action", "place"):
        return False
    keys = {key for key, _ in effect.given}
    match effect.do:
        case "can-use":
            return "no_cost" not in keys and ("change" not in keys or change_of(effect) is not None)
        case "stop":
            return (effect.plain or effect.of_opponents_attacks) and effect.to_self
        case "starting-line":
            return effect.plain and effect.to_self
        case "ignore" | "protected" | "cannot" | "heal-less":
            return all(_is_known(effect.do, word) for key in LISTS[effect.do] for word in effect.words(key))
        case "damage":
            return "amount" not in keys
        case "free-action":
            return not {"range", "targets"} & keys and effect.word("action") in ("move", "close", "ranged")
        case "place":
            return _placed(effect) and not effect.about_attack
        case "carry" | "be-carried":
            return "whom" not in keys and {"size"}.issuperset(effect.words("regardless"))
        case "lost":
            return not effect.about_attack and not effect.about_action
        case _:
            return effect.do in ADJUDICATED


def _is_known(do: str, word: str) -> bool:
    """Return whether the engine adjudicates a word in the list of an effect of this kind."""
    match do:
        case "ignore":
            return word != "destroy-blocking"
        case "protected":
            return _protection(word) in PROTECTIONS
        case "cannot":
            return word in BARRED
        case _:
            return word in HEALERS


def _in_parts(effect: Effect) -> tuple[Effect, ...]:
    """Return an effect whose list has words that the engine adjudicates and others that it doesn't as two."""
    if effect.do not in LISTS or effect.moment is not None or effect.costs is not None or adjudicated(effect):
        return (effect,)
    known, other = _with_words(effect, known=True), _with_words(effect, known=False)
    return (known, other) if known is not None and other is not None and adjudicated(known) else (effect,)


def _with_words(effect: Effect, *, known: bool) -> Effect | None:
    """Return an effect with those words of its lists that are adjudicated, or those that aren't; None without any."""
    lists = LISTS[effect.do]
    kept = {key: tuple(one for one in effect.words(key) if _is_known(effect.do, one) == known) for key in lists}
    if not any(kept.values()):
        return None
    other = tuple((key, value) for key, value in effect.given if key not in lists)
    return replace(effect, given=(*other, *((key, words) for key, words in kept.items() if words)))


def _happens(effect: Effect) -> bool:
    """Return whether something that happens at a moment is adjudicated: for a roll, all its outcomes."""
    if effect.do == "on-roll":
        inner = [one for outcome in outcomes(effect) for one in outcome.effects]
        return all(
            one.do in HAPPENINGS
            and one.limit is None
            and not one.judged
            and _happens(one)
            and (one.do != "place" or _placed(one))
            for one in inner
        )
    return effect.do != "by-hand" and not {"same_trait", "alternate", "kind"} & {key for key, _ in effect.given}


def _placed(effect: Effect) -> bool:
    """Return whether the character itself is placed, where only the distance counts."""
    return effect.to_self and {key for key, _ in effect.given} == {"within"}


def _protection(word: str) -> str:
    """Return the name of a protection however it is written: "Knockback" is knock back, too."""
    plain = word.casefold().replace(" ", "-")
    return {"knockback": "knock-back", "pushing-damage": "pushing"}.get(plain, plain if plain in PROTECTIONS else word)


def _add(rows: dict[str, Power], row: Power) -> None:
    """Add a row under a key of its own, so that each effect of a card stays; those left to the judge are one row."""
    key = f"{row.name} #{len(rows)}" if row.known else f"{row.name} ({row.of})"
    shown = rows.get(key)
    if shown is not None and None not in (shown.bears_on, row.bears_on):
        row = replace(row, bears_on=(shown.bears_on or frozenset()) | (row.bears_on or frozenset()))
    rows[key] = row


def _join(rows: dict[str, Power], granted: Iterable[Power]) -> None:
    """Add the rows of an effect; of a power that the character can use already, what is better for it counts."""
    for row in granted:
        shown = rows.setdefault(row.name, row)
        if shown is not row:
            rows[row.name] = better_of(shown, row)


def _by_judgement(told: Told) -> bool:
    """Return whether an effect grants powers to the character that it reaches now, as a judge decides or at no cost."""
    effect = told.effect
    if effect.do != "can-use" or effect.costs is not None or (told.adjudicated and effect.moment is None):
        return False
    return effect.to_self or not effect.for_bearer


def _adds(effect: Effect, row: Power, already: Power | None) -> bool:
    """Return whether what a judge decides adds anything to a power that a character can use already."""
    if already is None or already.judged or effect.word("change"):
        return True
    return not {*row.action} <= {*already.action}


def _granted(play: Play, told: Told) -> Iterator[Power]:
    """Yield the rows of the standard powers and team abilities that an effect grants, with the action that it names.

    With a limit, a power whose uses aren't counted is left to the judge.
    """
    edition, effect = play.edition, told.effect
    for name in effect.words("powers"):
        yield _changed_row(play, told, _ability(play, name) or Power(name=name, topic="powers", known=False))
    for name in effect.words("teams"):
        row = edition.team_abilities.get(name)
        yield _changed_row(play, told, row or Power(name=name, topic="team-abilities", known=False))


def _ability(play: Play, name: str) -> Power | None:
    """Return the row of a power, of a symbol's ability, of being a wild card, or of Colossal Stamina."""
    inherent = play.edition.inherent.get(name)
    stamina = inherent if inherent is not None and inherent.despite_tokens is not None else None
    return play.edition.ability(name) or BY_CARD.get(name) or stamina


def _judged(play: Play, told: Told, bearer: Character, character: Character) -> Iterator[Power]:
    """Yield the powers and team abilities that an action can name, of an effect that isn't adjudicated.

    What else they do, such as reducing damage, isn't done.
    """
    edition, effect = play.edition, told.effect
    kept = told.card.kept
    rows = [edition.powers.get(name) for name in effect.words("powers")]
    for row in (*rows, *(edition.team_abilities.get(name) for name in effect.words("teams"))):
        if row is None or row.name in character.countered or not (row.action or row.named_by_anyone):
            continue
        whose = f"{bearer.name}'s " if bearer.id != character.id else ""
        key = id(effect), row.name, whose, "judged"
        if key not in kept:
            bare = row if row.named_by_anyone else replace(row, defending=Defending(), lending=Lending())
            action = effect.word("action")
            made = replace(bare, action=(action,) if action else row.action, at_no_cost=letting(effect) is not None)
            judged = "" if told.adjudicated else whose + told.card.title
            kept[key] = replace(made, judged=judged, counted_as="" if made.at_no_cost else _counted(told))
        yield kept[key]


def _lender(told: Told) -> Power:
    """Return the row of a card that names the powers of which only a judge can say whether the character can use them."""
    kept = told.card.kept
    key = id(told.effect), "lender"
    if key not in kept:
        named = (*told.effect.words("powers"), *told.effect.words("teams"))
        kept[key] = Power(name=told.card.title, topic="powers", declinable="no", lends=frozenset(named))
    found: Power = kept[key]
    return found


def _spent(told: Told) -> Power:
    """Return the row of a card that names the powers of which all uses are spent: they aren't lost."""
    named = (*told.effect.words("powers"), *told.effect.words("teams"))
    return Power(name=told.card.title, topic="powers", declinable="no", spent=frozenset(named))


def _changed_row(play: Play, told: Told, row: Power) -> Power:
    """Return a row with the action that an effect names, with its change, and with its limit."""
    effect = told.effect
    action, change, limit = effect.word("action"), effect.word("change"), effect.limit
    if not action and not change and not limit:
        return row
    kept: dict[tuple[str, str, str, str], Power] = play.drawn("rows with changes", (), dict)
    key = row.name, action, change, _counted(told)
    found = kept.get(key)
    if found is None:
        found = replace(row, action=(action,)) if action else row
        change_row = change_of(effect) if change else None
        found = change_row(found) if change_row is not None else found
        if limit and not (found.action or found.defending.reduce_damage or found.defending.evade):
            found = Power(name=told.card.name, topic="", known=False, text=told.card.text)
        elif limit:
            found = replace(found, counted_as=_counted(told))
        kept[key] = found
    return found


# ── Which effects are in force, and for whom ───────────────────────────────────────────────────────


def _read(card: Card) -> Read:
    """Return a card as read, once for each card."""
    found: Read | None = card.kept.get("read")
    if found is None:
        found = card.kept["read"] = _reading(card)
    return found


def _reading(card: Card) -> Read:
    every = [Told(part, card, adjudicated(part)) for effect in card.effects for part in _in_parts(effect)]
    every = [told for told in every if told.effect.do not in FOUND_ELSEWHERE or not told.adjudicated]
    every = [told for told in every if told.effect.costs is None or told.effect is by_action(card, told.effect)[0]]
    every += [Told(one, card, False, True) for effect in card.effects for one in lent(effect)]
    own = [told for told in every if told.effect.for_bearer]
    lost = tuple(one.when for one in card.effects if one.do == "lost" and one.when is not None)
    others = tuple(told for told in every if not told.effect.for_bearer)
    return Read(card, tuple(own), others, tuple(every), lost, card.fixed_against("counter"))


def _reaching(
    play: Play, character: Character, reads: Iterable[Read], *, alone: bool
) -> Iterator[tuple[Told, Character]]:
    """Yield the effects in force that reach a character, each with the character that has the card.

    Those of a side or of the battle count as if the character itself had the card.
    """
    for read in reads:
        for told in read.own:
            if told.effect.plain or _now(play, told, character, character):
                yield told, character
    if alone or not character.on_map:
        return
    position = play.position
    shared = play.drawn(
        "effects on others by sight" if play.sighting else "effects on others",
        (position.sides, position.turn, position.map, position.objects, play.moment),
        lambda: _on_others(play),
    )
    for told, bearer in shared[play.player_of(character)]:
        who = told.effect.to
        if bearer is None:
            covered = _covers(play, told, character) or _copies(play, told, character)
            if covered and _now(play, told, character, character):
                yield told, character
        elif who is not None and _is_meant(play, told, bearer, character):
            yield told, bearer


def _covers(play: Play, told: Told, character: Character) -> bool:
    """Return whether a card of a side or of the battle counts for a character: where it stands, what it shows."""
    card, who = told.card, told.effect.to
    return (
        (not card.squares or not set(card.squares).isdisjoint(character.squares))
        and (card.requires is None or _meets(play, card.requires, character))
        and (who is None or fits(play, who, None, character))
    )


def _copies(play: Play, told: Told, character: Character) -> bool:
    """Return whether a wild card can use a team ability that a card gives to a friend (Themed Team Benefits, 2014)."""
    teams = told.effect.words("teams") if told.card.kind is CardKind.TEAM_ABILITY_CARD else ()
    if not teams or play.edition.wild_cards.isdisjoint(character.teams) or character.copies not in (None, *teams):
        return False
    friends = play.position.side_of(character.id).characters
    return any(one.on_map and one.id != character.id and _covers(play, told, one) for one in friends)


def _is_meant(play: Play, told: Told, bearer: Character, character: Character) -> bool:
    """Return whether an effect reaches a character of the side that it is for."""
    who = told.effect.to
    assert who is not None
    reaches = fits(play, who, bearer, character) if bearer.id != character.id else is_one(play, who, bearer, character)
    return reaches and (not told.effect.about_attack or _now(play, told, bearer, character))


def _cards_of(play: Play, character: Character, *, for_others: bool = False) -> Iterator[Read]:
    """Yield the cards of a character that are in force, with those of the object it holds.

    `for_others`: only those with effects on other characters.
    """
    objects = play.position.objects
    cards = (*character.cards, *_cards_of_objects(play, character)) if objects else character.cards
    for card in cards:
        if for_others and not card.for_others:
            continue
        read = _read(card)
        lost = read.lost and any(holds(play, one, character, character, None) for one in read.lost)
        if not lost and _in_force(play, read, character):
            yield read


def _cards_of_objects(play: Play, character: Character) -> Iterator[Card]:
    """Yield the cards of the object that a character holds, and of those on its card.

    Equipment counts for a standard character of the force that it was equipped in (Equipment, 2020s).
    """
    for thing in play.position.objects:
        if thing.cards and _lends_its_cards(play, thing, character):
            yield from thing.cards


def _lends_its_cards(play: Play, thing: BattleObject, character: Character) -> bool:
    if thing.assigned_to != character.id:
        return thing.id == character.holding and thing.equip is None
    return thing.equip is None or (size_of(character) == STANDARD and not _serves_another(play, character))


def _serves_another(play: Play, character: Character) -> bool:
    return play.this_action.lent is not None and play.owner_of(character) != play.player_of(character)


def _on_others(play: Play) -> dict[str, list[tuple[Told, Character | None]]]:
    """Return the effects on others by the players whose characters they may reach, with who has the card."""
    found: dict[str, list[tuple[Told, Character | None]]] = {side.player: [] for side in play.position.sides}

    def keep(told: Told, bearer: Character | None, owner: str | None) -> None:
        who = told.effect.to
        side = "friends" if who is None or who.side == "self" else who.side
        for player, kept in found.items():
            if owner is None or side == "all" or (player == owner) == (side == "friends"):
                kept.append((told, bearer))

    for side in play.position.sides:
        for character in side.characters:
            if character.on_map and may_have_cards(play, character):
                for read in _cards_of(play, character, for_others=True):
                    for told in read.others:
                        if told.effect.about_attack or _now(play, told, character, character):
                            keep(told, character, side.player)
        for card in side.cards:
            for told in _read(card).every:
                keep(told, None, side.player)
    for card in play.position.cards_for_all():
        for told in _read(card).every:
            keep(told, None, None)
    return found


def _in_force(play: Play, read: Read, character: Character) -> bool:
    """Return whether a card counts now: on its clicks, where the dial shows a special power's name, not countered.

    A feat counts for its own player while its prerequisites are met (Feats, 2005; Using Feats, 2014).
    """
    card, showing = read.card, character.showing
    if showing is None:
        return False
    if card.requires is not None and not _meets(play, card.requires, character):
        return False
    if card.kind is CardKind.FEAT and _serves_another(play, character):
        return False
    if character.countered and card.name in character.countered and not read.fixed:
        return False
    if card.clicks:
        return character.click in card.clicks
    return card.kind is not CardKind.SPECIAL_POWER or card.name in showing.powers


def _meets(play: Play, required: Requires, character: Character) -> bool:
    """Return whether a character meets the prerequisites of a card now.

    Its values must be printed so high, and stay so when they are modified: a modifier never helps, but may hinder.
    """
    showing = character.showing
    if showing is None:
        return False
    usable = ({*showing.powers} - {*character.countered}) | _granted_by_own_cards(play, required, character)
    return (
        usable.issuperset(required.powers)
        and {*character.teams}.issuperset(required.teams)
        and all(has_keyword(character, keyword) for keyword in required.keywords)
        and all(_least_of(character, value) >= least for value, least in required.values)
    )


def _granted_by_own_cards(play: Play, required: Requires, character: Character) -> set[str]:
    """Return the powers that a character can use now by its cards that require nothing themselves."""
    if {*(character.showing.powers if character.showing else ())}.issuperset(required.powers):
        return set()
    found: set[str] = set()
    for card in character.cards:
        if card.requires is None and _in_force(play, _read(card), character):
            for told in _read(card).own:
                if told.effect.do == "can-use" and _now(play, told, character, character):
                    found |= {*told.effect.words("powers")}
    return found - {*character.countered}


def _least_of(character: Character, value: ValueName) -> int:
    """Return a printed value, or what modifiers make of it where that is less."""
    printed = printed_value(character, value)
    return min(printed, printed + sum(one.by for one in character.modifiers if one.value is value))


def _now(play: Play, told: Told, bearer: Character, reached: Character) -> bool:
    """Return whether an effect's condition holds; one that waits until a value is asked for counts as if it did.

    One that is left to the judge counts if its condition may come to hold while the action lasts; so does what an attack
    or action has lost, because the position doesn't say it.
    """
    when = told.effect.when
    if when is None or told.effect.moment is not None:
        return True
    if not told.adjudicated:
        return told.effect.do == "lost" or may_hold(
            play, told.effect, bearer, reached, sometime=told.effect.costs is None
        )
    if told.effect.asked:
        return True
    return holds(play, when, bearer, reached, fight_under_way(play) if told.effect.about_attack else None)


# ── What an effect does ────────────────────────────────────────────────────────────────────────────


def _kept_row(told: Told, bearer: Character, character: Character) -> Power:
    """Return the row of an effect, made once for the card and the character that has it."""
    kept = told.card.kept
    key = id(told.effect), *((bearer.id, bearer.name) if bearer.id != character.id else ())
    found: Power | None = kept.get(key)
    if found is None:
        why, of = (f"{bearer.name}'s {told.card.title}", bearer.id) if len(key) > 1 else (told.card.title, "")
        found = kept[key] = _row(told, why, of)
    return found


def _row(told: Told, why: str, of: str) -> Power:
    """Return the row of an effect that is adjudicated."""
    effect = told.effect
    row = partial(Power, name=why, topic="", declinable="yes" if effect.may else "no")
    if effect.costs is not None:
        row = partial(row, name=why.replace(told.card.title, told.card.titled(told.card.name_of(effect))))
        epic = effect.costs == "epic"
        action = ("power",) if epic else (effect.costs,)
        left_open = not all(adjudicated(one) for one in by_action(told.card, effect))
        act = acting(told.card, effect, adjudicated)
        return row(action=action, epic=epic, act=act, left_open=left_open)
    if effect.moment is not None or effect.do == "special-ko":
        moment = effect.moment or CardMoment.WHEN_KO
        of_others = watching(effect.whose) if effect.whose is not None else None
        lets = letting(effect)
        does = partial(let_happen, adjudicated=told.adjudicated) if lets is not None else None
        happens = happening(told.card, effect, told.adjudicated, does)
        return row(moment=moment, happens=happens, of_others=of_others, lets=lets)
    match effect.do:
        case "modify":
            return row(modify_value=_modifies(told, why, of))
        case "set":
            return row(replace_value=_replaces(told, why, of))
        case "least" | "most":
            return row(bound_value=_bounds(told, why, of))
        case "ignore":
            moving, targeting = effect.words("moving"), effect.words("targeting")
            if not told.adjudicated:
                moving = tuple(word.removeprefix("destroy-") for word in moving)
                targeting = tuple(word.removeprefix("destroy-") for word in targeting if word != "hindering")
            return row(
                moving=Moving(moves_past=ignoring(*moving) if moving else None),
                attacking=Attacking(sees_past=ignoring(*targeting) if targeting else None),
            )
        case "protected":
            kept = frozenset(map(_protection, effect.words("from")))
            kept |= {FRIENDLY + word for word in kept} if effect.number("friends") else set()
            reason = never(f"{{}} is protected from knock back by {why}") if "knock-back" in kept else None
            return row(
                defending=Defending(may_be_knocked_back=reason, pushed_unhurt="pushing" in kept, unaffected_by=kept)
            )
        case "evade":
            rolled = Evades(roll=roll_of(told.card), on=effect.numbers("on"))
            return row(defending=Defending(evade=rolled), counted_as=_counted(told))
        case "heal-less":
            less = tuple((one.casefold(), effect.number("by")) for one in effect.words("healed_by"))
            return row(defending=Defending(heals_less=less))
        case "reduce" | "prevent" | "most-damage" | "not-targeted":
            return row(defending=_defends(told, why, of), counted_as=_counted(told))
        case _:
            return _other_row(row, told, why, of)


def _other_row(row: Callable[..., Power], told: Told, why: str, of: str) -> Power:
    """Return the row of an effect on attacks, actions, moves and carrying."""
    effect = told.effect
    match effect.do:
        case "raise":
            return row(attacking=Attacking(adds_damage=_raises(told, why, of)))
        case "damage":
            return row(attacking=Attacking(pierces=_pierces(told, of)))
        case "targets":
            return row(attacking=Attacking(most_targets=_targets(effect)))
        case "range":
            return row(modify_value=_modifies(told, why, of))
        case "actions":
            return row(lending=Lending(adds_actions=more_actions(effect.number("by"))))
        case "uncounted":
            kinds = frozenset(effect.words("action")) or COSTED
            return row(uncounted=kinds | {"double-power"} if "power" in kinds else kinds)
        case "cannot-use":
            return row(cannot=frozenset(USING + power for power in effect.words("powers")))
        case "cannot":
            return row(
                cannot=frozenset(effect.words("what")), defending=Defending(may_be_targeted=_never_targeted(told, why))
            )
        case "carry":
            passengers = more_actions(effect.number("passengers")) if effect.number("passengers") else None
            any_size, equal = "size" in effect.words("regardless"), bool(effect.number("equal_size"))
            return row(moving=Moving(passengers=passengers, carries_any_size=any_size, carries_equal_size=equal))
        case "be-carried":
            return row(moving=Moving(carried_at_any_size="size" in effect.words("regardless")))
        case "free-action":
            return row(
                action=("free",),
                act=acting(told.card, effect, adjudicated),
                moving=Moving(halves_speed=bool(effect.number("half"))),
            )
        case "place":
            return row(action=("free",), act=acting(told.card, effect, adjudicated))
        case _:
            raise AssertionError(effect.do)


def _by_hand(told: Told, bearer: Character) -> Power:
    """Return the row of a card of which something isn't adjudicated; its text is what the judge needs."""
    given = dict(told.effect.given).get("text")
    text = given if isinstance(given, str) else told.card.text
    row = Power(name=told.card.name, topic="", known=False, text=text, of=bearer.id)
    return replace(row, bears_on=bears_on(told.effect))


def _defends(told: Told, why: str, of: str) -> Defending:
    """Return the effect on damage to the character, or on attacks that may target it."""
    effect = told.effect

    def concerns(play: Play, character: Character, damage: Damage) -> bool:
        """Return whether the effect concerns this damage; one that depends on an attack concerns nothing else."""
        return _holds_for(play, told, of, character, fight_of_damage(damage))

    def reduces(play: Play, character: Character, damage: Damage) -> int:
        return effect.number("by") if concerns(play, character, damage) else 0

    def at_most(play: Play, character: Character, damage: Damage) -> int | None:
        return effect.number("at") if concerns(play, character, damage) else None

    def refuses(play: Play, character: Character, kind: str, using: tuple[str, ...]) -> str | None:
        if against := effect.words("using"):
            used = listed([power for power in using if power in against])
            return f"{character.name} can't be targeted by {used}: {why}." if used else None
        if effect.word("by") == "several":
            several = play.strike is not None and len(play.strike.targets) > 1
            return f"{character.name} can't be one of several targets: {why}." if several else None
        fitting = effect.word("by") in ("any", kind)
        return f"{character.name} can't be targeted by {kind} attacks: {why}." if fitting else None

    match effect.do:
        case "reduce":
            return Defending(reduce_damage=reduces)
        case "prevent":
            return Defending(prevents_damage=concerns)
        case "most-damage":
            return Defending(most_damage=at_most)
        case _:
            return Defending(may_be_targeted=refuses)


def _never_targeted(told: Told, why: str) -> RefusesAttack | None:
    if "be-targeted" not in told.effect.words("what"):
        return None
    return lambda play, character, kind, using: f"{character.name} can't be targeted: {why}."


def _counted(told: Told) -> str:
    """Return the name under which the uses of an effect are counted; "" without a limit."""
    return "" if told.effect.limit is None else use_of(told.card, told.effect)


def _raises(told: Told, why: str, of: str) -> AddsDamage:
    def raises(play: Play, character: Character, attack: Attack) -> Iterable[Modifier]:
        counted = _holds_for(play, told, of, character, fight_of(attack))
        return (Modifier(told.effect.number("by"), why, ""),) if counted else ()

    return raises


def _pierces(told: Told, of: str) -> Pierces:
    whom = told.effect.who("whom")

    def pierces(play: Play, character: Character, damage: Damage) -> Literal["penetrating", "unavoidable"] | None:
        if not _holds_for(play, told, of, character, fight_of(damage.attack)):
            return None
        bearer = play.character(of) if of else character
        if whom is not None and not is_one(play, whom, bearer, damage.character):
            return None
        return "penetrating" if told.effect.word("as") == "penetrating" else "unavoidable"

    return pierces


def _targets(effect: Effect) -> MostTargets:
    """Return a number of targets, of ranged attacks unless the condition speaks of attacks."""

    def targets(play: Play, character: Character, kind: str, otherwise: int) -> int:
        if kind != "ranged" and not effect.about_attack:
            return otherwise
        return max(otherwise, effect.number("number")) + effect.number("by")

    return targets


def _counts(play: Play, told: Told, of: str, character: Character, attack: Attack | None) -> bool:
    """Return whether an effect on a value counts in an attack."""
    return not told.effect.asked or _holds_for(play, told, of, character, fight_on_all(play, attack))


def _holds_for(play: Play, told: Told, of: str, character: Character, fight: Fight | None) -> bool:
    """Return whether the condition of an effect that is asked for holds, given the attack."""
    when = told.effect.when
    if when is None or not told.effect.asked:
        return True
    return holds(play, when, play.character(of) if of else character, character, fight)


def _modifies(
    told: Told, why: str, of: str
) -> Callable[[Play, Character, ValueName, Attack | None], Iterable[Modifier]]:
    effect = told.effect
    value, by = ValueName(effect.word("value") or "range"), effect.number("by")

    def modify(play: Play, character: Character, asked: ValueName, attack: Attack | None) -> Iterable[Modifier]:
        if asked is not value or not _counts(play, told, of, character, attack):
            return ()
        times = _times(play, effect, play.character(of) if of else character, attack)
        most = effect.number("most", 99)
        made = max(-most, min(by * times, most))
        return (Modifier(made, why, ""),) if made else ()

    return modify


def _times(play: Play, effect: Effect, bearer: Character, attack: Attack | None) -> int:
    """Return how often a modifier counts: once for each character, named token, or token of a stack of hordes."""
    each, token = effect.who("each"), effect.word("each_token")
    if each is not None:
        return len(described(play, each, bearer))
    if effect.number("each_in_stack"):
        return bearer.stack
    if not token:
        return 1
    if effect.word("tokens_of") != "target":
        return bearer.tokens_named(token)
    target = attack.target if attack is not None else None
    return target.tokens_named(token, bearer.id) if target is not None else 0


def _replaces(
    told: Told, why: str, of: str
) -> Callable[[Play, Character, ValueName, Attack | None], Iterable[Replacement]]:
    effect = told.effect
    value, locked = ValueName(effect.word("value")), bool(effect.number("locked"))
    word, as_of = effect.word("set"), effect.who("as_of")
    to: int | Factor = "halve" if word == "halve" else "double" if word == "double" else effect.number("set")

    def replaces(play: Play, character: Character, asked: ValueName, attack: Attack | None) -> Iterable[Replacement]:
        if asked is not value or not _counts(play, told, of, character, attack):
            return ()
        if as_of is None:
            return (Replacement(to, why, "", locked),)
        values = [printed_value(one, value) for one in described(play, as_of, play.character(of) if of else character)]
        return (Replacement(max(values), why, "", locked),) if values else ()

    return replaces


def _bounds(told: Told, why: str, of: str) -> Callable[[Play, Character, ValueName, Attack | None], Iterable[Bound]]:
    effect = told.effect
    value, at = ValueName(effect.word("value")), effect.number("at")

    def bounds(play: Play, character: Character, asked: ValueName, attack: Attack | None) -> Iterable[Bound]:
        if asked is not value or not _counts(play, told, of, character, attack):
            return ()
        return (Bound("least" if effect.do == "least" else "most", at, why),)

    return bounds

"""What effects of cards do at their moment: heal, deal damage, place, give tokens, roll, and what a judge decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from rules.engine.combat.damage import come_to_knock_out, take
from rules.engine.combat.event_dial import turn_event_dial
from rules.engine.combat.healing import heal
from rules.engine.combat.ko import (
    drop,
    equip,
    equipment_of,
    free_square,
    knock_out,
    squares_beside,
    unequip,
    why_not_equipped,
)
from rules.engine.combat.moments import due_at, wait
from rules.engine.combat.roll import roll_dice
from rules.engine.combat.targets import leave_home
from rules.engine.combat.tokens import give_token
from rules.engine.combat.unknown import announce, not_adjudicated
from rules.engine.errors import AwaitingChoice, Illegal
from rules.engine.figures.abilities import count_use, why_barred
from rules.engine.figures.adjacency import squares_adjacent
from rules.engine.figures.standing import ground_of, standing_of
from rules.engine.play import Damage, Play
from rules.engine.position.cards import LEFT_TO_JUDGE, ONCE_A_GAME, Card, CardMoment, Effect, Outcome, Who
from rules.engine.position.characters import BaseKind, Character, NamedTokens, is_named
from rules.engine.position.squares import Square, distance
from rules.engine.power import Happens, HappensTo, Power
from rules.engine.powers.card_conditions import (
    Fight,
    as_triggered,
    decidable,
    described,
    fight_now,
    fight_of_damage,
    holds,
    is_one,
)
from rules.engine.reasons import Part, listed
from rules.engine.steps import StepName

AFTER_ALL: Final = frozenset({CardMoment.AFTER_ACTION, CardMoment.AFTER_SUCCESS})
"""Moments at which no attack goes on, but the action or the roll used a power."""
OF_DAMAGE: Final = frozenset({CardMoment.WHEN_KO, CardMoment.WHEN_KOS, CardMoment.WHEN_CLICKED})
"""Moments that any damage may bring, not only an attack's."""
FREE: Final = frozenset({"free-action", "place"})
"""Kinds of effects that are free actions once a turn."""
ON_ITSELF: Final = frozenset(
    {"heal", "deal", "token", "place", "becomes", "generate", "equip", "unequip", "drop", "ko"}
)
"""Kinds of effects that do nothing for a character that has been KO'd since they were triggered."""
Does = Callable[[Play, Card, Effect, Character], None]


def happening(card: Card, effect: Effect, adjudicated: bool, lets: Does | None = None) -> Happens:
    """Return what an effect does at its moment, if it is its time, its condition holds and its limit isn't reached.

    `lets`: lets an action happen; only if it does so is that a use.
    """
    when = effect.when
    if when is not None and not adjudicated:
        when = decidable(when, LEFT_TO_JUDGE)

    def happens(play: Play, character: Character) -> None:
        if is_spent(card, effect, play.character(character.id)) or not _is_time(play, effect, character):
            return
        acting = _of_moment(play, character)
        fight = _fight_at(play, effect.moment, acting) if when is not None else None
        if when is not None and not holds(play, when, character, acting, fight, acting):
            return
        if effect.may and play.out_of_use and not reached(play, card, effect, character):
            return
        if lets is not None:
            carry_out = partial(lets, play, card, effect, character)
        elif adjudicated:
            spend(play, card, effect, character)
            carry_out = partial(_carry_out, play, card, effect, character, True)
        elif effect.limit is None or _is_first_told(play, card, effect, character):
            carry_out = partial(_carry_out, play, card, effect, character, False)
        else:
            return
        if effect.after is None:
            carry_out()
        else:
            wait(play, carry_out)

    return happens


def _is_first_told(play: Play, card: Card, effect: Effect, character: Character) -> bool:
    """Return whether the judge hasn't been told of a limited effect this turn, and note that now it is."""
    use, told = (character.id, use_of(card, effect)), play.this_turn.announced
    play.this_turn = replace(play.this_turn, announced=told | {use})
    return use not in told


def _carry_out(play: Play, card: Card, effect: Effect, before: Character, adjudicated: bool) -> None:
    """Apply an effect that has been triggered, though its power may be lost since; `before`: as it was then."""
    now = play.character(before.id)
    own_ko = effect.moment is CardMoment.WHEN_KO and effect.whose is None
    if not adjudicated:
        ask_the_judge(play, card, effect, before)
    elif now.knocked_out and effect.to_self and effect.do in ON_ITSELF and not own_ko:
        text = f"{card.title}, does nothing for {now.name}: it was knocked out first."
        play.record(StepName.NOTE, text, ("ko",), of=now.id)
    elif now.squares or now.knocked_out:
        do(play, card, effect, now if now.squares else before)


def watching(whose: Who) -> HappensTo:
    """Return whether a moment of another character is one that an effect waits for."""

    def watches(play: Play, bearer: Character, other: Character) -> bool:
        with as_triggered(play):
            return is_one(play, whose, bearer, other)

    return watches


def by_action(card: Card, effect: Effect) -> list[Effect]:
    """Return the effects of a card that one action lets happen together."""
    same = (effect.costs, effect.when, effect.limit, effect.part)
    return [one for one in card.effects if (one.costs, one.when, one.limit, one.part) == same]


def _fight_at(play: Play, moment: CardMoment | None, character: Character) -> Fight | None:
    """Return the attack that conditions at a character's moment speak of: whom it hits or damages need be no target."""
    if moment in AFTER_ALL:
        return None
    if moment in OF_DAMAGE:
        return fight_of_damage(play.suffered)
    fight = fight_now(play)
    if fight is not None and moment is CardMoment.AFTER_HIT:
        return fight._replace(hit=play.this_action.hit)
    if fight is not None and moment in (CardMoment.WHEN_HIT, CardMoment.WHEN_DAMAGED):
        return fight._replace(reached=(character.id,))
    return fight


def _of_moment(play: Play, character: Character) -> Character:
    """Return the character whose moment it is: another one, or the one with the card."""
    other = play.this_action.whose_moment
    return character if other is None else play.character(other)


def _is_time(play: Play, effect: Effect, character: Character) -> bool:
    """Return whether a moment is the character's own: its player's turn, its own attack, unless its condition says else."""
    words = frozenset() if effect.when is None else frozenset(effect.when.words())
    if effect.moment in (CardMoment.START_OF_TURN, CardMoment.END_OF_TURN) and "turn" not in words:
        return play.player_of(character) == play.position.turn.active
    if effect.moment is CardMoment.AFTER_ATTACK and "attacked" not in words:
        return play.strike is not None and play.strike.attacker == _of_moment(play, character).id
    return True


def is_spent(card: Card, effect: Effect, character: Character) -> bool:
    """Return whether an effect's limit has been reached this turn or in this game."""
    return effect.limit is not None and use_of(card, effect) in character.used


def spend(play: Play, card: Card, effect: Effect, character: Character) -> None:
    """Note the use of an effect that has a limit."""
    if effect.limit is not None:
        count_use(play, character.id, use_of(card, effect))


def use_of(card: Card, effect: Effect) -> str:
    """Return the name under which a use is counted: the card's, from its second such effect on with a number."""
    counted = [
        one
        for one in card.effects
        if one.limit is not None or one.costs is not None or (one.do in FREE and one.moment is None)
    ]
    same = (place for place, one in enumerate(counted) if replace(one, limit=effect.limit) == effect)
    number = next(same, 0) + 1
    name = card.name if number == 1 else f"{card.name} ({number})"
    return name + (ONCE_A_GAME if effect.limit == "game" else "")


def reached(play: Play, card: Card, effect: Effect, character: Character) -> list[Character]:
    """Return the characters that an effect reaches now: those described on the map, otherwise the character itself.

    Those for which it is declined are left out.
    """
    who = effect.to
    if who is None or who.side == "self":
        return [character]
    found = described(play, who, character)
    return [one for one in found if not play.declines(card.title, one)] if effect.may and play.out_of_use else found


def do(play: Play, card: Card, effect: Effect, character: Character) -> None:
    """Apply an effect that is adjudicated, once it has been announced what isn't known of those it reaches."""
    announce(play, *reached(play, card, effect, character))
    HAPPENINGS[effect.do](play, card, effect, character)


def ask_the_judge(play: Play, card: Card, effect: Effect, character: Character) -> None:
    """Show the text at this moment, once for all effects of the card that the moment triggers."""
    if all(one is not card for one in character.cards) and _was_shown(play, card):
        return
    row = Power(name=card.name, topic="", known=False, text=effect.word("text") or card.text)
    text, action = not_adjudicated(character, row), play.this_action
    told = text, effect.moment, effect.after, action.whose_moment
    if not any(then is action.then and said == told for then, said in action.judged):
        action.judged = (*action.judged, (action.then, told))
        play.record(StepName.RULING, text, of=character.id)


def _was_shown(play: Play, card: Card) -> bool:
    """Return whether a judge was asked about this card, which several characters have, in this action."""
    said = f"'s {card.name} isn't adjudicated"
    now = play.this_action.number
    return any(step.step is StepName.RULING and said in step.text for step in play.steps if step.action == now)


def _named(card: Card, character: Character) -> str:
    return f"{character.name}'s {card.title}"


def _heal(play: Play, card: Card, effect: Effect, character: Character) -> None:
    for one in reached(play, card, effect, character):
        if one.on_map:
            heal(play, one, effect.number("clicks"), card.title if one.id == character.id else _named(card, character))


def _deal(play: Play, card: Card, effect: Effect, character: Character) -> None:
    """Deal damage that isn't damage of an attack; it is reduced like that of a power."""
    concerned = [one for one in reached(play, card, effect, character) if one.on_map]
    why, amount, way = _named(card, character), effect.number("damage"), effect.word("as")
    if not concerned:
        play.record(StepName.RESOLVE, f"{why} damages no one.", ("powers",), of=character.id)
        return
    kind = f"{amount} {way} damage" if way else f"{amount} damage"
    parts = {"damage": (Part("printed", amount, card.title, None),)}
    text = f"{why} deals {kind} to {listed([one.name for one in concerned])}."
    play.record(StepName.DAMAGE_DEALT, text, ("damage-dealt",), {"damage": amount}, parts=parts)
    penetrating = card.title if way == "penetrating" else ""
    take(
        play,
        [
            Damage(
                one, amount, "power", character, None, False, penetrating, way == "unavoidable", parts=parts["damage"]
            )
            for one in concerned
        ],
    )


def _token(play: Play, card: Card, effect: Effect, character: Character) -> None:
    """Give or remove action tokens, or tokens of another name."""
    name, by = effect.word("name"), effect.number("by")
    for one in reached(play, card, effect, character):
        now = play.character(one.id)
        if name.casefold() in ("action", "action token") and by > 0:
            for _ in range(min(by, 2 - now.tokens)):
                give_token(play, play.character(one.id), acted=False)
            continue
        topics: tuple[str, ...] = ()
        if name.casefold() in ("action", "action token"):
            had, left, kind, topics = now.tokens, max(0, now.tokens + by), "action", ("action-tokens",)
            play.change(replace(now, tokens=left))
        else:
            if effect.costs is not None and now.tokens_named(name) < -by:
                raise Illegal(f"{now.name} doesn't have {-by} {name} token{'' if by == -1 else 's'}.", ("powers",))
            play.change(replace(now, named_tokens=with_tokens(now, name, by, character.id)))
            had, left, kind = now.tokens_named(name), play.character(one.id).tokens_named(name), name
            topics = ("named-tokens",)
        if had == left:
            text = f"{now.name} has no {kind} token to lose ({card.title})."
            play.record(StepName.NOTE, text, topics, of=one.id)
            continue
        done = f"gets {left - had}" if left > had else f"loses {had - left}"
        text = f"{now.name} {done} {kind} token{'' if abs(left - had) == 1 else 's'} ({card.title}) and has {left}."
        play.record(StepName.TOKEN, text, topics, {"tokens" if kind == "action" else "named": left}, of=one.id)


def with_tokens(character: Character, name: str, by: int, giver: str) -> tuple[NamedTokens, ...]:
    """Return a character's named tokens with more or fewer of a giver; those of others go last (Named Tokens, 2020s)."""
    noted = giver if by > 0 or any(one.by == giver for one in character.named_tokens if one.name == name) else None
    kept = {(one.name, one.by): one.number for one in character.named_tokens}
    if by > 0:
        kept[name, noted] = kept.get((name, noted), 0) + by
    for key in sorted(kept, key=lambda key: key[1] != noted) if by < 0 else ():
        if key[0] == name:
            less = min(kept[key], -by)
            kept[key], by = kept[key] - less, by + less
    return tuple(NamedTokens(key, number, of) for (key, of), number in kept.items() if number)


def _place(play: Play, card: Card, effect: Effect, character: Character) -> None:
    """Place a character in an open square within that many squares, or an adjacent one, chosen among `places`."""
    for one in reached(play, card, effect, character):
        barred = why_barred(play, one, "be-placed")
        if barred:
            play.record(StepName.NOTE, f"{one.name} can't be placed: {barred}.", ("powers",), of=one.id)
        elif one.base is not BaseKind.SINGLE:
            ask_the_judge(play, card, effect, one)
        elif one.on_map:
            beside = effect.word("within") == "adjacent"
            squares = squares_beside(play, one.squares) if beside else _open_within(play, one, effect.number("within"))
            if squares:
                put(play, one, _chosen(play, one, squares), card)
            else:
                text = f"{one.name} isn't placed ({card.title}): no square there is free."
                play.record(StepName.NOTE, text, ("occupancy",), of=one.id)


def put(play: Play, character: Character, square: Square, card: Card) -> None:
    """Put a character into a square."""
    play.change(replace(play.character(character.id), squares=(square,)))
    leave_home(play, play.character(character.id), (square,))
    play.record(StepName.MOVE, f"{character.name} is placed in {square} ({card.title}).", of=character.id)


def _open_within(play: Play, character: Character, within: int) -> list[Square]:
    ground, here = ground_of(play), standing_of(play).at
    return [
        square
        for square in play.position.map.squares()
        if square not in here
        and not ground.blocking & ground.bit(square)
        and min(distance(square, own) for own in character.squares) <= within
    ]


def _chosen(play: Play, character: Character, squares: list[Square]) -> Square:
    """Return the square named for a character: the second time in an action, as `ID (2)`, and so on."""
    time = play.this_action.placed.count(character.id) + 1
    name = character.id if time == 1 else f"{character.id} ({time})"
    named = play.this_action.choices.places.get(name)
    if named is None:
        options, why = [square.name for square in squares], f"In which square is {character.name} placed?"
        raise AwaitingChoice(f"place:{name}", options, why, play.player_of(character))
    if named.square is None or named.square not in squares:
        raise Illegal(f"{character.name} can't be placed in {named.words}.", ("occupancy",))
    play.this_action.placed += (character.id,)
    return named.square


def _waiting(play: Play, name: str, character: Character) -> Character | None:
    """Return a character of that name on the same side that isn't on the map yet."""
    side = play.position.side_of(character.id)
    waiting = (one for one in side.characters if is_named(one, name) and not one.squares and not one.knocked_out)
    return next((one for one in waiting if one.captured_by is None and one.id != character.id), None)


def _generate(play: Play, card: Card, effect: Effect, character: Character) -> None:
    """Put waiting characters of that name beside the character, no more than its card allows on the map."""
    name, most = effect.word("name"), effect.number("most", 99)
    for _ in range(effect.number("number", 1)):
        there = [one for one in play.position.characters() if one.on_map and one.generated_by == character.id]
        if sum(is_named(one, name) for one in there) >= most:
            text = f"{_named(card, character)} generates no more {name}: {most} of them are on the map."
            play.record(StepName.NOTE, text, ("generate",), of=character.id)
            return
        made = _waiting(play, name, character)
        if made is None or made.base is not BaseKind.SINGLE or not squares_beside(play, character.squares):
            _missing(play, card, effect, character)
            return
        square = free_square(play, made, character.squares)
        click = effect.number("click") or made.click
        play.change(replace(made, squares=(square,), click=click, generated_by=character.id))
        text = f"{_named(card, character)} generates {made.name} in {square}."
        play.record(StepName.RESOLVE, text, ("powers", "generate"), of=made.id)


def _ko(play: Play, card: Card, effect: Effect, character: Character) -> None:
    """KO the characters that are reached, whatever their click; what that triggers happens once all are KO'd."""
    concerned = [one for one in reached(play, card, effect, character) if play.character(one.id).on_map]
    answers, then = [due_at(play, CardMoment.WHEN_KO, one) for one in concerned], play.position
    for one in concerned:
        play.change(replace(play.character(one.id), click=len(one.dial) + 1))
        text = f"{_named(card, character)} KO's {one.name}."
        play.record(StepName.RESOLVE, text, ("ko",), of=one.id)
        knock_out(play, play.character(one.id), Damage(one, 0, "power", character))
    for one, due in zip(concerned, answers, strict=True):
        come_to_knock_out(play, Damage(one, 0, "power", character), due, then)


def _replaced_before(play: Play, character: Character) -> set[str]:
    """Return the characters that this one has replaced, directly or through others: one of them may come back."""
    found: set[str] = set()
    while character.replaces is not None and character.replaces not in found:
        found.add(character.replaces)
        character = play.character(character.replaces)
    return found


def _becomes(play: Play, card: Card, effect: Effect, character: Character) -> None:
    """Replace the character by a waiting one of that name, in its square, with its action tokens."""
    made = _waiting(play, effect.word("name"), character)
    if made is None or made.base is not character.base:
        _missing(play, card, effect, character)
        return
    now = play.character(character.id)
    unequip(play, now, "is replaced")
    drop(play, now, "is replaced", now.squares[0] if now.squares else None)
    now = play.character(character.id)
    same = play.edition.actions.replaced_on_same_click and not now.knocked_out
    click = effect.number("click") or (min(now.click, len(made.dial)) if same else made.click)
    squares = now.squares or character.squares
    play.change(replace(now, squares=(), tokens=0))
    made = replace(made, squares=squares, click=click, tokens=now.tokens, acted=now.acted, carried=now.carried)
    made = replace(made, replaces=None if made.id in _replaced_before(play, now) else now.id)
    if play.edition.actions.replaced_keeps_effects:
        modifiers, countered = (*made.modifiers, *now.modifiers), (*made.countered, *now.countered)
        made = replace(made, modifiers=modifiers, countered=countered)
        altered = tuple(one._replace(of=made.id) if one.of == now.id else one for one in play.battle.altered)
        cancelled = tuple(one._replace(of=made.id) if one.of == now.id else one for one in play.battle.cancelled)
        play.battle = replace(play.battle, altered=altered, cancelled=cancelled)
    play.change(made)
    text = f"{made.name} replaces {now.name} on click {click} ({card.title})."
    play.record(StepName.RESOLVE, text, ("powers", "replacing"), of=made.id)


def _missing(play: Play, card: Card, effect: Effect, character: Character) -> None:
    wanted = f"{_named(card, character)} needs {effect.word('name')}"
    text = f"{wanted}: no such character waits off the map, or it doesn't fit there. Decide by its card."
    play.record(StepName.RULING, text, of=character.id)


def _equip(play: Play, card: Card, effect: Effect, character: Character) -> None:
    """Have the character hold an object of that name, or any, that lies in its square or beside it."""
    name = effect.word("name")
    near = [
        thing
        for thing in play.position.objects
        if thing.square is not None
        and (not name or thing.name == name)
        and any(thing.square == own or squares_adjacent(play, own, thing.square) for own in character.squares)
    ]
    if not near or (character.holding is not None and near[0].equip is None):
        why = "it already holds one" if near else "none is in its square or beside it"
        play.record(StepName.NOTE, f"{_named(card, character)} equips no object: {why}.", ("powers",), of=character.id)
        return
    if near[0].equip is not None:
        why = why_not_equipped(play, character, near[0])
        if why:
            play.record(StepName.NOTE, why, ("equipment",), of=character.id)
        else:
            equip(play, character, near[0])
        return
    play.change(replace(play.character(character.id), holding=near[0].id))
    play.change_object(replace(near[0], square=None))
    text = f"{character.name} is equipped with {near[0].name or near[0].id} ({card.title})."
    play.record(StepName.PICK_UP, text, ("powers", "equipment"), of=character.id)


def _drop(play: Play, card: Card, effect: Effect, character: Character) -> None:
    """Have each character that is reached drop the object it holds into its square, or be unequipped."""
    name = effect.word("name")
    for one in reached(play, card, effect, character):
        equipped = equipment_of(play, one)
        if effect.do == "unequip" and equipped is not None:
            if not name or equipped.name == name:
                unequip(play, one, f"is unequipped ({card.title})")
            continue
        held = play.position.object(one.holding) if one.holding is not None else None
        if held is not None and (not name or held.name == name):
            drop(play, one, f"loses its hold ({card.title})", one.squares[0] if one.squares else None)


def _roll(play: Play, card: Card, effect: Effect, character: Character) -> None:
    """Roll, once for each of those that `to` describes, and apply the effects of the outcome of the result."""
    if effect.to_self:
        _roll_once(play, card, effect, character, "")
        return
    for one in reached(play, card, effect, character):
        if play.character(one.id).on_map:
            before, play.this_action.rolled_for = play.this_action.rolled_for, one.id
            _roll_once(play, card, effect, character, f", for {one.name}")
            play.this_action.rolled_for = before


def _roll_once(play: Play, card: Card, effect: Effect, character: Character, whom: str) -> None:
    dice = effect.number("dice", 1)
    name = f"{'two-dice-' if dice == 2 else ''}{roll_of(card)}:{character.id}"
    rolled = roll_dice(play, name, dice, character)
    numbers = {"roll": rolled.total} if dice == 1 else {"dice": list(rolled.dice)}
    found = next((one for one in outcomes(effect) if rolled.total in one.on), None)
    text = (
        f"{character.name} rolls {rolled.total} for {card.title}{whom}{': nothing happens' if found is None else ''}."
    )
    play.record(StepName.ROLL, text, ("powers",), numbers, of=character.id)
    for inner in found.effects if found is not None else ():
        now = play.character(character.id)
        if inner.when is None or holds(play, inner.when, now, now, _fight_at(play, effect.moment, now)):
            inner = replace(inner, moment=effect.moment, whose=effect.whose)
            _carry_out(play, card, inner, character, adjudicated=True)


def _turn_dial(play: Play, card: Card, effect: Effect, character: Character) -> None:
    """Turn the battle's event dial, forward or back; nothing happens in a battle without one."""
    if play.position.event_dial is None:
        text = f"{_named(card, character)} turns an event dial: this battle has none."
        play.record(StepName.NOTE, text, ("powers",), of=character.id)
    turn_event_dial(play, effect.number("by"), _named(card, character))


def roll_of(card: Card) -> str:
    """Return the name of a card's roll, before `:ID`."""
    return "-".join(card.name.casefold().split())


def outcomes(effect: Effect) -> tuple[Outcome, ...]:
    """Return the outcomes of a roll."""
    found = dict(effect.given).get("outcomes")
    return tuple(one for one in found if isinstance(one, Outcome)) if isinstance(found, tuple) else ()


HAPPENINGS: Final[dict[str, Does]] = {
    "heal": _heal,
    "deal": _deal,
    "token": _token,
    "place": _place,
    "generate": _generate,
    "becomes": _becomes,
    "equip": _equip,
    "unequip": _drop,
    "drop": _drop,
    "ko": _ko,
    "on-roll": _roll,
    "turn-dial": _turn_dial,
    "by-hand": ask_the_judge,
}
"""The kinds of effects that happen at a moment, and what each does."""

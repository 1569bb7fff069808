"""Dealing damage: transferring it, reducing it, taking it, turning the dial.

Damage with one cause is taken by all characters at once: all amounts are determined first, then every dial is turned,
then the characters that show KO leave the map.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import replace

from rules.engine.changes import with_changes
from rules.engine.combat.judged import tell_what_is_judged
from rules.engine.combat.ko import dies_at_once, knock_out, lose_what_is_gone, score_defeat
from rules.engine.combat.moments import come_to, come_to_as_of, come_to_others, due_at, happen, triggered_in
from rules.engine.combat.scenario import drop_artifact, refuse_own_knock_out
from rules.engine.combat.targets import spared
from rules.engine.combat.unknown import announce
from rules.engine.errors import AwaitingChoice, Illegal
from rules.engine.figures.abilities import USING, count_use, powers_of, why_barred
from rules.engine.figures.adjacency import figures_adjacent, friends_beside
from rules.engine.figures.standing import SENTINEL, figure_of, size_of
from rules.engine.met import Met
from rules.engine.overrides import BY_JUDGE
from rules.engine.play import Damage, Play
from rules.engine.position.cards import CardMoment
from rules.engine.position.characters import Character, CharacterKind
from rules.engine.position.position import Position
from rules.engine.power import Power
from rules.engine.reasons import Part, Parts
from rules.engine.steps import StepName

PERPLEX = "Perplex"
STOP = "STOP"
"""A click at which a dial stops turning (Damage Clicked, 2020s); what else it does is only on cards."""
TIMES = {1: "once", 2: "twice"}


def take(play: Play, dealt: Iterable[Damage]) -> Mapping[str, int]:
    """Deal all this damage at once; return the damage each character has taken."""
    due = [_pierced(play, damage) for damage in dealt if not spared(play, damage.character, damage.by)]
    received = _together([_transferred(play, damage) for damage in due])
    announce(play, *(damage.character for damage in received))
    reduced = [_reduced(play, damage) for damage in received]
    taken: dict[str, int] = {}
    struck: list[Damage] = []
    then = play.position
    for damage in reduced:
        if damage.amount > 0:
            _turn(play, damage)
            taken[damage.character.id] = taken.get(damage.character.id, 0) + damage.amount
            struck.append(damage)
    answers = [due_at(play, CardMoment.WHEN_KO, damage.character) for damage in struck]
    for damage in struck:
        fallen = play.character(damage.character.id)
        if fallen.knocked_out and fallen.squares:
            if play.position.scenario:
                refuse_own_knock_out(play, fallen, damage)
            knock_out(play, fallen, damage)
        else:
            lose_what_is_gone(play, fallen.id)
    if play.position.scenario:
        drop_artifact(play, struck)
    if play.carded:
        for damage, rows in zip(struck, answers, strict=True):
            if play.character(damage.character.id).knocked_out:
                come_to_knock_out(play, damage, rows, then)
            else:
                with _suffered(play, damage, then):
                    come_to(play, CardMoment.WHEN_CLICKED, damage.character)
    return taken


def come_to_knock_out(play: Play, damage: Damage, due: Iterable[Power], then: Position) -> None:
    """Let the effects of cards happen for a character that was KO'd, for others, and for the character that KO'd it.

    `due` are those of its own cards, as on the click and with the equipment that it had before; `then`: the position
    before.
    """
    with _suffered(play, damage, then):
        happen(play, damage.character, due)
        come_to_others(play, CardMoment.WHEN_KO, damage.character, play.position)
        if damage.by is not None and not play.friendly(damage.by, damage.character):
            come_to_as_of(play, CardMoment.WHEN_KOS, damage.by.id, then)


@contextmanager
def _suffered(play: Play, damage: Damage, then: Position) -> Generator[None]:
    """Let conditions of cards ask about this damage, and about the position before it."""
    before, play.suffered = play.suffered, damage
    try:
        with triggered_in(play, then):
            yield
    finally:
        play.suffered = before


def _together(dealt: list[Damage]) -> list[Damage]:
    """Return the damage with all damage of one attack to one character combined, so that it is reduced only once.

    Source: Damage, FAQ: the damage of a single attack is dealt at once, however it comes.
    """
    found: dict[tuple[str, str], Damage] = {}
    for damage in dealt:
        key = (damage.character.id, damage.source)
        before = found.get(key)
        if before is not None:
            parts = (*_made_of(before), *_made_of(damage))
            damage = replace(before, amount=before.amount + damage.amount, parts=parts)
        found[key] = damage
    return list(found.values())


def _pierced(play: Play, damage: Damage) -> Damage:
    """Return the damage of an attack or a power as penetrating, or unavoidable, if a card of who deals it says so."""
    if not play.carded or damage.by is None or damage.source not in ("attack", "power"):
        return damage
    for row in powers_of(play, damage.by):
        way = row.attacking.pierces(play, damage.by, damage) if row.attacking.pierces is not None else None
        if way == "unavoidable":
            return replace(damage, unavoidable=True)
        if way == "penetrating" and not damage.penetrating:
            damage = replace(damage, penetrating=row.name)
    return damage


# ── Transferred ────────────────────────────────────────────────────────────────────────────────


def _transferred(play: Play, damage: Damage) -> Damage:
    """Return the damage after Mastermind has transferred it to a cheaper adjacent friendly character.

    Sources: Mastermind with its FAQ: all of it, to one; the receiver isn't a target of the attack.
    """
    if damage.source != "attack" or damage.unavoidable or not damage.targeted or damage.amount <= 0:
        return damage
    row = next((power for power in powers_of(play, damage.character) if power.defending.transfers_damage), None)
    if row is None:
        if play.carded:
            _tell_why_not_transferred(play, damage.character)
        return damage
    play.this_action.next_step = StepName.DAMAGE_DEALT
    chosen = _chosen_receiver(play, damage.character, row)
    if chosen is None:
        return damage
    receiver = play.position.find(chosen)
    bearer = damage.character
    if receiver is None:
        raise Illegal(f"No character has the id {chosen}.", (row.topic,))
    one, other = figure_of(play, bearer), figure_of(play, receiver)
    if one is None or other is None or not play.friendly(bearer, receiver):
        raise Illegal(f"{receiver.name} isn't a friendly character on the map.", (row.topic,))
    near = figures_adjacent(play, one, other)
    cheaper = receiver.points < bearer.points
    judged = row if row.judged else row.besides if not near or not cheaper else None
    if judged is not None:
        tell_what_is_judged(play, (judged,))
    elif not near:
        raise Illegal(near.because[0], (row.topic, *near.topics))
    elif not cheaper:
        raise Illegal(
            f"{receiver.name} must cost less than {bearer.name}: they cost {receiver.points} and {bearer.points} points.",
            (row.topic,),
        )
    text = f"{bearer.name} uses {row.name}: {receiver.name} takes the {damage.amount} damage instead."
    parts = {"damage": _made_of(damage)}
    play.record(StepName.DAMAGE_DEALT, text, (row.topic, "damage-dealt"), {"damage": damage.amount}, parts=parts)
    return replace(damage, character=receiver, targeted=False)


def _tell_why_not_transferred(play: Play, bearer: Character) -> None:
    """Record that a card doesn't let a character use Mastermind, if it was to take the damage away from it."""
    barred = why_barred(play, bearer, USING + "Mastermind")
    if barred and play.this_action.choices.masterminds.get(bearer.id) is not None:
        play.record(StepName.NOTE, f"{bearer.name} can't use Mastermind now: {barred}.", ("mastermind",), of=bearer.id)


def _chosen_receiver(play: Play, bearer: Character, row: Power) -> str | None:
    """Return the character chosen to take the damage, or None. Raises AwaitingChoice if the power was only named.

    Mastermind harms another character, so it is used only if it is named, by its choice or in `using`.
    """
    chosen = play.this_action.choices.masterminds
    if bearer.id in chosen or row.name not in play.this_action.using:
        return chosen.get(bearer.id)
    own = figure_of(play, bearer)
    near = friends_beside(play, own) if own is not None else []
    options = [other.character.id for other in near if other.character.points < bearer.points]
    if not options:
        return None
    raise AwaitingChoice(
        f"mastermind:{bearer.id}",
        options,
        f"Which character takes the damage instead of {bearer.name}?",
        play.player_of(bearer),
    )


# ── Reduced ────────────────────────────────────────────────────────────────────────────────────


def _reduced(play: Play, damage: Damage) -> Damage:
    """Return the damage after the strongest reduction: only one applies, and never below 0.

    Pushing damage, critical misses and penetrating damage are never reduced. Knock back damage is part of the attack in
    2002 and isn't reduced a second time; in the later books it is dealt and reduced separately.
    """
    ruled = play.ruled(StepName.DAMAGE_TAKEN, damage.character.id).damage
    made = _made_of(damage)
    if ruled is not None:
        text = f"{damage.character.name} takes {ruled} of {damage.amount} damage, {BY_JUDGE}."
        numbers = {"dealt": damage.amount, "taken": ruled}
        parts = {"dealt": made, "taken": (*made, Part("changed", ruled - damage.amount, BY_JUDGE))}
        play.record(StepName.DAMAGE_TAKEN, text, (), numbers, cited=False, parts=parts, of=damage.character.id)
        return replace(damage, amount=ruled)
    if play.carded and not damage.unavoidable and damage.amount > 0:
        prevented = _prevented(play, damage)
        if prevented is not None:
            return prevented
    if play.carded and damage.penetrating and _protected(play, damage.character):
        damage = replace(damage, penetrating="")
    found = _reducers(play, damage)
    if not found:
        return _at_most(play, damage)
    row, by = max(found, key=lambda pair: pair[1])
    less = min(by, damage.amount)
    character = damage.character
    unreduced = damage.penetrating and not row.defending.reduces_penetrating
    if len(found) > 1 and not unreduced:
        play.note(Met.SEVERAL_REDUCERS, of=character.id)
    if unreduced:
        text, ignored = f"Psychic Blast ignores {character.name}'s {row.name}.", "Psychic Blast"
        if "penetrating-damage" in play.edition.topics:
            text = f"{damage.penetrating} makes this damage penetrating, so {character.name}'s {row.name} doesn't reduce it."
            ignored = "nothing reduces penetrating damage"
        numbers = {"damage": damage.amount, "reduced": 0, "taken": damage.amount}
        whole = (*made, *_reductions(found, lambda other: ignored))
        parts = {"damage": made, "taken": whole}
        play.record(StepName.DAMAGE_TAKEN, text, ("damage-taken", row.topic), numbers, parts=parts, of=character.id)
        return _at_most(play, damage)
    text = f"{row.name} reduces the damage to {character.name} from {damage.amount} to {damage.amount - less}."
    numbers = {"dealt": damage.amount, "reduced": less, "taken": damage.amount - less}
    taken = (*made, *_reductions(found, lambda other: None if other is row else f"{row.name}, which reduces more"))
    if by > less:
        taken = (*taken, Part("limited", by - less, "damage is never less than 0", "damage-taken"))
    parts = {"dealt": made, "taken": taken}
    play.record(StepName.DAMAGE_TAKEN, text, ("damage-taken", row.topic), numbers, parts=parts, of=character.id)
    if row.counted_as:
        count_use(play, character.id, row.counted_as)
    return _at_most(play, replace(damage, amount=damage.amount - less, parts=taken))


def _protected(play: Play, character: Character) -> bool:
    """Return whether a card lets a character reduce penetrating damage."""
    return any("penetrating" in row.defending.unaffected_by for row in powers_of(play, character))


def _prevented(play: Play, damage: Damage) -> Damage | None:
    """Return the damage if a card prevents all of it, otherwise None."""
    for row in powers_of(play, damage.character):
        if row.defending.prevents_damage is not None and row.defending.prevents_damage(play, damage.character, damage):
            name = damage.character.name
            text = f"{row.name} prevents the {damage.amount} damage to {name}."
            taken = (*_made_of(damage), Part("changed", -damage.amount, row.name, None))
            numbers = {"dealt": damage.amount, "taken": 0}
            parts = {"dealt": _made_of(damage), "taken": taken}
            play.record(StepName.DAMAGE_TAKEN, text, ("damage-taken",), numbers, parts=parts, of=damage.character.id)
            if row.counted_as:
                count_use(play, damage.character.id, row.counted_as)
            return replace(damage, amount=0)
    return None


def _at_most(play: Play, damage: Damage) -> Damage:
    """Return the damage within the most that a card lets its character take at once."""
    if not play.carded:
        return damage
    maxima = [
        (most, row)
        for row in powers_of(play, damage.character)
        if row.defending.most_damage is not None
        and (most := row.defending.most_damage(play, damage.character, damage)) is not None
    ]
    most, row = min(maxima, key=lambda one: one[0], default=(damage.amount, None))
    if row is None or damage.unavoidable or damage.amount <= most:
        return damage
    made = _made_of(damage)
    taken = (*made, Part("limited", most - damage.amount, row.name, None))
    text = f"{row.name} lets {damage.character.name} take at most {most} of the {damage.amount} damage."
    parts, numbers = {"dealt": made, "taken": taken}, {"dealt": damage.amount, "taken": most}
    play.record(StepName.DAMAGE_TAKEN, text, ("damage-taken",), numbers, parts=parts, of=damage.character.id)
    return replace(damage, amount=most)


def _made_of(damage: Damage) -> Parts:
    """Return the parts of the amount."""
    return damage.parts or (Part("printed", damage.amount, "damage dealt", "damage-dealt"),)


def _reductions(found: Iterable[tuple[Power, int]], ignored_by: Callable[[Power], str | None]) -> Parts:
    """Return the reduction of each ability, and what ignores it."""
    return tuple(Part("changed", -by, row.name, row.topic or None, ignored_by(row)) for row, by in found)


def _reducers(play: Play, damage: Damage) -> list[tuple[Power, int]]:
    if damage.unavoidable or damage.amount <= 0 or damage.source == "mystics":
        return []
    if damage.source == "knock-back" and damage.already_reduced:
        return []
    found = []
    for power in powers_of(play, damage.character):
        if power.defending.reduce_damage is None:
            continue
        by = power.defending.reduce_damage(play, damage.character, damage)
        if by > 0:
            found.append((power, by))
        elif power.topic:
            if damage.source == "attack" and _has_said(play, damage.character, power):
                continue
            name, attack = damage.character.name, "the attack" if damage.source == "attack" else "an attack"
            text = f"{name}'s {power.name} doesn't reduce this damage: {name} isn't the target of {attack}."
            play.record(StepName.NOTE, text, (power.topic, "damage-taken"), of=damage.character.id)
    if damage.penetrating:
        return [pair for pair in found if pair[0].defending.reduces_penetrating] or found
    return found


def _has_said(play: Play, character: Character, power: Power) -> bool:
    """Return whether a note of this action has said that a power doesn't help a character that isn't a target."""
    told = (step for step in reversed(play.steps) if step.action == play.this_action.number)
    return any(
        step.step is StepName.NOTE and step.of == character.id and step.topics[:1] == (power.topic,) for step in told
    )


# ── Clicked ────────────────────────────────────────────────────────────────────────────────────


def _turn(play: Play, damage: Damage) -> None:
    """Turn the dial of a character that takes damage; a horde loses one token, a bystander is KO'd."""
    character = play.character(damage.character.id)
    if character.knocked_out or not character.on_map:
        return
    if character.countered:
        play.note(Met.TURNED_OFF, of=character.id)
    last = len(character.dial) + 1
    by_opponent = damage.by is not None and not play.friendly(damage.by, character)
    by_player = play.player_of(damage.by) if damage.by is not None and by_opponent else character.last_damaged_by
    lost = 1 if damage.source == "attack" else damage.amount
    if character.kind is CharacterKind.HORDE and character.stack > lost:
        _lose_tokens(play, replace(character, last_damaged_by=by_player), damage, lost)
        return
    click = min(last, character.click + damage.amount)
    stop = stopped_at(play, character, click, attacked_by_opponent=damage.attack is not None and by_opponent)
    if stop is not None:
        click = stop
    if click < character.click + damage.amount:
        play.note(Met.MORE_THAN_LEFT, of=character.id)
    if dies_at_once(character) or character.kind is CharacterKind.HORDE:
        click = last
    if click == last and character.dials and not dies_at_once(character):
        _turn_next_dial(play, replace(character, last_damaged_by=by_player), damage)
        return
    play.change(with_changes(character, click=click, last_damaged_by=by_player))
    end_alterations(play, character.id)
    clicks = "1 click" if damage.amount == 1 else f"{damage.amount} clicks"
    kind = "pushing" if damage.source == "pushing" else "unavoidable" if damage.unavoidable else ""
    if kind == "unavoidable" and "unavoidable-damage" not in play.edition.topics:
        kind = ""
    amount = f"{damage.amount} {kind} damage" if kind else f"{clicks} of damage"
    turned = click - character.click
    if not kind and turned < damage.amount:
        amount = f"{damage.amount} damage and its dial turns {TIMES.get(turned, f'{turned} times')}"
    shown = "KO" if click == last else str(click)
    text = f"{character.name} takes {amount}: click {character.click} → {shown}"
    text += ", where its card stops it." if stop is not None and turned < damage.amount else "."
    topics = ["damage", "combat-dial"]
    if damage.source == "pushing":
        topics.append("pushing-damage")
    elif damage.unavoidable:
        topics.append("unavoidable-damage")
    if size_of(character) == SENTINEL:
        topics.append("sentinel")
    numbers = {"damage": damage.amount, "clicked": click - character.click, "click": click}
    play.record(StepName.CLICK, text, topics, numbers, of=character.id)
    if damage.source != "pushing":
        _note_powers(play, character)
    for number, passed in enumerate(character.dial[character.click : click - 1], character.click + 1):
        if STOP in passed.powers and stop is None:
            text = f"{character.name}'s {STOP} on click {number} isn't adjudicated: decide by its card."
            play.record(StepName.RULING, f"{text} The dial is turned past it here.", of=character.id)


def _turn_next_dial(play: Play, character: Character, damage: Damage) -> None:
    """Put the next dial of a character on its starting line; the rest of the damage is lost (Multiple Dials, 2014)."""
    dial, *left = character.dials
    play.change(replace(character, dial=dial, dials=tuple(left), click=1, start=1))
    end_alterations(play, character.id)
    text = f"{character.name} takes {damage.amount} damage: this dial shows KO, and its next dial its starting line."
    numbers = {"damage": damage.amount, "dials": len(left)}
    play.record(StepName.CLICK, text, ("damage", "multiple-dials"), numbers, of=character.id)


def stopped_at(play: Play, character: Character, click: int, *, attacked_by_opponent: bool) -> int | None:
    """Return the first click on which a card stops the dial as it turns to another one, None if none does.

    Some cards stop it only for the damage of an opponent's attack, the others also as it heals to an earlier one. While
    an attack ignores the character's powers, only cards that can't be ignored stop it.
    """
    ignored = character.id in play.this_action.powerless
    stops = [
        card
        for card in character.cards
        if any(
            one.do == "stop" and one.to_self and (one.plain or (one.of_opponents_attacks and attacked_by_opponent))
            for one in card.effects
        )
        and (card.fixed_against("counter") or card.name not in character.countered)
        and (card.fixed_against("ignore") or not ignored)
    ]
    to, step = min(click, len(character.dial)), 1 if click > character.click else -1
    for number in range(character.click + step, to + step, step):
        for card in stops:
            if number in card.clicks or (not card.clicks and card.name in character.dial[number - 1].powers):
                return number
    return None


def _note_powers(play: Play, before: Character) -> None:
    """Note that a click has removed powers from a character on the active player's side, with the action under way."""
    now = play.character(before.id).showing
    if now is None or before.showing is None or play.player_of(before) != play.position.turn.active:
        return
    if not set(before.showing.powers) <= set(now.powers):
        play.note(Met.POWER_CHANGES)


def _lose_tokens(play: Play, stack: Character, damage: Damage, lost: int) -> None:
    """Remove tokens from a stack and score them: one per attack regardless of damage, otherwise one per click.

    Source: Stacks on the Battlefield (2014). A stack's points are those of all its tokens.
    """
    left = stack.stack - lost
    worth = stack.points * lost // stack.stack
    text = f"{stack.name} takes {damage.amount} damage and loses {lost} of its tokens: {left} left."
    play.change(replace(stack, stack=left, points=worth))
    play.record(StepName.CLICK, text, ("damage", "horde"), {"stack": left, "lost": lost})
    score_defeat(play, play.character(stack.id), damage)
    gone = stack.stack_lost + (lost if play.epic else 0)
    play.change(replace(play.character(stack.id), points=stack.points - worth, stack_lost=gone))


def end_alterations(play: Play, name: str) -> None:
    """End Perplex's effects on a character that was damaged or healed (2002), from the position file or since."""
    character = play.character(name)
    if not play.edition.combat.wounds_end_perplex or not character.modifiers:
        return
    left = tuple(one for one in character.modifiers if one.source != PERPLEX)
    if left != character.modifiers:
        play.change(replace(character, modifiers=left))
        others = tuple(altered for altered in play.battle.altered if altered.of != name)
        play.battle = replace(play.battle, altered=others)

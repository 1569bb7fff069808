"""Turns: effects at their end and beginning, and the number of actions a player has."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.action import COSTED, Action
from rules.engine.actions.hordes import defeat_hordes_left_alone
from rules.engine.combat.damage import end_alterations
from rules.engine.combat.event_dial import turn_at
from rules.engine.combat.ko import end_modifiers_given, restore
from rules.engine.combat.moments import come_to
from rules.engine.combat.scenario_turns import begin_turn_of_scenario, end_turn_of_scenario, tell_of_fog
from rules.engine.combat.unknown import tell_of_objects
from rules.engine.errors import Illegal
from rules.engine.figures.abilities import powers_of
from rules.engine.figures.standing import SENTINEL, size_of
from rules.engine.memory import OfTurn
from rules.engine.play import Play
from rules.engine.position.cards import ONCE_A_GAME, CardMoment
from rules.engine.position.characters import Character
from rules.engine.position.position import Side, Turn
from rules.engine.reasons import ReasonedAnswer, listed
from rules.engine.steps import StepName


def action_total(play: Play, side: Side) -> tuple[int, tuple[str, ...]]:
    """Return how many actions a side has each turn, with reasons: one per full 100 points, within the book's bounds.

    Sources: Turns and Actions of each book.
    """
    options = play.edition.actions
    total = play.position.build_total // 100
    actions = f"{total} action{'' if total == 1 else 's'} a turn (1 for each 100 points)"
    because = [f"A build total of {play.position.build_total} gives {actions}."]
    if side.action_total_modifier:
        total += side.action_total_modifier
        because.append(f"Modified by {side.action_total_modifier:+d}: {total}.")
    for character in side.characters:
        for power in powers_of(play, character) if character.on_map else ():
            if power.lending.adds_actions is not None:
                more = power.lending.adds_actions(play, character)
                total += more
                because.append(f"{character.name}'s {power.name} adds {more}: {total}.")
    if options.fewest is not None and total < options.fewest:
        total = options.fewest
        because.append(f"The minimum is {options.fewest}.")
    if options.most is not None and total > options.most:
        total = options.most
        because.append(f"The maximum is {options.most}.")
    return max(0, total), tuple(because)


def actions_this_turn(play: Play, side: Side) -> tuple[int, tuple[str, ...]]:
    """Return how many actions a side has in the current turn, with reasons: Leadership adds to its player's turn."""
    total, because = action_total(play, side)
    extra = play.this_turn.extra if side.player == play.position.turn.active else 0
    if extra:
        total += extra
        because = (*because, f"Leadership adds {extra} this turn: {total}.")
    return total, because


def actions_left(play: Play, given_besides: int = 0) -> ReasonedAnswer:
    """Return whether the active player has an action left this turn after `given_besides` more have been given."""
    side = next(side for side in play.position.sides if side.player == play.position.turn.active)
    total, because = actions_this_turn(play, side)
    given = play.this_turn.given + given_besides
    text = f"{side.player} has given {given} of {total} actions this turn."
    return ReasonedAnswer(given < total, (text, *because, *play.this_turn.unsure), ("action-total", "actions"))


def uncounted_by(play: Play, character: Character, kinds: frozenset[str]) -> str:
    """Return the card by which such actions of a character don't count against the action total; "" if they count."""
    if not play.carded:
        return ""
    return next((row.name for row in powers_of(play, character) if kinds <= row.uncounted), "")


def count_those_given(play: Play) -> None:
    """Count the actions given this turn before the position, but for those that don't count by a card.

    Of a card about some actions, or under a condition, the position doesn't say whether it applied.
    """
    active = next(side for side in play.position.sides if side.player == play.position.turn.active)
    acted = [one for one in active.characters if one.acted]
    counted = [one for one in acted if not uncounted_by(play, one, COSTED)]
    unsure = [
        f"{one.name}'s action is included: decide by its card ({card.title}) whether it counts."
        for one in counted
        for card in one.cards
        if any(effect.do == "uncounted" for effect in card.effects)
    ]
    play.this_turn = OfTurn(given=len(counted), unsure=tuple(unsure))


def turn_has_begun(play: Play) -> bool:
    """Return whether a character of the active player has been given an action this turn, including a team's free move.

    In the 2020s a free action also counts. Source: Beginning of Turn Phase.
    """
    if play.this_turn.given:
        return True
    active = next(side for side in play.position.sides if side.player == play.position.turn.active)
    if any(character.acted for character in active.characters):
        return True
    free = play.edition.actions.free_actions_begin
    return free and any(_has_acted_freely(play, character) for character in active.characters)


def _has_acted_freely(play: Play, character: Character) -> bool:
    """Return whether a character was given a free action this turn, except those of the turn's beginning (2020s)."""
    rows = (play.edition.powers.get(name) for name in character.used)
    return any(row is not None and "free" in row.action and not row.starts_turn for row in rows)


def pass_action(play: Play, given: Action) -> None:
    """Give a character a pass: no effect, no token, no action spent. A Sentinel loses its tokens."""
    if given.actor is None:
        play.record(StepName.DECLARE, f"{play.position.turn.active} passes.", ("pass", "actions"))
        return
    actor = play.character(given.actor)
    barred = barred_from_passing(play, actor)
    if barred:
        raise Illegal(" ".join(barred), ("pass", "actions", "action-tokens"))
    topics = ["pass", "action-tokens"]
    text = f"{actor.name} passes: it gets no action token and spends no action."
    if size_of(actor) == SENTINEL and play.edition.sentinels.passing_rests:
        topics.append("sentinel")
        if actor.tokens:
            text = f"{actor.name} passes and loses all its action tokens."
            play.change(replace(actor, tokens=0))
        play.this_turn = replace(play.this_turn, rested=(*play.this_turn.rested, actor.id))
    play.record(StepName.DECLARE, text, topics)


def barred_from_passing(play: Play, character: Character) -> tuple[str, ...]:
    """Return why a character can't be given a pass now; empty if it can.

    A Sentinel's pass removes its tokens and is its one action of the turn (Sentinels Rules › Actions and Pushing).
    """
    if not character.on_map:
        return (f"{character.name} isn't on the map.",)
    if play.player_of(character) != play.position.turn.active:
        return (f"It's {play.position.turn.active}'s turn.",)
    if character.acted and play.edition.sentinels.passing_rests and size_of(character) == SENTINEL:
        return (f"{character.name} has already been given an action this turn.",)
    return ()


def end_turn(play: Play) -> None:
    """End the turn: characters that were given no action lose their tokens; then the next player's turn begins.

    What is declined counts for the end of the turn and for the beginning of the next one.
    Sources: Action Tokens, Pushing; ending a turn in each book.
    """
    active = play.position.turn.active
    _come_to_turns(play, CardMoment.END_OF_TURN, active)
    turn_at(play, CardMoment.END_OF_TURN, active)
    defeat_hordes_left_alone(play)
    if play.position.scenario:
        end_turn_of_scenario(play)
    fog = play.position.fog
    clear_tokens(play, active)
    _forget_this_turn(play)
    following = _next_player(play)
    play.position = replace(play.position, turn=Turn(following, play.position.turn.number + 1))
    play.this_turn = OfTurn(declined=play.this_action.declined)
    over = {c.id for side in play.position.sides if side.player in (active, following) for c in side.characters}
    play.battle = replace(play.battle, rerolls=tuple(one for one in play.battle.rerolls if one.by not in over))
    text = f"{active}'s turn ends; it is {following}'s turn."
    play.record(StepName.TURN, text, ("turn",), {"turn": play.position.turn.number})
    _begin_turn(play, following)
    tell_of_fog(play, fog)
    if play.position.scenario:
        begin_turn_of_scenario(play)
    turn_at(play, CardMoment.START_OF_TURN, following)
    _come_to_turns(play, CardMoment.START_OF_TURN, following)
    play.this_turn = replace(play.this_turn, declined=frozenset())


def _come_to_turns(play: Play, moment: CardMoment, active: str) -> None:
    """Let the effects of cards happen as a turn begins or ends, and announce those of objects that aren't held."""
    characters = _on_map(play, active)
    tell_of_objects(play, characters, moment)
    come_to(play, moment, *characters)


def _on_map(play: Play, first: str) -> list[Character]:
    """Return the characters on the map, those of the active player first; nobody where nothing has cards."""
    sides = sorted(play.position.sides, key=lambda side: side.player != first) if play.carded else ()
    return [character for side in sides for character in side.characters if character.on_map]


def clear_tokens(play: Play, player: str) -> None:
    """Remove all action tokens from a side's characters that were given no action and no token this turn."""
    cleared, kept, acted = [], [], True
    for side in play.position.sides:
        if side.player != player:
            continue
        for character in side.characters:
            if character.tokens and not character.acted and character.id not in play.this_turn.tokened:
                play.change(replace(character, tokens=0))
                cleared.append(character.name)
            elif character.tokens:
                kept.append(character.name)
                acted = acted and character.acted
    none = f"{player} removes no action tokens." if kept else f"{player} has no action tokens to remove."
    text = f"{player} removes the action tokens of {listed(cleared)}." if cleared else none
    if kept:
        why = "acted this turn" if acted else "acted or got a token this turn"
        text += f" {listed(kept)} {why} and keep{'s its' if len(kept) == 1 else ' their'} tokens."
    play.record(StepName.CLEAR_TOKENS, text, ("clear-tokens", "action-tokens", "end-of-turn"))


def _forget_this_turn(play: Play) -> None:
    """End the effects that last for a turn: Perplex, being carried, powers used once a turn."""
    end_modifiers_given(play, lambda altered: altered.until is None)
    for character in list(play.position.characters()):
        if character.modifiers:
            end_alterations(play, character.id)
            character = play.character(character.id)
        immune = character.immune
        if character.acted and play.edition.targets.first_immunity == "first_round":
            immune = False
        kept = tuple(name for name in character.used if name.endswith(ONCE_A_GAME))
        fresh = replace(character, acted=False, carried=False, moved=False, used=kept, attacks_made=0, immune=immune)
        if fresh != character:
            play.change(fresh)


def _next_player(play: Play) -> str:
    players = [side.player for side in play.position.sides]
    here = players.index(play.position.turn.active)
    for step in range(1, len(players) + 1):
        side = play.position.sides[(here + step) % len(players)]
        if any(character.on_map for character in side.characters):
            return side.player
    return players[(here + 1) % len(players)]


def _begin_turn(play: Play, player: str) -> None:
    """End the effects that last until this player's turn begins: barriers, smoke clouds, Outwit."""
    end_modifiers_given(play, lambda altered: altered.until == player)
    gone = [placed for placed in play.battle.placed if placed.player == player]
    if gone:
        markers = list(play.position.map.markers)
        for placed in gone:
            if placed.marker in markers:
                markers.remove(placed.marker)
        play.position = play.position.with_map(replace(play.position.map, markers=tuple(markers)))
        placed_by_others = tuple(placed for placed in play.battle.placed if placed.player != player)
        play.battle = replace(play.battle, placed=placed_by_others)
        names = ", ".join(placed.marker.square.name for placed in gone)
        topics = tuple(dict.fromkeys(placed.topic for placed in gone))
        play.record(StepName.TERRAIN, f"The markers in {names} are removed.", topics)
    back = [cancelled for cancelled in play.battle.cancelled if cancelled.player == player]
    play.battle = replace(play.battle, cancelled=tuple(c for c in play.battle.cancelled if c.player != player))
    for cancelled in back:
        restore(play, cancelled.of, cancelled.power, f"{player}'s next turn has begun")

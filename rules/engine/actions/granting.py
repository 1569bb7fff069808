"""`perform`, which gives an action, resolves it and places the token.

`adjudicate` calls it for each action; a power that grants actions calls `grant`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from rules.engine.action import COSTED, Action
from rules.engine.actions.afterwards import check_none_left, countered_that_let, set_apart, tell_what_is_left
from rules.engine.actions.attacking import as_attack, attack
from rules.engine.actions.barred import barred_from_actions
from rules.engine.actions.declining import declining
from rules.engine.actions.hordes import bearer_of_token, put_stack_back, unstack
from rules.engine.actions.moving import move
from rules.engine.actions.taking_part import note_action, note_targets
from rules.engine.actions.turns import actions_left, end_turn, pass_action, uncounted_by
from rules.engine.actions.uses import begin_uses, count_uses
from rules.engine.actions.using import KIND_TOPICS, check_asked_for, used_rows
from rules.engine.changes import with_changes
from rules.engine.combat.attack import suffer_what_is_due
from rules.engine.combat.healing import heal_what_is_due
from rules.engine.combat.judged import as_far_as_possible, tell_what_is_judged
from rules.engine.combat.ko import end_what_is_cancelled
from rules.engine.combat.moments import come_to, come_to_end_of_action, come_to_resolutions, come_to_successes
from rules.engine.combat.scenario import only_moves
from rules.engine.combat.tokens import give_token, push_what_is_due
from rules.engine.combat.unknown import tell_what_is_not_known
from rules.engine.errors import Illegal, TargetRefused
from rules.engine.figures.abilities import borrowing, can_use, keep_to, one_team_ability, powers_of
from rules.engine.figures.adjacency import figures_adjacent
from rules.engine.figures.standing import standing_of
from rules.engine.memory import NotMade, SharedAction
from rules.engine.play import EPIC_BATTLE, Play
from rules.engine.position.cards import CardMoment
from rules.engine.position.characters import Character, Flight
from rules.engine.power import Power
from rules.engine.reasons import listed
from rules.engine.steps import StepName

_FIRST_STEP = {"move": StepName.MOVE, "close": StepName.TARGETS, "ranged": StepName.TARGETS}


def perform(play: Play, given: Action) -> None:
    """Give an action and resolve it. Raises Illegal, AwaitingRoll, AwaitingChoice."""
    if given.then and play.carded:
        given = set_apart(play, given)
    _perform(play, given)
    if play.this_action.apart:
        check_none_left(play)


def _perform(play: Play, given: Action) -> None:
    if play.overrides:
        play.this_action.allowed = play.ruled(StepName.DECLARE, given.actor).legal is True
    if given.then and given.kind in ("end-turn", "pass"):
        _refuse_granted(play, given)
    if given.kind == "end-turn":
        end_turn(play)
        come_to_resolutions(play)
        return
    if given.kind == "pass":
        pass_action(play, given)
        return
    if given.actor is None:
        raise Illegal("Name the character that is given the action.", ("actions",))
    actor = play.character(given.actor)
    note_action(play, given)
    play.this_action.acting, play.this_action.costed = actor.id, given.kind in COSTED
    given = play.this_action.given = with_implied_by_object(play, with_implied(play, actor, given))
    play.this_action.uncounted = uncounted_by(play, actor, frozenset({given.kind}))
    rows = used_rows(play, actor, given)
    for row in rows:
        keep_to(play, actor, row)
    if play.this_action.allowed:
        pass
    elif given.kind in COSTED:
        may_be_given(play, actor, given, rows)
    else:
        may_act_freely(play, actor, rows)
    if not play.this_action.allowed and given.kind in ("power", "free"):
        check_asked_for(play, given, rows)
    if given.kind == "free" and play.carded:
        _once_as_free(play, actor, rows)
    _check_not_refused(play, actor, given)
    declare(play, actor, given, rows)
    uses = begin_uses(play, actor, rows)
    stack = actor if given.kind == "move" and play.this_action.choices.unstack else None
    if stack is not None:
        given = replace(given, actor=unstack(play, stack, given.path).id)
    began, play.this_action.resolving = len(play.steps), True
    try:
        resolve(play, given, rows)
    except TargetRefused:
        if not has_begun(play, actor, began):
            text = f"The attack isn't made and no action is spent. {actor.name} may be given another action."
            play.record(StepName.RESOLVE, text, ("targeting", "action-tokens"))
            not_made = (NotMade(actor.id, given.kind, name) for name in given.targets)
            play.this_turn = replace(play.this_turn, refused=(*play.this_turn.refused, *not_made))
            push_what_is_due(play)
            come_to_successes(play)
            come_to_resolutions(play)
            return
        text = f"The attack isn't made, and {actor.name}'s action ends."
        play.record(StepName.RESOLVE, text, ("targeting", "action-tokens"))
    if stack is not None and given.actor is not None:
        given = replace(given, actor=put_stack_back(play, stack, play.character(given.actor)).id)
    count_uses(play, uses)
    settle(play, given, rows)


def _once_as_free(play: Play, actor: Character, rows: list[Power]) -> None:
    """Count a power that a card lets be used as a free action, as often as others: once a turn (Free Actions)."""
    for row in rows:
        own = play.edition.powers.get(row.name)
        if own is None or not own.action or "free" in own.action:
            continue
        if row.name in actor.used and not play.this_action.allowed:
            text = f"{actor.name} has already used {row.name} as a free action this turn."
            raise Illegal(text, ("free-action", row.topic))
        play.change(replace(play.character(actor.id), used=(*actor.used, row.name)))


def has_begun(play: Play, before: Character, steps: int) -> bool:
    """Return whether an action whose attack wasn't made has done something: moved, attacked, let a card's effect happen.

    If it hasn't, it isn't spent. `steps`: the number of steps when it began.
    """
    now = play.character(before.id)
    rolled = any(step.step is StepName.ATTACK_ROLL for step in play.steps[steps:])
    return rolled or bool(play.this_action.happened) or (now.squares, now.holding) != (before.squares, before.holding)


def settle(play: Play, given: Action, rows: list[Power]) -> None:
    """Apply what waits until an action has resolved: two 1s and pushing, immediately, then healing, then effects of cards.

    What the action triggers depends on the cards that counted before its token: being pushed takes nothing away.
    Sources: Triggered Effects, The Rule of the Active Player (2020s).
    """
    done = play.position
    if play.this_action.misses_due:
        suffer_what_is_due(play)
    if given.kind in COSTED:
        pay(play, given, rows)
    apply_what_is_due(play)
    if given.actor is not None and CardMoment.AFTER_ACTION in play.moments:
        come_to_end_of_action(play, done.character(given.actor))
    come_to_resolutions(play)


def apply_what_is_due(play: Play) -> None:
    """Apply pushing and healing that wait until an action has resolved, and what follows from successful rolls."""
    push_what_is_due(play)
    if play.this_action.healing_due:
        heal_what_is_due(play)
    if play.battle.cancelled or play.battle.altered:
        end_what_is_cancelled(play)
    come_to_successes(play)


def _check_not_refused(play: Play, actor: Character, given: Action) -> None:
    """Refuse an attack on a target that Shape Change already protected: choose another target or another action.

    Sources: Shape Change; the Skrulls.
    """
    for name in given.targets:
        if NotMade(actor.id, given.kind, name) in play.this_turn.refused and not play.this_action.allowed:
            target = play.character(name)
            rows = [row for row in powers_of(play, target) if row.defending.shape_change is not None]
            by = f" by {listed([row.name for row in rows], 'or')}" if rows else ""
            text = f"{target.name} has escaped this attack{by}. Choose another target or another action."
            raise Illegal(text, ("targeting", *(row.topic for row in rows)))


def with_implied(play: Play, actor: Character, given: Action) -> Action:
    """Return a move that grants an attack with the ability that grants it, if the action names none that could."""
    if given.kind != "move" or not given.then:
        return given
    rows = {power.name: power for power in powers_of(play, actor)}
    if any(name in rows and (rows[name].moving.grants or rows[name].act is not None) for name in given.using):
        return given
    implied = next((row.name for row in rows.values() if row.implied_by == "attack"), None)
    if implied is None:
        return given
    play.this_action.using = (*play.this_action.using, implied)
    return replace(given, using=(*given.using, implied))


def with_implied_by_object(play: Play, given: Action) -> Action:
    """Return a power action that names only an object with the edition's power for such an action."""
    aims = bool(given.targets) and all(play.position.object(name) is not None for name in given.targets)
    implied = next((row.name for row in play.edition.inherent.values() if row.implied_by == "object"), None)
    if given.kind != "power" or given.using or not aims or implied is None:
        return given
    return replace(given, using=(implied,))


def may_be_given(play: Play, actor: Character, given: Action, rows: list[Power]) -> None:
    """Check that a costed action may be given now: the turn, the tokens, the actions left.

    Sources: Turns and Actions, Action Tokens, Pushing of each book.
    """
    kind = KIND_TOPICS[given.kind]
    if kind not in play.edition.topics and not any(given.kind in row.action for row in rows):
        raise Illegal(f"This rulebook has no {kind.replace('-', ' ')}s.", ("actions",))
    if play.position.scenario:
        only_moves(play, actor, given.kind)
    stamina = any(row.despite_tokens is not None and row.despite_tokens(play, actor) for row in rows)
    barred = barred_from_actions(play, actor, whatever_tokens=stamina)
    if barred:
        carried = ("carry",) if actor.carried else ()
        raise Illegal(" ".join(barred), (*carried, "actions", "action-tokens", "pushing", *(row.topic for row in rows)))
    for power in powers_of(play, actor) if given.kind == "ranged" else ():
        if power.attacking.may_shoot is not None and (reason := power.attacking.may_shoot(play, actor)) is not None:
            raise Illegal(reason, ("ranged-combat", power.topic))
    if given.kind == "double-power" and actor.tokens:
        raise Illegal(
            f"{actor.name} has an action token, so it can't be given a double power action.", ("double-power-action",)
        )
    if given.kind == "move" and any(row.moving.free_move for row in rows):
        _only_moves(given, rows)
        return
    if _shared(play, given, rows):
        return
    if any(row.epic for row in rows):
        _check_epic(play)
        return
    left = actions_left(play)
    if not left and not play.this_action.uncounted:
        raise Illegal(" ".join(left.because), left.topics)


def _check_epic(play: Play) -> None:
    """Refuse a second epic action in a turn, and any in a battle of fewer than 400 points (Epic Actions, 2014)."""
    topics = ("epic-action", "power-action")
    if "epic-action" not in play.edition.topics:
        raise Illegal("This rulebook has no epic actions.", ("actions",))
    if play.position.build_total < EPIC_BATTLE:
        text = f"Epic actions belong to battles of {EPIC_BATTLE} points or more, not of {play.position.build_total}."
        raise Illegal(text, topics)
    if play.this_turn.epic:
        raise Illegal(f"{play.position.turn.active} has already given an epic action this turn.", topics)


def _only_moves(given: Action, rows: list[Power]) -> None:
    """Refuse everything but moving in a team's free move: attacks, and powers that don't move the figure."""
    team = next(row for row in rows if row.moving.free_move)
    other = next((row for row in rows if row.act is not None and row.moving.moves_past is None), None)
    if other is not None:
        raise Illegal(
            f"{other.name} can't be used in a free move ({team.name}): it doesn't move its user.",
            (team.topic, other.topic),
        )
    if given.then or any(row.moving.grants for row in rows):
        raise Illegal(f"No attack is allowed in a free move ({team.name}).", (team.topic, "free-move", "attack"))


def may_act_freely(play: Play, actor: Character, rows: Iterable[Power] = ()) -> None:
    """Check that a free action may be taken now: in the player's own turn, by a character on the map."""
    if not actor.on_map and not any(row.off_map for row in rows):
        raise Illegal(f"{actor.name} isn't on the map.", ("actions",))
    if play.player_of(actor) != play.position.turn.active:
        raise Illegal(f"It's {play.position.turn.active}'s turn.", ("actions", "turn"))


def _shared(play: Play, given: Action, rows: list[Power]) -> bool:
    """Return whether the action is shared with the one before it, as for the Masters of Evil and the Injustice League.

    Raises Illegal if a team ability that shares an action is named and doesn't apply.
    """
    row = next((row for row in rows if row.attacking.shares_action), None)
    if row is None or given.actor is None:
        return False
    if given.kind != "close" or len(set(given.targets)) != 1:
        raise Illegal(f"The {row.name} can share only a close attack on 1 adjacent opponent.", (row.topic,))
    target = given.targets[0]
    _check_gathered(play, given.actor, target, row)
    return _goes_on(play.this_turn.shared, row, target, given.actor)


def _goes_on(before: SharedAction | None, row: Power, target: str, actor: str) -> bool:
    """Return whether another member joins the action that a team shares."""
    return before is not None and before.team == row.name and before.target == target and actor not in before.members


def _check_gathered(play: Play, actor: str, target: str, row: Power) -> None:
    standing = standing_of(play)
    centre = standing.figures.get(target)
    own = standing.figures.get(actor)
    if centre is None or own is None:
        raise Illegal("The target isn't on the map.", (row.topic,))
    shared = play.this_turn.shared
    already = shared.members if shared is not None and shared.target == target else ()
    members = [
        figure
        for figure in standing.figures.values()
        if figure.player == own.player
        and can_use(play, figure.character, row.name)
        and (figures_adjacent(play, figure, centre) or figure.character.id in already)
    ]
    if len(members) < 2:
        raise Illegal(f"Fewer than 2 of the {row.name} are adjacent to {centre.name}.", (row.topic, "adjacency"))


def declare(play: Play, actor: Character, given: Action, rows: list[Power]) -> None:
    """Record the action and the character it is given to."""
    own = [name for name in given.using if (row := play.edition.row(name)) is None or not row.named_by_anyone]
    topics = [KIND_TOPICS[given.kind], "actions", *(row.topic for row in rows)]
    if given.kind == "free":
        topics = [KIND_TOPICS["free"], *(row.topic for row in rows)]
    topics += borrowing(play, actor, rows)
    if given.carry:
        topics.append("carry")
    if given.pick_up is not None:
        topics += ["pick-up", "super-strength"]
    play.record(StepName.DECLARE, _declared(play, actor, given, own), topics)
    if given.kind == "double-power" and not rows:
        text = "The double power action's effect isn't adjudicated: decide by its card. Its tokens are given."
        play.record(StepName.RULING, text, ("double-power-action",))
    _tell_of(play, actor, rows)
    tell_what_is_not_known(play, given)


def _tell_of(play: Play, actor: Character, rows: list[Power]) -> None:
    """Record which of the powers that an action uses aren't adjudicated, or not all that their cards say of them."""
    for row in rows:
        if not row.known:
            text = f"{row.name} isn't adjudicated: decide by its card. The other steps are shown."
            play.record(StepName.RULING, text, ("powers",))
    tell_what_is_judged(play, rows)
    play.this_action.told |= {(actor.id, row.name) for row in rows}


def _declared(play: Play, actor: Character, given: Action, own: list[str]) -> str:
    """Return the sentence that declares an action; the first books have no free actions and no power actions."""
    if KIND_TOPICS[given.kind] in play.edition.topics:
        kind = f"a {play.edition.action(given.kind)}"
    elif given.kind == "free" and own:
        targets = [found.name for name in given.targets if (found := play.position.find(name)) not in (None, actor)]
        on = f" on {listed(targets)}" if targets else ""
        return f"{actor.name} uses {listed(own)}{on}; this takes no action."
    else:
        kind = "an action"
    return f"{actor.name} is given {kind}{f' using {listed(own)}' if own else ''}."


def resolve(play: Play, given: Action, rows: list[Power]) -> None:
    """Resolve an action; one by a power of which a card says what isn't adjudicated, as far as the book allows it."""
    if play.carded and any(row.judged or row.besides for row in rows):
        as_far_as_possible(play, rows, partial(_resolve, play, given, rows))
    else:
        _resolve(play, given, rows)


def _resolve(play: Play, given: Action, rows: list[Power]) -> None:
    """Resolve an action: the effect of its powers, or its move or attack; then the actions it grants."""
    if given.kind == "free" and play.carded:
        given = as_attack(play, given, rows)
    assert given.actor is not None
    play.this_action.next_step = _FIRST_STEP.get(given.kind, StepName.RESOLVE)
    note_targets(play, given)
    if given.then:
        _check_granted(play, given, rows)
    if given.kind in ("close", "ranged"):
        _only_attacks(play, given)
    for row in rows:
        if row.act is not None:
            _check_stays(play, given, row)
            row.act(play, given, play.character(given.actor))
            return
    match given.kind:
        case "close" | "ranged":
            attack(play, given, given.kind)
        case "move":
            _move_and_more(play, given, rows)
        case _:
            if given.path or any(row.moving.grants for row in rows):
                _move_and_more(play, given, rows)
            elif given.then:
                check_own(play, given)
                known = bool(rows) and all(row.known for row in rows)
                grant(play, given, frozenset() if known else frozenset({"close", "ranged", "move"}))


def check_own(play: Play, given: Action) -> None:
    """Require that a move or power action grants actions only to the character it is given to."""
    assert given.actor is not None
    other = next((inner for inner in given.then if inner.actor not in (None, given.actor)), None)
    if other is not None and other.kind == "free":
        raise Illegal(_not_granted(play, other), ("actions",))
    if other is not None:
        raise Illegal(f"This action grants actions only to {play.character(given.actor).name}.", ("actions",))


def _check_granted(play: Play, given: Action, rows: list[Power]) -> None:
    """Refuse further actions in an attack or a use of a power that grants none.

    Those of a move are checked when it has been made. Where a card isn't known, the judge decides.
    """
    grants = given.kind not in ("close", "ranged", "pass") and all(row.act is None for row in rows)
    if grants or any(row.resolves_then or row.left_open for row in rows):
        return
    if all(row.known for row in rows):
        _refuse_granted(play, given)
    tell_what_is_left(play, Action(kind=given.kind, then=given.then))


def _refuse_granted(play: Play, given: Action) -> None:
    inner, now = given.then[0], play.this_action
    now.place, now.next_step = inner.place, _FIRST_STEP.get(inner.kind, StepName.RESOLVE)
    actor = play.position.find(str(inner.actor or given.actor))
    countered = countered_that_let(actor) if actor is not None else ()
    text = _not_granted(play, inner)
    if countered:
        text = f"{text[:-1]}: {listed(countered)} {'is' if len(countered) == 1 else 'are'} countered."
    raise Illegal(text, ("actions", "counter") if countered else ("actions",))


def _only_attacks(play: Play, given: Action) -> None:
    """Refuse in a combat action anything that belongs to a move: picking up, putting down, carrying, a path.

    Sources: Objects › Super Strength Super Power (2002); picking up and carrying are parts of a move in every book.
    """
    assert given.actor is not None
    name, kind = play.character(given.actor).name, play.edition.action(given.kind)
    if given.pick_up is not None or given.put_down is not None:
        topics = ("pick-up", "objects", "super-strength", "held-object", "movement")
        raise Illegal(f"{name} can't pick up or put down an object in a {kind}: that is part of a move.", topics)
    if given.carry:
        raise Illegal(f"{name} can't carry anyone in a {kind}.", ("carry", "actions"))
    if given.path:
        raise Illegal(f"{name} can't move in a {kind}.", ("movement", KIND_TOPICS[given.kind]))
    character = play.character(given.actor)
    if given.flight not in (None, character.flight or Flight.HOVERING) and play.edition.movement.flight_modes:
        raise Illegal(
            f"{name} can't change its flight mode in a {kind}: that is part of a move.",
            ("flying", "actions"),
        )


def _check_stays(play: Play, given: Action, row: Power) -> None:
    """Refuse a path, passengers and objects in an action that replaces moving, such as Release and Multi-Attack.

    Sources: Sentinels Rules › Attacking, Capturing (2002); the powers that say "but do not move" of each book.
    """
    assert given.actor is not None
    if given.kind == "free" or row.left_open or row.moving.moves_past is not None or row.moving.grants:
        return
    name = play.character(given.actor).name
    if given.path:
        raise Illegal(f"{row.name} doesn't move {name}, so it has no path.", (row.topic, "movement"))
    if given.carry or given.pick_up is not None or given.put_down is not None:
        raise Illegal(
            f"{name} can't carry, pick up or put down anything while it uses {row.name}.", (row.topic, "movement")
        )


def _move_and_more(play: Play, given: Action, rows: list[Power]) -> None:
    """Move, then make the attacks that the powers in use grant. A failed break away ends the action."""
    granted = frozenset(kind for row in rows for kind in row.moving.grants)
    check_own(play, given)
    if given.then and not granted:
        raise Illegal("A move action grants no attack.", ("move-action", "actions", *(row.topic for row in rows)))
    topics = ("actions", "attack", *(row.topic for row in rows))
    before = next((row.moving.before_attack for row in rows if row.moving.before_attack is not None), None)
    stays = bool(given.then) and not given.path
    if stays and before is not None:
        before(play, play.character(str(given.actor)), topics)
    if move(play, given, breaks_away=stays and before is not None) is None:
        return
    grant(play, given, granted, 1)


def grant(play: Play, given: Action, kinds: frozenset[str], most: int | None = None) -> None:
    """Perform the actions that an action grants, in order; each must be of one of these kinds and costs no action.

    `most`: the maximum number. An attack prevented by Shape Change doesn't count, and another may replace it. Raises
    TargetRefused if all were prevented.
    """
    made, refused, now = 0, False, play.this_action
    for inner in given.then:
        actor = inner.actor or given.actor
        now.place, now.next_step = inner.place, _FIRST_STEP.get(inner.kind, StepName.RESOLVE)
        fitted = replace(inner, actor=actor, assist=inner.assist or given.assist, divide=inner.divide or given.divide)
        with now.notes.within():
            note_action(play, fitted, given)
            if inner.kind not in kinds:
                raise Illegal(_not_granted(play, inner), ("actions",))
            if actor is None or not play.character(actor).on_map:
                now.place = given.place
                return
            if play.position.scenario:
                only_moves(play, play.character(actor), inner.kind)
            if made == most:
                raise Illegal(f"This action grants only {made} action{'' if made == 1 else 's'}.", ("actions",))
            if _performed(play, fitted, actor):
                made += 1
            else:
                refused = True
        now.place = given.place
    if refused and not made:
        raise TargetRefused


def _not_granted(play: Play, inner: Action) -> str:
    """Return why an action can't be granted: a free power is never used inside another action."""
    if inner.kind == "free" and inner.using:
        return f"{listed(inner.using)} can't be used inside another action."
    return f"This action grants no {play.edition.action(inner.kind)}."


def _performed(play: Play, given: Action, actor: str) -> bool:
    """Perform a granted action with its own choices; return whether it was made and not refused."""
    character, now = play.character(actor), play.this_action
    choices, using, acting, outer, in_use = now.choices, now.using, now.acting, now.given, now.in_use
    now.choices, now.using, now.acting = choices.with_those_of(given.choose), (*using, *given.using), actor
    now.given = given
    try:
        rows = used_rows(play, character, given)
        with declining(play, given.choose), one_team_ability(play):
            for row in rows:
                keep_to(play, character, row)
            uses = begin_uses(play, character, rows)
            _tell_of(play, character, rows)
            resolve(play, given, rows)
        count_uses(play, uses)
        come_to(play, CardMoment.AFTER_ACTION, play.character(actor))
    except TargetRefused:
        return False
    finally:
        now.choices, now.using, now.acting, now.given, now.in_use = choices, using, acting, outer, in_use
    return True


def pay(play: Play, given: Action, rows: list[Power]) -> None:
    """Count the action and place its token, two for a double power action; the second token pushes."""
    assert given.actor is not None
    shared = _remember_shared(play, given, rows)
    free = given.kind == "move" and any(row.moving.free_move for row in rows)
    if any(row.epic for row in rows):
        play.this_turn = replace(play.this_turn, epic=True)
    elif play.this_action.uncounted and not free:
        text = f"This action doesn't count against the action total: {play.this_action.uncounted}."
        play.record(StepName.NOTE, text, ("action-total",), of=given.actor)
    elif not shared and not free:
        play.this_turn = with_changes(play.this_turn, given=play.this_turn.given + 1)
    bearer = _replacement(play, bearer_of_token(play, play.character(given.actor)))
    if bearer is None or not bearer.on_map:
        return
    actor = play.character(bearer.id)
    give_token(play, actor, ("pushing",) if actor.tokens else ())
    if given.kind == "double-power" and play.character(bearer.id).on_map:
        give_token(play, play.character(bearer.id), ("double-power-action", "pushing"))


def _replacement(play: Play, actor: Character | None) -> Character | None:
    """Return the character that gets the token of an action: the one that has replaced the actor, if one has.

    Source: Replacing Characters (2014, 2020s).
    """
    if actor is None or actor.squares or actor.knocked_out:
        return actor
    return next((one for one in play.position.characters() if one.replaces == actor.id and one.on_map), actor)


def _remember_shared(play: Play, given: Action, rows: list[Power]) -> bool:
    row = next((row for row in rows if row.attacking.shares_action), None)
    assert given.actor is not None
    if row is None or not given.targets:
        play.this_turn = replace(play.this_turn, shared=None)
        return False
    before, target = play.this_turn.shared, given.targets[0]
    goes_on = _goes_on(before, row, target, given.actor)
    members = (*before.members, given.actor) if goes_on and before is not None else (given.actor,)
    play.this_turn = replace(play.this_turn, shared=SharedAction(row.name, target, members))
    return goes_on

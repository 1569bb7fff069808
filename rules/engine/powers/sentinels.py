"""Actions that don't come from powers: a Sentinel's Multi-Attack, capturing, rescuing, releasing.

Outwit can't turn any of them off. Sentinels Rules (2002); Capture (2014).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from rules.engine.action import Action
from rules.engine.actions.attacking import with_object
from rules.engine.actions.granting import check_own, grant
from rules.engine.combat.attack import make_attack
from rules.engine.combat.captives import captives_of, hands_full, may_release
from rules.engine.combat.ko import end_what_is_cancelled, free_square, put_back, score_release, squares_beside
from rules.engine.combat.targets import can_target
from rules.engine.errors import Illegal, TargetRefused, Untargeted
from rules.engine.figures.abilities import can_use
from rules.engine.figures.standing import GIANT, SENTINEL, ground_of, home_of, size_of, standing_of
from rules.engine.play import AttackKind, Play, Strike
from rules.engine.position.characters import Character
from rules.engine.power import Power
from rules.engine.powers.building import only_target
from rules.engine.reasons import Modifier
from rules.engine.steps import StepName

ELUSIVE = ("Plasticity", "Phasing", "Phasing/Teleport")


def _check_sentinel(character: Character, topic: str, without: str) -> None:
    if size_of(character) != SENTINEL:
        raise Illegal(f"{character.name} isn't a Sentinel, so it can't {without}.", (topic, "sentinel"))


def capture(play: Play, given: Action, character: Character) -> None:
    """Make a close attack without damage: each target hit leaves the map as a captive, without its tokens.

    Plasticity and Phasing add 2 to defense. At most two captives (2002), three (2014); a Sentinel can't be captured.
    """
    play.this_action.next_step = StepName.TARGETS
    if play.edition.sentinels.alone_capture:
        _check_sentinel(character, "capture", "capture")
    target = only_target(play, given)
    full = hands_full(play, character)
    if full is not None:
        raise Illegal(full.because[0], full.topics)
    if size_of(target) == SENTINEL:
        raise Illegal(f"{target.name} is a Sentinel, so it can't be captured.", ("capture", "sentinel"))
    if not play.edition.sentinels.giants_are_captured and size_of(target) >= GIANT:
        raise Illegal(f"{target.name} is too large to be captured.", ("capture", "size"))
    strike = Strike(
        kind="close",
        attacker=character.id,
        targets=(target.id,),
        roll="capture",
        deals_damage=False,
        critical_hurts=False,
        knocks_back=False,
        against=_elusive,
        topics=("capture", "sentinel"),
    )
    result = make_attack(play, strike)
    if not result.succeeded:
        return
    current = play.character(target.id)
    play.change(replace(current, squares=(), tokens=0, captured_by=character.id))
    end_what_is_cancelled(play)
    fury = ("battle-fury",) if can_use(play, target, "Battle Fury") else ()
    text = f"{character.name} captures {target.name}: {target.name} leaves the map, isn't knocked out and scores no points yet."
    play.record(StepName.CAPTURE, text, ("capture", "sentinel", *fury))


def _elusive(play: Play, target: Character) -> tuple[Modifier, ...]:
    for name in ELUSIVE:
        if can_use(play, target, name):
            topic = play.edition.powers[name].topic
            return (Modifier(2, f"{name} against capture", topic),)
    return ()


def rescue(play: Play, given: Action, character: Character) -> None:
    """Attack the captor without damage: a hit frees one friendly captive beside the captor.

    2014: each captive subtracts 1 from the captor's defense.
    """
    play.this_action.next_step = StepName.TARGETS
    captor = only_target(play, given)
    friends = [one for one in captives_of(play, captor) if play.friendly(one, character)]
    if not friends:
        raise Illegal(
            f"{captor.name} holds none of {play.player_of(character)}'s characters captive.", ("rescue", "capture")
        )
    kind: AttackKind = "ranged" if given.kind == "ranged" else "close"
    if given.kind == "power":
        kind = "close" if can_target(play, "close", character, captor) else "ranged"
    strike = Strike(
        kind=kind,
        attacker=character.id,
        targets=(captor.id,),
        roll="rescue",
        deals_damage=False,
        critical_hurts=False,
        knocks_back=False,
        against=_burdened if play.edition.sentinels.captives_lower_defense else None,
        topics=("rescue",),
    )
    if given.kind != "power":
        strike = with_object(play, given, strike, character)
    result = make_attack(play, strike)
    if not result.succeeded:
        return
    play.this_action.next_step = StepName.CAPTURE
    named = [one for one in friends if one.id in play.this_action.choices.places]
    captive = (named or friends)[0]
    square = free_square(play, captive, captor.squares)
    put_back(play, captive, square, f"rescued by {character.name}", ("rescue", "capture"))


def _burdened(play: Play, captor: Character) -> tuple[Modifier, ...]:
    number = len(captives_of(play, captor))
    return (Modifier(-number, f"{number} captive{'' if number == 1 else 's'}", "rescue"),) if number else ()


def release(play: Play, given: Action, character: Character) -> None:
    """Release a captive in the captor's starting area: it is out of the game, and the captor's player scores.

    Only Sentinels can (2002); any captor can, into an adjacent square of that area (2014).
    """
    topics = ("release", "capture")
    play.this_action.next_step = StepName.CAPTURE
    if play.edition.sentinels.alone_release:
        _check_sentinel(character, "release", "release captives")
    held = captives_of(play, character)
    if given.targets:
        held = [one for one in held if one.id in given.targets]
    if not held:
        raise Illegal(f"{character.name} doesn't hold that captive.", topics)
    there = may_release(play, character)
    if not there:
        raise Illegal(there.because[0], there.topics)
    captive = held[0]
    if play.edition.sentinels.released_beside_captor:
        _check_place_of_release(play, character, captive)
    text = f"{character.name} releases {captive.name} in its starting area. {captive.name} is out of the game."
    play.change(replace(captive, click=len(captive.dial) + 1, captured_by=None, squares=()))
    play.record(StepName.CAPTURE, text, topics)
    score_release(play, captive, character)


def _check_place_of_release(play: Play, captor: Character, captive: Character) -> None:
    """Check that the captor's starting area has an open square beside it, and that any chosen square is one (2014).

    Which one makes no difference, because a released captive is defeated at once.
    """
    topics = ("release", "starting-area", "occupancy")
    ground, home = ground_of(play), home_of(play, play.player_of(captor))
    open_squares = [one for one in squares_beside(play, captor.squares) if home & ground.bit(one)]
    if not open_squares:
        raise Illegal(f"No free square of the starting area is adjacent to {captor.name}.", topics)
    named = play.this_action.choices.places.get(captive.id)
    if named is not None and named.square not in open_squares:
        raise Illegal(f"{named.words} isn't a free square of the starting area adjacent to {captor.name}.", topics)


def multi_attack(play: Play, given: Action, character: Character) -> None:
    """Make two attacks against two different targets with one action, each with 1 less damage (2002).

    Not while it holds a captive. The 1 is subtracted from the damage value before powers change it.
    """
    topics = ("multi-attack", "sentinel")
    play.this_action.next_step = StepName.TARGETS
    _check_sentinel(character, "multi-attack", "make a Multi-Attack")
    if captives_of(play, character):
        raise Illegal(f"{character.name} holds a captive, so it can't make a Multi-Attack.", (*topics, "capture"))
    attacks = given.then
    if not attacks:
        raise Untargeted("A Multi-Attack consists of 2 attacks, close or ranged.", topics)
    if len(attacks) != 2 or any(one.kind not in ("close", "ranged") for one in attacks):
        raise Illegal("A Multi-Attack consists of 2 attacks, close or ranged.", topics)
    check_own(play, given)
    if any("Capture" in one.using for one in attacks):
        raise Illegal("A Multi-Attack can't capture.", (*topics, "capture"))
    named = [name for one in attacks for name in one.targets]
    if len(set(named)) != len(named):
        raise Illegal("A Multi-Attack needs 2 different targets.", (*topics, "targeting"))
    if given.assist:
        raise Illegal("Name the S.H.I.E.L.D. agent with the attack that it helps.", (*topics, "shield"))
    helpers = [name for one in attacks for name in one.assist]
    if len(set(helpers)) != len(helpers):
        raise Illegal("A S.H.I.E.L.D. agent can help only 1 attack a turn.", (*topics, "shield", "action-total"))
    play.record(StepName.RESOLVE, f"{character.name} makes 2 attacks, each with 1 less damage.", topics)
    made = 0
    for one in attacks:
        current = play.character(character.id)
        if not current.on_map:
            return
        weak = play.weakened(character.id, 1, "Multi-Attack")
        made += 1
        try:
            grant(play, replace(given, then=(one,)), frozenset({"close", "ranged"}))
        except TargetRefused:
            made -= 1
        finally:
            play.strengthened(character.id, weak)
    if not made:
        raise TargetRefused


# ── Possible actions ────────────────────────────────────────────────────────────────────


def is_sentinel(play: Play, character: Character) -> bool:
    """Return whether a character is a Sentinel."""
    return size_of(character) == SENTINEL


def holds_nobody(play: Play, character: Character) -> bool:
    """Return whether a character is a Sentinel without captives."""
    return is_sentinel(play, character) and not captives_of(play, character)


def holds_whom_it_may_release(play: Play, character: Character) -> bool:
    """Return whether a character holds a captive and may release it."""
    able = is_sentinel(play, character) or not play.edition.sentinels.alone_release
    return able and bool(captives_of(play, character))


def has_captive_friends(play: Play, character: Character) -> bool:
    """Return whether any character holds a friendly character of this one captive."""
    held = [one for one in play.position.characters() if one.captured_by is not None and not one.knocked_out]
    return any(play.friendly(one, character) for one in held)


def pairs_of_attacks(play: Play, character: Character, plain: Action) -> Iterator[Action]:
    """Yield each pair of close and ranged attacks that a character could make."""
    kinds: tuple[AttackKind, ...] = ("close", "ranged")
    figures = [figure.character for figure in standing_of(play).figures.values()]
    single = [
        Action(kind=kind, targets=(one.id,))
        for kind in kinds
        for one in figures
        if can_target(play, kind, character, one)
    ]
    yield from (replace(plain, then=pair) for pair in combinations(single, 2))


CAPTURE = Power(name="Capture", topic="capture", action=("close",), act=capture, offered=is_sentinel)
CAPTURE_2014 = replace(CAPTURE, action=("power",))
RESCUE = Power(name="Rescue", topic="rescue", action=("close", "ranged"), act=rescue, offered=has_captive_friends)
RESCUE_2014 = replace(RESCUE, action=("power",))
RELEASE = Power(name="Release", topic="release", action=("move",), act=release, offered=holds_whom_it_may_release)
RELEASE_2014 = replace(RELEASE, action=("power",))
MULTI_ATTACK = Power(
    name="Multi-Attack",
    topic="multi-attack",
    action=("power",),
    act=multi_attack,
    resolves_then=True,
    offered=holds_nobody,
    uses=pairs_of_attacks,
)

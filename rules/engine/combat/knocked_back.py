"""Knock back as part of an attack: which characters are knocked back, in which order, and to where.

`knock_back` determines where a knock back ends; this module carries it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.engine.combat.damage import take
from rules.engine.combat.knock_back import KnockBack, directions_from, knock_back, refuses_knock_back
from rules.engine.combat.ko import score_defeat
from rules.engine.combat.roll import Roll
from rules.engine.combat.scenario import heart_of_rift, swallow
from rules.engine.combat.strike import Hit
from rules.engine.errors import AwaitingChoice, Illegal
from rules.engine.figures.abilities import powers_of
from rules.engine.met import Met
from rules.engine.overrides import BY_JUDGE, NO_DECISION
from rules.engine.play import Attack, Damage, Play, Strike, spot_of
from rules.engine.position.characters import Character
from rules.engine.position.squares import Square, distance
from rules.engine.reasons import Part, Parts, listed, sum_of
from rules.engine.steps import StepName

Prevention = tuple[str, str] | None
"""Why a character isn't knocked back (sentence, topic); None if nothing prevents it."""


def held_in_place(play: Play, strike: Strike, hits: Iterable[Hit]) -> Mapping[str, Prevention]:
    """Return, for each character hit, what prevents its knock back if anything does, before damage turns its dial.

    Empty if the book doesn't check that early. Sources: Knockback (2005), Knock Back (2014), Knock Back Prevention
    (2020s).
    """
    if not play.edition.knock_back.prevented_before_damage or not strike.knocks_back:
        return {}
    attacker = play.character(strike.attacker)
    struck = [play.character(hit.character) for hit in hits]
    return {one.id: refuses_knock_back(play, one, attacker) for one in struck}


def knock_back_the_hit(
    play: Play,
    strike: Strike,
    roll: Roll,
    hits: tuple[Hit, ...],
    taken: Mapping[str, int],
    held: Mapping[str, Prevention],
) -> None:
    """On doubles, knock back every character hit that has taken damage, the farthest from the attacker first.

    `held` gives the characters already checked for prevention; the others are checked now. Sources: Knockback of each
    book. In the 2020s the attacker chooses, once an opponent has taken damage, and then all characters hit are knocked
    back, friendly ones too.
    """
    play.this_action.next_step = StepName.KNOCK_BACK
    decided = play.before(StepName.KNOCK_BACK) if play.overrides and hits else NO_DECISION
    forced = decided.knock_back
    if roll.doubles and not strike.deals_damage and strike.critical_hurts and forced is None:
        _note_harmless(play, strike, hits, taken)
    usual = (roll.doubles or strike.always_knocks_back or _always(play, strike)) and strike.knocks_back
    if forced is False or not (usual or forced or decided.squares is not None):
        return
    attacker = play.character(strike.attacker)
    concerned = [play.character(name) for name in taken]
    concerned = [one for one in concerned if one.on_map and not _stays(play, one, attacker, held)]
    if play.edition.combat.knock_back_is_chosen:
        struck = {hit.character for hit in hits}
        concerned = [one for one in concerned if one.id in struck]
        opposed = any(not play.friendly(attacker, play.character(name)) for name in taken)
        concerned = concerned if opposed else []
    if not concerned or not attacker.squares:
        return
    if play.this_action.choices.knock_back is False:
        play.note(Met.WAIVES_KNOCK_BACK)
    if play.edition.combat.knock_back_is_chosen:
        names = listed([one.name for one in concerned])
        why = f"{_cause(play, strike, roll)}: the attacker chooses whether {names}, who took damage, is knocked back."
        if len(concerned) > 1:
            why = why.removesuffix("is knocked back.") + "are knocked back."
        wanted = play.must_choose(
            play.this_action.choices.knock_back, "knock-back", (True, False), why, play.player_of(attacker)
        )
        if wanted == "unclear":
            raise Illegal("The choice of knock back is true or false.", ("knockback",))
        if not wanted:
            text = f"{attacker.name} chooses not to knock back {names}."
            play.record(StepName.NOTE, text, ("knockback",), of=attacker.id)
            return
    concerned.sort(key=lambda one: -min(distance(a, b) for a in attacker.squares for b in one.squares))
    _check_each_direction(play, concerned, attacker)
    for one in concerned:
        squares: Parts = (Part("printed", taken[one.id], "squares, 1 for each click of damage taken", "knockback"),)
        if decided.squares is not None:
            squares = (*squares, Part("changed", decided.squares - taken[one.id], BY_JUDGE))
        targeted = any(hit.targeted for hit in hits if hit.character == one.id)
        send_back(play, play.character(one.id), attacker, squares, already_reduced=True, targeted=targeted)


def _note_harmless(play: Play, strike: Strike, hits: tuple[Hit, ...], taken: Mapping[str, int]) -> None:
    """Note that the doubles of an attack that deals no damage knock no one back. No ruling on knock back bears on it."""
    unmoved = [play.character(hit.character) for hit in hits if not strike.knocks_back or not taken.get(hit.character)]
    if unmoved:
        names = listed([one.name for one in unmoved])
        why = f"{strike.using[0]} doesn't knock back" if any(taken.values()) else "the attack deals no damage"
        text = f"The doubles don't knock {names} back: {why}."
        cited = ("knockback",)
        play.record(StepName.NOTE, text, ("no-damage",), of=unmoved[0].id, apart=cited, around=cited)


def _check_each_direction(play: Play, concerned: list[Character], attacker: Character) -> None:
    """Ask for a character's own direction if the chosen one fits other characters concerned but not this one.

    Raises AwaitingChoice for that character alone.
    """
    chosen = play.this_action.choices.direction
    ways = {one.id: directions_from(play, spot_of(attacker), one) for one in concerned if chosen is not None}
    ways = {name: way for name, way in ways.items() if len(way) > 1}
    if not any(chosen in way for way in ways.values()):
        return
    for name, way in ways.items():
        if chosen not in way and name not in play.this_action.choices.directions:
            why = (
                f"{play.character(name).name} can't be knocked back {chosen}: the attacker chooses {listed(way, 'or')}."
            )
            raise AwaitingChoice(f"knock-back-direction:{name}", way, why, play.player_of(attacker))


def _stays(play: Play, character: Character, attacker: Character, held: Mapping[str, Prevention]) -> bool:
    """Return whether anything prevents a character's knock back; if so, note it."""
    kept = held[character.id] if character.id in held else refuses_knock_back(play, character, attacker)
    if kept is None:
        return False
    text = f"{character.name} isn't knocked back: {kept[0]}."
    play.record(StepName.NOTE, text, ("knockback", kept[1], "knockback-prevention"), of=character.id)
    return True


def _cause(play: Play, strike: Strike, roll: Roll) -> str:
    """Return in words what makes an attack knock back: doubles, a power of the attacker, or a judge."""
    if roll.doubles:
        return f"Doubles ({roll.written})"
    rows = powers_of(play, play.character(strike.attacker))
    always = (row.name for row in rows if (test := row.attacking.always_knocks_back) is not None and test(strike))
    named = (row.name for row in rows if strike.always_knocks_back and row.name in strike.using)
    return next((f"{name} knocks back without doubles" for name in (*always, *named)), "By the judge's ruling")


def _always(play: Play, strike: Strike) -> bool:
    """Return whether a power of the attacker makes the attack knock back without doubles."""
    rows = [power.attacking.always_knocks_back for power in powers_of(play, play.character(strike.attacker))]
    return any(row is not None and row(strike) for row in rows)


def send_back(
    play: Play,
    character: Character,
    attacker: Character,
    squares: Parts,
    *,
    already_reduced: bool,
    targeted: bool = False,
) -> None:
    """Move a character along its knock back path and deal the damage; prevention isn't checked.

    `squares` are the parts of the number of squares. `already_reduced` says that the knock back belongs to an attack
    whose damage may already have been reduced, `targeted` that the character is a target of that attack.
    """
    if not character.on_map:
        return
    chosen = play.this_action.choices.directions.get(character.id) or play.this_action.choices.direction
    play.this_action.next_step, of = StepName.KNOCK_BACK, sum_of(squares)
    found = knock_back(play, character, spot_of(attacker), of, chosen, whatever=True)
    if found.choices:
        why = found.because[0]
        raise AwaitingChoice("knock-back-direction", found.choices, why, play.player_of(attacker))
    if found.over_edge:
        play.note(Met.OVER_THE_EDGE, of=character.id)
    if chosen is not None:
        play.note(Met.OBLIQUE, of=character.id)
    open_to = directions_from(play, spot_of(attacker), character)
    if chosen is not None and len(open_to) > 1 and chosen not in open_to:
        text = f"{character.name} can't be knocked back {chosen}: choose {listed(open_to, 'or')}."
        raise Illegal(text, ("knockback",))
    carry_out(play, character, attacker, found, squares, already_reduced=already_reduced, targeted=targeted)


def carry_out(
    play: Play,
    character: Character,
    attacker: Character | None,
    found: KnockBack,
    squares: Parts,
    *,
    already_reduced: bool = False,
    targeted: bool = False,
) -> None:
    """Move a character along a path that was found, and deal the damage; `attacker` is None if no character did it."""
    of = sum_of(squares)
    heart = heart_of_rift(play) if play.position.scenario else None
    if heart in found.path:
        found = _into_rift(play, found, heart, of)
    play.change(replace(character, squares=found.ends))
    play.record(
        StepName.KNOCK_BACK,
        " ".join(found.because),
        found.topics,
        {"squares": len(found.path), "of": of, "path": [square.name for square in found.path]},
        parts={"squares": (*squares, *found.stopped), "of": squares},
        of=character.id,
    )
    if heart in found.path:
        swallow(play, play.character(character.id))
        if attacker is not None and not play.friendly(attacker, character):
            score_defeat(play, play.character(character.id), Damage(character, 0, "knock-back", attacker))
    if found.damage:
        fallen = "knockback-falling" if found.damage > 1 else "knockback-damage"
        text = f"{character.name} is dealt {found.damage} damage from being knocked back."
        topics = ("knockback-damage", fallen, *found.topics)
        parts = {"damage": found.parts}
        play.record(StepName.KNOCK_BACK_DAMAGE, text, topics, {"damage": found.damage}, parts=parts, of=character.id)
        part = already_reduced and play.edition.combat.knock_back_is_part_of_the_attack
        moved = play.character(character.id)
        strike = play.strike if part else None
        attack = (
            Attack(strike.kind, attacker, moved, strike.using) if strike is not None and attacker is not None else None
        )
        take(play, (Damage(moved, found.damage, "knock-back", attacker, attack, targeted, already_reduced=part),))


def _into_rift(play: Play, found: KnockBack, heart: Square | None, of: int) -> KnockBack:
    """Return a knock back whose path ends in the heart of the rift."""
    path = found.path[: found.path.index(heart) + 1] if heart is not None else found.path
    less = len(path) - of
    stopped = (Part("limited", less, "the path ends in the rift", play.position.scenario),) if less else ()
    because = (*found.because, f"The path ends in the rift in {heart}.")
    return replace(found, ends=path[-1:], path=path, damage=0, parts=(), stopped=stopped, because=because)

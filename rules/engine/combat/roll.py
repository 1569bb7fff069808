"""Rolls of dice by name, and rerolls by Probability Control.

A dispute gives its dice by roll name, in the order rolled; a missing roll stops the adjudication.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.engine.combat.crossed import crossed
from rules.engine.combat.judged import tell_what_is_judged
from rules.engine.combat.line_of_fire import line_of_fire
from rules.engine.combat.targets import range_within
from rules.engine.combat.tokens import give_token
from rules.engine.errors import Illegal
from rules.engine.figures.abilities import USING, powers_of, why_barred
from rules.engine.figures.standing import figure_of
from rules.engine.memory import Reroll
from rules.engine.met import Met
from rules.engine.play import Play, spot_of
from rules.engine.position.characters import Character, has_keyword
from rules.engine.position.squares import distance, in_squares
from rules.engine.steps import StepName

THEMED = "Themed Team Probability Control"


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll of dice, critical if both show 1 or both show 6. `ruled` is a total decided by a judge."""

    dice: tuple[int, ...]
    ruled: int | None = None

    @property
    def total(self) -> int:
        """The sum of the dice."""
        return sum(self.dice)

    @property
    def doubles(self) -> bool:
        """Whether two dice show the same."""
        return len(self.dice) == 2 and self.dice[0] == self.dice[1]

    @property
    def critical_miss(self) -> bool:
        """Whether both dice show 1."""
        return self.dice == (1, 1)

    @property
    def critical_hit(self) -> bool:
        """Whether both dice show 6."""
        return self.dice == (6, 6)

    @property
    def written(self) -> str:
        """The dice as text for sentences."""
        return " + ".join(str(die) for die in self.dice)


def roll_dice(play: Play, name: str, dice: int, roller: Character) -> Roll:
    """Return the roll of that name, rerolled if Probability Control was named for it.

    Sources: Probability Control (2002), Rerolling (2014, 2020s), themed teams.
    """
    roll = Roll(play.roll(name, dice))
    again = f"{name}/reroll"
    while play.this_action.dice.has(again) or _is_to_be_made_again(play):
        play.this_action.next_step = StepName.REROLL
        by, themed = _next_reroll(play)
        user = _themed(play, by, roller, name) if themed else _may_reroll(play, by, roller, name)
        fresh = Roll(play.roll(again, dice))
        play.this_action.rerolled += 1
        text = f"{user.name} uses {THEMED if themed else 'Probability Control'}: {roller.name} rolls"
        text += f" {fresh.written} in place of {roll.written}. The new result stands."
        topics = ("probability-control", "reroll", *(("themed-team-probability-control",) if themed else ()))
        numbers = {"before": list(roll.dice), "after": list(fresh.dice), "by": user.id}
        if dice == 1:
            play.note(Met.REROLLS_ONE_DIE)
        play.record(StepName.REROLL, text, topics, numbers)
        roll = fresh
    return roll


def _is_to_be_made_again(play: Play) -> bool:
    """Return whether the action names a reroll without giving any reroll dice; it then applies to the first roll."""
    now = play.this_action
    named = now.choices.reroll_by is not None or not {"Probability Control", THEMED}.isdisjoint(now.using)
    return named and not any(roll.endswith("/reroll") for roll in now.dice.rolled)


def _next_reroll(play: Play) -> tuple[str | None, bool]:
    """Return the character named for the next reroll, and whether it uses the themed team's Probability Control.

    Where several are named, each is used once, in their order. Source: Rerolls (2020s), by which both players go on
    until neither rerolls any more.
    """
    now = play.this_action
    if not isinstance(now.choices.reroll_by, tuple):
        return now.choices.reroll_by, THEMED in now.using
    if now.rerolled >= len(now.choices.reroll_by):
        raise Illegal("More rerolls are rolled than named.", ("reroll",))
    return now.choices.reroll_by[now.rerolled]


def _may_reroll(play: Play, named: str | None, roller: Character, name: str) -> Character:
    """Return the character that rerolls, its use counted, or raise Illegal: in range and line of fire, once per turn.

    2002: the figure that performs the action must be within 10 squares, whoever rolls; halved, like a range, to a
    soaring figure from below. Later: the figure that rolls, within the range given by `influence`.
    """
    if barred := why_barred(play, roller, "be-rerolled"):
        raise Illegal(f"{roller.name}'s roll can't be rerolled: {barred}.", ("probability-control", "reroll"))
    acting = play.position.find(play.this_action.acting) if play.this_action.acting is not None else None
    if play.edition.combat.reroll_reaches == "action" and acting is not None and acting.on_map:
        roller = acting
    topics = ["probability-control", "reroll"]
    why = "no unused Probability Control is within range and line of fire."
    for character in play.position.characters():
        if named is not None and character.id != named:
            continue
        rows = [power for power in powers_of(play, character) if power.lending.rerolls]
        if named is not None and (barred := why_barred(play, character, USING + "Probability Control")):
            why = f"{character.name} can't use Probability Control now: {barred}."
        judged = all(row.judged for row in rows)
        if not character.on_map or not rows or (judged and named is None):
            continue
        if barred := why_barred(play, character, "reroll"):
            why = f"{character.name} can't reroll: {barred}."
            continue
        if barred := _kept_from(play, character, name):
            why = f"{character.name} can't reroll this attack: {barred}."
            continue
        _note_reroll(play, character, roller)
        if used_reroll(play, character):
            play.note(Met.USED_ALREADY)
            if named is not None:
                why = f"{character.name} has already used Probability Control this turn."
            continue
        beyond = why_out_of_reach(play, character, roller, "Probability Control")
        if judged or (beyond is not None and named is not None and any(row.besides for row in rows)):
            tell_what_is_judged(play, (row.besides or row for row in rows))
        elif beyond is not None:
            topics += beyond[1]
            if named is not None:
                why = beyond[0].replace("The line", "the line", 1)
            continue
        _count_reroll(play, character)
        if play.player_of(character) == play.position.turn.active:
            current = play.character(character.id)
            play.change(_with_used(current, "Probability Control"))
        return character
    rolling = play.position.find(named) if named is not None else None
    who = f"{rolling.name} may not" if rolling is not None else "No one may"
    raise Illegal(f"{who} reroll this: {why}", dict.fromkeys(topics))


def _kept_from(play: Play, character: Character, name: str) -> str:
    """Return the card for which a character can't reroll an opponent's attack, or one on an opponent; "" if it can."""
    strike = play.strike
    if not play.carded or strike is None or name != strike.roll:
        return ""
    found = (play.position.find(one) for one in (strike.attacker, *strike.targets))
    opponents = (one for one in found if one is not None and not play.friendly(one, character))
    return next(filter(None, (why_barred(play, one, "be-rerolled-by-opponents") for one in opponents)), "")


def _count_reroll(play: Play, character: Character) -> None:
    reroll = Reroll(character.id, play.position.turn.number)
    play.battle = replace(play.battle, rerolls=(*play.battle.rerolls, reroll))


def _note_reroll(play: Play, character: Character, roller: Character) -> None:
    if character.id == roller.id:
        play.note(Met.REROLLS_OWN)
    if play.player_of(character) != play.position.turn.active:
        play.note(Met.REROLLS_IN_TURN_OF_OTHER)
    if character.tokens or character.acted:
        play.note(Met.HAS_ACTED)


def used_reroll(play: Play, character: Character) -> bool:
    """Return whether a character has used its Probability Control this turn, or (2002) in other players' turns so far.

    In 2002 it may be used once in the player's own turn, and once until the next one, regardless of the turns in
    between.
    """
    turns = [one.turn for one in play.battle.rerolls if one.by == character.id]
    if play.edition.combat.reroll_reaches != "action":
        turns = [turn for turn in turns if turn == play.position.turn.number]
    return bool(turns) or not {"Probability Control", THEMED}.isdisjoint(character.used)


def _with_used(character: Character, name: str) -> Character:
    return character if name in character.used else replace(character, used=(*character.used, name))


def why_out_of_reach(
    play: Play, character: Character, target: Character, power: str
) -> tuple[str, tuple[str, ...]] | None:
    """Return in words why a power doesn't reach a figure, with the topics; None if it does.

    It reaches figures within 10 squares (later: the character's range, at least 6) and a clear line of fire.

    A hindered line also counts as clear; a character is always within range of itself.
    """
    if character.id == target.id:
        return None
    one, other = figure_of(play, character), figure_of(play, target)
    if one is None or other is None:
        return f"{target.name} isn't on the map.", ("range",)
    stated = (row.reach for row in powers_of(play, character) if row.name == power and row.reach is not None)
    whole = _reach_of(play, character, power, next(stated, None))
    far = range_within(play, one, other, whole)
    away = min(distance(a, b) for a in character.squares for b in target.squares)
    if away > far:
        half = f" ({whole}, halved because {target.name} is soaring)" if far != whole else ""
        return f"{power} reaches {in_squares(far)}{half}, and {target.name} is {in_squares(away)} away.", ("range",)
    line = line_of_fire(play, spot_of(character), spot_of(target))
    if line.result != "blocked":
        return None
    if Met.CROSSES_FIGURE in crossed(play, character.squares[0], target.squares[0]):
        play.note(Met.CROSSES_FIGURE)
    return line.because[0], ("line-of-fire", *line.topics)


def _reach_of(play: Play, character: Character, power: str, stated: int | None) -> int:
    """Return how far a power reaches: as its card says, or as the book does, the better one if the dial shows it, too."""
    shown = character.showing is not None and power in character.showing.powers
    return max(stated or 0, play.edition.combat.influence(play, character) if shown or stated is None else 0)


def _themed(play: Play, named: str | None, roller: Character, name: str) -> Character:
    """Return the character that makes a themed reroll, checked and counted; give it a token.

    It hasn't acted, and the roller is in its range.

    A force remains a themed team whichever characters join it, so `themed_team` is never checked against all of them.
    Sources: Themed Teams, Themed Team Benefits (2014, 2020s).
    """
    if named is None or play.position.find(named) is None:
        raise Illegal(
            "Set reroll-by to the character that uses the themed team's Probability Control.", ("themed-team",)
        )
    user = play.character(named)
    topics = ("themed-team-probability-control", "themed-team", "probability-control")
    side = play.position.side_of(user.id)
    if side.themed_team is None:
        raise Illegal(f"{side.player}'s force isn't a themed team.", topics)
    if barred := why_barred(play, roller, "be-rerolled"):
        raise Illegal(f"{roller.name}'s roll can't be rerolled: {barred}.", topics)
    if barred := _kept_from(play, user, name):
        raise Illegal(f"{user.name} can't reroll this attack: {barred}.", topics)
    if play.edition.combat.themed_rerolls_are_for_others and user.id == roller.id:
        raise Illegal(f"{user.name} can't reroll its own roll with the themed team's Probability Control.", topics)
    if user.tokens >= 2:
        text = f"{user.name} has 2 action tokens, so it can't use the themed team's Probability Control."
        raise Illegal(text, topics)
    if used_reroll(play, user):
        play.note(Met.USED_ALREADY)
        raise Illegal(f"{user.name} has already used Probability Control this turn.", topics)
    if play.edition.combat.themed_rerolls_before_acting:
        if user.acted or (play.this_action.costed and user.id == play.this_action.acting):
            raise Illegal(f"{user.name} has already been given an action this turn.", topics)
        if any(power.lending.rerolls for power in powers_of(play, user)):
            raise Illegal(f"{user.name} has its own Probability Control, so it can't use the themed team's.", topics)
    if not has_keyword(user, side.themed_team):
        raise Illegal(f"{user.name} doesn't have the keyword {side.themed_team}.", topics)
    generic = {keyword.casefold() for other in side.characters for keyword in other.generic_keywords}
    if side.themed_team.casefold() in generic | play.edition.force.generic_keywords:
        raise Illegal(f"{side.themed_team} is a generic keyword, which gives no Probability Control uses.", topics)
    most = play.edition.combat.themed_rerolls(play, side)
    if side.ttpc_used >= most:
        raise Illegal(
            f"{side.player} has used the themed team's Probability Control {side.ttpc_used} times; the maximum is {most}.",
            topics,
        )
    if why_out_of_reach(play, user, roller, "Probability Control") is not None:
        raise Illegal(f"{roller.name} isn't within {user.name}'s range and line of fire.", topics)
    _count_reroll(play, user)
    sides = tuple(replace(s, ttpc_used=s.ttpc_used + 1) if s.player == side.player else s for s in play.position.sides)
    play.position = replace(play.position, sides=sides)
    give_token(play, play.character(user.id), topics, acted=False)
    return user

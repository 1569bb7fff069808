"""Force Blast of each book: sending an adjacent opponent away."""

from __future__ import annotations

from rules.engine.action import Action
from rules.engine.combat.knock_back import refuses_knock_back
from rules.engine.combat.knocked_back import send_back
from rules.engine.combat.roll import roll_dice
from rules.engine.combat.targets import spared, still_immune
from rules.engine.errors import Illegal
from rules.engine.figures.abilities import why_unaffected
from rules.engine.figures.adjacency import figures_adjacent
from rules.engine.figures.standing import figure_of
from rules.engine.figures.values import value_of
from rules.engine.met import Met
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.position.squares import distance, in_squares
from rules.engine.power import Power
from rules.engine.powers.building import only_target
from rules.engine.reasons import Part
from rules.engine.steps import StepName


def _opponent_beside(play: Play, given: Action, character: Character) -> Character:
    """Return the only target, an opponent adjacent to the character. Raises Illegal."""
    target = only_target(play, given)
    one, other = figure_of(play, character), figure_of(play, target)
    if one is None or other is None or play.friendly(character, target):
        raise Illegal("Force Blast can be used only on an opponent on the map.", ("force-blast", "friendly-figures"))
    near = figures_adjacent(play, one, other, "close")
    if not near:
        away = min(distance(a, b) for a in character.squares for b in target.squares)
        far = f"Force Blast needs an adjacent opponent, and {target.name} is {in_squares(away)} away."
        raise Illegal(far if away > 1 else near.because[0], ("force-blast", "adjacency"))
    return target


def blast_by_damage(play: Play, given: Action, character: Character) -> None:
    """Move one adjacent opponent straight away by the damage value; only the landing may deal damage (2002).

    No attack and no break away roll. Charge doesn't protect from it, a Sentinel isn't affected.
    """
    play.this_action.next_step = StepName.TARGETS
    target = _opponent_beside(play, given, character)
    if why := why_unaffected(play, target, "Force Blast"):
        text = f"Force Blast doesn't affect {target.name}: {why}."
        play.record(StepName.RESOLVE, text, ("force-blast", "sentinel"))
        return
    blast = value_of(play, character, ValueName.DAMAGE)
    text = f"{character.name}'s Force Blast can knock {target.name} back up to {in_squares(blast.total)}"
    text += f" ({character.name}'s damage value); the blast itself deals no damage."
    squares = (blast.parts[0]._replace(why=f"squares, {character.name}'s damage value"), *blast.parts[1:])
    numbers, parts = {"squares": blast.total}, {"squares": squares}
    play.record(StepName.TARGETS, text, ("force-blast", "knockback"), numbers, parts=parts)
    send_back(play, play.character(target.id), character, squares, already_reduced=False)


def blast_by_die(play: Play, given: Action, character: Character) -> None:
    """Knock back an adjacent opponent by the result of a die: no attack, and no damage except from the landing.

    Source: Activated or Triggered Knock Back (2020s); the card of the earlier books.
    """
    play.this_action.next_step = StepName.ROLL
    target = _opponent_beside(play, given, character)
    if spared(play, target, character):
        raise Illegal(still_immune(play, target.name), ("force-blast", "first-turn-immunity"))
    roll = roll_dice(play, "force-blast", 1, character)
    text = f"{character.name} rolls {roll.total} for Force Blast."
    play.record(StepName.ROLL, text, ("force-blast",), {"roll": roll.total})
    refused = refuses_knock_back(play, target, character)
    if refused is not None:
        play.record(
            StepName.RESOLVE,
            f"{target.name} isn't knocked back: {refused[0]}.",
            ("force-blast", "knockback-prevention"),
        )
        return
    if play.this_action.choices.knock_back is False:
        play.note(Met.WAIVES_KNOCK_BACK)
        text = "The knock back of Force Blast can't be declined."
        play.record(StepName.NOTE, text, ("force-blast", "knockback"), of=target.id)
    squares = (Part("rolled", roll.total, "the die of Force Blast", "force-blast"),)
    send_back(play, target, character, squares, already_reduced=False)


FORCE_BLAST_2002 = Power(name="Force Blast", topic="force-blast", action=("move",), act=blast_by_damage)
FORCE_BLAST = Power(name="Force Blast", topic="force-blast", action=("power",), act=blast_by_die)

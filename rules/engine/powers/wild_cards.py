"""Wild cards choose by a free action which friend's team ability they use (Wild Cards, 2014)."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from rules.engine.action import Action
from rules.engine.errors import Illegal
from rules.engine.figures.abilities import WILD, is_wild, team_abilities_of_friends
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.power import Power
from rules.engine.steps import StepName

TOPICS = ("wild-card", "team-abilities")


def _teams_of_friends(play: Play, character: Character) -> list[str]:
    """Return the team abilities that the character could choose."""
    free = replace(character, copies=None)
    names = dict.fromkeys(row.name for row in team_abilities_of_friends(play, free))
    return [name for name in names if name not in character.teams]


def act(play: Play, given: Action, character: Character) -> None:
    """Use another team ability from now on, or none; a wild card may be given this action several times a turn."""
    if not is_wild(play, character):
        raise Illegal(f"{character.name} isn't a wild card.", TOPICS)
    why = f"Which team ability does {character.name} use?"
    options = _teams_of_friends(play, character)
    if not options and play.this_action.choices.team is None:
        raise Illegal(f"No friendly character on the map has a team ability for {character.name} to use.", TOPICS)
    team = play.must_choose(play.this_action.choices.team, "team", options, why, play.player_of(character))
    if team and team not in _teams_of_friends(play, character):
        raise Illegal(f"No friendly character on the map has the team ability {team}.", TOPICS)
    play.change(replace(character, copies=team))
    used = f"the team ability {team}" if team else "no other team ability"
    play.record(StepName.RESOLVE, f"{character.name}, a wild card, uses {used} from now on.", TOPICS, of=character.id)


BY_CARD: Final = MappingProxyType({WILD: Power(name=WILD, topic="wild-card")})
"""What a card grants by which its character is a wild card."""
WILD_CARD = Power(name=WILD, topic="wild-card", action=("free",), act=act, offered=is_wild)

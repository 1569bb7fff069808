"""Compiled and Annotated Rulebook 2002-12-01c: `ic-2002` as its notes, FAQ and arbitrators' rulings correct it."""

from dataclasses import replace
from functools import partial

from rules.engine.editions import ic_2002
from rules.engine.editions.rulings import find_rulings
from rules.engine.editions.sources import read_topics
from rules.engine.powers import team_abilities
from rules.engine.powers.building import table

EDITION = replace(
    ic_2002.EDITION,
    name="car-2002",
    title="Compiled and Annotated Rulebook 2002-12-01c",
    topics=read_topics("car-2002"),
    rulings=partial(find_rulings, "car-2002"),
    knock_back=replace(ic_2002.EDITION.knock_back, clinging_damage=1),
    team_abilities=table(
        *ic_2002.EDITION.team_abilities.values(),
        team_abilities.BATMAN_ALLY,
        team_abilities.BATMAN_ENEMY,
        team_abilities.GREEN_LANTERN_CORPS,
        team_abilities.INJUSTICE_LEAGUE,
        team_abilities.JUSTICE_LEAGUE,
        team_abilities.JUSTICE_SOCIETY,
        team_abilities.LEGION_OF_SUPER_HEROES,
        team_abilities.MYSTICS,
        team_abilities.POLICE,
        team_abilities.SUPERMAN_ALLY,
        team_abilities.SUPERMAN_ENEMY,
        team_abilities.TITANS,
    ),
)

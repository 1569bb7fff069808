"""Compiled and Annotated Rulebook 2002-12-01c: `ic-2002` as corrected by its notes, FAQ and arbitrators' rulings."""

from dataclasses import replace
from functools import partial

from rules.engine.battles import ScenarioName
from rules.engine.editions import ic_2002
from rules.engine.editions.corrections import read_corrections
from rules.engine.editions.rulings import find_rulings
from rules.engine.editions.sources import read_topics
from rules.engine.figures.archenemies import by_colour_or_hunt
from rules.engine.force.checks import building, events, extras
from rules.engine.forces import Rank
from rules.engine.powers import sentinels, team_abilities
from rules.engine.powers.building import table
from rules.engine.rivals import RivalKind
from rules.engine.scoring import scenarios
from rules.engine.scoring.victory_points import twice_or_thrice

EDITION = replace(
    ic_2002.EDITION,
    name="car-2002",
    title="Compiled and Annotated Rulebook 2002-12-01c",
    topics=read_topics("car-2002"),
    rulings=partial(find_rulings, "car-2002"),
    knock_back=replace(ic_2002.EDITION.knock_back, clinging_damage=1),
    combat=replace(
        ic_2002.EDITION.combat,
        explosions_miss_neighbors=True,
        critical_hits_always_hurt=True,
        knock_back_is_part_of_the_attack=True,
        objects_leave_debris=True,
        lasting_objects=frozenset({"dumpster"}),
    ),
    actions=replace(ic_2002.EDITION.actions, not_on_cards=frozenset({"Themed Team Probability Control"})),
    inherent=table(sentinels.CAPTURE, sentinels.RESCUE, sentinels.RELEASE, sentinels.MULTI_ATTACK),
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
    rivalries=by_colour_or_hunt,
    corrections=read_corrections("car-2002"),
    force=replace(
        ic_2002.EDITION.force,
        checks=(
            *building.OF_EVERY_BOOK,
            building.archenemies,
            building.point_value_or_sentinel,
            extras.object_limit,
            extras.element_rules,
            *events.OF_EVERY_BOOK,
            building.unique,
            events.promotional,
            events.proxy,
            events.product_not_yet_legal,
        ),
        warnings=frozenset(),
        kinds=frozenset({RivalKind.CHARACTER, RivalKind.SENTINEL}),
        unique_ranks=frozenset({Rank.UNIQUE, Rank.LIMITED_EDITION}),
    ),
    scoring=replace(
        ic_2002.EDITION.scoring,
        controller_strikes=True,
        release=twice_or_thrice,
        scenarios={
            **ic_2002.EDITION.scoring.scenarios,
            ScenarioName.SHOWDOWN: scenarios.showdown,
            ScenarioName.THE_WILD_THEORY: scenarios.the_scientist,
            ScenarioName.PORTAL_TO_HYPERTIME: scenarios.portal_to_hypertime,
            ScenarioName.RAID_ON_STAR_LABS: scenarios.raid_on_star_labs,
            ScenarioName.A_WORLD_GONE_MAD: scenarios.by_standard_rules,
            ScenarioName.WHOLLY_HURRICANE: scenarios.wholly_hurricane,
            ScenarioName.BLACKOUT: scenarios.blackout,
            ScenarioName.DIMENSIONAL_RIFT: scenarios.by_standard_rules,
            ScenarioName.NINE_TENTHS_OF_THE_LAW: scenarios.by_standard_rules,
        },
    ),
)

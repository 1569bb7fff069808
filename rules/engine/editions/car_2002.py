"""Compiled and Annotated Rulebook 2002-12-01c: `ic-2002` as its notes, FAQ and arbitrators' rulings correct it."""

from dataclasses import replace

from rules.engine.editions import ic_2002
from rules.engine.editions.sources import read_topics

EDITION = replace(
    ic_2002.EDITION,
    name="car-2002",
    title="Compiled and Annotated Rulebook 2002-12-01c",
    topics=read_topics("car-2002"),
)

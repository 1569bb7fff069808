"""Marvel HeroClix: Infinity Challenge, Complete Rules (2002), written out: open this file and see the book."""

from rules.engine.edition import Edition
from rules.engine.editions.sources import read_topics

EDITION = Edition(
    name="ic-2002",
    title="Marvel HeroClix: Infinity Challenge, Complete Rules",
    year=2002,
    topics=read_topics("ic-2002"),
)

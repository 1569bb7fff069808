"""Core Rulebook of the 2020s (2020), written out: open this file and see the book."""

from rules.engine.edition import Edition
from rules.engine.editions.sources import read_topics

EDITION = Edition(
    name="core-modern",
    title="Core Rulebook of the 2020s",
    year=2020,
    topics=read_topics("core-modern"),
)

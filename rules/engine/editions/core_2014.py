"""2014 Core Rulebook (2014), written out: open this file and see the book."""

from rules.engine.edition import Edition
from rules.engine.editions.sources import read_topics

EDITION = Edition(
    name="core-2014",
    title="2014 Core Rulebook",
    year=2014,
    topics=read_topics("core-2014"),
)

"""DC HeroClix starter set rules (2005), written out: open this file and see the book."""

from rules.engine.edition import Edition
from rules.engine.editions.sources import read_topics

EDITION = Edition(
    name="dc-2005",
    title="DC HeroClix starter set rules",
    year=2005,
    topics=read_topics("dc-2005"),
)

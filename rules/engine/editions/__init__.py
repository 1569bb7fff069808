"""The five editions. Other engine code takes an edition as an argument; nothing below imports one."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rules.engine.edition import Check, Edition
from rules.engine.editions import car_2002, core_2014, core_modern, dc_2005, ic_2002

EDITIONS: Final[Mapping[str, Edition]] = MappingProxyType(
    {book.EDITION.name: book.EDITION for book in (ic_2002, car_2002, dc_2005, core_2014, core_modern)}
)
CHECKS: Final[Mapping[str, Check]] = MappingProxyType(
    {check.name: check for book in reversed(tuple(EDITIONS.values())) for check in book.force.checks}
)
"""The legality rules of all books, by name; where books check one differently, the variant of the oldest."""

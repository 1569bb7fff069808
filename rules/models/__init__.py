"""The rows of the rules app: the catalogue and the rulings."""

from .catalogue import CatalogueChange, Correction, Element, Facts, Import, ImportLine, Set, Trait
from .rulebook import LoadedRulebook, RulebookPassage

__all__ = [
    "CatalogueChange",
    "Correction",
    "Element",
    "Facts",
    "Import",
    "ImportLine",
    "LoadedRulebook",
    "RulebookPassage",
    "Set",
    "Trait",
]

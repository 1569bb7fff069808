"""The rows of the rules app: the catalogue, the rulings and the positions saved on the board page."""

from .board import SavedPosition
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
    "SavedPosition",
    "Set",
    "Trait",
]

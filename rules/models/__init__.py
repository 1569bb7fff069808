"""Models of the rules app: the catalogue, loaded rulebooks, saved positions and disputes."""

from .board import SavedPosition
from .catalogue import CardTexts, CatalogueChange, Correction, Element, Facts, Import, ImportLine, Set, Trait
from .disputes import SavedDispute
from .rulebook import LoadedRulebook, RulebookPassage
from .searched import SearchedText

__all__ = [
    "CardTexts",
    "CatalogueChange",
    "Correction",
    "Element",
    "Facts",
    "Import",
    "ImportLine",
    "LoadedRulebook",
    "RulebookPassage",
    "SavedDispute",
    "SavedPosition",
    "SearchedText",
    "Set",
    "Trait",
]

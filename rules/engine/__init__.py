"""The engine's public face: outside it, only what stands here may be imported."""

from .citations import Authority, Citation, Ruling, Standing
from .documents.batch import read_documents, reports_on, written
from .editions import EDITIONS
from .editions.headings import Heading, Headings, headings
from .editions.rulings import find_rulings, ruling, rulings, topic_kinds, topic_places, topics
from .errors import BadInput

__all__ = [
    "EDITIONS",
    "Authority",
    "BadInput",
    "Citation",
    "Heading",
    "Headings",
    "Ruling",
    "Standing",
    "find_rulings",
    "headings",
    "read_documents",
    "reports_on",
    "ruling",
    "rulings",
    "topic_kinds",
    "topic_places",
    "topics",
    "written",
]

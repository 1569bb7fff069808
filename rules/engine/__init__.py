"""The engine's public face: outside it, only what stands here may be imported."""

from .documents.batch import read_documents, reports_on, written
from .errors import BadInput

__all__ = ["BadInput", "read_documents", "reports_on", "written"]

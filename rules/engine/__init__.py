"""The engine's public face: outside it, only what stands here may be imported."""

from .errors import BadInput

__all__ = ["BadInput"]

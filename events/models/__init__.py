"""The rows of events, by subject."""

from .people import Person, Volunteer

__all__ = ["Person", "Volunteer"]

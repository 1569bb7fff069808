"""Hebrew and Arabic names on paper, imported from `rules.pdf.right_to_left`."""

from rules.pdf.right_to_left import drawn, joined

__all__ = ["drawn", "joined"]

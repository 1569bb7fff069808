"""Names in Hebrew and Arabic on paper, by the name under which the events' papers know them: `rules.pdf.right_to_left`."""

from rules.pdf.right_to_left import drawn, joined

__all__ = ["drawn", "joined"]

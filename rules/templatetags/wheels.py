"""The combat dial as a wheel: `{% dial_wheel dial %}` for a figure's, `{% dial_wheel %}` for the home page's."""

from django import template

from rules.dials import Dial
from rules.drawings.wheel import SHOWN_AT_HOME, Wheel, wheel_of_dial

register = template.Library()


@register.inclusion_tag("parts/wheel.html")
def dial_wheel(dial: Dial | None = None) -> dict[str, Wheel]:
    """Draw the wheel; the table of `parts/dial.html` says the same in words."""
    return {"wheel": SHOWN_AT_HOME if dial is None else wheel_of_dial(dial)}

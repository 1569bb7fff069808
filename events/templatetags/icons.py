"""The icons: `{% icon "clock" %}` in any template, without a load tag."""

import functools

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
@functools.cache
def icon(name: str) -> SafeString:
    """Return the drawing of one symbol of config/static/icons.svg; the word stands beside it, so it is hidden from screen readers."""
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>', static("icons.svg"), name
    )

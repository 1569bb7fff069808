"""Django's tags `{% translate %}` and `{% url %}`, except that they remember what they gave: most of a page is made of them.

The settings name this module in place of Django's library `i18n`, and among the built-in tags.
"""

from __future__ import annotations

from django import template
from django.template import Context, Node
from django.template.base import Parser, Token
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as django_url
from django.templatetags import i18n
from django.urls import NoReverseMatch
from django.utils.html import conditional_escape
from django.utils.translation import get_language

from events.address import path_to

register = template.Library()
register.tags |= i18n.register.tags
register.filters |= i18n.register.filters


class Translated(Node):
    """A text without variables, translated once into each language."""

    def __init__(self, node: i18n.TranslateNode) -> None:
        self.node = node
        self.found: dict[str | None, str] = {}

    def render(self, context: Context) -> str:
        """Return the text in the active language."""
        language = get_language()
        if language not in self.found:
            self.found[language] = self.node.render(context)
        return self.found[language]


@register.tag("translate")
@register.tag("trans")
def translate(parser: Parser, token: Token) -> Node:
    """Return the node of `{% translate "…" %}`."""
    node = i18n.do_translate(parser, token)
    text = node.filter_expression
    is_constant = text.var.literal is not None and not text.filters
    return Translated(node) if is_constant and not (node.noop or node.asvar or node.message_context) else node


class Address(URLNode):
    """The URL of a view; those with numbers and texts alone are looked up once."""

    def render(self, context: Context) -> str:
        """Return the URL, or put it into the context under the tag's name for it."""
        parts = [part.resolve(context) for part in self.args]
        if self.kwargs or not all(type(part) in (int, str) for part in parts):
            return super().render(context)
        try:
            found = path_to(self.view_name.resolve(context), *parts)
        except NoReverseMatch:
            if self.asvar is None:
                raise
            found = ""
        if self.asvar is None:
            return conditional_escape(found) if context.autoescape else found
        context[self.asvar] = found
        return ""


@register.tag
def url(parser: Parser, token: Token) -> Node:
    """Return the node of `{% url "…" … %}`."""
    node = django_url(parser, token)
    return Address(node.view_name, node.args, node.kwargs, node.asvar)

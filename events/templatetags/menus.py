"""Parts that many pages share: rendered once in each language, the menus once for each kind of visitor.

The menus are then filled with the page's own address.
"""

import functools
from typing import Any
from urllib.parse import quote

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from events.preferences import OWN_NAMES

register = template.Library()
HERE, NEXT = "\0here\0", "\0next\0"
"""What stands for the page's address, as it is and as a parameter, until the page is known; no address contains a NUL."""
PAGES = {"events": "events:list", "venues": "events:venues", "account": "events:me"}
PARTS = {"rules": "rules:home", "office": "events:office"}
"""The entries of the navigation: current on one page, or on all pages below it."""


@register.simple_tag
def shared(name: str) -> SafeString:
    """Return a part that is the same on every page that has it: `{% shared "parts/brand.html" %}`."""
    return _shared(name, get_language() or settings.LANGUAGE_CODE)


@functools.cache
def _shared(name: str, _language: str) -> SafeString:
    return render_to_string(name, {"headjudge_version": settings.VERSION})


@register.simple_tag(takes_context=True)
def site_menus(context: template.Context) -> SafeString:
    """Return the site's navigation and menu for this visitor, on this page, or the `menus` that the page knows."""
    known = context.get("menus")
    return known or menus_of(context.get("request"), context.get("user"), context.get("theme") or "system")


def menus_of(request: HttpRequest | None, user: Any, theme: str) -> SafeString:
    """Return the site's navigation and menu for this visitor, on the page of this request."""
    here = request.get_full_path() if request is not None else "/"
    kind = (bool(user and user.is_authenticated), bool(getattr(user, "is_office", False)))
    section = _section(request.path if request is not None else "")
    made = _menus(get_language() or settings.LANGUAGE_CODE, theme, section, *kind)
    return mark_safe(made.replace(HERE, escape(here)).replace(NEXT, escape(quote(here))))


@functools.cache
def _menus(language: str, theme: str, section: str, is_signed_in: bool, is_office: bool) -> str:
    facts: dict[str, Any] = {"here": mark_safe(HERE), "next": mark_safe(NEXT), "section": section}
    facts |= {"LANGUAGE_CODE": language, "languages": OWN_NAMES, "theme": theme}
    facts |= {"is_signed_in": is_signed_in, "is_office": is_office}
    return render_to_string("parts/menus.html", facts)


def _section(path: str) -> str:
    pages, parts = _addresses()
    found = pages.get(path)
    return found or next((name for name, address in parts.items() if address in path), "")


@functools.cache
def _addresses() -> tuple[dict[str, str], dict[str, str]]:
    return {reverse(view): name for name, view in PAGES.items()}, {name: reverse(view) for name, view in PARTS.items()}

"""Building blocks of the drawings: an element, a text, a whole picture. Everything is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from django.utils.safestring import SafeString, mark_safe

BELOW_SPACE = dict.fromkeys(range(32), " ")


def clean(text: object) -> str:
    """Return text without the characters that XML forbids."""
    return escape(str(text).translate(BELOW_SPACE).encode("utf-8", "replace").decode())


def element(name: str, *children: str, **attributes: object) -> str:
    """Return an element with SVG children. In names, `class_` becomes class and _ a hyphen; None is omitted."""
    said = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_plain(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{said}>{''.join(children)}</{name}>" if children else f"<{name}{said}/>"


def _plain(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    return str(value).translate(BELOW_SPACE).encode("utf-8", "replace").decode()


def text(x: float, y: float, words: object, **attributes: object) -> str:
    """Return a text element at a point."""
    return element("text", clean(words), x=x, y=y, **attributes)


def title(words: object) -> str:
    """Return a title element: the tooltip and screen reader text of the element around it."""
    return element("title", clean(words))


def picture(
    width: float, height: float, parts: Iterable[str], *, name: str, description: str, key: str, class_: str = ""
) -> SafeString:
    """Return a whole drawing with its title and description; `key` makes their ids unique on the page."""
    body = "".join(parts)
    head = element("title", clean(name), id=f"{key}-title") + element("desc", clean(description), id=f"{key}-desc")
    return mark_safe(
        element(
            "svg",
            head + body,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width:.0f} {height:.0f}",
            width=f"{width:.0f}",
            height=f"{height:.0f}",
            role="img",
            aria_labelledby=f"{key}-title {key}-desc",
            class_=f"drawing {class_}".strip(),
        )
    )


def shortened_name(name: str, letters: int) -> str:
    """Return a person's name shortened to fit: first with the initial of the first name, so that no surname is cut early."""
    first, _space, rest = name.partition(" ")
    return name if len(name) <= letters or not (first and rest) else shortened(f"{first[0]}. {rest}", letters)


def shortened(words: str, letters: int) -> str:
    """Return a text shortened to fit its label; the label's title and the table beside the drawing have all of it."""
    return words if len(words) <= letters else words[: letters - 1].rstrip() + "…"

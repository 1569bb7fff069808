"""What a guide is made of: tasks, their steps and pictures.

In a step, `**Name**` is a button or page by the msgid of its text, shown in the reader's language as the page itself
shows it. A command stands between backticks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

Text = str | Promise
LANGUAGES = ("en", "fr")
"""The languages in which the pictures are drawn."""
SCHEMES = ("light", "dark")
"""The colour schemes in which the pictures of pages are drawn."""
SIZES = {"phone": (360, 560), "desk": (760, 480), "page": (360, 509)}
"""A picture's width and height in pixels; pages show it smaller, so that it is sharp."""
NAME = re.compile(r"\*\*(.+?)\*\*|`(.+?)`")


@dataclass(frozen=True)
class Picture:
    """A picture in `config/static/help/`: its name, its size (a key of SIZES), what it shows, and whether it is paper."""

    name: str
    size: str
    alt: Text
    is_paper: bool = False

    @property
    def width(self) -> int:
        """The width in pixels."""
        return SIZES[self.size][0]

    @property
    def height(self) -> int:
        """The height in pixels."""
        return SIZES[self.size][1]

    def file(self, language: str, scheme: str = "light") -> str:
        """Return the picture's path among the static files; paper looks the same in each colour scheme."""
        ending = "-dark" if scheme == "dark" and not self.is_paper else ""
        return f"help/{self.name}-{language if language in LANGUAGES else 'en'}{ending}.webp"

    def files(self, language: str) -> list[tuple[str, str]]:
        """Return each colour scheme with its picture's path; paper has one for all, named with an empty scheme."""
        return [(scheme, self.file(language, scheme)) for scheme in ([""] if self.is_paper else SCHEMES)]


@dataclass(frozen=True)
class Task:
    """Something that people do: its anchor, title, steps and picture."""

    key: str
    title: Text
    steps: tuple[Text, ...]
    picture: Picture | None = None


@dataclass(frozen=True)
class Guide:
    """A page of the help: its address, icon, title, what it covers, and its tasks in the order of the day."""

    key: str
    icon: str
    title: Text
    about: Text
    tasks: tuple[Task, ...]

    @property
    def pictures(self) -> list[Picture]:
        """The pictures of all tasks."""
        return [task.picture for task in self.tasks if task.picture]


def as_html(step: Text) -> SafeString:
    """Return a step as HTML, with the names of buttons and pages in the reader's language; a number in a name is 1."""
    plain, *found = NAME.split(str(step))
    pieces = [format_html("{}", plain)]
    for name, command, after in zip(found[::3], found[1::3], found[2::3], strict=True):
        words = re.sub(r"%\(\w+\)[ds]", "1", gettext(name)) if name else command
        pieces.append(format_html("<b>{}</b>{}" if name else "<code>{}</code>{}", words, after))
    return format_html_join("", "{}", ((piece,) for piece in pieces))

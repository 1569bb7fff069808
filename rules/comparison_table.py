"""The comparison of the editions as a table: one row per question, one column per edition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar
from urllib.parse import urlencode

import django_tables2 as tables
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .comparison import EditionTold, Row
from .tables import EDITIONS, MAIN

ANSWERED = {
    "yes": '<span class="told-yes">{}</span>',
    "no": '<span class="told-no">{}</span>',
    "said": "<span>{}</span>",
    "missing": '<span class="told-missing">{}</span>',
}


class ToldColumn(tables.Column):
    """The column of one edition in the comparison."""

    def __init__(self, edition: str, title: str | Promise, *, wide: bool) -> None:
        told = {"class": "fold told wide-only" if wide else "fold told"}
        super().__init__(verbose_name=title, accessor="told", orderable=False, attrs={"td": told, "th": told})
        self.edition = edition

    def render(self, value: Mapping[str, EditionTold]) -> SafeString:
        """Render the answer with its icon, linked to the section cited."""
        told = value[self.edition]
        answer = format_html(ANSWERED[told.state], told.text)
        if told.citation is None:
            return answer
        asked = urlencode({"edition": told.citation.edition, "section": told.citation.section})
        return format_html(
            '{} <a class="cited" href="{}?{}" title="{}">{}</a>',
            answer,
            reverse("rules:citation"),
            asked,
            told.citation.section,
            told.citation.heading,
        )


class ComparisonTable(tables.Table):
    """One chapter of the comparison as a table: one row per question, one column per edition.

    If `on_a_phone` names editions, narrow screens show only these, and only rows in which they differ (unless
    `everything` is requested).
    """

    caption_hidden = True
    question = tables.Column(verbose_name=gettext_lazy("Rule"), orderable=False, attrs=MAIN)

    class Meta:
        attrs: ClassVar[dict[str, str]] = {"class": "folds compared"}
        empty_text = gettext_lazy("These editions agree on every rule in this chapter.")

    def __init__(
        self,
        rows: Sequence[Row],
        *,
        editions: Sequence[str],
        on_a_phone: Sequence[str],
        everything: bool,
        caption: str,
    ) -> None:
        self.caption = caption
        titles = dict(EDITIONS)
        super().__init__(
            rows,
            extra_columns=[
                (name, ToldColumn(name, titles[name], wide=bool(on_a_phone) and name not in on_a_phone))
                for name in editions
            ],
            row_attrs={
                "class": lambda record: (
                    "wide-only" if on_a_phone and not everything and not record.differs(on_a_phone) else ""
                )
            },
            empty_text=gettext_lazy("These editions agree on every rule in this chapter."),
        )
        self.newest_first = list(reversed(editions))

    def render_question(self, record: Row) -> SafeString | str:
        """Render the question, linked to the rulings of the newest edition that covers its topic."""
        speaks = next((name for name in self.newest_first if record.told[name].citation is not None), "")
        if not record.topic or not speaks:
            return record.question
        return format_html(
            '{} <a class="cited" href="{}">{}</a>',
            record.question,
            reverse("rules:topic", args=[speaks, record.topic]),
            _("rulings"),
        )

"""Tables of the catalogue: search results, corrections, imports and their lines; and the search form."""

from __future__ import annotations

from typing import Any

import django_filters
import django_tables2 as tables
from django import forms
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import QuerySet
from django.urls import reverse, reverse_lazy
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from .documents import CHARACTER_KINDS, OBJECT_KINDS, OTHER_KINDS, RANKS
from .labels import labelled
from .models import Correction, Element, Facts, Import, ImportLine, Set
from .queries import Ranked, search_elements, sets_with_elements

MAIN = {"td": {"class": "main"}, "th": {"class": "main"}}
FOLD = {"td": {"class": "fold"}, "th": {"class": "fold"}}
BARE = {"td": {"class": "fold bare"}, "th": {"class": "fold"}}
NUMBER = {"td": {"class": "number"}, "th": {"class": "number"}}

RANK_WORDS: dict[str, Promise] = {
    "rookie": gettext_lazy("Rookie"),
    "experienced": gettext_lazy("Experienced"),
    "veteran": gettext_lazy("Veteran"),
    "common": gettext_lazy("common"),
    "uncommon": gettext_lazy("uncommon"),
    "rare": gettext_lazy("rare"),
    "unique": gettext_lazy("Unique"),
    "super-rare": gettext_lazy("super rare"),
    "limited-edition": gettext_lazy("Limited Edition"),
    "chase": gettext_lazy("chase"),
    "ultra-chase": gettext_lazy("ultra chase"),
    "prime": gettext_lazy("Prime"),
    "promotional": gettext_lazy("Promotional"),
    "fast-forces": gettext_lazy("Fast Forces"),
    "special-edition": gettext_lazy("Special Edition"),
}
KIND_WORDS: dict[str, Promise] = {
    "character": gettext_lazy("character"),
    "bystander": gettext_lazy("bystander"),
    "horde": gettext_lazy("horde"),
    "sentinel": gettext_lazy("Sentinel"),
    "light": gettext_lazy("light object"),
    "heavy": gettext_lazy("heavy object"),
    "immobile": gettext_lazy("immobile object"),
    "ultra-light": gettext_lazy("ultra light object"),
    "ultra-heavy": gettext_lazy("ultra heavy object"),
    "equipment": gettext_lazy("equipment"),
    "id-card": gettext_lazy("ID card"),
    "special-terrain": gettext_lazy("special terrain"),
    "attachment": gettext_lazy("attachment"),
    "tarot-card": gettext_lazy("tarot card"),
    "mystery-card": gettext_lazy("mystery card"),
    "legacy-card": gettext_lazy("legacy card"),
    "one-shot": gettext_lazy("one-shot"),
    "terrain-marker": gettext_lazy("terrain marker"),
    "trick-arrow": gettext_lazy("trick arrow"),
}
EDITIONS = (
    ("ic-2002", gettext_lazy("Infinity Challenge (2002)")),
    ("car-2002", gettext_lazy("Compiled and Annotated (2002)")),
    ("dc-2005", gettext_lazy("DC starter set (2005)")),
    ("core-2014", gettext_lazy("Core Rulebook (2014)")),
    ("core-modern", gettext_lazy("Core Rulebook (2020s)")),
)


def source_words(source: str) -> str:
    """Return a source with its book's name instead of the edition's code: "car-2002, Objects" names the book."""
    edition, comma, section = source.partition(", ")
    book = dict(EDITIONS).get(edition)
    return f"{book} · {section}" if comma and book else source


def citation_words(citation: dict[str, Any]) -> str:
    """Return the book and section of a citation, or an empty text."""
    return source_words(f"{citation['edition']}, {citation['section']}") if citation.get("section") else ""


def address_of(element: Element) -> str:
    """Return the address of an element's page."""
    return reverse("rules:element", args=element.code.split("/", 1))


def kind_words(section: str, kind: str) -> str:
    """Return the kind of an element in words."""
    return str(KIND_WORDS.get(kind, "")) if section != "characters" or kind != "character" else ""


def rank_words(document: dict[str, Any]) -> str:
    """Return a figure's ring in words, or its rarity where it has no ring."""
    rank = document.get("rank", "common")
    if rank in ("common", "uncommon", "rare", "chase"):
        rank = document.get("rarity", rank if rank != "common" else "")
    return str(RANK_WORDS.get(rank, ""))


def points_words(document: dict[str, Any]) -> str:
    """Return an element's points as printed on its base or card; a dash if unknown."""
    return known_points(document) or "–"


def known_points(document: dict[str, Any]) -> str:
    """Return an element's points as printed on its base or card; nothing if unknown."""
    if "cost_per_character" in document:
        return _("%(points)s each") % {"points": document["cost_per_character"]}
    options = document.get("point_options")
    if options:
        return "/".join(str(points) for points in sorted(options, reverse=True))
    if document.get("points") is None:
        return ""
    return (
        _("%(points)s each") % {"points": document["points"]}
        if document.get("per_character")
        else f"{document['points']}"
    )


class ElementTable(tables.Table):
    """Results of a search of the catalogue."""

    caption = gettext_lazy("Catalogue")
    caption_hidden = True
    name = tables.Column(verbose_name=gettext_lazy("Name"), attrs=MAIN)
    points = tables.Column(
        verbose_name=gettext_lazy("Points"), accessor="document", order_by=("points_high", "name"), attrs=NUMBER
    )
    rank = tables.Column(verbose_name=gettext_lazy("Rank"), accessor="document", order_by=("rank", "name"), attrs=FOLD)
    set = tables.Column(
        verbose_name=gettext_lazy("Set and number"),
        accessor="element",
        order_by=("element__set__code", "element__number"),
        attrs={"td": {"class": "fold unbroken"}, "th": {"class": "fold"}},
    )
    kind = tables.Column(
        verbose_name=gettext_lazy("Type"), accessor="element", order_by=("element__section", "kind"), attrs=FOLD
    )
    teams = tables.Column(
        verbose_name=gettext_lazy("Teams and keywords"), accessor="document", orderable=False, attrs=FOLD
    )

    class Meta:
        attrs = {"class": "folds lines dense"}
        empty_text = gettext_lazy("Nothing found. Remove a filter or try fewer words.")

    def render_name(self, record: Facts) -> SafeString:
        """Link the name to the element's page; on a phone, rank and set stand below it."""
        detail = " · ".join(filter(None, [self.render_set(record), self.render_rank(record)]))
        address = address_of(record.element)
        return format_html('<a href="{}">{}<small class="quiet">{}</small></a>', address, record.name, detail)

    def render_points(self, record: Facts) -> str:
        """Render the points as printed on the base."""
        return points_words(record.document)

    def render_rank(self, record: Facts) -> str:
        """Render the ring, or the rarity."""
        return rank_words(record.document)

    def render_set(self, record: Facts) -> str:
        """Render the set's name and the collector's number."""
        return f"{record.element.set.name} {record.element.number}".strip()

    def render_kind(self, record: Facts) -> str:
        """Render the kind of element."""
        words = kind_words(record.element.section, record.kind)
        return words or str(record.element.get_section_display())

    def render_teams(self, record: Facts) -> str:
        """Render teams, keywords and generic keywords in a row, each once."""
        facts = record.document
        names = [name for key in ("teams", "keywords", "generic_keywords") for name in facts.get(key, ())]
        return ", ".join(dict.fromkeys(names))


class SetItemTable(ElementTable):
    """What is in a set, by collector number."""

    caption = gettext_lazy("Items")
    number = tables.Column(verbose_name=gettext_lazy("Number"), accessor="element__number", default="–", attrs=FOLD)

    class Meta(ElementTable.Meta):
        orderable = False
        sequence = ("number", "...")
        exclude = ("set",)

    def render_set(self, record: Facts) -> str:
        """Render the number alone: the page is the set's."""
        return record.element.number


class SetTable(tables.Table):
    """The sets of the catalogue."""

    caption = gettext_lazy("Sets")
    caption_hidden = True
    name = tables.Column(verbose_name=gettext_lazy("Name"), attrs=MAIN)
    elements = tables.Column(verbose_name=gettext_lazy("Items"), accessor="count", attrs=NUMBER)
    code = tables.Column(verbose_name=gettext_lazy("Code"), attrs=FOLD)
    universe = tables.Column(verbose_name=gettext_lazy("Universe"), attrs=FOLD)
    street_date = tables.DateColumn(
        verbose_name=gettext_lazy("Street date"), format="j N Y", attrs=FOLD, default=gettext_lazy("unknown")
    )
    year = tables.Column(verbose_name=gettext_lazy("Published"), attrs=FOLD, default="")

    class Meta:
        attrs = {"class": "folds lines dense"}
        empty_text = gettext_lazy("No sets yet. Imported files add their sets here.")

    def render_name(self, record: Set) -> SafeString:
        """Link to the set's page."""
        return format_html('<a href="{}">{}</a>', reverse("rules:set", args=[record.code]), record.name)


def suggested(what: str) -> forms.TextInput:
    """Return a text field that suggests names of powers, teams or keywords while one is typed."""
    asks = {"hx-get": reverse_lazy("rules:suggestions"), "hx-target": f"#{what}s", "hx-swap": "innerHTML"}
    when = {"hx-trigger": "focus once, input changed delay:150ms", "hx-sync": "this:replace", "hx-select": "unset"}
    return forms.TextInput(attrs={"list": f"{what}s", "autocomplete": "off", **asks, **when})


class CatalogueFilter(django_filters.FilterSet):
    """The search form; `search_elements` does the searching."""

    q = django_filters.CharFilter(label=gettext_lazy("Search by name, number, team, keyword or power"), max_length=100)
    set = django_filters.ModelChoiceFilter(
        label=gettext_lazy("Set"),
        queryset=lambda request: sets_with_elements(),
        to_field_name="code",
        empty_label=gettext_lazy("any"),
    )
    points_from = django_filters.NumberFilter(label=gettext_lazy("Points from"), min_value=0, max_value=1_000_000)
    points_to = django_filters.NumberFilter(label=gettext_lazy("Points up to"), min_value=0, max_value=1_000_000)
    keyword = django_filters.CharFilter(label=gettext_lazy("Keyword"), max_length=160, widget=suggested("keyword"))
    team = django_filters.CharFilter(label=gettext_lazy("Team"), max_length=160, widget=suggested("team"))
    power = django_filters.CharFilter(label=gettext_lazy("Power"), max_length=160, widget=suggested("power"))
    kind = django_filters.ChoiceFilter(
        label=gettext_lazy("Kind"),
        choices=[(kind, KIND_WORDS[kind]) for kind in (*CHARACTER_KINDS, *OBJECT_KINDS, *OTHER_KINDS)],
        empty_label=gettext_lazy("any"),
    )
    rank = django_filters.ChoiceFilter(
        label=gettext_lazy("Rank"),
        choices=[(rank, RANK_WORDS[rank]) for rank in RANKS],
        empty_label=gettext_lazy("any"),
    )
    edition = django_filters.ChoiceFilter(
        label=gettext_lazy("Allowed in"), choices=EDITIONS, empty_label=gettext_lazy("any rulebook")
    )
    date = django_filters.DateFilter(
        label=gettext_lazy("Values as of"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    class Meta:
        model = Facts
        fields: list[str] = []

    def filter_queryset(self, queryset: QuerySet[Facts]) -> Ranked:
        """Search by all values of the form."""
        asked = self.form.cleaned_data
        chosen = asked.get("set")
        return search_elements(
            text=asked.get("q") or "",
            sets=chosen.code if chosen else None,
            points_from=_whole(asked.get("points_from")),
            points_to=_whole(asked.get("points_to")),
            keyword=asked.get("keyword") or None,
            team=asked.get("team") or None,
            power=asked.get("power") or None,
            kind=asked.get("kind") or None,
            rank=asked.get("rank") or None,
            edition=asked.get("edition") or "",
            date=asked.get("date"),
        )


def _whole(number: Any) -> int | None:
    return None if number is None else int(number)


class CorrectionTable(tables.Table):
    """Corrections of figures, the latest first."""

    caption = gettext_lazy("Corrections")
    caption_hidden = True
    element = tables.Column(verbose_name=gettext_lazy("Figure"), orderable=False, attrs=MAIN)
    from_date = tables.DateColumn(verbose_name=gettext_lazy("Effective from"), format="j N Y", orderable=False)
    changes = tables.Column(verbose_name=gettext_lazy("Changes"), orderable=False, attrs=BARE)
    text = tables.Column(verbose_name=gettext_lazy("Explanation"), orderable=False, attrs=BARE, default="")
    citation = tables.Column(verbose_name=gettext_lazy("Source"), orderable=False, attrs=FOLD, empty_values=())

    class Meta:
        empty_text = gettext_lazy(
            "No corrections yet. When the sanctioning office records a correction on a figure's page, it appears here."
        )

    def render_element(self, record: Correction) -> SafeString:
        """Link to the figure's page."""
        return format_html('<a href="{}">{}</a>', address_of(record.element), record.element)

    def render_changes(self, record: Correction) -> SafeString:
        """Render the changes in words; mark a withdrawn correction."""
        words = format_html_join("; ", "{}", ((line,) for line in changes_words(record.changes)))
        if record.withdrawn:
            return format_html("<s>{}</s> {}", words, _("(withdrawn)"))
        return words

    def render_citation(self, record: Correction) -> str:
        """Render edition and section, or another source."""
        return citation_words(record.citation) or source_words(record.provenance)


FACT_WORDS: dict[str, Promise] = {
    "name": gettext_lazy("name"),
    "number": gettext_lazy("collector number"),
    "points": gettext_lazy("points"),
    "point_options": gettext_lazy("point values"),
    "starts": gettext_lazy("starting clicks"),
    "rank": gettext_lazy("rank"),
    "rarity": gettext_lazy("rarity"),
    "kind": gettext_lazy("kind"),
    "base_color": gettext_lazy("base colour"),
    "base": gettext_lazy("base"),
    "teams": gettext_lazy("teams"),
    "keywords": gettext_lazy("keywords"),
    "generic_keywords": gettext_lazy("generic keywords"),
    "powers": gettext_lazy("powers"),
    "range": gettext_lazy("range"),
    "bolts": gettext_lazy("bolts"),
    "symbols": gettext_lazy("symbols"),
    "symbols.speed": gettext_lazy("speed symbol"),
    "symbols.attack": gettext_lazy("attack symbol"),
    "symbols.defense": gettext_lazy("defense symbol"),
    "symbols.damage": gettext_lazy("damage symbol"),
    "street_date": gettext_lazy("street date"),
    "promotional": gettext_lazy("Promotional"),
    "dial": gettext_lazy("combat dial"),
    "dial_clicks": gettext_lazy("dial clicks"),
    "special_powers": gettext_lazy("special powers"),
    "known": gettext_lazy("known values"),
    "text": gettext_lazy("note"),
    "card_text": gettext_lazy("card text"),
    "cards": gettext_lazy("effects of cards"),
    "real_name": gettext_lazy("real name"),
    "improved": gettext_lazy("improved abilities"),
    "requires": gettext_lazy("prerequisites"),
    "cost_per_character": gettext_lazy("cost per character"),
    "special": gettext_lazy("special object"),
    "allows_sideline": gettext_lazy("sideline allowed"),
    "properties": gettext_lazy("properties"),
    "horde_stack": gettext_lazy("largest horde stack"),
    "passengers": gettext_lazy("passengers"),
    "relic_roll": gettext_lazy("relic roll"),
    "force_construction": gettext_lazy("force construction"),
}


def fact_words(value: Any) -> str:
    """Return a fact's value in words, short enough for a line."""
    if value is None or value in ([], {}, ""):
        return _("nothing")
    if value is True or value is False:
        return _("yes") if value else _("no")
    if isinstance(value, list):
        if value and isinstance(value[0], dict):
            return ngettext("%(count)s entry", "%(count)s entries", len(value)) % {"count": len(value)}
        return ", ".join(str(entry) for entry in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {entry}" for key, entry in value.items())
    return str(value)


def changes_words(changes: dict[str, Any]) -> list[str]:
    """Return the changes of a correction, one line per fact."""
    lines = []
    for key, value in changes.items():
        if key == "replace_powers":
            lines += [_("%(new)s instead of %(old)s") % {"old": old, "new": new} for old, new in value.items()]
        else:
            lines.append(labelled(FACT_WORDS.get(key, key), fact_words(value)))
    return lines


def difference_lines(differences: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Return differences in words: the fact, before, after; a dial click by click if both sides have one."""
    lines = []
    for each in differences:
        label = str(FACT_WORDS.get(each["fact"], each["fact"]))
        before, after = each["before"], each["after"]
        if each["fact"] == "dial" and isinstance(before, list) and isinstance(after, list):
            for number in range(1, max(len(before), len(after)) + 1):
                old = before[number - 1] if number <= len(before) else None
                new = after[number - 1] if number <= len(after) else None
                if old != new:
                    click = _("%(dial)s, click %(number)s") % {"dial": label, "number": number}
                    lines.append({"label": click, "before": _click_words(old), "after": _click_words(new)})
        else:
            lines.append({"label": label, "before": fact_words(before), "after": fact_words(after)})
    return lines


def _click_words(click: dict[str, Any] | None) -> str:
    if click is None or click.get("ko"):
        return "KO"
    powers = click.get("powers") or {}
    return " · ".join(
        f"{click.get(slot, '–')} {powers.get(slot, '')}".strip() for slot in ("speed", "attack", "defense", "damage")
    )


class ImportTable(tables.Table):
    """Imported files, and files waiting to be imported."""

    caption = gettext_lazy("Imports")
    caption_hidden = True
    file_name = tables.Column(verbose_name=gettext_lazy("File"), orderable=False, attrs=MAIN)
    state = tables.Column(verbose_name=gettext_lazy("State"), orderable=False)
    records = tables.Column(verbose_name=gettext_lazy("Records"), orderable=False, attrs=NUMBER)
    by = tables.Column(verbose_name=gettext_lazy("Knocked out or captured by"), orderable=False, attrs=FOLD)
    at = tables.DateTimeColumn(verbose_name=gettext_lazy("When"), format="D j N Y, H:i", orderable=False, attrs=FOLD)

    class Meta:
        empty_text = gettext_lazy("No imports yet. Choose a file above to preview it.")

    def render_records(self, record: Import) -> str:
        """Render the number of records, with separators."""
        return intcomma(record.records)

    def render_state(self, record: Import) -> SafeString:
        """Render the state with its icon."""
        shapes = {"planned": "warn", "applied": "done", "failed": "bad"}
        shape = "live" if record.is_under_way else shapes.get(record.state, "")
        return format_html('<span class="state {}">{}</span>', shape, record.get_state_display())

    def render_file_name(self, record: Import) -> SafeString:
        """Link to the import's page."""
        return format_html('<a href="{}">{}</a>', reverse("rules:import", args=[record.pk]), record.file_name)


def place_words(where: str) -> str:
    """Return the place of a record: "line 12" in the reader's language, a JSON pointer as it is."""
    line = where.removeprefix("line ")
    return _("line %(number)s") % {"number": line} if line.isdecimal() else where


class LineTable(tables.Table):
    """The effects of an import, record by record."""

    caption = gettext_lazy("Records")
    where = tables.Column(verbose_name=gettext_lazy("Where"), orderable=False, attrs={"td": {"class": "lead"}})
    name = tables.Column(verbose_name=gettext_lazy("Name"), orderable=False, attrs=MAIN, empty_values=())
    outcome = tables.Column(verbose_name=gettext_lazy("Outcome"), orderable=False)
    differences = tables.Column(verbose_name=gettext_lazy("Details"), orderable=False, attrs=BARE, empty_values=())

    class Meta:
        empty_text = gettext_lazy("No record has this outcome. Choose another outcome above.")

    def render_where(self, record: ImportLine) -> str:
        """Render the place, with its file if the import has several."""
        where = place_words(record.where)
        return f"{record.file} {where}" if record.reading.files > 1 else where

    def render_name(self, record: ImportLine) -> str:
        """Render the element's name, or its code if it has none."""
        return record.name or record.code or "?"

    def render_outcome(self, record: ImportLine) -> SafeString:
        """Render the outcome as a state."""
        shape = {"left-out": "bad", "added": "good", "changed": "warn", "passed-over": "", "unchanged": "done"}
        words = record.get_outcome_display()
        return format_html('<span class="state {}">{}</span>', shape.get(record.outcome, ""), words)

    def render_differences(self, record: ImportLine) -> SafeString | str:
        """Render the faults, or the differences before and after."""
        if record.faults:
            said = [
                message if where == record.where else labelled(place_words(where), message)
                for where, message in record.faults
            ]
            return format_html(
                '<ul class="plain">{}</ul>', format_html_join("", "<li>{}</li>", ((one,) for one in said))
            )
        if record.message:
            return record.message
        lines = difference_lines(record.differences)
        if not lines:
            return ""
        items = format_html_join(
            "",
            "<li>{}: <s>{}</s> → <strong>{}</strong></li>",
            ((each["label"], each["before"], each["after"]) for each in lines),
        )
        return format_html('<ul class="plain">{}</ul>', items)

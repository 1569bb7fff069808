"""The site in several languages: chosen in the menu, stored in a cookie and, for mails, in the account."""

import ast
import datetime
import gettext
import re
from fractions import Fraction
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format

from events.actions import ACTIONS
from events.models import Person
from events.standings import CRITERIA
from events.standings_columns import in_language
from rules.engine import page_texts
from tests.tables import every_row
from tests.trees import tree_of

LOCALES = Path(settings.BASE_DIR) / "config" / "locale"
OTHERS = [code for code, _name in settings.LANGUAGES if code != "en"]
PLACE = re.compile(r"%\([a-z_]+\)[sd]|%%|\{[a-z_]*\}|</?[a-z]+[^>]*>")


def catalogue(language: str) -> polib.POFile:
    return polib.pofile(str(LOCALES / language / "LC_MESSAGES" / "django.po"))


@pytest.mark.django_db
def test_a_visitor_chooses_a_language_and_stays_where_he_was(staff):
    client = Client()
    address = reverse("events:event", args=[staff.event.public_id])
    answer = client.post("/language/", {"language": "fr", "next": address})
    assert (answer.status_code, answer["Location"]) == (302, address)
    page = client.get(address).text
    assert '<html lang="fr"' in page
    client.post("/language/", {"language": "en"})
    assert '<html lang="en"' in client.get(address).text


@pytest.mark.django_db
@pytest.mark.parametrize("typed", [{"language": "xx"}, {}, {"language": "fr", "next": "https://elsewhere.example/"}])
def test_an_unknown_language_leads_home(client, typed):
    answer = client.post("/language/", typed)
    assert answer["Location"] == "/"
    assert (settings.LANGUAGE_COOKIE_NAME in answer.cookies) == (typed.get("language") == "fr")


@pytest.mark.django_db
def test_an_account_keeps_the_language_for_its_mails(staff):
    staff.client("judge").post("/language/", {"language": "fr"})
    assert Person.objects.get(pk=staff.judge.pk).language == "fr"


@every_row("language", OTHERS)
def test_every_text_is_translated_with_all_its_places(language):
    found = catalogue(language)
    assert [entry.msgid for entry in found.untranslated_entries()] == []
    assert [entry.msgid for entry in found.fuzzy_entries()] == []
    for entry in found:
        if entry.obsolete:
            continue
        pairs = [(entry.msgid, entry.msgstr)]
        if entry.msgid_plural:
            pairs = [(entry.msgid_plural, entry.msgstr_plural[max(entry.msgstr_plural)])]
        for said, translated in pairs:
            assert sorted(set(PLACE.findall(translated))) == sorted(set(PLACE.findall(said))), said


@every_row("language", OTHERS)
def test_the_compiled_catalogue_matches_its_source(language):
    with (LOCALES / language / "LC_MESSAGES" / "django.mo").open("rb") as compiled:
        known = gettext.GNUTranslations(compiled)
    for entry in catalogue(language):
        if not entry.obsolete and not entry.msgid_plural and entry.msgctxt is None:
            assert known.gettext(entry.msgid) == entry.msgstr


def marked_in_module(source: str) -> set[str]:
    """Return the texts that a module marks, including those in f-strings, where `makemessages` finds none."""
    found = set()
    for node in ast.walk(tree_of(source)):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
            if called in {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy"}:
                found.add(node.args[0].value)
    return found


def test_marked_texts_are_found_in_f_strings_and_in_single_quotes():
    source = (
        """told = f"{name} ({_('left')})" + _('right') + _("in " "two") + ngettext("%(n)d", "%(n)ds", n) + _(name)"""
    )
    assert marked_in_module(source) == {"left", "right", "in two", "%(n)d"}


def texts() -> set[str]:
    """Return every text marked for translation in templates, modules and the engine, as catalogues name them."""
    root, found = Path(settings.BASE_DIR), set(page_texts())
    for place in ("events", "judging", "rules", "config"):
        for path in (root / place).rglob("*.py"):
            if "migrations" in path.parts or "engine" in path.parts:
                continue
            found |= marked_in_module(path.read_text(encoding="utf-8"))
    for path in (one for one in (root / "templates").rglob("*.*") if one.suffix in (".html", ".txt")):
        template = path.read_text(encoding="utf-8")
        marked = re.findall(r'{%\s*translate "([^"]+)"', template) + re.findall(r"{%\s*translate '([^']+)'", template)
        marked += re.findall(r'[=:]_\("([^"]+)"\)', template)
        found |= {text.replace("%", "%%") for text in marked}
    return found


OTHER_NAMES = {
    "Create an event", "Finish the event", "Give a penalty", "Register your venue", "Report your result",
    "Erase data",
}  # fmt: skip
"""Titles of tasks in the guides (sentences, not buttons), and an administrator's button for another person's data."""


def test_a_button_differs_from_its_action_by_more_than_an_article():
    """The page, the button, the audit log and the API call one thing by one name: "Undo check-in" everywhere."""

    def bare(text: str) -> tuple[str, ...]:
        return tuple(re.sub(r"\b(?:the|a|an|this|your)\b|[^\w ]", " ", text.casefold()).split())

    labels = {bare(str(row.label)): str(row.label) for row in ACTIONS.values()}
    almost = {
        text: labels[bare(text)]
        for text in texts() - OTHER_NAMES
        if bare(text) in labels and not text.endswith("?") and labels[bare(text)] != text.rstrip("…?.")
    }
    assert not almost, "use the label of events/actions.py"


@every_row("language", OTHERS)
def test_no_text_is_missing_from_the_catalogue(language):
    """After changing texts, run `make messages` and translate the new ones."""
    known = {entry.msgid for entry in catalogue(language) if not entry.obsolete}
    missing = sorted(texts() - known)
    assert not missing, f"Run `make messages` and translate these in config/locale/{language}: {missing}"


@every_row("language", OTHERS)
def test_dates_and_numbers_follow_the_language(language):
    with translation.override(language):
        shown = Template('{% load l10n %}{{ number|localize }} {{ day|date:"l" }}').render(
            Context({"number": 66.5, "day": datetime.date(2026, 11, 21)})
        )
    assert shown == {"fr": "66,5 samedi"}[language]


@pytest.mark.django_db
def test_values_of_the_standings_are_written_as_the_language_does():
    with translation.override("fr"):
        assert [in_language(text) for text in ("66.67%", "132.25", "4")] == ["66,67\u00a0%", "132,25", "4"]
    assert in_language("66.67%") == "66.67%"


def test_decimals_align_in_a_column_and_data_keep_them_short():
    average = CRITERIA["opponents-average-score"]
    values = [Fraction(265, 2), Fraction(147), Fraction(529, 4)]
    assert [average.text(value, in_column=True) for value in values] == ["132.50", "147.00", "132.25"]
    assert [average.text(value) for value in values] == ["132.5", "147", "132.25"]
    assert CRITERIA["wins"].text(Fraction(2), in_column=True) == "2"


def literal_colons(text: str) -> list[str]:
    """Return the places in a template where a colon is outside all translated texts."""
    marked = r"{%\s*blocktranslate\b.*?endblocktranslate\s*%}|{%\s*comment\b.*?endcomment\s*%}|<(?:script|style)\b.*?</(?:script|style)>"
    outside = re.sub(marked, "}", text, flags=re.DOTALL)
    return re.findall(r".{0,30}[}>]: ?(?=[{<]).{0,30}", re.sub(r'="[^"]*"', "", outside))


def test_no_template_sets_a_colon_itself():
    """French puts a space before a colon, so the colon belongs into a text such as `{{ which }}: {{ what }}`."""
    root = Path(settings.BASE_DIR) / "templates"
    found = {
        str(path.relative_to(root)): literal_colons(path.read_text(encoding="utf-8")) for path in root.rglob("*.html")
    }
    assert {path: places for path, places in found.items() if places} == {}


def test_short_dates_are_written_as_the_language_does():
    day = datetime.date(2026, 7, 5)
    with translation.override("fr"):
        assert date_format(day, "j N Y") == "5 juil. 2026"
    root, capital = Path(settings.BASE_DIR), re.compile(r"""["'](?:D )?j M\b""")  # "Jul" isn't French
    places = [path for app in ("events", "judging", "rules") for path in (root / app).rglob("*.py")]
    places += (root / "templates").rglob("*.html")
    assert [path.name for path in places if capital.search(path.read_text(encoding="utf-8"))] == []

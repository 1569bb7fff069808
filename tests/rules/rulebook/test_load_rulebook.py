"""`load_rulebook`: a judge's own text is loaded, replaced on reload, and errors are clear."""

import io
import re
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from rules import reading
from rules.engine import Citation, headings, ruling
from rules.models import LoadedRulebook, RulebookPassage
from rules.search import understand

pytestmark = pytest.mark.django_db
BOOKS = Path(__file__).parents[4] / "shared" / "seeds"


def little_book(edition="core-2014", words="What it says of {}."):
    """Return a text of our own that has an edition's headings, in order."""
    lines = []
    for heading in sorted(headings(edition).all, key=lambda heading: heading.at):
        if heading.printed:
            lines += [heading.printed.upper(), words.format(heading.name), ""]
    return "\n".join(lines)


def load(tmp_path, text, edition="core-2014"):
    file = tmp_path / "book.txt"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    said = io.StringIO()
    call_command("load_rulebook", edition, str(file), stdout=said)
    return said.getvalue()


def test_a_book_is_loaded_and_citations_open_its_passages(tmp_path):
    said = load(tmp_path, little_book())
    assert said.startswith("core-2014: ")
    book = LoadedRulebook.objects.get()
    assert (book.edition, book.file_name, book.exact) == ("core-2014", "book.txt", False)
    citation = Citation("core-2014", "Feats › The 10% Rule")
    opened = reading.open_citations(
        [citation, Citation("core-2014", "Powers and Abilities Card"), Citation("ic-2002", "Feats › The 10% Rule")]
    )
    assert list(opened) == [("core-2014", "Feats › The 10% Rule")]
    assert "What it says of The 10% Rule." in opened["core-2014", "Feats › The 10% Rule"].text


def test_loading_again_replaces(tmp_path):
    load(tmp_path, little_book())
    before = RulebookPassage.objects.count()
    load(tmp_path, little_book(words="Now it says {}."))
    assert LoadedRulebook.objects.count() == 1
    assert RulebookPassage.objects.count() == before
    assert not RulebookPassage.objects.filter(text__contains="What it says").exists()


def test_headings_not_found_are_named(tmp_path):
    said = load(tmp_path, little_book(words="Some words.").replace("THE 10% RULE", "THE TENTH RULE"))
    assert "headings were not found" in said
    assert "  Feats › The 10% Rule" in said.splitlines()
    assert "Feats › The 10% Rule" in LoadedRulebook.objects.get().missing


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(little_book("ic-2002").encode()), encoding="utf-8"))
    call_command("load_rulebook", "ic-2002", "-", stdout=io.StringIO())
    assert LoadedRulebook.objects.get().edition == "ic-2002"


@pytest.mark.parametrize(
    ("edition", "text", "told"),
    [
        ("core-1999", "x", "core-1999 isn't an edition"),
        ("core-2014", b"\xff\xfe\x00", "isn't UTF-8"),
        ("core-2014", "A cookery book.", "Nothing was loaded"),
    ],
)
def test_faults_are_reported_and_nothing_is_lost(tmp_path, edition, text, told):
    load(tmp_path, little_book())
    with pytest.raises(CommandError, match=told):
        load(tmp_path, text, edition)
    assert LoadedRulebook.objects.count() == 1


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(CommandError, match="can't be read"):
        call_command("load_rulebook", "core-2014", str(tmp_path / "none.txt"))


def test_a_ruling_opens_its_note_or_its_section():
    book = LoadedRulebook.objects.create(edition="car-2002", file_name="x", exact=True)
    RulebookPassage.objects.create(rulebook=book, order=1, section="Combat › Knockback", text="the section")
    RulebookPassage.objects.create(
        rulebook=book, order=2, section="Combat › Knockback", ruling="faq-knockback-mandatory", text="the note"
    )
    asked = [
        ruling("car-2002", name)
        for name in ("faq-knockback-mandatory", "faq-knockback-oblique", "faq-force-blast-damage")
    ]
    opened = reading.open_rulings("car-2002", asked)
    assert {name: passage.text for name, passage in opened.items()} == {
        "faq-knockback-mandatory": "the note",
        "faq-knockback-oblique": "the section",
    }


def test_passages_are_searched_whatever_case_accents_and_endings():
    book = LoadedRulebook.objects.create(edition="car-2002", file_name="x")
    RulebookPassage.objects.create(rulebook=book, order=1, section="Movement", text="Élan carries a figure far. " * 30)
    RulebookPassage.objects.create(rulebook=book, order=2, section="Elan", text="Nothing else.")

    def found(asked, book=""):
        return [hit.passage.section for hit in reading.search_passages(understand(asked), book)]

    assert found("ÉLAN") == ["Elan", "Movement"]
    assert found("elan carrying") == ["Movement"]
    assert found("elan", "core-modern") == found("lan") == found("") == found("of the") == []
    excerpt = reading.search_passages(understand("elan carrying"))[0].excerpt
    assert excerpt.startswith("Élan carries")
    assert len(excerpt) < 200


def test_a_book_loaded_again_is_searched_anew():
    for word in ("zeppelin", "grandmother"):
        book, _made = LoadedRulebook.objects.update_or_create(edition="car-2002", defaults={"file_name": "x"})
        book.passages.all().delete()
        RulebookPassage.objects.create(rulebook=book, order=1, section="Movement", text=f"The {word} moves.")
        assert [hit.excerpt for hit in reading.search_passages(understand(word))] == [f"The {word} moves."]
    assert reading.search_passages(understand("zeppelin")) == []


def test_paragraphs_join_broken_lines_and_keep_points_apart():
    passage = RulebookPassage(
        section="Terrain › Walls",
        text="WALLS\nOne line\nbroken in two.\n\n• a point\n• another\n<|mark|>## Last **words**",
    )
    assert passage.paragraphs == ["One line broken in two.", "• a point", "• another Last words"]


@pytest.mark.skipif(not BOOKS.is_dir(), reason="the books are not on this machine")
@pytest.mark.parametrize(
    ("edition", "number", "sections", "notes"),
    [
        ("ic-2002", 4, 84, 16),
        ("car-2002", 0, 240, 371),
        ("dc-2005", 3, 121, 0),
        ("core-2014", 1, 170, 47),
        ("core-modern", 2, 201, 131),
    ],
)
def test_the_books_themselves(tmp_path, edition, number, sections, notes):
    text = next(BOOKS.glob(f"00{number}_*.txt")).read_text(encoding="utf-8")
    load(tmp_path, text, edition)
    book = LoadedRulebook.objects.get()
    assert (book.exact, book.missing) == (True, [])
    assert book.passages.filter(ruling="").count() == sections
    assert book.passages.exclude(ruling="").count() == notes
    exact = {row.section: row.text for row in book.passages.filter(ruling="")}
    load(tmp_path, "From another scan.\n" + re.sub(r"[ \t]+", " ", text), edition)
    book.refresh_from_db()
    assert not book.exact
    found = {row.section: row.text for row in book.passages.all()}
    alike = sum(
        re.sub(r"\W", "", words)[:40] in re.sub(r"\W", "", exact[section])[:60] for section, words in found.items()
    )
    assert alike >= 0.75 * sections

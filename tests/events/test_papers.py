"""Paper: the tables on it, the order of the slips once cut, and the targets of the printed codes."""

import io
from urllib.parse import urlsplit

import pypdf
import pytest
from django.urls import reverse

from events.models import Entry, Event, Round
from events.pdf.paper import PageHeading, paper, readable, words
from events.pdf.slips import Slip, slips
from tests.factories import EntryFactory, MatchFactory, RoundFactory

pytestmark = pytest.mark.django_db


def text_of(content: bytes) -> list[str]:
    """Return the text of each page."""
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages]


def codes_in(content: bytes, tmp_path) -> list[str]:
    """Return the contents of a PDF's QR codes, page by page, read from its image."""
    import shutil
    import subprocess

    import zxingcpp
    from PIL import Image

    if not shutil.which("pdftoppm"):
        pytest.skip("pdftoppm (poppler-utils) is not installed: codes cannot be read from the picture")
    (tmp_path / "paper.pdf").write_bytes(content)
    subprocess.run(["pdftoppm", "-r", "150", "-png", "paper.pdf", "page"], cwd=tmp_path, check=True)
    found = []
    for picture in sorted(tmp_path.glob("page*.png")):
        with Image.open(picture) as drawn:
            found += [code.text for code in zxingcpp.read_barcodes(drawn)]
    return found


@pytest.fixture
def round_(staff):
    Event.objects.update(state=Event.State.RUNNING)
    staff.event.refresh_from_db()
    found = RoundFactory(event=staff.event, number=1, state=Round.State.PUBLISHED, scenario="showdown")
    names = [
        "Łukasz Żółć",
        "山田 太郎",
        "O'Neil <b>Bold</b>",
        "Bartholomew Featherstonehaugh-Cholmondeley the Younger",
        "=HYPERLINK()",
    ]
    for table in range(1, 6):
        a = EntryFactory(event=staff.event, name=names[table - 1])
        b = EntryFactory(event=staff.event, name=f"Minor Child{table}", is_minor=True)
        MatchFactory(round=found, table=table, a=a, b=b)
    MatchFactory(round=found, table=None, a=EntryFactory(event=staff.event, name="Bea Bye"), b=None, kind="bye")
    return found


def get(client, event, name, *args, **asked):
    return client.get(reverse(f"events:{name}", args=[event.public_id, *args]), asked)


def test_pairings_name_everyone_by_name_and_by_table(staff, round_):
    answer = get(staff.client("judge"), staff.event, "pairings-pdf", 1)
    assert answer["Content-Type"] == "application/pdf"
    pages = text_of(answer.content)
    assert len(pages) == 2
    for page in pages:
        flat = " ".join(page.split())
        for name in ["Łukasz Żółć", "O'Neil <b>Bold</b>", "Featherstonehaugh", "Bea Bye", "Minor C.", "bye"]:
            assert name in flat, name
        assert staff.event.name in flat
    assert "page 1 of 2" in pages[0]
    assert "page 2 of 2" in pages[1]


@pytest.mark.parametrize("paper", ["pairings-pdf", "standings-pdf"])
def test_posted_paper_shortens_the_names_of_minors_whoever_prints_it(staff, round_, client, paper):
    for reader in (client, staff.client("head_judge")):
        text = " ".join(text_of(get(reader, staff.event, paper, *[1] * (paper == "pairings-pdf")).content))
        assert "Minor C." in text
        assert "Child" not in text


def test_a_draft_is_not_printed_for_the_public(staff, round_, client):
    Round.objects.update(state=Round.State.DRAFT)
    assert get(client, staff.event, "pairings-pdf", 1).status_code == 404
    assert get(staff.client("judge"), staff.event, "pairings-pdf", 1).status_code == 200


def test_letter_is_as_good_as_a4(staff, round_):
    answer = get(staff.client("judge"), staff.event, "slips-pdf", 1, paper="letter")
    page = pypdf.PdfReader(io.BytesIO(answer.content)).pages[0]
    assert (round(page.mediabox.width), round(page.mediabox.height)) == (612, 792)


def test_a_cut_stack_of_slips_stays_in_table_order():
    tables = [Slip(number, (f"A{number}", f"B{number}"), "https://example.org/") for number in range(1, 11)]
    pages = text_of(slips(PageHeading("Event", "Round 1"), tables))
    assert len(pages) == 3  # four slips per page: piles of tables 1–3, 4–6, 7–9, 10
    rows = [[number for number in range(1, 11) if f"A{number}\n" in page + "\n"] for page in pages]
    piles = [[row[place] for row in rows if place < len(row)] for place in range(4)]
    assert [number for pile in piles for number in pile] == list(range(1, 11))


def test_each_slip_leads_to_its_table(staff, round_, tmp_path):
    answer = get(staff.client("scorekeeper"), staff.event, "slips-pdf", 1)
    paths = {urlsplit(code).path for code in codes_in(answer.content, tmp_path)}
    assert paths == {reverse("events:table", args=[staff.event.public_id, 1, table]) for table in range(1, 6)}


def test_the_card_of_a_player_without_an_account_acts_for_the_entry(staff, round_, client, tmp_path):
    entry = Entry.objects.get(name="Łukasz Żółć")
    answer = get(staff.client("scorekeeper"), staff.event, "player-cards-pdf", entry=entry.number)
    (code,) = codes_in(answer.content, tmp_path)
    assert client.get(urlsplit(code).path, follow=True).status_code == 200
    page = get(client, staff.event, "table", 1, 1).content.decode()
    assert "Report" in page


def test_slips_cards_badges_and_signs_are_for_the_desk(staff, round_, client):
    assert get(client, staff.event, "slips-pdf", 1).status_code == 403
    for name in ("player-cards-pdf", "badges-pdf", "table-signs-pdf"):
        assert get(client, staff.event, name).status_code == 403


def test_badges_name_players_as_the_public_reads_them_and_officials_with_their_role(staff, round_):
    Entry.objects.filter(name="Bea Bye").update(club="The Bye Club")
    pages = text_of(get(staff.client("scorekeeper"), staff.event, "badges-pdf").content)
    text = " ".join(" ".join(pages).split())
    assert len(pages) == -(-(Entry.objects.count() + staff.event.officials.count()) // 8)
    for name in (
        "Łukasz Żółć",
        "Minor C.",
        "The Bye Club",
        "Bea Bye",
        str(staff.head_judge),
        "Head judge",
        staff.event.name,
    ):
        assert name in text, name
    assert "Child" not in text


def test_a_sign_for_each_table_of_a_full_event_leads_to_the_event(staff, round_, tmp_path):
    Event.objects.update(first_table=21, seats=7)
    answer = get(staff.client("scorekeeper"), staff.event, "table-signs-pdf")
    signs = {word for page in text_of(answer.content) for word in page.split() if word in map(str, range(18, 40))}
    assert signs == {"21", "22", "23", "24"}
    paths = [urlsplit(code).path for code in codes_in(answer.content, tmp_path)]
    assert paths == [reverse("events:event", args=[staff.event.public_id])] * 4


def test_the_console_links_the_papers(staff, round_):
    page = staff.client("scorekeeper").get(reverse("events:console", args=[staff.event.public_id])).content.decode()
    assert all(f"/{name}.pdf" in page for name in ("player-cards", "badges", "table-signs"))


def test_standings_are_printed(staff, round_):
    text = " ".join(text_of(get(staff.client("judge"), staff.event, "standings-pdf").content))
    assert "Bea Bye" in text
    assert "Łukasz Żółć" in text
    assert "Standings during round 1" in text


def test_the_standings_lead_to_their_paper(staff, round_, client):
    page = get(client, staff.event, "standings").text
    assert f'href="{reverse("events:standings-pdf", args=[staff.event.public_id])}"' in page


def test_a_paper_without_content_still_says_what_it_is():
    assert "Event" in text_of(paper(PageHeading("Event", "Title"), []))[0]


def test_letters_that_our_font_lacks_are_set_in_one_that_has_them():
    assert "山田" in text_of(paper(PageHeading("Event", "Title"), [words("山田 太郎 <i>")]))[0]


@pytest.mark.parametrize("name", ["pairings-pdf", "slips-pdf"])
def test_paper_asks_the_database_no_more_often_for_a_larger_round(staff, round_, name, django_assert_max_num_queries):
    for table in range(6, 60):
        MatchFactory(round=round_, table=table, a=EntryFactory(event=staff.event), b=EntryFactory(event=staff.event))
    client = staff.client("judge")
    with django_assert_max_num_queries(12):
        get(client, staff.event, name, 1)


def test_pictures_that_the_letters_lack_leave_no_empty_boxes():
    assert readable("Zoë \U0001f3b2\ufe0f O'Neill") == "Zoë O'Neill"
    assert readable("\u05d0\u05d1 \U0001f3b2") == "\u05d1\u05d0"
    assert readable("山田 太郎") == "山田 太郎"
    assert readable("\U0001f3b2") == "\U0001f3b2", "nobody loses the whole name"

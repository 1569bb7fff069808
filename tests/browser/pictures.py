"""The pictures of README.md, docs/ and the site's help, made from the demo on the real site: `make pictures`."""

import base64
import io
import itertools
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone, translation

from events.guides import GUIDES
from events.guides.tasks import LANGUAGES, SCHEMES, SIZES
from events.models import Event, Force, Person, Round, Series, SeriesDraft
from events.roles import SITE
from events.series_table import series_table
from events.services import results, rounds
from judging.keeping.event_file import event_file
from judging.pdf.sheet import sheet
from rules.services.disputes import begin_dispute

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / ".github" / "pictures"
HELP = ROOT / "config" / "static" / "help"
AS_WEBP = """async (png) => {
  const bitmap = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  const bytes = new Uint8Array(await (await canvas.convertToBlob({type: "image/webp", quality: 0.44})).arrayBuffer());
  return btoa(String.fromCharCode(...bytes));
}"""
CLICK = {"speed": 8, "attack": 10, "defense": 16, "damage": 3, "powers": []}
SHOT = {
    "title": "Behind the hedge",
    "edition": "core-2014",
    "map": {
        "width": 10,
        "height": 8,
        "terrain": [
            {"type": "hindering", "squares": ["D2:E5"]},
            {"type": "water", "squares": ["A7:C8"]},
            {"type": "elevated", "squares": ["H6:J8"]},
        ],
        "walls": ["F6|F7", "G6|G7"],
    },
    "sides": [
        {
            "player": "A",
            "characters": [{"id": "a", "name": "Night Watch", "square": "B2", "range": 8, "dial": [CLICK] * 5}],
        },
        {"player": "B", "characters": [{"id": "b", "name": "Rook", "square": "H4", "range": 6, "dial": [CLICK] * 5}]},
    ],
    "actions": [{"action": "ranged", "actor": "a", "targets": ["b"], "rolls": {"attack": [[5, 3]]}}],
}
PHONE, DESK, HALL = {"width": 390, "height": 780}, {"width": 1200, "height": 800}, {"width": 1920, "height": 1080}


@pytest.fixture
def shown(browser, live_server, sign_in):
    """Return `shown(name, address, email, viewport)`, which takes a picture of one page as a person sees it."""
    PLACE.mkdir(parents=True, exist_ok=True)

    def draw(name, address, email="", viewport=PHONE, wait="main", scheme="light"):
        context = browser.new_context(viewport=viewport, reduced_motion="reduce", color_scheme=scheme, locale="en-GB")
        if email:
            sign_in(context, Person.objects.get(email=email))
        page = context.new_page()
        page.goto(live_server.url + address)
        page.wait_for_selector(wait)
        page.wait_for_timeout(600)
        page.screenshot(path=PLACE / f"{name}.png")
        context.close()

    return draw


@pytest.fixture
def as_webp(browser):
    """Return `as_webp(png)`, which gives the bytes of a PNG as WebP."""
    page = browser.new_page()
    yield lambda png: base64.b64decode(page.evaluate(AS_WEBP, base64.b64encode(png).decode()))
    page.close()


@pytest.fixture
def helped(browser, live_server, sign_in, as_webp):
    """Return `helped(name, address, email)`, which draws a picture of the help in each language and colour scheme."""
    pictures = {picture.name: picture for guide in GUIDES.values() for picture in guide.pictures}
    HELP.mkdir(exist_ok=True)

    def draw(name, address, email="", at="main h1"):
        picture = pictures[name]
        width, height = SIZES[picture.size]
        for language, scheme in itertools.product(LANGUAGES, SCHEMES):
            context = browser.new_context(
                viewport={"width": width, "height": height},
                reduced_motion="reduce",
                color_scheme=scheme,
                locale=language,
            )
            if email:
                sign_in(context, Person.objects.get(email=email))
            page = context.new_page()
            page.goto(live_server.url + address)
            page.wait_for_selector("main")
            page.wait_for_timeout(600)
            page.locator(at).first.evaluate("one => scrollTo(0, scrollY + one.getBoundingClientRect().top - 12)")
            (HELP.parent / picture.file(language, scheme)).write_bytes(as_webp(page.screenshot()))
            context.close()

    return draw


def prize_draft(event):
    """Return the address of a series' prize draft, and the account of the player whose turn it is."""
    series = Series.objects.create(venue=event.venue, name="Autumn Storyline", ended=timezone.now())
    series.rows.create(event=event, accepted=timezone.now())
    order = [player.entry for player in series_table(series).prize_order]
    first, second = order[:2]
    person = Person.objects.get(email="player@example.org")
    event.entries.filter(person=person).update(person=None)
    event.entries.filter(pk=second).update(person=person)
    taken = {"entry": first, "prize": "Colossal figure", "note": "", "for_good": False}
    pool = ["Colossal figure", "Play mat", "Booster", "Booster", "Booster", "Map"]
    SeriesDraft.objects.create(series=series, pool=pool, order=order, turns=[taken])
    return reverse("events:series-prizes", args=[series.public_id]), person.email


def test_pictures(shown, helped, as_webp, tmp_path):
    call_command("demo", no_serve=True, stdout=io.StringIO())
    helped("prizes", *prize_draft(Event.objects.get(state="verified")))
    running, opened = Event.objects.get(state="running"), Event.objects.get(state="open")
    finished = Event.objects.get(state="verified")
    head = "headjudge@example.org"
    shown("console", reverse("events:console", args=[running.public_id]), head)
    helped("console", reverse("events:console", args=[running.public_id]), head)
    shown("results", reverse("events:results", args=[running.public_id, 3]), "desk@example.org", DESK)
    helped("results", reverse("events:results", args=[running.public_id, 3]), "desk@example.org")
    shown("standings", reverse("events:standings", args=[finished.public_id]), "", DESK)
    shown("display", reverse("events:display", args=[running.public_id]), "", HALL, wait="body")
    illegal = Force.objects.filter(entry__event__in=[opened, running], standing="not-legal", total__gt=0).first()
    place = [illegal.entry.event.public_id, illegal.entry.number]
    shown("force", reverse("events:force", args=place), head)
    own = Force.objects.filter(entry__event=opened, total__gt=0, entry__person__isnull=False).first().entry
    helped("force", reverse("events:force", args=[opened.public_id, own.number]), own.person.email)
    third = Round.objects.get(event=running, number=3)
    played = third.matches.filter(claims=None).exclude(state="confirmed")
    here = running.entries.filter(person__email__startswith="player")
    player = here.filter(Q(matches_as_a__in=played) | Q(matches_as_b__in=played)).first() or here.first()
    helped("table", reverse("events:entry", args=[running.public_id, player.number]), player.person.email)
    helped("create", f"{reverse('events:create')}?venue={running.venue_id}", "venue@example.org", "form.form")
    helped("office", reverse("events:office"), "office@example.org")
    shown("board", reverse("rules:board-example", args=["boomerang-and-spider-man"]))
    dispute = f"{begin_dispute(document=SHOT).reading_address(5)}#next"
    shown("dispute", dispute)
    helped("dispute", dispute, at="#next")
    for match in third.matches.exclude(state="confirmed"):
        results.decide_result(by=SITE, match=match, result={"score_a": 100, "score_b": 60}, reason="For the picture")
    rounds.complete_round(by=SITE, round=third)
    rounds.draft_round(by=SITE, event=running)
    shown("draft", reverse("events:draft", args=[running.public_id, 4]), head, DESK)
    helped("draft", reverse("events:draft", args=[running.public_id, 4]), head)
    if shutil.which("pdftoppm"):
        document = json.loads(json.dumps(event_file(finished), cls=DjangoJSONEncoder))
        for language in LANGUAGES:
            with translation.override(language):
                (tmp_path / "sheet.pdf").write_bytes(sheet(document))
            if language == "en":
                draw_first_page(tmp_path / "sheet.pdf", PLACE / "sheet", "-r", "60")
            draw_first_page(tmp_path / "sheet.pdf", tmp_path / "sheet", "-scale-to-x", "360", "-scale-to-y", "509")
            (HELP / f"sheet-{language}.webp").write_bytes(as_webp((tmp_path / "sheet.png").read_bytes()))


def draw_first_page(pdf, picture, *scale):
    """Draw the first page of a PDF as `picture` with the ending .png."""
    subprocess.run(["pdftoppm", "-png", "-f", "1", "-l", "1", "-singlefile", *scale, pdf, picture], check=True)

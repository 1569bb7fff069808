"""The help: what it names exists, its links lead somewhere, and its pictures are there and small."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape

from events.guides import GUIDES
from events.guides.tasks import LANGUAGES, NAME, SCHEMES, as_html
from tests.named import is_on_a_page

STATIC = Path(settings.BASE_DIR) / "config/static"
TEMPLATES = Path(settings.BASE_DIR) / "templates"
STEPS = [(guide.key, task.key, str(step)) for guide in GUIDES.values() for task in guide.tasks for step in task.steps]
PICTURES = [picture for guide in GUIDES.values() for picture in guide.pictures]


def size_of(webp):
    """Return width and height of a WebP file, as its extended header says."""
    assert webp[8:16] == b"WEBPVP8X"
    return int.from_bytes(webp[24:27], "little") + 1, int.from_bytes(webp[27:30], "little") + 1


@pytest.mark.parametrize("key", GUIDES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.django_db
def test_a_guide_shows_its_tasks_and_pictures(client, key, language):
    page = client.get(reverse("events:help-guide", args=[key]), headers={"accept-language": language}).text
    with translation.override(language):
        for task in GUIDES[key].tasks:
            assert f'id="{task.key}"' in page
            assert f'href="#{task.key}"' in page
            assert escape(str(task.title)) in page
    for picture in GUIDES[key].pictures:
        for scheme, file in picture.files(language):
            shown = rf'<img src="/static/{file}" alt="[^"]+" width="\d+" height="\d+"\s+loading="lazy" decoding="async"'
            assert re.search(shown + (f' class="by-{scheme}">' if scheme else ">"), page)
    assert "**" not in page


@pytest.mark.django_db
def test_every_page_leads_to_the_help_and_its_links_lead_somewhere(client):
    front = client.get(reverse("events:help")).text
    for address in ["/", *re.findall(r'<a href="(/help/[^"#]+)"', front)]:
        page = client.get(address)
        assert page.status_code == 200
        assert f'href="{reverse("events:help")}"' in page.text
    assert {reverse("events:help-guide", args=[key]) for key in GUIDES} < set(re.findall(r'href="([^"]+)"', front))
    assert client.get("/help/nonsense/").status_code == 404


def test_every_button_and_page_that_the_help_names_exists():
    named = {(where, task, found[1]) for where, task, step in STEPS for found in NAME.finditer(step) if found[1]}
    wrong = [one for one in sorted(named) if not is_on_a_page(re.sub(r"%\(\w+\)[ds]", "1", one[2]))]
    assert wrong == [], "no page or button is called this"


def test_every_command_that_the_help_names_exists():
    said = " ".join(found[2] for _where, _task, step in STEPS for found in NAME.finditer(step) if found[2])
    assert set(re.findall(r"\bheadjudge ([a-z_]+)", said)) - set(get_commands()) == set()


def test_a_translated_step_names_the_same_buttons_and_commands():
    with translation.override("fr"):
        french = [str(step) for guide in GUIDES.values() for task in guide.tasks for step in task.steps]
    wrong = [
        (a, b) for (_, _, a), b in zip(STEPS, french, strict=True) if sorted(NAME.findall(a)) != sorted(NAME.findall(b))
    ]
    assert wrong == [], "the French names other buttons"


def test_names_are_shown_in_the_readers_language_and_as_text():
    with translation.override("fr"):
        assert (
            as_html("Use **My data** & `headjudge doctor`.")
            == "Use <b>Mes données</b> &amp; <code>headjudge doctor</code>."
        )


def test_pictures_have_their_size_and_are_small():
    drawn = [(one, language, scheme) for one in PICTURES for language in LANGUAGES for scheme in SCHEMES]
    files = {picture.file(language, scheme): picture for picture, language, scheme in drawn}
    assert {f"help/{file.name}" for file in (STATIC / "help").iterdir()} == set(files), "run `make pictures`"
    for name, picture in files.items():
        assert size_of((STATIC / name).read_bytes()) == (picture.width, picture.height), name
    assert sum((STATIC / name).stat().st_size for name in files) < 500_000


def test_links_to_the_help_lead_to_a_task():
    found = []
    for file in TEMPLATES.rglob("*.html"):
        words = file.read_text(encoding="utf-8")
        found += re.findall(r"help-guide' '(\w+)' %}#([\w-]+)", words)
        found += re.findall(r'how_to_read.html" with guide="(\w+)" task="([\w-]+)"', words)
    assert {("players", "standings"), ("judges", "pairing-quality"), ("judges", "dispute")} <= set(found)
    assert {("organisers", "result-sheet")} <= set(found)
    assert set(found) <= {(where, task) for where, task, _step in STEPS}


@pytest.mark.django_db
def test_actions_are_found_by_their_words_and_roles(client):
    address = reverse("events:who-may")
    assert '<details class="who-may">' in client.get(address).text, "the groups are closed until one is asked for"
    found = client.get(address, {"q": "release CALL"}).text
    assert '<details class="who-may" open>' in found
    assert re.findall(r'<details id="([\w-]+)"', found) == ["release-call"]
    assert "No action contains these words." in client.get(address, {"q": "gargoyle"}).text
    only = client.get(address, {"q": "call", "role": "scorekeeper"}).text
    assert 'id="raise-call"' in only
    assert 'id="release-call"' not in only

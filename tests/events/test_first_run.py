"""Setting up an installation without accounts: access to the form, what it creates, and what it leaves for later."""

import datetime
import io
import json
import re
import stat
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.logs import EARLY, shown
from events import places, setup_link
from events.forms.installation import SetUpForm
from events.models import AuditEntry, Event, Installation, Person, Venue, Volunteer
from events.places import country_codes, likely_country
from events.services import installation as services
from judging.background import sweep
from rules.documents import BadFacts
from rules.models import Element
from tests.conftest import client_of, password_given
from tests.events.test_sent_twice import at_once
from tests.factories import PASSWORD, EventFactory, PersonFactory, VenueFactory, VenueManagerFactory

pytestmark = pytest.mark.django_db
SET_UP = "/set-up/"
FORM = {
    "kind": "shop",
    "name": "Vera Vandamme",
    "email": "Vera@example.org",
    "password": PASSWORD,
    "venue_name": "The Dice Cellar",
    "public_location": "12 Potter's Lane",
    "city": "Ghent",
    "telephone": "+32 9 000 11 22",
    "edition": "core-modern",
    "build_total": "400",
    "format": "constructed",
    "country": "Belgium",
    "time_zone": "Europe/Brussels",
    "language": "fr",
}
MEMBERS = "\n".join(f"Member {number}, member{number}@example.org" for number in range(2, 9))
CLUB = FORM | {"kind": "club", "venue_name": "The Wednesday Club", "members": MEMBERS}
OFFICE = {name: value for name, value in FORM.items() if name not in SetUpForm.OF_VENUE} | {"kind": "office"}


@pytest.fixture(autouse=True)
def _own_folder(settings, tmp_path, monkeypatch):
    """Store the link in this test's folder, and load the catalogue only if the test asks for it."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr("events.views.installation.load_library", lambda **_named: None)
    yield
    timezone.get_default_timezone.cache_clear()


def opened(link: str | None = None) -> Client:
    """Return a browser that has followed the link."""
    client = Client()
    assert client.get(link or setup_link.new_link()).headers["Location"] == SET_UP
    return client


def set_up(**changed: str) -> Client:
    """Return the browser of the person who set the site up."""
    client = opened()
    answer = client.post(SET_UP, FORM | changed)
    assert answer.status_code == 302, answer.context["form"].errors
    return client


# what it makes


def test_a_shop_is_ready_for_its_first_event(settings):
    client = set_up()
    vera = Person.objects.get()
    assert (vera.email, vera.name, vera.is_office, vera.language) == ("vera@example.org", "Vera Vandamme", True, "fr")
    assert EmailAddress.objects.get().verified
    venue = Venue.objects.get()
    assert (venue.state, venue.kind, venue.time_zone, venue.country) == (
        "approved",
        "store",
        "Europe/Brussels",
        "Belgium",
    )
    assert venue.shipping_address == "12 Potter's Lane\nGhent\nBelgium"
    assert Venue.objects.managed_by(vera).get() == venue
    assert Volunteer.objects.get(person=vera).is_approved
    verbs = set(AuditEntry.objects.filter(by_person=vera).values_list("verb", flat=True))
    assert verbs == {
        "change-installation", "register-volunteer", "decide-volunteer", "register-venue", "decide-venue"
    }  # fmt: skip
    assert "Vera Vandamme set up Headjudge" in {entry.words for entry in AuditEntry.objects.all()}
    assert not any(PASSWORD in json.dumps(entry.changes) for entry in AuditEntry.objects.all())
    assert client.get("/me/").status_code == 200
    assert (settings.LANGUAGE_CODE, settings.TIME_ZONE) == ("fr", "Europe/Brussels")


def test_it_ends_on_the_first_event_with_the_form_filled_in():
    client = opened()
    page = client.post(SET_UP, FORM | {"language": "en"}, follow=True)
    assert "Create your first event" in page.text
    form = page.context["form"]
    sent = {name: form[name].value() for name in form.fields if form[name].value() not in (None, "")}
    assert (sent["edition"], sent["build_total"], sent["format"]) == ("core-modern", 400, "constructed")
    assert sent["head_judge"] == "vera@example.org"
    sent["starts"] = "2030-05-04T14:00"
    answer = client.post(page.redirect_chain[-1][0], sent)
    event = Event.objects.get()
    assert answer.headers["Location"] == reverse("events:event", args=[event.public_id])
    assert (event.edition, event.build_total) == ("core-modern", 400)
    assert client.post(reverse("events:open", args=[event.public_id])).status_code == 302
    event.refresh_from_db()
    assert event.state == Event.State.OPEN, "nothing else is missing: the head judge is approved and has accepted"


def test_a_club_registers_its_eight_members_and_its_volunteer():
    client = opened()
    refused = client.post(SET_UP, CLUB | {"members": "Member 2, member2@example.org"})
    assert "List 7 other members" in refused.text
    assert not Person.objects.exists()
    assert client.post(SET_UP, CLUB).status_code == 302
    club = Venue.objects.get()
    assert (club.state, club.kind, club.members.count()) == ("approved", "club", 8)
    assert club.agreed_volunteer.person == Person.objects.get()


def test_an_office_has_no_venue_and_needs_no_telephone():
    client = opened()
    page = client.post(SET_UP, OFFICE, follow=True)
    assert page.redirect_chain[-1][0] == reverse("events:office")
    assert not Venue.objects.exists()
    assert not Volunteer.objects.exists()
    assert Person.objects.get().is_office


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("telephone", ""),
        ("telephone", "ring twice"),
        ("public_location", "PO Box 12"),
        ("public_location", ""),
        ("city", ""),
        ("venue_name", ""),
        ("password", "12345678"),
        ("password", "vera@example"),
        ("email", "nobody"),
        ("build_total", "250"),
        ("time_zone", "Europe/Nowhere"),
        ("language", "tlh"),
        ("country", ""),
        ("kind", "empire"),
    ],
)
def test_missing_values_are_reported_at_their_field_and_nothing_is_created(field, value):
    page = opened().post(SET_UP, FORM | {field: value})
    assert page.status_code == 200
    assert field in page.context["form"].errors
    assert f'<a href="#id_{field}">' in page.text
    assert not any(model.objects.exists() for model in (Person, Venue, Installation, AuditEntry))


def test_the_form_says_where_the_policy_requires_a_telephone():
    assert "The sanctioning policy requires a telephone number from shops and clubs" in opened().get(SET_UP).text


@pytest.mark.parametrize("fault", [BadFacts("ic", "no figure"), OperationalError("database is locked")])
def test_a_catalogue_that_cannot_be_loaded_is_reported_and_the_site_is_set_up(monkeypatch, fault):
    def load_library(**_named):
        raise fault

    monkeypatch.setattr("events.views.installation.load_library", load_library)
    page = opened().post(SET_UP, FORM | {"language": "en"}, follow=True)
    assert "The catalogue of figures wasn&#x27;t loaded" in page.text
    assert page.context["user"].is_office


def test_the_catalogue_is_loaded(monkeypatch):
    monkeypatch.undo()
    set_up()
    assert Element.objects.count() > 200


# what it proposes


@pytest.mark.parametrize(
    ("languages", "zone", "country"),
    [
        ("nl-BE,nl;q=0.9,en;q=0.8", "UTC", "Belgium"),
        ("fr", "Europe/Paris", "France"),
        ("zh-Hant-TW", "UTC", "Taiwan"),
        ("en", "UTC", ""),
        ("x" * 200, "No/Where", ""),
        ("", "America/New_York", "United States"),
    ],
)
def test_country_and_time_zone_are_proposed_without_scripts(settings, languages, zone, country):
    assert likely_country(languages, zone) == country
    if zone in country_codes():
        settings.TIME_ZONE = zone
        form = opened().get(SET_UP, headers={"Accept-Language": languages}).context["form"]
        assert (form["time_zone"].value(), form["country"].value()) == (zone, country)


def test_a_time_zone_that_a_browser_calls_by_its_old_name_has_its_country():
    assert (country_codes()["Asia/Calcutta"], country_codes()["Europe/Kiev"]) == ("IN", "UA")


def test_a_machine_without_the_tables_proposes_nothing(monkeypatch, tmp_path):
    places.country_codes.cache_clear()
    monkeypatch.setattr(places.zoneinfo, "TZPATH", (str(tmp_path),))
    monkeypatch.setattr(places.resources, "files", lambda _name: tmp_path)
    assert places.country_codes() == {}
    places.country_codes.cache_clear()


def test_each_time_zone_says_its_country_to_the_script():
    assert re.search(r'value="Europe/Brussels"[^>]*data-country="BE"', opened().get(SET_UP).text)


# who may open it


def test_a_stranger_who_comes_first_is_told_and_gets_nothing(client):
    page = client.get("/")
    assert "Headjudge isn't set up yet" in " ".join(page.text.replace("&#x27;", "'").split())
    assert "/set-up/" not in page.text
    new = {"name": "Eve", "email": "eve@example.org", "password1": PASSWORD, "password2": PASSWORD}
    assert "create the administrator" in client.get("/accounts/signup/").text
    client.post("/accounts/signup/", new)
    client.post(SET_UP, FORM)
    assert client.get(SET_UP).status_code == 404
    assert not Person.objects.exists()
    assert not client.session.get("_auth_user_id")


@pytest.mark.parametrize("token", ["x", "x" * 32, "..", "%00", "%E2%82%AC", "a/b", "a" * 5000])
def test_a_guessed_link_opens_nothing(client, token):
    setup_link.new_link()
    assert client.get(f"/set-up/{token}/").status_code == 404
    assert client.get(SET_UP).status_code == 404


def test_guessing_is_soon_slowed_and_the_right_link_opens(client, settings):
    settings.LIMITS = settings.LIMITS | {"set_up_link_wrong": {"address": 3}}
    link = setup_link.new_link()
    assert [client.get(f"/set-up/guess{n}/").status_code for n in range(5)] == [404, 404, 404, 429, 429]
    assert client.get(link).status_code == 302, "guesses from an address don't lock out the owner"


def test_an_expired_link_says_how_to_get_a_new_one(client, monkeypatch):
    link = setup_link.new_link()
    browser = opened(link)
    later = timezone.now() + setup_link.LASTS + datetime.timedelta(seconds=1)
    monkeypatch.setattr(setup_link.timezone, "now", lambda: later)
    page = client.get(link)
    assert page.status_code == 404
    assert "Restart Headjudge" in page.text
    assert browser.post(SET_UP, FORM).status_code == 404, "whoever opened it in time is too late as well"
    assert not Person.objects.exists()


def test_a_newer_link_replaces_the_older_and_its_sessions():
    old = setup_link.new_link()
    browser = opened(old)
    setup_link.new_link()
    assert Client().get(old).status_code == 404
    assert browser.post(SET_UP, FORM).status_code == 404


def test_a_link_works_once_and_the_page_is_gone_for_ever():
    link = setup_link.new_link()
    early = opened(link)
    assert opened(link).post(SET_UP, FORM).status_code == 302
    assert not (Path(setup_link.settings.DATA_DIR) / "setup_link").exists()
    other = FORM | {"email": "eve@example.org", "venue_name": "Other"}
    assert early.post(SET_UP, other).status_code == 404
    again = setup_link.new_link()
    for address in (link, again, SET_UP):
        answer = Client().get(address)
        assert answer.status_code == 404
        assert "Restart Headjudge" not in answer.text
    assert Person.objects.count() == 1


def test_any_account_ends_it(client):
    link = setup_link.new_link()
    browser = opened(link)
    PersonFactory()
    assert browser.post(SET_UP, FORM).status_code == 404
    assert client.get(link).status_code == 404
    with pytest.raises(services.Refused):
        services.set_up(account={}, defaults={})


def test_another_installations_link_opens_nothing(client, tmp_path, settings):
    link = setup_link.new_link()
    settings.DATA_DIR = tmp_path / "another"
    setup_link.new_link()
    assert client.get(link).status_code == 404


def test_another_host_is_refused(client):
    link = setup_link.new_link()
    wrong = client.get(link, headers={"host": "evil.example"})
    assert wrong.status_code == 400
    assert "ALLOWED_HOSTS" in wrong.content.decode()
    browser = opened(link)
    assert browser.post(SET_UP, FORM, headers={"host": "evil.example"}).status_code == 400
    assert not Person.objects.exists()


def test_a_form_of_another_site_is_refused():
    strict = Client(enforce_csrf_checks=True)
    strict.get(setup_link.new_link())
    assert strict.post(SET_UP, FORM).status_code == 403
    evil = {"origin": "http://evil.example"}
    token = strict.get(SET_UP).cookies["csrftoken"].value
    assert strict.post(SET_UP, FORM | {"csrfmiddlewaretoken": token}, headers=evil).status_code == 403
    assert not Person.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_at_once_make_one_administrator():
    link = setup_link.new_link()
    browsers = [opened(link) for _n in range(3)]
    forms = [FORM | {"email": f"v{n}@example.org", "venue_name": f"Shop {n}"} for n in range(3)]
    pairs = list(zip(browsers, forms, strict=True))
    for browser in browsers:
        browser.raise_request_exception = False

    def send() -> int:
        browser, form = pairs.pop()
        return browser.post(SET_UP, form).status_code

    answers = at_once(3, send)
    assert sorted(answers)[0] == 302
    assert all(status in (302, 403, 404) for status in answers)
    assert answers.count(302) == 1
    assert (Person.objects.count(), Venue.objects.count(), Installation.objects.count()) == (1, 1, 1)


def test_a_second_tap_and_a_refused_form_keep_nothing_that_was_typed():
    browser = set_up()
    browser.logout()
    answer = browser.post(SET_UP, FORM, headers={"Accept": "text/html,application/xhtml+xml"})
    assert answer.status_code == 404
    assert "Vera Vandamme" not in answer.text


def test_no_log_names_the_link():
    link = setup_link.new_link()
    token = link.split("/")[2]
    line = f'127.0.0.1 "GET {link} HTTP/1.1" 302 referer=http://127.0.0.1:8000{link}'
    assert token not in shown(line)
    assert "/set-up/…" in shown(line)
    assert token not in EARLY.sub("", line)


def test_the_link_leaves_the_address_bar_and_is_in_no_referer(client):
    link = setup_link.new_link()
    answer = client.get(link)
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer.headers["Cache-Control"]
    page = client.get(SET_UP)
    token = link.split("/")[2]
    assert token not in page.text
    assert "no-store" in page.headers["Cache-Control"]
    wrong = Client().get("/set-up/wrong/")
    assert wrong.headers["Referrer-Policy"] == "no-referrer"


def test_only_a_digest_is_kept_readable_by_its_owner(tmp_path):
    token = setup_link.new_link().split("/")[2]
    kept = tmp_path / "setup_link"
    assert token not in kept.read_text(encoding="utf-8")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert len(token) >= 32
    assert list(tmp_path.glob(".setup_link*")) == []


@pytest.mark.parametrize("kept", [b"", b"{}", b"[]", b"\xff\xfe", b'{"digest": 1, "expires": 2}', b"{"])
def test_a_damaged_file_opens_nothing(client, tmp_path, kept):
    link = setup_link.new_link()
    (tmp_path / "setup_link").write_bytes(kept)
    assert client.get(link).status_code == 404
    assert not setup_link.counts("")


def test_no_one_signed_in_or_with_a_players_link_reaches_it_later(staff):
    for who in ("office", "manager", "head_judge"):
        assert staff.client(who).get(SET_UP).status_code == 404
        assert staff.client(who).post(SET_UP, FORM).status_code == 404


# the commands


def test_the_command_prints_a_link_until_there_is_an_account(client, settings):
    said = io.StringIO()
    call_command("setup_link", "--site", "https://events.example.org/", stdout=said)
    link = re.search(r"https://events\.example\.org(/set-up/\S+/)", said.getvalue())
    assert client.get(link[1]).status_code == 302
    settings.SITE_URL = "https://hall.example.org"
    call_command("setup_link", stdout=said)
    assert "https://hall.example.org/set-up/" in said.getvalue()
    PersonFactory()
    with pytest.raises(CommandError, match="already"):
        call_command("setup_link")


# the settings


def test_the_administrator_changes_the_settings_later(settings):
    client = set_up()
    page = client.get("/office/settings/")
    assert page.context["form"]["build_total"].value() == 400
    sent = {name: FORM[name] for name in ("edition", "format", "country", "language")}
    sent |= {"build_total": "300", "time_zone": "Europe/Paris", "version": "1"}
    assert client.post("/office/settings/", sent).status_code == 302
    here = Installation.objects.get()
    assert (here.build_total, here.time_zone, here.version) == (300, "Europe/Paris", 2)
    assert settings.TIME_ZONE == "Europe/Paris"
    assert AuditEntry.objects.filter(verb="change-installation", sentence="installation-changed").count() == 1
    stale = client.post("/office/settings/", sent | {"build_total": "500"})
    assert stale.status_code == 409
    assert Installation.objects.get().build_total == 300
    assert client.post("/office/settings/", sent | {"build_total": "250", "version": "2"}).status_code == 200


def test_new_venues_and_events_begin_with_the_settings(staff):
    Installation.objects.create(
        country="Japan", time_zone="Asia/Tokyo", language="en", edition="dc-2005", build_total=200
    )
    form = client_of(PersonFactory()).get("/venues/register/").context["form"]
    assert (form["country"].value(), form["time_zone"].value()) == ("Japan", "Asia/Tokyo")
    form = staff.client("manager").get("/events/new/").context["form"]
    assert (form["edition"].value(), form["build_total"].value()) == ("dc-2005", 200)
    assert "Create your first event" not in staff.client("manager").get("/events/new/").text


def test_a_copy_keeps_what_the_event_had(staff):
    Installation.objects.create(time_zone="UTC", language="en", edition="dc-2005", build_total=500)
    event = staff.event
    staff.client("manager").post(reverse("events:copy", args=[event.public_id]))
    copied = Event.objects.exclude(pk=event.pk).get()
    assert (copied.edition, copied.build_total) == (event.edition, event.build_total)


def test_without_a_set_up_new_events_begin_with_the_newest_book(settings):
    settings.TIME_ZONE = "Europe/Madrid"
    here = Installation.here()
    assert (here.pk, here.edition, here.build_total, here.time_zone) == (None, "core-modern", 300, "Europe/Madrid")
    manager = VenueManagerFactory(venue=VenueFactory())
    form = client_of(manager.person).get("/events/new/").context["form"]
    assert (form["edition"].value(), form["build_total"].value()) == ("core-modern", 300)


def test_each_serving_process_hears_of_the_settings_within_a_minute(settings):
    sweep()
    assert settings.TIME_ZONE == "UTC", "nobody has set it up"
    Installation.objects.create(time_zone="Asia/Tokyo", language="fr")
    sweep()
    assert (settings.TIME_ZONE, settings.LANGUAGE_CODE) == ("Asia/Tokyo", "fr")
    assert str(timezone.get_default_timezone()) == "Asia/Tokyo"


def test_visitors_whose_browser_names_none_of_our_languages_read_the_installations(client, settings):
    EventFactory()
    Installation.objects.create(time_zone="UTC", language="fr")
    services.use_stored()
    assert '<html lang="fr"' in client.get("/", headers={"Accept-Language": "de"}).text
    assert '<html lang="en"' in client.get("/", headers={"Accept-Language": "en-GB"}).text


def test_only_the_office_sees_the_settings(staff):
    assert password_given(staff.client("office")).get("/office/settings/").status_code == 200
    assert staff.client("manager").get("/office/settings/").status_code == 403
    assert Client().get("/office/settings/").status_code == 302

"""Card texts on pages: who reads them, that they are plain text, and that no file or program gets them."""

import csv
import html
import io
import json
import re
import tarfile

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from events.models import ClockRun, Event, Force, Round
from events.roles import LINKED_ENTRIES
from events.services.people import entry_link, make_sign_in_code, renew_entry_link
from judging.keeping import backups
from judging.keeping.moving import export_event
from rules.importers.kept import Kept, kept_uploads
from rules.models import CardTexts, Element
from rules.services.disputes import begin_dispute
from rules.services.imports import apply_import, begin_import, plan_more
from tests.conftest import client_of
from tests.factories import EntryFactory, MatchFactory, PersonFactory, RoundFactory

from .force_catalogue import OLD, small_catalogue
from .test_forces import act, add, address, submit_force

SAID = "Bramble may <script>alert('x')</script> & hide."
SECRET = "hide."


@pytest.fixture
def bramble(db):
    small_catalogue()
    element = Element.objects.get(name="Bramble")
    text = {"slot": "speed", "name": "Thorns", "sort": "", "text": SAID}
    CardTexts.objects.create(element=element, texts=[text, {**text, "slot": "trait", "sort": "costed trait"}])
    return element


@pytest.fixture
def match(bramble, staff):
    """Return a match of a running event whose players have both submitted a force with Bramble."""
    players = [EntryFactory(event=staff.event, person=PersonFactory(), name=name) for name in ("Paula", "Quinn")]
    for entry in players:
        client = client_of(entry.person)
        add(client, entry, "Bramble", "Dumpster")
        submit_force(client, entry)
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
    round = RoundFactory(event=staff.event, number=1, state=Round.State.RUNNING)
    return MatchFactory(round=round, table=1, a=players[0], b=players[1])


def by_link(entry):
    client = Client()
    client.get(entry_link(entry))
    return client


def by_code(staff, person):
    client = Client()
    code = make_sign_in_code(by=staff.actor("head_judge"), event=staff.event, person=person)
    client.post(reverse("events:sign-in-by-code"), {"email": person.email, "code": code})
    return client


def page_of(element, client):
    return client.get(reverse("rules:element", args=element.code.split("/"))).content.decode()


def at_table(match, client):
    where = reverse("events:table-forces", args=[match.round.event.public_id, 1, 1])
    answer = client.get(where)
    return answer.content.decode() if answer.status_code == 200 else answer.status_code


def dispute():
    piece = {"id": "bramble", "name": "Bramble", "set": OLD, "number": "003", "points": 17, "dial": [
        {"speed": 8, "attack": 9, "defense": 15, "damage": 2, "powers": []}]}  # fmt: skip
    other = {**piece, "id": "odd", "name": "Odd", "set": "", "number": "999", "square": "D4"}
    sides = [{"player": "A", "characters": [{**piece, "square": "B2"}]}, {"player": "B", "characters": [other]}]
    return begin_dispute(document={"edition": "core-2014", "build_total": 300, "sides": sides})


def test_everyone_who_is_signed_in_reads_them_at_the_figure(bramble, staff, match):
    for client in (
        client_of(PersonFactory()), staff.client("judge"), by_link(match.a), by_code(staff, staff.judge),
        by_code(staff, match.b.person),
    ):  # fmt: skip
        page = page_of(bramble, client)
        assert html.escape(SAID) in page
        assert "Costed trait" in page


def test_strangers_are_asked_to_sign_in(bramble, match):
    page = page_of(bramble, Client())
    assert SECRET not in page
    assert "Sign in to read the card texts" in page
    assert "card texts" not in page_of(Element.objects.get(name="Wrecker"), Client())


def test_each_text_says_what_disputes_take_into_account(bramble, match):
    texts = ["Bramble can use Stealth.", "Bramble can use Stealth. Ask a riddle.", "Ask a riddle."]
    named = [{"slot": "trait", "name": f"Trait {n}", "sort": "", "text": text} for n, text in enumerate(texts)]
    CardTexts.objects.filter(element=bramble).update(texts=named)
    page = page_of(bramble, client_of(PersonFactory()))
    whole, part, none = (words.partition("</summary>") for words in page.split("card-text-name")[1:])
    assert "Applied by the rules engine" in whole[0]
    assert "Can use Stealth" in whole[2]
    assert "Partly applied by the rules engine" in part[0]
    assert "Judge decides" in part[2]
    assert "Judge decides" in none[0]
    assert "pplied by the rules engine" not in none[0] + page_of(bramble, Client())


def test_a_link_that_was_replaced_or_forged_opens_nothing(bramble, staff, match):
    client = by_link(match.a)
    renew_entry_link(by=staff.actor("head_judge"), entry=match.a)
    assert SECRET not in page_of(bramble, client)
    forged = by_link(match.b)
    session = forged.session
    session[LINKED_ENTRIES] = {str(match.round.event.pk): [match.a.pk, 77]}
    session.save()
    assert SECRET not in page_of(bramble, forged)


def test_a_sign_in_code_that_was_revoked_opens_nothing(bramble, staff):
    client = by_code(staff, staff.judge)
    assert SECRET in page_of(bramble, client)
    staff.judge.sign_in_codes.update(revoked="2026-01-01T00:00Z")
    assert SECRET not in page_of(bramble, client)


def test_texts_are_never_markup(bramble):
    page = page_of(bramble, client_of(PersonFactory()))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt; &amp; hide." in page


def test_in_the_builder_and_in_what_a_change_sends_back(bramble, staff):
    entry = EntryFactory(event=staff.event, person=PersonFactory())
    client = client_of(entry.person)
    answer = client.post(
        address(entry, "change/"), {"act": "add", "code": bramble.code}, headers={"HX-Request": "true"}
    )
    assert SECRET in answer.content.decode()
    assert SECRET in client.get(address(entry)).content.decode()


def test_in_the_free_check_only_for_people_who_are_signed_in(bramble):
    for client, reads in ((Client(), False), (client_of(PersonFactory()), True)):
        client.post(reverse("events:forces-check"), {"act": "add", "code": bramble.code})
        page = client.get(reverse("events:forces-check")).content.decode()
        assert "Bramble" in page
        assert (SECRET in page) is reads


def test_in_a_public_force_only_for_people_who_are_signed_in(match):
    for client, reads in ((Client(), False), (client_of(PersonFactory()), True)):
        page = client.get(address(match.a)).content.decode()
        assert "Bramble" in page
        assert (SECRET in page) is reads


def test_both_forces_at_the_table(match, staff):
    for client in (client_of(match.a.person), by_link(match.b), staff.client("judge")):
        page = at_table(match, client)
        assert page.count(SECRET) == 4
        ids = re.findall(r' id="([^"]+)"', page)
        assert len(ids) == len(set(ids))
        table = reverse("events:table", args=[staff.event.public_id, 1, 1])
        assert f"{table}forces/" in client.get(table).content.decode()


def test_strangers_see_both_forces_only_if_they_are_public_and_never_the_texts(match, staff):
    page = at_table(match, Client())
    assert page.count("Dumpster") == 2
    assert SECRET not in page
    Event.objects.filter(pk=staff.event.pk).update(forces_public=False)
    assert at_table(match, Client()) == 403
    assert at_table(match, client_of(EntryFactory(event=staff.event, person=PersonFactory()).person)) == 403
    assert at_table(match, client_of(match.a.person)).count(SECRET) == 4


def test_players_of_sealed_product_see_no_opponents_force_while_they_build(match, staff):
    Event.objects.filter(pk=staff.event.pk).update(format="sealed-booster", forces_public=False)
    Round.objects.update(state=Round.State.PUBLISHED)
    table = reverse("events:table", args=[staff.event.public_id, 1, 1])

    def at_both(client):
        return at_table(match, client).count("Dumpster"), client.get(table).content.decode().count("Dumpster") > 0

    player, judge = client_of(match.a.person), staff.client("judge")
    assert at_both(player) == (1, False), "only their own"
    assert "once yours is locked" in at_table(match, player)
    assert at_both(judge) == (2, True)
    ClockRun.objects.create(round=match.round, phase=ClockRun.Phase.PREPARATION, began=timezone.now())
    assert at_both(player) == (1, False)
    ClockRun.objects.update(phase=ClockRun.Phase.ROUND)
    assert at_both(player) == (2, True)


def test_a_draft_and_a_bye_have_no_forces_to_show(match, staff):
    Round.objects.update(state=Round.State.DRAFT)
    assert at_table(match, client_of(match.a.person)) == 404
    Round.objects.update(state=Round.State.RUNNING)
    type(match).objects.update(b=None, kind="bye")
    assert at_table(match, client_of(match.a.person)) == 404


def test_a_judge_who_checks_a_force_reads_them(match, staff):
    where = reverse("judging:force-check", args=[staff.event.public_id, match.a.number])
    assert SECRET in staff.client("judge").get(where).content.decode()


def test_in_a_dispute_beside_each_figure_of_the_catalogue(bramble):
    saved = dispute()
    for path in (saved.reading_address(), saved.judging_address()):
        for client, reads in ((Client(), False), (client_of(PersonFactory()), True)):
            page = client.get(path, follow=True).content.decode()
            assert "Bramble" in page
            assert page.count(SECRET) == (2 if reads else 0)


def test_in_a_dispute_of_figures_that_wait_beside_the_map_only_for_the_judge(bramble):
    saved = dispute()
    [bramble_there] = saved.document["sides"][0]["characters"]
    beside = {key: part for key, part in bramble_there.items() if key != "square"}
    saved.document["sides"][0]["characters"] = []
    saved.waiting = [
        {"player": "A", "piece": {**beside, "number": "77"}},
        {"player": "A", "piece": {**beside, "id": "b2"}},
    ]
    saved.save()
    for path, shown in ((saved.reading_address(), False), (saved.judging_address(), True)):
        for client, reads in ((Client(), False), (client_of(PersonFactory()), True)):
            page = client.get(path, follow=True).content.decode()
            assert page.count(SECRET) == (2 if reads and shown else 0)
            assert ("Figures to place" in page) is shown


def test_pages_ask_as_often_for_many_cards_as_for_few(bramble, staff, django_assert_num_queries):
    entry = EntryFactory(event=staff.event, person=PersonFactory())
    client = client_of(entry.person)
    add(client, entry, "Bramble")
    client.get(address(entry))
    with CaptureQueriesContext(connection) as asked:
        client.get(address(entry))
        few = len(asked)
    for one in Element.objects.exclude(pk=bramble.pk):
        CardTexts.objects.create(element=one, texts=[{"slot": "", "name": "", "sort": "", "text": "More."}])
        act(client, entry, "add", code=one.code)
    with django_assert_num_queries(few):
        assert client.get(address(entry)).content.decode().count("More.") > 5


def test_no_file_and_no_program_gets_them(match, staff):
    force = Force.objects.get(entry=match.a)
    assert SECRET not in json.dumps([force.document, force.report, force.origins, force.work])
    assert SECRET not in Client().get(address(match.a, "force.json")).content.decode()
    assert SECRET not in export_event(by=staff.actor("head_judge"), event=staff.event).decode()
    for name, more in (("api:read_force", [match.a.number]), ("api:event", [])):
        client = staff.client("judge")
        assert SECRET not in client.get(reverse(name, args=[staff.event.public_id, *more])).content.decode()
    sheet = Client().get(reverse("rules:catalogue-sheet")).content.decode()
    assert "Bramble" in sheet
    assert SECRET not in sheet


def test_only_the_office_downloads_them(bramble, staff):
    where = reverse("rules:catalogue-sheet") + "?card_texts=yes"
    assert Client().get(where).status_code == 302
    assert staff.client("judge").get(where).status_code == 403
    office = staff.client("office")
    assert 'name="card_texts"' in office.get(reverse("rules:imports")).content.decode()
    sheet = office.get(where).content.decode("utf-8-sig")
    rows = {row["name"]: row["card_text"] for row in csv.DictReader(io.StringIO(sheet))}
    assert rows["Bramble"] == f"[Speed] Thorns\n{SAID}\n\n[Trait: costed trait] Thorns\n{SAID}"
    assert rows["Wrecker"] == ""


def test_an_export_with_them_restores_them(bramble, tmp_path, capsys):
    kept, target = CardTexts.objects.get().texts, tmp_path / "all.csv"
    call_command("export_catalogue", str(target), "--card-texts", "--set", OLD)
    assert "The catalogue is in" in capsys.readouterr().out
    CardTexts.objects.all().delete()
    row = plan_more(
        reading_of=begin_import(name="all.csv", reading=Kept(kept_uploads([("all.csv", target.read_bytes())], "", "")))
    )
    lines = [line for line in row.lines.all() if "card_text" in {each["fact"] for each in line.differences}]
    assert [line.code for line in lines] == [bramble.code]
    apply_import(planned=row)
    assert CardTexts.objects.get().texts == kept
    with pytest.raises(CommandError, match="already exists"):
        call_command("export_catalogue", str(target))
    call_command("export_catalogue", str(target), "--force")
    assert SECRET not in target.read_text("utf-8-sig")
    with pytest.raises(CommandError, match="no set nope"):
        call_command("export_catalogue", str(target), "--set", "nope")


def test_a_backup_keeps_them(bramble, tmp_path):
    with tarfile.open(backups.back_up(tmp_path / "one.tar.gz", portable=True)) as tar:
        rows = [json.loads(line) for line in tar.extractfile("database.jsonl")]
    assert [row["fields"]["texts"] for row in rows if row["model"] == "rules.cardtexts"] == [
        CardTexts.objects.get().texts
    ]

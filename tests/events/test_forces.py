"""Forces through pages and the API: built, submitted, changed late, copied, viewed; sealed product."""

import datetime
import html
import re

import pytest
from django.test import Client
from django.utils import timezone

from events import door
from events.models import AuditEntry, ClockRun, Entry, Event, Force, Pool, Round
from events.roles import Actor
from events.services.people import entry_link
from rules.models import Element
from rules.services.catalogue import catalogue_elements
from tests.conftest import client_of
from tests.factories import EntryFactory, PersonFactory, RoundFactory

from .force_catalogue import NEW, figure, small_catalogue


@pytest.fixture
def catalogue(db):
    small_catalogue()


@pytest.fixture
def player(staff):
    person = PersonFactory(name="Paula Player")
    return EntryFactory(event=staff.event, person=person, name="Paula Player")


@pytest.fixture
def client(player) -> Client:
    return client_of(player.person)


def address(entry, what="") -> str:
    return f"/events/{entry.event.public_id}/entries/{entry.number}/force/{what}"


def code(name: str) -> str:
    return Element.objects.get(name=name).code


def act(client, entry, act, **more):
    return client.post(address(entry, "change/"), {"act": act, **more})


def add(client, entry, *names):
    for name in names:
        assert act(client, entry, "add", code=code(name)).status_code == 302
    return Force.objects.get(entry=entry).work["picks"]


def submit_force(client, entry, **more):
    return client.post(address(entry, "submit/"), more)


def bench(client, entry) -> str:
    """Return the part of the builder that shows the force."""
    return page(client, entry).split('id="bench"')[1].split('class="builder-side"')[0]


def page(client, entry, query="") -> str:
    response = client.get(address(entry) + query)
    assert response.status_code == 200
    return response.content.decode()


# building


def test_search_finds_by_name_set_points_keyword_and_power_as_a_fragment_and_as_a_page(catalogue, player, client):
    for query in ("q=fenwick+ada", "keyword=guild&low=80", "set=tower&low=100&high=120", "power=leap%2Fclimb&q=ada"):
        fragment = client.get(
            f"{address(player)}?every=on&{query}", headers={"HX-Request": "true", "HX-Target": "found"}
        )
        text = fragment.content.decode()
        assert text.count("<button") == 1, query
        assert "Ada Fenwick" in text
        assert "<html" not in text
    whole = page(client, player, "?q=heron")
    assert "Night Heron" in whole
    assert "Laughing Jack" not in whole


def test_an_edition_hides_what_its_forces_cannot_hold_unless_asked(catalogue, player, client):
    assert "Slippery" not in page(client, player, "?q=slippery")
    assert "Slippery" in page(client, player, "?q=slippery&every=on")


def test_each_change_is_checked_with_reason_and_citation_beside_the_element(catalogue, player, client):
    add(client, player, "Night Heron", "Laughing Jack")
    text = page(client, player)
    assert "Illegal" in text
    assert '<strong class="digits">114</strong>' in text
    fault = text.split('class="remark violation"')[1].split("</li>")[0]
    assert "rchenem" in fault
    assert "/rules/rulebook/citation/?edition=car-2002" in fault
    picks = Force.objects.get(entry=player).work["picks"]
    act(client, player, "remove", ref=picks[1]["ref"])
    text = page(client, player)
    assert 'class="remark violation"' not in text
    act(client, player, "undo")
    assert 'class="remark violation"' in page(client, player)


@pytest.mark.parametrize("at", ["/forces/check/", "builder"])
def test_an_empty_force_is_called_empty_and_not_illegal(catalogue, player, client, at):
    at = address(player) if at == "builder" else at
    text = " ".join(client.get(at).content.decode().split())
    assert '<strong class="huge">Empty</strong>' in text
    assert re.search(r">· 0 / (200|300)<", text)
    assert "✗" not in text
    assert "Illegal" not in text


def test_htmx_gets_only_the_bench(catalogue, player, client):
    response = client.post(
        address(player, "change/"), {"act": "add", "code": code("Bramble")}, headers={"HX-Request": "true"}
    )
    text = response.content.decode()
    assert text.strip().startswith('<div id="bench"') or '<div id="bench"' in text
    assert "<html" not in text
    assert "Bramble" in text
    assert 'class="dial"' in text


def test_point_values_feats_cards_and_the_theme(catalogue, staff, player, client):
    Event.objects.filter(pk=staff.event.pk).update(edition="core-2014", build_total=300)
    picks = add(client, player, "Ada Fenwick", "Tom Fenwick", "Slippery", "Guild")
    assert '<strong class="digits">240</strong>' in page(client, player), "the highest value first: 150 + 75 + 15"
    ada, tom, feat, card = (pick["ref"] for pick in picks)
    act(client, player, "points", ref=ada, points=100)
    act(client, player, "assign", ref=feat, to=[ada])
    act(client, player, "assign", ref=card, to=[ada, tom])
    text = page(client, player)
    assert '<strong class="digits">194</strong>' in text, "100 + 75 + 15 + 2 × 2"
    assert "Themed team: Guild" in text
    document = Force.objects.get(entry=player).work
    assert [pick.get("assigned_to") for pick in document["picks"]][2:] == [[ada], [ada, tom]]
    submit_force(client, player)
    assert "Assigned to: Ada Fenwick, Tom Fenwick" in page(client, player, "?view")
    act(client, player, "remove", ref=tom)
    assert Force.objects.get(entry=player).work["picks"][2]["assigned_to"] == [ada], "who is gone has no card"


def test_unknown_facts_give_cannot_tell_until_someone_enters_them(catalogue, player, client):
    (pick,) = add(client, player, "Colossus of Rust")
    text = page(client, player)
    assert "Can&#x27;t tell" in text
    assert "the points are unknown" in text
    act(client, player, "points", ref=pick["ref"], points=90)
    text = page(client, player)
    assert '<strong class="digits">90</strong>' in text
    assert "the points are unknown" not in text


def test_an_element_typed_by_hand_is_checked_like_any_other(catalogue, player, client):
    response = act(client, player, "hand", section="characters", name="Home Brew", points=250, rank="unique")
    assert response.status_code == 302
    text = page(client, player)
    assert "Home Brew" in text
    assert "entered manually" in text
    assert "Illegal" in text, "250 of 200"
    wrong = act(client, player, "hand", section="characters", name="No Points")
    assert wrong.status_code == 400
    assert "Enter the figure" in wrong.content.decode()
    assert 'value="No Points"' in wrong.content.decode()


# submitting


def test_an_illegal_force_is_submitted_as_what_it_is_with_facts_of_the_day(catalogue, player, client):
    add(client, player, "Night Heron", "Laughing Jack", "Wrecker")
    text = client.post(address(player, "submit/"), follow=True).content.decode()
    told = text.split('class="messages"')[1].split("</ul>")[0]
    assert "Force submitted." in told
    assert "legal" not in told, "the verdict stands only on the card, which follows each change"
    assert "Illegal" in text
    force = Force.objects.get(entry=player)
    assert (force.state, force.standing, force.total) == ("submitted", "not-legal", 234)
    assert {one["rule"] for one in force.report["violations"]} == {"build-total", "archenemies"}
    heron = force.document["force"]["characters"][0]
    assert heron["rank"] == "unique"
    assert force.origins[heron["ref"]]["code"] == code("Night Heron")
    entry = AuditEntry.objects.get(verb="change-force")
    assert "234 of 200" in entry.words
    assert not any("work" in (change["after"] or {}) for change in entry.changes), "the bench leaves no record"


def test_an_official_goes_on_to_the_next_player_without_a_force(catalogue, player, client, staff):
    event = player.event
    others = [EntryFactory(event=event, number=number, name=f"Player {number}") for number in (8, 9)]
    EntryFactory(event=event, number=10, state=Entry.State.WITHDRAWN)
    desk = staff.client("judge")
    onward = "Next: Player 8's force"
    add(desk, player, "Bramble")
    assert onward not in page(desk, player)
    submit_force(desk, player)
    assert onward in page(desk, player)
    assert onward not in page(client, player), "a player builds one's own"
    add(desk, others[0], "Bramble")
    submit_force(desk, others[0])
    assert "Next: Player 9's force" in page(desk, others[0])
    add(desk, others[1], "Bramble")
    submit_force(desk, others[1])
    assert "Next:" not in page(desk, others[1])


def test_a_correction_never_changes_a_force_that_was_submitted(catalogue, player, client):
    add(client, player, "Bramble")
    submit_force(client, player)
    element = Element.objects.get(name="Bramble")
    facts = element.facts_on()
    facts.document = facts.document | {"points": 99}
    facts.save()
    force = Force.objects.get(entry=player)
    assert force.document["force"]["characters"][0]["points"] == 17
    assert '<p class="element-points digits">17</p>' in page(client, player, "?view")


def test_work_after_submitting_counts_only_when_submitted_again(catalogue, player, client):
    add(client, player, "Bramble")
    submit_force(client, player)
    add(client, player, "Night Heron")
    force = Force.objects.get(entry=player)
    assert force.total == 17
    assert "Changed since submission" in page(client, player)
    submit_force(client, player)
    assert Force.objects.get(entry=player).total == 77


def test_a_bench_changed_in_another_window_is_not_submitted_unseen(catalogue, player, client):
    add(client, player, "Bramble")
    seen = Force.objects.get(entry=player).work["count"]
    add(client, player, "Wrecker")
    assert submit_force(client, player, seen=seen).status_code == 403
    assert Force.objects.get(entry=player).state == "draft"


def test_nothing_is_submitted_from_an_empty_bench(catalogue, player, client):
    assert submit_force(client, player).status_code == 403


def test_after_the_deadline_only_a_judge_changes_it_and_says_why(catalogue, staff, player, client):
    add(client, player, "Bramble")
    submit_force(client, player)
    lock(staff.event)
    refused = submit_force(client, player)
    assert refused.status_code == 403
    assert "Only a judge" in refused.content.decode()
    assert Force.objects.get(entry=player).total == 17
    judge = staff.client("judge")
    add(judge, player, "Night Heron")
    assert submit_force(staff.client("scorekeeper"), player, reason="please").status_code == 403
    assert submit_force(judge, player, reason="Lost a figure on the way").status_code == 409, "it asks first"
    assert submit_force(judge, player, confirmed="yes").status_code == 409, "it asks for a reason"
    assert Force.objects.get(entry=player).total == 17
    assert submit_force(judge, player, confirmed="yes", reason="Lost a figure on the way").status_code == 302
    force = Force.objects.get(entry=player)
    assert (force.total, force.changed_after_deadline) == (77, True)
    entry = AuditEntry.objects.get(verb="change-force-late")
    assert (entry.reason, entry.is_non_standard) == ("Lost a figure on the way", True)


def test_a_locked_force_is_read_only_for_its_player(catalogue, staff, player, client):
    picks = add(client, player, "Bramble")
    submit_force(client, player)
    add(client, player, "Night Heron")
    lock(staff.event)
    ref, force = picks[0]["ref"], Force.objects.get(entry=player)
    for sent in (
        {"act": "add", "code": code("Wrecker")}, {"act": "remove", "ref": ref}, {"act": "undo"}, {"act": "clear"},
        {"act": "proxy", "ref": ref, "value": "yes"}, {"act": "points", "ref": ref, "points": 1},
        {"act": "assign", "ref": ref}, {"act": "sideline", "ref": ref, "there": "yes"}, {"act": "describe", "name": "X"},
        {"act": "hand", "section": "characters", "name": "X", "points": 1}, {"act": "hand"},
    ):  # fmt: skip
        for one in (client, staff.client("scorekeeper")):
            assert one.post(address(player, "change/"), sent).status_code == 403, sent
    assert client.post(address(player, "copy/"), {"force": force.public_id}).status_code == 403
    at = f"/api/events/{staff.event.public_id}/entries/{player.number}/force"
    given = {"force": {"characters": [{"name": "X", "points": 1}]}, "reason": "please"}
    assert client.put(at, given, content_type="application/json").status_code == 403
    assert Force.objects.get(entry=player).work == force.work
    text = page(client, player)
    assert "Locked: the deadline has passed." in text
    assert "Changes made after the submission aren't part of the submitted force." in text
    assert "Night Heron" not in text, "a draft from before the deadline doesn't count"
    assert "force/change/" not in text, "nothing to press"


def test_a_force_sent_while_the_deadline_passes_is_not_submitted(catalogue, staff, player, client, monkeypatch):
    add(client, player, "Bramble")
    monkeypatch.setattr(door, "BEFORE", [lambda _verb, _by, event: lock(event)])
    assert submit_force(client, player).status_code == 403
    assert Force.objects.get(entry=player).state == "draft"


def test_an_invalid_element_typed_into_another_force_does_not_show_that_force(catalogue, staff, player, client):
    add(client, player, "Bramble")
    other = client_of(EntryFactory(event=staff.event, person=PersonFactory()).person)
    refused = act(other, player, "hand")
    assert refused.status_code == 403
    assert "Bramble" not in refused.content.decode()


def test_a_judge_changes_a_locked_force_from_what_was_submitted_and_sees_what_changes(catalogue, staff, player, client):
    add(client, player, "Bramble", "Night Heron")
    submit_force(client, player)
    picks = add(client, player, "Wrecker")
    act(client, player, "remove", ref=picks[0]["ref"])
    lock(staff.event)
    judge = staff.client("judge")
    text = bench(judge, player)
    assert "Bramble" in text
    assert "Wrecker" not in text, "the player's draft isn't the submitted force"
    assert "Replace submitted force" not in text, "nothing has changed"
    act(judge, player, "remove", ref=picks[1]["ref"])
    picks = add(judge, player, "Laughing Jack")
    assert len(picks) == 2
    text = bench(judge, player)
    added, removed = (
        "Added: Laughing Jack · Old Harbour 002 · 54 points",
        "Removed: Night Heron · Old Harbour 001 · 60 points",
    )
    assert added in text
    assert removed in text
    asked = submit_force(judge, player, reason="Figure broke").content.decode()
    assert added in asked
    assert removed in asked
    assert "Paula Player's force" in html.unescape(asked)
    assert asked.count("<li>Added") + asked.count("<li>Removed") == 2
    act(judge, player, "proxy", ref=picks[0]["ref"], value="yes")
    marked = bench(judge, player)
    assert "Marked as proxy: Bramble" in marked
    assert "Removed: Bramble" not in marked
    act(judge, player, "proxy", ref=picks[0]["ref"])
    assert Force.objects.get(entry=player).total == 77
    submit_force(judge, player, reason="Figure broke", confirmed="yes")
    assert Force.objects.get(entry=player).total == 71
    assert submit_force(judge, player, reason="Again", confirmed="yes").status_code == 403, "nothing has changed"
    Event.objects.filter(pk=staff.event.pk).update(forces_close=None)
    add(judge, player, "Wrecker")
    lock(staff.event)
    assert "Wrecker" not in bench(judge, player)


def test_a_player_who_forgot_to_submit_has_the_draft_submitted_by_a_judge(catalogue, staff, player, client):
    add(client, player, "Bramble")
    lock(staff.event)
    assert "No force submitted. The force appears here once the player or a judge submits it." in page(client, player)
    judge = staff.client("judge")
    assert "didn't submit it" in page(judge, player)
    assert "Added: Bramble" in submit_force(judge, player, reason="Forgot to submit").content.decode()
    submit_force(judge, player, reason="Forgot to submit", confirmed="yes")
    assert Force.objects.get(entry=player).total == 17


def test_a_force_from_another_machine_is_changed_from_what_was_submitted(catalogue, staff, player, client):
    add(client, player, "Bramble", "Night Heron")
    submit_force(client, player)
    Force.objects.update(work={})
    lock(staff.event)
    judge = staff.client("judge")
    assert "Night Heron" in bench(judge, player)
    add(judge, player, "Laughing Jack")
    asked = submit_force(judge, player, reason="Figure broke").content.decode()
    assert (asked.count("<li>Added"), asked.count("<li>Removed")) == (1, 0)


@pytest.mark.parametrize("practice", [False, True])
def test_a_proxy_and_a_promotional_figure_are_marked_wherever_the_force_is_shown(
    catalogue, staff, player, client, practice
):
    from io import BytesIO

    from pypdf import PdfReader

    Event.objects.filter(pk=staff.event.pk).update(edition="core-2014", is_practice=practice)
    catalogue_elements(elements=[figure(NEW, "P01", "Parade Balloon", 10, promotional=True)])
    assert '<span class="state warn">promotional</span>' in page(client, player, "?q=balloon").split('id="found"')[1]
    picks = add(client, player, "Bramble", "Parade Balloon")
    act(client, player, "proxy", ref=picks[0]["ref"], value="yes")
    submit_force(client, player)
    report = Force.objects.get(entry=player).report
    assert [one["rule"] for one in report["warnings"] if one["elements"]] == (
        [] if practice else ["promotional", "proxy"]
    )
    queue = staff.client("judge").get(f"/events/{staff.event.public_id}/forces/").content.decode()
    assert "Bramble: proxy. Parade Balloon: promotional." in queue
    checked = (
        staff.client("judge").get(f"/events/{staff.event.public_id}/forces/{player.number}/check/").content.decode()
    )
    for text in (bench(client, player), page(client, player, "?view"), checked):
        for name, mark in (("Bramble", "proxy"), ("Parade Balloon", "promotional")):
            head = text.split(name)[1].split("</h3>")[0]
            assert f'<span class="state warn">{mark}</span>' in head
    sheet = PdfReader(BytesIO(client.get(address(player, "sheet.pdf")).content)).pages[0].extract_text()
    assert "Bramble (proxy)" in sheet
    assert "Parade Balloon (promotional)" in sheet


def lock(event):
    """Close the event's deadline for forces."""
    Event.objects.filter(pk=event.pk).update(forces_close=timezone.now() - datetime.timedelta(minutes=1))


def test_without_a_set_deadline_the_first_pairing_is_it(catalogue, staff, player, client):
    add(client, player, "Bramble")
    RoundFactory(event=staff.event, number=1, state=Round.State.DRAFT)
    assert submit_force(client, player).status_code == 302, "a draft is nobody's business yet"
    staff.event.rounds.update(state=Round.State.PUBLISHED)
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
    assert submit_force(client, player).status_code == 403


def test_no_one_works_on_another_players_force_and_no_one_sees_it_before_the_event(catalogue, staff, player, client):
    add(client, player, "Bramble")
    submit_force(client, player)
    other = client_of(EntryFactory(event=staff.event, person=PersonFactory()).person)
    assert act(other, player, "add", code=code("Wrecker")).status_code == 403
    assert submit_force(other, player).status_code == 403
    for who in (other, Client()):
        assert who.get(address(player)).status_code == 403
        assert who.get(address(player, "force.json")).status_code == 403
        assert who.get(address(player, "sheet.pdf")).status_code == 403
    assert "Bramble" in page(staff.client("judge"), player, "?view")
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
    assert "Bramble" in page(Client(), player)
    Event.objects.filter(pk=staff.event.pk).update(forces_public=False)
    assert Client().get(address(player)).status_code == 403


def test_a_player_without_an_account_builds_by_the_signed_link(catalogue, staff):
    entry = EntryFactory(event=staff.event, name="Linda Link")
    client = Client()
    client.get(entry_link(entry), follow=True)
    add(client, entry, "Bramble")
    assert submit_force(client, entry).status_code == 302
    assert Force.objects.get(entry=entry).total == 17


def test_an_earlier_force_is_copied_with_the_facts_of_the_new_day(catalogue, staff, player, client):
    add(client, player, "Bramble", "Night Heron")
    submit_force(client, player)
    later = EntryFactory(person=player.person)
    response = client.post(address(later, "copy/"), {"force": Force.objects.get(entry=player).public_id})
    assert response.status_code == 302
    assert "Night Heron" in page(client, later)
    assert Force.objects.get(entry=later).state == "draft"
    stranger = EntryFactory(event=later.event, person=PersonFactory())
    refused = client_of(stranger.person).post(
        address(stranger, "copy/"), {"force": Force.objects.get(entry=player).public_id}
    )
    assert refused.status_code == 403


# pages


def test_the_builder_asks_as_often_for_twelve_elements_as_for_two(
    catalogue, player, client, django_assert_max_num_queries
):
    add(client, player, "Bramble", "Night Heron")
    with django_assert_max_num_queries(26):
        page(client, player)
    for _ in range(10):
        add(client, player, "Bramble")
    with django_assert_max_num_queries(26):
        page(client, player)
    with django_assert_max_num_queries(22):
        client.post(address(player, "change/"), {"act": "add", "code": code("Bramble")}, headers={"HX-Request": "true"})


def test_the_force_sheet_is_a_pdf_with_everything_a_judge_looks_for(catalogue, player, client):
    from io import BytesIO

    from pypdf import PdfReader

    add(client, player, "Bramble", "Night Heron")
    act(client, player, "describe", name="Night birds", map=["Docks", "Roofs", "", "never"])
    submit_force(client, player)
    for paper in ("a4", "letter"):
        response = client.get(address(player, "sheet.pdf"), {"paper": paper})
        text = PdfReader(BytesIO(response.content)).pages[0].extract_text()
        for said in ("Paula Player", "Bramble", "001", "Old Harbour", "77 of 200", "Docks", "Night birds", "dial"):
            assert said in text, said


@pytest.mark.parametrize("path", ["/", "/rules/"])
def test_the_free_check_is_linked_for_visitors_and_people_with_an_account(player, client, path):
    for one in (Client(), client):
        text = one.get(path).content.decode()
        assert 'href="/forces/check/"' in text
        assert "Check a force" in text


def test_the_free_check_builds_and_reads_pasted_files(catalogue):
    client = Client()
    at = "/forces/check/"
    client.post(at, {"act": "terms", "edition": "car-2002", "build_total": 100, "format": "constructed"})
    for name in ("Night Heron", "Laughing Jack"):
        client.post(at, {"act": "add", "code": code(name)})
    text = client.get(at).content.decode()
    assert "Illegal" in text
    assert "2 rules broken" in text
    kept = client.get("/forces/check/force.json").json()
    assert (kept["edition"], len(kept["force"]["characters"])) == ("car-2002", 2)
    pasted = '{"edition":"car-2002","event":{"build_total":100},"force":{"characters":[{"name":"A","points":-1}]}}'
    text = client.post(at, {"act": "list", "text": pasted}).content.decode()
    assert "force, characters 1, points: This must be from 0" in text
    good = client.post(at, {"act": "list", "text": client.get("/forces/check/force.json").content.decode()})
    assert good.content.decode().count("2 rules broken") == 2, "the force being built, and the file's"
    assert client.post(at, {"act": "list", "text": "not json"}).status_code == 200


def test_sets_are_called_by_their_names(catalogue, player, client, staff):
    Event.objects.filter(pk=staff.event.pk).update(sets=["harbour", "lost"])
    add(client, player, "Bramble")
    submit_force(client, player)
    judge = staff.client("judge")
    event = f"/events/{staff.event.public_id}/"
    for text in (page(client, player), page(client, player, "?view")):
        assert "Old Harbour 003" in " ".join(text.split())
    for shown in (page(client, player), client.get(event).content.decode()):
        assert "Old Harbour, lost" in shown
    assert "harbour" not in bench(client, player).replace("elements/harbour/", "").replace("Harbour", "")
    checking = judge.get(f"{event}forces/{player.number}/check/").content.decode()
    assert "Old Harbour" in checking


# sealed


@pytest.fixture
def sealed(staff, player):
    Event.objects.filter(pk=staff.event.pk).update(format="sealed-booster", state=Event.State.RUNNING)
    player.event.refresh_from_db()
    return RoundFactory(event=staff.event, number=1, state=Round.State.PUBLISHED)


def pool(entry) -> str:
    return f"/events/{entry.event.public_id}/entries/{entry.number}/pool/"


def test_the_product_is_registered_after_round_one_is_paired_and_the_force_is_built_from_it(
    catalogue, sealed, staff, player, client
):
    sealed.state = Round.State.DRAFT
    sealed.save()
    assert client.post(pool(player), {"act": "add", "code": code("Bramble")}).status_code == 403
    sealed.state = Round.State.PUBLISHED
    sealed.save()
    for name in ("Bramble", "Bramble", "Wrecker"):
        assert client.post(pool(player), {"act": "add", "code": code(name)}).status_code == 302
    assert "Old Harbour 003" in client.get(pool(player)).content.decode()
    assert "Old Harbour 003" in page(client, player)
    assert "but you listed 3" in client.get(pool(player)).content.decode()
    client.post(pool(player), {"act": "replaced", "product": "second booster", "missing": "one figure"})
    row = Pool.objects.get(entry=player)
    assert row.replaced[0]["missing"] == "one figure"
    add(client, player, "Bramble", "Bramble", "Bramble", "Night Heron")
    submit_force(client, player)
    force = Force.objects.get(entry=player)
    faults = [one["elements"] for one in force.report["violations"] if one["rule"] == "not-from-sealed-product"]
    picks = force.work["picks"]
    assert faults == [[picks[2]["ref"]], [picks[3]["ref"]]], "two Brambles were opened, no Night Heron"


def test_a_new_force_may_be_submitted_before_each_round_until_its_preparation_is_over(
    catalogue, sealed, staff, player, client
):
    for name in ("Bramble", "Wrecker"):
        client.post(pool(player), {"act": "add", "code": code(name)})
    add(client, player, "Bramble")
    assert submit_force(client, player).status_code == 302
    ClockRun.objects.create(round=sealed, phase=ClockRun.Phase.PREPARATION, began=timezone.now())
    assert submit_force(client, player).status_code == 302, "within the preparation"
    ClockRun.objects.create(round=sealed, phase=ClockRun.Phase.ROUND, began=timezone.now(), ended=timezone.now())
    assert client.post(pool(player), {"act": "remove", "place": 0}).status_code == 403
    picks = add_later(client, player, "Wrecker")
    assert len(picks) == 2, "the bench for the next round begins with the force that counts"
    assert submit_force(client, player).status_code == 302
    forces = list(Force.objects.filter(entry=player).order_by("from_round").values_list("from_round", "total"))
    assert forces == [(1, 17), (2, 137)]
    from events.services.forces import counting_force

    assert counting_force(player, 1).total == 17
    assert counting_force(player, 3).total == 137
    judge = staff.client("judge")
    late = judge.post(
        pool(player),
        {"act": "replaced", "missing": "a base without a dial", "confirmed": "yes", "reason": "Seen at the table"},
    )
    assert late.status_code == 302
    assert AuditEntry.objects.get(verb="change-pool-late").is_non_standard


def add_later(client, entry, name):
    act(client, entry, "add", code=code(name))
    return Force.objects.filter(entry=entry).order_by("-from_round").first().work["picks"]


def test_services_refuse_actors_without_a_person(catalogue, player):
    from events.door import Refused
    from events.services import forces

    with pytest.raises(Refused):
        forces.submit_force(by=Actor(), entry=player, from_round=1)


# the API


def test_the_api_hands_in_and_reads_ones_own_force(catalogue, staff, player, client):
    at = f"/api/events/{staff.event.public_id}/entries/{player.number}/force"
    dial = [{"speed": 8, "attack": 10, "defense": 16, "damage": 2, "powers": ["Stealth", "Outwit"]}]
    force = {
        "characters": [
            {"ref": "bat", "name": "Nightwatch", "points": 103, "set": "ic", "number": "063", "dial": dial},
            {"name": "Page", "points": 120},
        ]
    }
    given = {"force": force, "name": "By program", "maps": ["Docks"]}
    response = client.put(at, given, content_type="application/json")
    assert response.status_code == 200, response.content
    answer = response.json()
    assert (answer["standing"], answer["total"]) == ("not-legal", 223)
    assert answer["document"]["force"]["characters"][0]["dial"] == dial
    assert client.get(at).json()["name"] == "By program"
    assert "Nightwatch" in page(client, player)
    stranger = client_of(EntryFactory(event=staff.event, person=PersonFactory()).person)
    assert stranger.get(at).status_code == 403
    assert stranger.put(at, given, content_type="application/json").status_code == 403
    wrong = client.put(at, {"force": {"characters": [{"name": "X", "points": -1}]}}, content_type="application/json")
    assert wrong.status_code == 422
    assert "/force/characters/0/points" in wrong.json()["detail"]
    assert client.get(at).json()["total"] == 223
    Event.objects.filter(pk=staff.event.pk).update(forces_close=timezone.now())
    assert client.put(at, given, content_type="application/json").status_code == 403

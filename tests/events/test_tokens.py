"""API tokens: made and revoked on a page that asks for the password again; what ends them; what they never reach."""

import datetime
import json
import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from config.logs import shown
from events.actions import ACTIONS
from events.models import ApiToken, AuditEntry, Event, Role
from events.roles import Actor
from events.services import tokens as services
from events.token_rows import NOT_BY_TOKEN
from judging.keeping import erasure, event_file
from tests.conftest import client_of, password_given
from tests.factories import EventFactory, OfficialFactory, PersonFactory, VolunteerFactory

pytestmark = pytest.mark.django_db
WEEK = datetime.timedelta(days=7)


def page_of(event):
    return reverse("events:api-tokens", args=[event.public_id])


def made(staff, who="head_judge", rows=("see-drafts", "check-in"), event=None):
    """Return a new token of one of the staff, and its row."""
    by = Actor(person=getattr(staff, who))
    secret = services.create_token(by=by, event=event or staff.event, name="The Overlay", rows=rows, lasts=WEEK)
    return secret, ApiToken.objects.latest("pk")


def ask(secret, address="/api/events", **headers):
    return Client().get(address, headers={"Authorization": f"Bearer {secret}"} | headers)


def works(secret):
    return ask(secret).status_code == 200


def test_a_token_is_shown_once_and_only_its_hash_is_kept(staff):
    client = password_given(staff.client("head_judge"))
    sent = {"name": "Stream overlay", "days": 7, "views": ["see-drafts"], "acts": ["check-in"]}
    answer = client.post(page_of(staff.event), sent)
    (secret,) = re.findall(r"hj_[0-9]+_[\w-]+", answer.content.decode())
    row = ApiToken.objects.get()
    assert (row.person, row.event, sorted(row.rows)) == (staff.head_judge, staff.event, ["check-in", "see-drafts"])
    assert secret.split("_", 2)[2] not in f"{vars(row)} {AuditEntry.objects.values()}"
    assert "no-store" in answer["Cache-Control"]
    again = client.get(page_of(staff.event)).content.decode()
    assert secret not in again
    assert "Stream overlay" in again
    assert "never used" in again
    assert works(secret)
    assert "last used" in client.get(page_of(staff.event)).content.decode()
    entry = AuditEntry.objects.latest("pk")
    assert (entry.words, entry.by_person) == ("API token “Stream overlay” created", staff.head_judge)
    assert row.secret_hash not in str(entry.changes)


def test_the_page_asks_for_the_password_again(staff):
    client = staff.client("head_judge")
    for answer in (client.get(page_of(staff.event)), client.post(page_of(staff.event), {"name": "x", "days": 7})):
        assert answer.status_code == 302
        assert answer["Location"].startswith("/accounts/reauthenticate/")
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"name": "", "acts": "check-in"}, "This field is required"),
        ({"name": "Stream"}, "Choose at least one action."),
        ({"name": "Stream", "acts": "create-token"}, "create-token is not one of the available choices"),
        ({"name": "Stream", "acts": "report-event", "days": 4000}, "4000 is not one of the available choices"),
    ],
)
def test_a_token_needs_a_name_and_rows_that_tokens_can_have(staff, sent, words):
    answer = password_given(staff.client("head_judge")).post(page_of(staff.event), {"days": 7} | sent)
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_no_one_chooses_a_row_of_a_role_they_lack(staff):
    client = password_given(staff.client("scorekeeper"))
    answer = client.post(page_of(staff.event), {"name": "Stream", "days": 7, "acts": ["verify-event"]})
    assert answer.status_code == 400
    _secret, row = made(staff, "scorekeeper", rows=["verify-event", "enter-result"])
    assert row.rows == ["enter-result"]


def test_a_person_has_at_most_twenty_working_tokens_per_event(staff):
    for _n in range(20):
        made(staff)
    answer = password_given(staff.client("head_judge")).post(
        page_of(staff.event), {"name": "One more", "days": 7, "acts": "check-in"}
    )
    assert answer.status_code == 403
    assert "already have 20 tokens" in answer.content.decode()
    ApiToken.objects.update(revoked=timezone.now())
    made(staff)


@pytest.mark.parametrize("ending", ["revoked", "expired", "password", "closed", "mistyped", "of another", "none"])
def test_a_token_that_has_ended_is_refused(staff, ending):
    secret, row = made(staff)
    assert works(secret)
    if ending == "revoked":
        address = reverse("events:api-token-revoke", args=[staff.event.public_id, row.pk])
        assert staff.client("head_judge").post(address).status_code == 302
    elif ending == "expired":
        ApiToken.objects.update(expires=timezone.now())
    elif ending == "password":
        staff.head_judge.set_password("another-quiet-hall-6")
        staff.head_judge.save()
    elif ending == "closed":
        staff.head_judge.is_active = False
        staff.head_judge.save()
    elif ending == "mistyped":
        secret = secret[:-1] + ("A" if secret[-1] != "A" else "B")
    elif ending == "of another":
        other, _row = made(staff, "judge")
        secret = "_".join([*secret.split("_", 2)[:2], other.split("_", 2)[2]])
    else:
        secret = "hj_1_"
    answer = ask(secret)
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert "This token doesn't work" in answer.json()["detail"]


def test_who_answers_for_the_event_revokes_everyone_s_tokens_and_others_their_own(staff):
    _secret, row = made(staff, "judge")
    address = reverse("events:api-token-revoke", args=[staff.event.public_id, row.pk])
    assert staff.client("scorekeeper").post(address).status_code == 403
    assert client_of(PersonFactory()).post(address).status_code == 403
    assert row.name not in password_given(staff.client("scorekeeper")).get(page_of(staff.event)).content.decode()
    head = password_given(staff.client("head_judge"))
    page = head.get(page_of(staff.event)).content.decode()
    assert row.name in page
    assert staff.judge.name in page
    assert head.post(address).status_code == 302
    row.refresh_from_db()
    assert row.revoked is not None
    assert AuditEntry.objects.latest("pk").words == f"{staff.judge}'s API token “The Overlay” revoked"


def test_an_owner_without_any_role_left_still_revokes(staff):
    _secret, row = made(staff, "judge")
    staff.event.officials.filter(person=staff.judge).delete()
    client = password_given(client_of(staff.judge))
    assert row.name in client.get(page_of(staff.event)).content.decode()
    address = reverse("events:api-token-revoke", args=[staff.event.public_id, row.pk])
    assert client.post(address).status_code == 302
    assert client.post(page_of(staff.event), {"name": "x", "days": 7, "acts": "check-in"}).status_code == 400


def test_a_token_of_another_event_is_not_found(staff):
    other = EventFactory()
    OfficialFactory(event=other, person=staff.head_judge, role="head-judge")
    _secret, row = made(staff, event=other)
    address = reverse("events:api-token-revoke", args=[staff.event.public_id, row.pk])
    assert staff.client("head_judge").post(address).status_code == 404


def test_creating_and_revoking_cannot_be_undone(staff):
    made(staff)
    entry = AuditEntry.objects.latest("pk")
    address = reverse("judging:audit-log-entry", args=[staff.event.public_id, entry.pk])
    assert staff.client("head_judge").post(address, {"confirmed": "yes", "reason": "x"}).status_code == 403
    assert ApiToken.objects.count() == 1


def test_a_token_in_an_address_is_refused(staff):
    secret, _row = made(staff)
    for name in ("token", "access_token", "q"):
        answer = Client().get("/api/events", {name: secret})
        assert answer.status_code == 400
        assert "Never put a token in an address" in answer.json()["detail"]


def test_a_token_never_stands_in_the_log(staff):
    secret, _row = made(staff)
    assert shown(f"Not Found: /api/events/{secret}") == "Not Found: /api/events/hj_…"
    assert shown(f"Authorization: Bearer {secret}") == "Authorization: Bearer …"


def test_a_suspended_player_is_refused_by_token_as_on_the_page(staff):
    player = PersonFactory(suspended_until=timezone.localdate() + WEEK)
    by = Actor(person=player)
    secret = services.create_token(by=by, event=staff.event, name="Mine", rows=["enter-self"], lasts=WEEK)
    sent = {"name": "Ada Lund", "declares": True}
    answer = Client().post(
        f"/api/events/{staff.event.public_id}/actions/enter-self",
        json.dumps(sent),
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}"},
    )
    page = client_of(player).post(reverse("events:enter", args=[staff.event.public_id]), sent)
    assert answer.status_code == page.status_code == 403
    assert "suspended" in answer.json()["detail"]
    assert escape(answer.json()["detail"]) in page.content.decode()
    assert not staff.event.entries.exists()


def test_a_token_opens_no_page(staff):
    secret, _row = made(staff, rows=["see-console", "see-record"])
    headers = {"Authorization": f"Bearer {secret}"}
    console = reverse("events:console", args=[staff.event.public_id])
    assert Client().get(console, headers=headers).status_code == 403
    assert Client().get("/me/", headers=headers).status_code == 302
    assert Client().post(reverse("events:account"), {"name": "Mine"}, headers=headers).status_code == 302


def test_a_wrong_token_is_not_replaced_by_the_session_and_a_right_one_not_joined_by_it(staff):
    client = staff.client("head_judge")
    assert client.get("/api/events", headers={"Authorization": "Bearer hj_1_x"}).status_code == 401
    secret, _row = made(staff, "scorekeeper")
    answer = client.get("/api/events", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 200
    assert not answer.cookies
    assert "no-store" in answer["Cache-Control"]


def test_guessing_is_slowed_down_and_right_tokens_still_work(staff):
    cache.clear()
    secret, _row = made(staff)
    answers = [ask(f"hj_{n}_guess").status_code for n in range(40)]
    assert answers[0] == 401
    assert answers[-1] == 429
    assert works(secret)
    cache.clear()


def test_erasure_removes_the_tokens_and_their_owner_s_names_from_the_log(staff):
    person = VolunteerFactory(person__name="Ada Lund").person
    OfficialFactory(event=staff.event, person=person, role="judge")
    by = Actor(person=person)
    services.create_token(by=by, event=staff.event, name="Ada Lund's bot", rows=["check-in"], lasts=WEEK)
    Event.objects.update(state=Event.State.CANCELLED)
    erasure.erase_person(by=by, person=person, confirmed=True)
    assert not ApiToken.objects.exists()
    assert "Ada" not in str(list(AuditEntry.objects.values()))


def test_tokens_stay_out_of_event_files_and_are_listed_in_the_owner_s_own_data(staff):
    secret, row = made(staff)
    document = str(event_file.event_file(staff.event))
    assert secret not in document
    assert row.secret_hash not in document
    assert "ApiToken" not in document.replace("'model': 'events.ApiToken'", "")  # only that one was created
    told = password_given(staff.client("head_judge")).get(reverse("events:my-records")).json()
    assert [one["name"] for one in told["api_tokens"]] == ["The Overlay"]
    assert row.secret_hash not in str(told)


def test_every_excluded_row_has_its_reason_and_no_token_offers_it():
    assert set(NOT_BY_TOKEN) <= set(ACTIONS), f"These are no rows: {set(NOT_BY_TOKEN) - set(ACTIONS)}"
    assert all(str(why) for why in NOT_BY_TOKEN.values())
    assert not set(services.rows_for(frozenset(Role))) & set(NOT_BY_TOKEN)

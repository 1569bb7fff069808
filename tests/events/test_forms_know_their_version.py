"""Every form of the site sends the version it was made from, or is listed here with the reason why it needs none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.urls import reverse

from events.models import Event, Match, Round
from events.services import clock, rounds
from tests.events.simulation import players

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"

NEW = "makes something new; nothing that is there is overwritten"
SAME = "pressing it twice, or two people pressing it, changes nothing more"
BENCH = "does one thing to the bench as it is then; what is handed in carries `seen`, the count that was shown"
SHOWN = "shows first, by a page that carries what it was made from, what would be done"
NEEDS_NONE: dict[tuple[str, str], str] = {
    ("events/calendar/page.html", "events:calendar-address"): "each address replaces the one before",
    ("events/people/pairing_mails_off.html", ""): SAME,
    ("events/people/account.html", "events:push"): SAME,
    ("events/entries/entry.html", "events:push"): SAME,
    ("events/people/tokens.html", ""): NEW,
    ("events/setup/webhooks.html", ""): NEW,
    ("events/setup/webhook.html", "events:webhook-act"): "a second test message is refused while one waits",
    ("events/setup/webhook.html", "events:webhook-resend"): "the receiver recognises a message by its id",
    ("events/people/tokens.html", "events:api-token-revoke"): SAME,
    ("events/clock/control.html", "preparation"): SAME,
    ("events/clock/control.html", "extend"): "extra times add up, each stands on the page with its reason",
    ("events/clock/control.html", "events:extension-withdraw"): SAME,
    ("events/results/table.html", "events:extend"): "extra times add up, each stands on the page with its reason",
    ("events/clock/extend.html", ""): "extra times add up, each stands on the page with its reason",
    ("events/console/console.html", "{{ button.address }}"): SHOWN,
    ("events/entries/add.html", ""): NEW,
    ("events/entries/check_in.html", ""): SAME,
    ("events/entries/check_in.html", "events:draft-next"): "a round is made once: who comes second is told",
    ("events/entries/enter.html", ""): NEW,
    ("events/entries/enter_how.html", "events:enter-by-mail"): "sends an e-mail; nothing is stored",
    ("events/entries/enter_confirm.html", ""): "opened again, it shows the entry that it made",
    ("events/entries/entries.html", "events:entries-move-up"): "gives the seats that are free at that moment",
    ("events/entries/entry.html", "events:entry-act"): SAME,
    ("events/entries/entry.html", "events:entry-join"): SAME,
    ("events/entries/import.html", ""): NEW,
    ("events/rounds/import.html", ""): NEW,
    ("events/teams/own.html", "events:partner"): "a choice that both must make; one who has a partner by then is told",
    ("events/teams/teams.html", ""): NEW,
    ("events/results/by_number.html", ""): "leads to a table's page; nothing is stored",
    ("events/forces/bench.html", "events:force-submit"): BENCH,
    ("events/forces/bench.html", "undo"): BENCH,
    ("events/forces/builder.html", "add"): BENCH,
    ("events/forces/builder.html", "describe"): BENCH,
    ("events/forces/builder.html", "clear"): BENCH,
    ("events/forces/check.html", "terms"): "belongs to one visitor's session",
    ("events/forces/copy_button.html", "events:force-copy"): BENCH,
    ("events/forces/copy.html", "events:force-save"): NEW,
    ("events/forces/keep.html", "events:force-copy"): BENCH,
    ("events/forces/keep.html", "events:forces-check-save"): NEW,
    ("events/forces/list_box.html", "list-add"): BENCH,
    ("events/forces/my_forces.html", "events:my-force"): "copies to one visitor's session",
    ("events/forces/element.html", "points"): BENCH,
    ("events/forces/element.html", "sideline"): BENCH,
    ("events/forces/element.html", "proxy"): BENCH,
    ("events/forces/element.html", "remove"): BENCH,
    ("events/forces/element.html", "assign"): BENCH,
    ("events/frame.html", "events:entry-link-forget"): "belongs to one visitor's session",
    ("events/installation/set_up.html", ""): "is gone once it was sent",
    ("events/people/offer_buttons.html", "events:offer-answer"): SAME,
    ("events/people/sign_in_by_code.html", ""): "a code is used once",
    ("events/people/sign_in_code.html", ""): NEW,
    ("events/people/sign_in_code.html", "events:sign-in-code-revoke"): SAME,
    ("events/policy/seasons.html", ""): NEW,
    ("events/entries/report.html", "events:claim"): "reports stand beside each other; two that differ go to a judge",
    ("events/results/keyboard.html", ""): "enters only where there is no result; another one that is there is told",
    ("events/results/table.html", "events:claim"): "reports stand beside each other; two that differ go to a judge",
    ("events/results/table.html", "events:claim-withdraw"): "takes back one's own report only, while nothing counts",
    ("events/pods/pod.html", "events:pod-paper"): SAME,
    ("events/pods/pass.html", "events:pod-pass"): "names the pick after which boosters pass; a second press is refused",
    ("events/rounds/rounds.html", "events:cut"): "a round is made once: who comes second is told",
    ("events/series/create.html", ""): NEW,
    ("events/series/events.html", ""): NEW,
    ("events/series/events.html", "events:series-event-act"): SAME,
    ("events/series/players.html", ""): NEW,
    ("events/series/players.html", "events:series-join-separate"): SAME,
    ("events/series/invitation.html", "events:series-event-act"): SAME,
    ("events/series/series.html", "events:series-event-act"): SAME,
    ("events/setup/announce.html", ""): NEW,
    ("events/setup/announce.html", "events:announcement-withdraw"): SAME,
    ("events/setup/announce.html", "events:next-round"): "one moment for the whole event: the last one said counts",
    ("events/setup/create.html", "events:copy"): NEW,
    ("events/setup/create.html", ""): NEW,
    ("events/setup/event.html", "events:entry-link-forget"): "belongs to one visitor's session",
    ("events/setup/event.html", "events:copy"): NEW,
    ("events/setup/officials.html", "events:official-accept"): SAME,
    ("events/setup/officials.html", "events:official-accept-for"): SAME,
    ("events/setup/officials.html", "events:official-confirm"): SAME,
    ("events/setup/officials.html", "events:official-remove"): SAME,
    ("events/setup/officials.html", ""): "names one person and one role; who else would change is shown first",
    ("events/venues/halls.html", "events:venue-hall-remove"): SAME,
    ("events/venues/halls.html", ""): "a hall's two facts; a name that is taken is told",
    ("events/venues/managers.html", "events:venue-manager-accept-for"): SAME,
    ("events/venues/managers.html", "events:venue-manager-confirm"): SAME,
    ("events/venues/managers.html", "events:venue-manager-remove"): SAME,
    ("events/venues/managers.html", ""): NEW,
    ("events/venues/members.html", ""): NEW,
    ("events/venues/members.html", "events:venue-member-remove"): SAME,
    ("events/venues/register.html", ""): NEW,
    ("events/venues/venue.html", "events:copy"): NEW,
    ("judging/calls/call.html", "judging:dispute"): NEW,
    ("judging/calls/hand.html", "judging:call-raise"): "a hand that is up stays up",
    ("judging/keeping/machines.html", ""): NEW,
    ("judging/keeping/machines.html", "judging:machine-unpair"): SAME,
    ("judging/keeping/page.html", "judging:event-export"): "changes nothing",
    ("judging/keeping/paired.html", "judging:event-export"): "changes nothing",
    ("judging/keeping/page.html", "judging:snapshot-take"): NEW,
    ("judging/keeping/read.html", ""): SHOWN,
    ("judging/rulings/at_table.html", "judging:dispute"): NEW,
    ("judging/rulings/at_table.html", "judging:slow-play"): "the ladder is read behind the door",
    ("judging/rulings/at_table.html", "fail"): "one end of a check; what it does is shown first",
    ("judging/rulings/rule.html", "judging:dispute"): NEW,
    ("judging/penalties/page.html", ""): NEW,
    ("judging/audit_log/entry.html", "judging:audit-log-entry"): "undoes only what is still as the act left it",
    ("judging/verification/checking.html", "again"): SAME,
    ("judging/verification/checking.html", "unlook"): "ticks one figure: the others' ticks stay",
    ("judging/verification/checking.html", "look"): "ticks one figure: the others' ticks stay",
}


def forms() -> list[tuple[str, str, str]]:
    """Return template, action (or else the address) and source of every form that posts."""
    found = []
    for path in sorted([*(TEMPLATES / "events").rglob("*.html"), *(TEMPLATES / "judging").rglob("*.html")]):
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(r'(?s)<form\b[^>]*method="post".*?(?:</form>|\Z)', text):
            form = match[0]
            act = re.search(r'name="act"\s+value="(?:\{% if [^%]*%\})?([a-z-]+)', form)
            to = re.search(r"action=\"(?:\{% url '([^']+)'|(\{\{[^}]*\}\}))", form)
            where = (to[1] or to[2]) if to else ""
            what = act[1] if act and (not where or where.startswith("{{") or "force-check" in where) else where
            found.append((str(path.relative_to(TEMPLATES)), "" if what.startswith("{{ request") else what, form))
    return found


def test_every_form_has_its_version_or_a_reason():
    there = forms()
    assert len(there) > 80
    without = {(template, what) for template, what, form in there if 'name="version"' not in form}
    unknown = without - set(NEEDS_NONE)
    assert not unknown, f"Give these forms the version of their row, or say why not: {sorted(unknown)}"
    needless = set(NEEDS_NONE) - without
    assert not needless, f"These have a version now, or are gone: {sorted(needless)}"


@pytest.mark.django_db
def test_a_form_from_before_changes_nothing_and_shows_the_difference(staff):
    event = staff.event
    by = staff.actor("head_judge")
    players(event, 6)
    round_ = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=round_)
    clock.start_round(by=by, round=round_)
    Round.objects.update(version=7)
    Match.objects.update(version=7)
    event.entries.update(version=7)
    Event.objects.update(version=7)
    match = round_.matches.order_by("table")[0]
    client = staff.client("head_judge")

    def url(name: str, *parts: object) -> str:
        return reverse(name if ":" in name else f"events:{name}", args=[event.public_id, *parts])

    table = (1, match.table)
    acts = [
        (url("enter-result", *table), {"act": "enter", "score_a": 10, "score_b": 5}),
        (url("enter-result", *table), {"act": "decide", "score_a": 10, "score_b": 5, "reason": "x"}),
        (url("abandon-match", *table), {"side": "a"}),
        (url("complete", 1), {}),
        (url("unpublish", 1), {"reason": "x"}),
        (url("clock"), {"act": "more", "all-minutes": 5, "all-reason": "x"}),
        (url("clock"), {"act": "call", "reason": "x"}),
        (url("clock"), {"act": "pause"}),
        (url("fix-seating", 1) + "?first=1&second=2", {"opponent": round_.matches.get(table=2).a.number, "reason": "x"}),
        (url("entry-act", 2, "drop"), {}),
        (url("entry-edit", 2), {"name": "Other", "declares": "on"}),
        (url("entry-act", 2, "disqualify"), {"reason": "x"}),
        (url("entry-link-renew", 2), {}),
        (url("end"), {}),
        (url("cancel"), {"reason": "x"}),
    ]  # fmt: skip
    before = [list(rows.values()) for rows in (event.entries, event.rounds, Match.objects, Event.objects)]
    cancelling = staff.client("manager")
    for address, sent in acts:
        who = cancelling if address.endswith("/cancel/") else client
        answer = who.post(address, sent | {"version": 6, "confirmed": "yes"})
        assert answer.status_code == 409, (address, sent, answer.status_code)
        text = answer.content.decode()
        assert "Someone else changed this" in text
        assert 'name="version" value="7"' in text, "it can be sent again, over what is there now"
    assert [list(rows.values()) for rows in (event.entries, event.rounds, Match.objects, Event.objects)] == before
    shown = client.post(url("entry-edit", 2), {"name": "Other", "declares": "on", "version": 6}).content.decode()
    assert "Player 002" in shown
    assert "Other" in shown

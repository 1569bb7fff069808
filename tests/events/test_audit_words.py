"""The audit log stores facts: an action in French reads in English, and the other way round."""

import ast
import json
import re
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils.translation import gettext_lazy, override

from events.actions import ACTIONS
from events.audit import SENTENCES, kept, words
from events.models import AuditEntry, Event, Match
from events.services import entries, results, rounds
from events.services import undo as undoing
from judging.keeping import erasure, moving
from judging.keeping.whole_file import read_file, whole_file
from judging.services import calls, penalties
from tests.events.simulation import play, play_round, players, result
from tests.factories import PersonFactory
from tests.tables import every_row
from tests.trees import tree_of

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _in_english():
    """Reset the language that a request in French leaves active."""
    with override("en"):
        yield


@pytest.fixture
def french(staff):
    """An event run in French: entries, a round with a correction, a call, a penalty, a drop and its undo."""
    by, event = staff.actor("head_judge"), staff.event
    with override("fr"):
        players(event, 4)
        round_ = play_round(by, event)
        match = round_.matches.get(table=1)
        results.correct_result(by=by, match=match, result=result("b"), confirmed=True, reason="slip")
        late = entries.add_entry(by=by, event=event, name="Élodie", declares=True, checked_in=True)
        penalties.give_penalty(
            by=by, entry=late, kind="warning", category="slow-play", text="took long", confirmed=True
        )
        entries.drop_entry(by=by, entry=event.entries.get(number=2), confirmed=True)
        undoing.undo(by=by, entry=AuditEntry.objects.latest("pk"), confirmed=True, reason="x")
        draft = rounds.draft_round(by=by, event=event)
        rounds.publish_round(by=by, round=draft)
        calls.raise_call(by=by, match=draft.matches.filter(kind=Match.Kind.GAME).first())
    return staff


def read(staff, language: str, **asked: str) -> str:
    address = reverse("judging:audit-log", args=[staff.event.public_id])
    return staff.client("manager").get(address, asked, headers={"accept-language": language}).content.decode()


@pytest.mark.django_db
def test_an_action_in_french_reads_in_english(french):
    in_english, in_french = read(french, "en"), read(french, "fr")
    assert "Round 1 published" in in_english
    assert "Undone: Player 002 dropped after round 1" in in_english
    assert "Round 2, table 1: judge called" in in_english
    assert "Warning given to Élodie: slow play" in in_english
    assert "Ronde 1 publiée" in in_french
    assert "Round 1 published" not in in_french
    said = {language: [] for language in ("en", "fr")}
    for language, lines in said.items():
        with override(language):
            lines += [entry.words for entry in AuditEntry.objects.order_by("pk")]
    assert all(one != other for one, other in zip(said["en"], said["fr"], strict=True)), "no sentence has a language"
    corrected = next(line for line in said["en"] if "corrected" in line)
    assert re.search(r"^Round 1, table 1: result corrected to .* wins \(winner: .*\)$", corrected), corrected


@pytest.mark.django_db
def test_the_log_is_searched_in_the_language_of_the_reader(french):
    address = reverse("judging:audit-log-json", args=[french.event.public_id])

    def found(language: str, text: str) -> int:
        given = french.client("manager").get(address, {"text": text}, headers={"accept-language": language})
        return len(given.json())

    assert found("en", "round published") == found("fr", "ronde publiée") == 2
    assert found("en", "publiée") == found("fr", "published") == 0
    assert found("en", "Élodie") == found("fr", "Élodie") == 2, "a name with an accent"
    assert found("en", "nonsense") == 0


@pytest.mark.django_db
def test_a_file_says_it_in_english_and_is_read_back_in_any_language(french, db):
    event = french.event
    with override("fr"):
        written = whole_file(event).content()
    with override("en"):
        assert whole_file(event).content() == written
    told = [row["summary"] for row in json.loads(written)["record"]]
    with override("en"):
        assert told == [entry.words for entry in AuditEntry.objects.filter(event=event).order_by("pk")]
    with override("fr"):
        before = [entry.words for entry in AuditEntry.objects.filter(event=event).order_by("pk")]
        content = moving.export_event(by=french.actor("head_judge"), event=event)
        moving.import_event(by=french.actor("office"), document=read_file(content))
        assert [entry.words for entry in AuditEntry.objects.filter(event=event).order_by("pk")] == before


@pytest.mark.django_db
def test_erasing_a_person_takes_the_name_out_of_the_facts(french):
    person = PersonFactory(name="Élodie", email="elodie@example.org")
    french.event.entries.filter(name="Élodie").update(person=person)
    erasure.scrub(person, by_office=True)
    log = json.dumps(list(AuditEntry.objects.values("summary", "facts", "changes")), ensure_ascii=False)
    assert "Élodie" not in log
    assert "(data erased)" in AuditEntry.objects.get(verb="give-penalty").words


@pytest.mark.django_db
def test_an_old_entry_says_what_it_said(staff):
    AuditEntry.objects.create(event=staff.event, verb="announce", summary="Annoncé : la pause dure dix minutes")
    assert "Annoncé : la pause dure dix minutes" in read(staff, "en")
    assert "Annoncé" in read(staff, "en", text="pause dix")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sentence", "facts"),
    [
        ("published", {}),
        ("published", {"round": "one"}),
        ("published", []),
        ("published", {"round": {"round": []}}),
        ("no-such-sentence", {"round": 1}),
        ("result-entered", {"round": 1, "table": 1, "result": {}, "names": ["A"]}),
        ("undone", {"what": {"sentence": "undone", "facts": {"what": 3}}}),
        ("withdrew", {"name": "Ada", "names": 7}),
    ],
)
def test_facts_that_no_verb_has_written_break_no_page(staff, sentence, facts):
    entry = AuditEntry.objects.create(event=staff.event, verb="publish-round", sentence=sentence, facts=facts)
    assert entry.words
    assert read(staff, "fr")


def test_each_sentence_is_said_somewhere():
    written = [path for folder in ("events", "judging") for path in (ROOT / folder).rglob("*.py")]
    source = "".join(path.read_text(encoding="utf-8") for path in written if path.name != "audit_sentences.py")
    unsaid = [name for name in SENTENCES if f'"{name}"' not in source]
    assert not unsaid, "delete these from events/audit_sentences.py or judging/audit_sentences.py"


OTHER_VERBS = {
    "run-series-draft": "prize draft started",
    "change-venue-managers": "became a manager",
    "change-halls": "saved",
    "choose-partner": "as partner",
    "split-team": "split up",
    "change-force-late": "updated",
    "change-officials": "role of",
    "use-sign-in-code": "signed in",
    "send-reminders": "reminded",
    "enter-self": "new entry",
    "add-time": "time called",
    "abandon-match": "left the match",
    "arrive-at-table": "arrived",
    "record-decision": "ruled",
    "answer-appeal": "upheld",
    "change-webhook": "turned off",
}
"""Actions whose log says which of several things was done, or a state, with the words that it uses instead."""


def past_of(verb: str) -> re.Pattern[str]:
    """Return what a sentence in the past calls this: "Withdraw" finds "withdrew" and "withdrawn"."""
    irregular = {
        "give": "given",
        "withdraw": "withdr[ae]wn?",
        "undo": "undone|redone",
        "take": "took|taken",
        "set": "set",
        "cut": "cut",
    }
    regular = rf"{verb}e?d|{verb}{verb[-1]}ed|{verb[:-1]}ied"
    return re.compile(rf"\b(?:{irregular.get(verb, regular)}|to {verb})\b")


def sentences_by_action() -> dict[str, set[str]]:
    """Return, for each action that opens the door by name, the sentences that are said inside it."""
    found: dict[str, set[str]] = {}
    for folder in ("events/services", "judging"):
        for path in (ROOT / folder).rglob("*.py"):
            if "door(" not in (source := path.read_text(encoding="utf-8")):
                continue
            for block in (node for node in ast.walk(tree_of(source)) if isinstance(node, ast.With)):
                door = block.items[0].context_expr
                if not (isinstance(door, ast.Call) and getattr(door.func, "id", "") == "door"):
                    continue
                said = [
                    node.args[0] for node in ast.walk(block) if getattr(getattr(node, "func", 0), "attr", "") == "says"
                ]
                names = {one.value for part in said for one in ast.walk(part) if isinstance(one, ast.Constant)}
                for verb in (one.value for one in ast.walk(door.args[0]) if isinstance(one, ast.Constant)):
                    found.setdefault(verb, set()).update(names & SENTENCES.keys())
    return {verb: names for verb, names in found.items() if names}


def test_the_log_says_it_with_the_verb_of_the_action():
    found = sentences_by_action()
    assert len(found) > 70, "sentences stand in the block of their door"
    wrong = {}
    for verb, names in found.items():
        said = [SENTENCES[name].constant_words() for name in sorted(names)]
        first = re.split(r"[ ,]", str(ACTIONS[verb].label))[0].casefold()
        if any("state" in SENTENCES[name].kinds for name in names) and verb.startswith("decide-"):
            continue  # the state says it: "approved"
        if verb in OTHER_VERBS:
            fits = any(OTHER_VERBS[verb] in one for one in said)
        else:
            fits = any(past_of(first).search(one) for one in said)
        if not fits:
            wrong[str(ACTIONS[verb].label)] = said
    assert not wrong, "say it with the label's verb in events/audit_sentences.py, or name the words in OTHER_VERBS"


def test_a_fact_has_no_language_and_none_is_missing():
    with pytest.raises(TypeError):
        kept("dropped", {"name": gettext_lazy("Round"), "round": 1})
    with pytest.raises(KeyError):
        kept("dropped", {"name": "Ada"})
    assert words("drop-entry", "dropped", kept("dropped", {"name": "Ada", "round": 2})) == "Ada dropped after round 2"


@pytest.mark.django_db
def test_a_whole_event_is_worded_in_both_languages(staff):
    with override("fr"):
        players(staff.event, 5)
        for _round in range(2):
            play_round(staff.actor("head_judge"), staff.event)
    for language in ("en", "fr"):
        with override(language):
            for entry in AuditEntry.objects.all():
                assert entry.words == SENTENCES[entry.sentence].words(entry.facts)


@pytest.mark.django_db
def test_rounds_of_a_cut_are_called_by_their_stage(staff):
    event, by = staff.event, staff.actor("head_judge")
    event.number_of_rounds, event.cut_to = 1, 4
    event.save()
    players(event, 8)
    play_round(by, event)
    semifinals = rounds.draft_cut(by=by, event=event)
    rounds.publish_round(by=by, round=semifinals)
    judge, address = staff.client("head_judge"), f"/events/{event.public_id}/"
    published = AuditEntry.objects.filter(event=event, sentence="published").latest("pk")
    undo = judge.get(reverse("judging:audit-log-entry", args=[event.public_id, published.pk])).text
    assert "Semifinals · Round 2 becomes a draft again." in undo
    play(by, semifinals)
    rounds.complete_round(by=by, round=semifinals)
    log = judge.get(f"{address}audit-log/?text=semifinals").text
    for said in ("published", "completed"):
        assert f"Semifinals · Round 2 {said}" in log
    assert "Round 1 published" not in log
    assert "Standings after the semifinals" in judge.get(f"{address}standings/").text
    loser = semifinals.matches.get(table=1).b
    entries.drop_entry(by=by, entry=loser, confirmed=True)
    penalties.give_penalty(
        by=by, entry=loser, match=semifinals.matches.get(table=1), kind="warning", category="slow-play", text="x",
        confirmed=True,
    )  # fmt: skip
    assert f"{loser} dropped after the semifinals" in judge.get(f"{address}audit-log/").text
    pages = ("standings/", "cross-table/", "chart/", f"paths/{loser.number}/", "penalties/")
    for page in pages:
        shown = judge.get(address + page).text
        assert "Semifinals" in shown, page
        assert "Round 2" not in shown.replace("Semifinals · Round 2", ""), page
    for page in (f"entries/{loser.number}/", "entries/"):
        assert "left after the semifinals" in judge.get(address + page).text, page
    assert words("publish-round", "published", {"round": 2}) == "Round 2 published", "an entry of an older version"
    assert words("drop-entry", "dropped", {"name": "Ada", "round": 2}) == "Ada dropped after round 2"


@pytest.mark.django_db
def test_a_player_who_drops_before_the_first_round_is_not_said_to_have_dropped_after_round_0(staff):
    players(staff.event, 2)
    Event.objects.update(state=Event.State.RUNNING)  # round 1 was unpublished
    entry = staff.event.entries.get(number=1)
    entries.drop_entry(by=staff.actor("head_judge"), entry=entry, confirmed=True)
    assert AuditEntry.objects.latest("pk").words == f"{entry} dropped before round 1"
    page = reverse("events:entry", args=[staff.event.public_id, 1])
    assert "left before round 1" in staff.client("head_judge").get(page).text


@every_row(
    ("length", "words"),
    [("0:05", "5 seconds"), ("12:34", "12 minutes"), ("1:02:03", "1 hour 2 minutes"), ("−0:05", "−0:05")],
)
def test_the_length_of_a_call_is_words(length, words):
    facts = {"round": 2, "table": 3, "length": length, "about": "rule", "outcome": "answered"}
    assert f"call resolved after {words} (" in str(SENTENCES["call-resolved"].words(facts))


@every_row(
    ("name", "facts", "one", "several"),
    [
        (
            "hall-saved",
            {"name": "A", "venue": "Den"},
            "Den: hall “A” saved with 1 table",
            "Den: hall “A” saved with 2 tables",
        ),
        ("paired", {"round": 1, "seed": 7}, "Round 1 paired: 1 table, seed 7", "Round 1 paired: 2 tables, seed 7"),
        (
            "bracket-replayed",
            {"round": 4, "before": 3},
            "Round 4 paired to replay Round 3 at table 5, because no one won there",
            "Round 4 paired to replay Round 3 at tables 5 and 6, because no one won there",
        ),
    ],
)
def test_one_table_is_not_said_to_be_several(name, facts, one, several):
    tables = ([5], [5, 6]) if name == "bracket-replayed" else (1, 2)
    assert [SENTENCES[name].words(facts | {"tables": given}) for given in tables] == [one, several]

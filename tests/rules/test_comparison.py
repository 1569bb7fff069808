"""The comparison of editions: every option, check, scenario and power of the engine's tables is there, in words."""

import dataclasses
import re

from rules import comparison, edition_words
from rules.engine import EDITIONS, questions, topics
from tests.tables import every_row

EVERYTHING = {row.key: row for chapter in comparison.compare() for row in chapter.rows if chapter.name != "places"}
CHAPTERS = {chapter.name: chapter for chapter in comparison.compare()}
NOT_COMPARED = {"by_cards", "name", "title", "year", "action_words", "topics", "rulings", "corrections"}
SOME = EDITIONS["car-2002"], EDITIONS["core-2014"]


def records():
    """Return an edition's option records by name."""
    sample = EDITIONS["car-2002"]
    named = {field.name: getattr(sample, field.name) for field in dataclasses.fields(sample)}
    return {name: value for name, value in named.items() if dataclasses.is_dataclass(value)}


def told(key, edition):
    return EVERYTHING[key].told[edition]


def test_every_record_has_a_chapter_and_every_other_field_is_compared():
    assert set(records()) == set(comparison.OPTIONS), "give each record a chapter in OPTIONS of rules/comparison.py"
    tables = {"powers", "team_abilities", "inherent", "symbol_abilities"}
    sample = {field.name for field in dataclasses.fields(EDITIONS["car-2002"])}
    assert sample - set(records()) - tables - NOT_COMPARED == {"rivalries", "wild_cards"}, (
        "an edition's field that is no record: compare it in rules/comparison.py, or say here why it isn't"
    )


@every_row("record", comparison.OPTIONS)
def test_every_option_of_every_record_is_a_row(record):
    for field in dataclasses.fields(records()[record]):
        key = f"{record}.{field.name}"
        assert key in comparison.TABLES or set(EVERYTHING[key].told) == set(EDITIONS), key


def test_every_option_has_a_question_of_its_own_with_topics_that_are_known():
    for key in comparison.option_keys():
        home = (
            f"say under {key} in rules/engine/options.py or edition.py what it asks, and in brackets under which topics"
        )
        assert key in questions(), home
        assert re.search(r"\?( \(.*\))?$", questions()[key].text), home
        assert questions()[key].topics, home
        assert set(questions()[key].topics) <= set(topics()), (home, set(questions()[key].topics) - set(topics()))


def test_only_options_that_are_compared_have_a_question():
    assert set(questions()) <= set(comparison.option_keys())


def test_every_answer_has_words_of_its_own():
    """A named procedure without words would show the engine's own sentence, which isn't translated."""
    for key, find in comparison.option_keys().items():
        for edition in EDITIONS.values():
            value = find(edition)
            if callable(value) or isinstance(value, str):
                name = getattr(value, "__name__", value)
                home = f"under {key} in rules/engine/options.py or edition.py, a line: - `{name}`: words"
                assert questions()[key].worded(value) is not None, home


@every_row("edition", EDITIONS.values(), ids=EDITIONS)
def test_every_scenario_symbol_and_kind_of_action_has_words(edition):
    powers = (*edition.powers.values(), *edition.team_abilities.values())
    for table, used in (
        ("SCENARIOS", {play.__name__ for play in edition.scoring.scenarios.values()}),
        ("SYMBOLS", set(edition.symbol_abilities)),
        ("ACTIONS", {kind for power in powers for kind in power.action}),
    ):
        assert used <= set(getattr(edition_words, table)), f"say these in {table} of rules/edition_words.py"


@every_row("edition", EDITIONS)
def test_every_row_of_the_edition_s_tables_is_there(edition):
    book = EDITIONS[edition]
    for chapter, table in (
        ("powers", book.powers),
        ("team-abilities", book.team_abilities),
        ("inherent", book.inherent),
        ("symbols", book.symbol_abilities),
        ("checks", {check.name: check for check in book.force.checks}),
        ("scenarios", book.scoring.scenarios),
    ):
        rows = {row.key: row for row in CHAPTERS[chapter].rows} if chapter in CHAPTERS else {}
        has = {key for key, row in rows.items() if row.told[edition].state != "missing"} - {"wild_cards"}
        assert has == set(table)
        assert all(rows[key].told[edition].citation is not None for key in table if key != "custom")


def test_answers_are_words_never_python():
    for chapter in comparison.compare():
        for row in chapter.rows:
            for one in row.told.values():
                assert one.text
                assert not re.search(
                    r"frozenset|function at|object at 0|<|None\b|True\b|False\b|[{}\[\]]|_", one.text
                ), one


@every_row(
    ("key", "edition", "answer"),
    [
        ("actions.fewest", "core-modern", "2"),
        ("actions.most", "core-modern", "10"),
        ("actions.most", "core-2014", "no limit"),
        ("board.objects_hinder_sight", "car-2002", "all objects"),
        ("board.objects_hinder_sight", "core-2014", "light, heavy, immobile, ultra heavy"),
        ("board.windows_and_doors", "core-modern", "yes"),
        ("board.windows_and_doors", "core-2014", "no"),
        ("board.giant_reach", "dc-2005", "2 squares"),
        ("line_of_fire.hindering_modifier", "dc-2005", "1"),
        ("targets.first_immunity", "core-2014", "in the first round"),
        ("targets.full_range_to_soaring", "dc-2005", "giant, colossal"),
        ("values.modifiers_limit", "core-2014", "3"),
        ("values.modifiers_limit", "ic-2002", "no limit"),
        ("values.minimum", "core-2014", "0"),
        ("movement.size_past", "ic-2002", "nothing"),
        ("movement.hovering_past", "core-2014", "no hovering in this edition"),
        ("sentinels.captives_that_fill_hands", "car-2002", "2"),
        ("sentinels.act_with_two_tokens", "car-2002", "yes"),
        ("sentinels.captives_that_fill_hands", "core-2014", "3"),
        ("sentinels.captives_that_fill_hands", "core-modern", "not in this edition"),
        ("sentinels.unaffected_by", "core-2014", "not in this edition"),
        ("combat.thrown", "dc-2005", "light: 6 squares, 2 damage; heavy: 4 squares, 3 damage"),
        ("knock_back.fall_damage", "core-modern", "2"),
        ("force.unique_ranks", "dc-2005", "Unique, super rare, Limited Edition"),
        (
            "scoring.release",
            "core-2014",
            "the points for defeating the captive, plus a bonus of the same amount (at most 50)",
        ),
        ("scoring.release", "core-modern", "no captives in this edition"),
        ("wild_cards", "car-2002", "Legion of Super Heroes, Minions of Doom, Spider-Man"),
        ("build-total-increment", "core-2014", "warning only"),
        ("build-total-increment", "dc-2005", "checked"),
        ("archenemies", "dc-2005", "checked: only among figures with the same set symbol"),
        ("archenemies", "core-2014", "not in this edition"),
        ("showdown", "core-2014", "not in this edition"),
    ],
)
def test_what_is_answered(key, edition, answer):
    assert told(key, edition).text == answer


@every_row(
    ("power", "edition", "said"),
    [
        ("Charge", "car-2002", ("half its speed", "isn't knocked back", "Action: move action.")),
        ("Charge", "core-2014", ("half its speed", "isn't knocked back", "Action: power action.")),
        ("Mind Control", "dc-2005", ("Action: close combat action or ranged combat action.",)),
        ("Poison", "core-modern", ("Action: free action at the beginning of the turn.",)),
        ("Toughness", "car-2002", ("by 1", "Action: none (always in effect).")),
        ("Stealth", "car-2002", ("Action: none (the player may decline to use the power).",)),
        ("Impervious", "core-modern", ("Action: none (the player may decline the roll).",)),
        ("Probability Control", "core-2014", ("at least 6 squares", "Action: none (the player announces the power).")),
        ("Precision Strike", "core-2014", ("Action: as its card says.",)),
        ("Spider-Man", "core-2014", ("a wild card",)),
    ],
)
def test_what_powers_say(power, edition, said):
    text = told(power, edition).text
    assert all(words in text for words in said), text


OTHERWISE = {
    "Outwit": "its range",
    "Perplex": "its range",
    "Probability Control": "its range",
    "Super Senses": "critical hits",
    "Themed Team Probability Control": "its number",
    "Legion of Super Heroes": "wild cards",
    "Minions of Doom": "wild cards",
    "Spider-Man": "wild cards",
}
"""Powers whose books differ by an option, not by the engine's row."""


def test_powers_that_differ_are_those_that_the_engine_plays_differently():
    """Rows that say the same aren't among the differences; what is only on a power's own page isn't compared."""
    for chapter, table in (("powers", "powers"), ("team-abilities", "team_abilities")):
        for row in CHAPTERS[chapter].differing:
            books = [getattr(book, table).get(row.key) for book in EDITIONS.values()]
            assert any(one != books[0] for one in books) or row.key in OTHERWISE, row.key
            said = [one.text for one in row.told.values()]
            assert len(set(said)) > 1, row.key


def test_only_what_differs_between_the_chosen_editions_is_a_difference():
    rows = {row.key: row for chapter in comparison.compare(SOME) for row in chapter.rows}
    assert set(rows["board.giant_reach"].told) == {"car-2002", "core-2014"}
    assert not rows["board.giant_reach"].differs()
    assert EVERYTHING["board.giant_reach"].differs()
    assert rows["targets.first_immunity"].differs()
    assert not EVERYTHING["board.giant_reach"].differs(("core-2014", "core-modern"))


def test_an_option_that_has_no_question_yet_shows_its_name_and_its_answer(monkeypatch):
    known = {key: question for key, question in questions().items() if key not in ("board.giant_reach", "rivalries")}
    monkeypatch.setattr(comparison, "questions", lambda: known)
    rows = {row.key: row for chapter in comparison.compare() for row in chapter.rows}
    assert rows["board.giant_reach"].question == "giant reach"
    assert rows["board.giant_reach"].told["dc-2005"].text == "2"
    assert rows["board.giant_reach"].told["dc-2005"].citation is None
    assert rows["rivalries"].question == "rivalries"
    assert (
        rows["rivalries"].told["ic-2002"].text
        == "Return the rivalry of a base's colour, unless black or unknown, with the name as the camp."
    )


def test_every_topic_of_every_book_stands_under_its_places():
    rows = {row.key: row for row in CHAPTERS["places"].rows}
    for edition in EDITIONS.values():
        here = {key for key, row in rows.items() if row.told[edition.name].state == "yes"}
        assert here == set(edition.topics)
        for key in here:
            assert rows[key].told[edition.name].citation == edition.topics[key]

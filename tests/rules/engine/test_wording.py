"""The question of an option and the words for its answers, read from the option's documentation."""

from rules.engine.editions.wording import read_question
from tests.tables import every_row


@every_row(
    ("written", "asked"),
    [
        ("How far? [range]", ("How far?", ("range",), {})),
        ("How far\ndoes it [range,\n    water]", ("How far does it", ("range", "water"), {})),
        (
            "Who? (Where\nthere is one.) [horde]\n\nNames.\n\n- `two_of_them`: two,\n  and more\n- `None`: no [limit]\n",
            ("Who? (Where there is one.)", ("horde",), {"two_of_them": "two, and more", "None": "no [limit]"}),
        ),
    ],
)
def test_how_the_documentation_of_an_option_is_read(written, asked):
    found = read_question(written)
    assert (found.text, found.topics, dict(found.answers)) == asked


def test_words_for_answers_are_found_by_name_and_value():
    found = read_question("?\n\n- `None`: none\n- `0`: nothing\n- `frozenset()`: no one\n- `sorted`: in order")
    assert [found.worded(one) for one in (None, 0, frozenset(), sorted, "sorted", 1, frozenset({1}))] == [
        "none", "nothing", "no one", "in order", "in order", None, None,
    ]  # fmt: skip

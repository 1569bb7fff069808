"""Reading card texts: what standard phrasings say, and that nothing else is called understood."""

import pytest

from rules.card_reading import Understood, read_text

STEALTH = {"do": "can-use", "powers": ["Stealth"]}
WHOLLY = [
    ("Wren Marlow can use Stealth.", [STEALTH]),
    ("Marlow can use Charge, Flurry, and Stealth.", [{"do": "can-use", "powers": ["Charge", "Flurry", "Stealth"]}]),
    ("STOP. Stealth.", [{"do": "stop"}, STEALTH]),
    ("Stealth. Protected: Outwit.", [STEALTH, {"do": "protected", "from": ["Outwit"]}]),
    ("Barrier as FREE.", [{"do": "can-use", "powers": ["Barrier"], "action": "free"}]),
    ("Outwit with a range of 10.", [{"do": "can-use", "powers": ["Outwit"], "change": "range 10"}]),
    ("Stealth. This power can't be countered.", [STEALTH, {"do": "fixed", "against": ["counter"]}]),
    ("When Wren Marlow occupies water terrain, she can use Stealth.", [{**STEALTH, "when": {"terrain": ["water"]}}]),
    ("Stealth, but only when targeted by a range attack.", [{**STEALTH, "when": {"attacked": "ranged"}}]),
    ("If Wren has no action tokens, modify her defense value by +1.",
     [{"do": "modify", "value": "defense", "by": 1, "when": {"tokens": [0]}}]),
    ("Modify attack and range values by +1 when making a close attack.", None),
    ("Stealth, Improved Movement: Hindering, Improved Targeting: Hindering, Characters.",
     [STEALTH, {"do": "ignore", "moving": ["hindering"]}, {"do": "ignore", "targeting": ["hindering", "characters"]}]),
    ("Giant Reach: 2, Stealth.", [{"do": "can-use", "powers": ["Giant Reach"], "change": "reach 2"}, STEALTH]),
    ("Opposing characters within 6 squares can't use Stealth.",
     [{"do": "cannot-use", "powers": ["Stealth"], "to": {"side": "opponents", "within": 6}}]),
    ("Adjacent friendly characters with the Scout or Hunter keyword can use Stealth.",
     [{**STEALTH, "to": {"side": "friends", "within": "adjacent", "keyword": ["Scout", "Hunter"]}}]),
    ("Once per turn, Wren can use Stealth.", [{**STEALTH, "limit": "turn"}]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "effects"), WHOLLY)
def test_standard_phrasings(text, effects):
    reading = read_text(text, "Wren Marlow")
    if effects is None:  # two effects under one condition behind them: whose condition it is can't be told
        assert reading.understood is not Understood.WHOLLY
        return
    assert reading.understood is Understood.WHOLLY
    assert reading.effects == effects


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("Wren can use Stealth or Charge.", "partly"),
        ("Wren can use Stealth this turn.", "partly"),
        ("Stealth, but only if the moon is full.", "partly"),
        ("Outwit, Perplex, but only to increase combat values.", "partly"),
        ("Marlow Sparrow can use Stealth.", "not"),
        ("She can use Stealth.", "partly"),
        ("Adjacent friendly characters can use Charge. They can use Stealth.", "partly"),
        ("Ask a riddle.", "not"),
        ("When Wren attacks a character with the Scout keyword or a Hunter keyword, modify attack +1.", "partly"),
        ("Wren can use Improved Movement: Lava.", "not"),
        ("", "not"),
    ],
)
def test_every_word_must_be_accounted_for(text, understood):
    assert read_text(text, "Wren Marlow").understood == understood


def test_what_follows_a_choice_is_no_grant():
    reading = read_text("Choose one of the following. Wren can use Stealth. // Wren can use Charge.", "Wren")
    assert [clause.understood for clause in reading.clauses] == ["not", "partly", "wholly"]
    assert {"do": "can-use", "powers": ["Stealth"]} not in reading.effects


def test_a_moment_is_kept_for_the_judge():
    (effect,) = read_text("At the beginning of your turn, roll a d6.", "Wren").effects
    assert effect == {
        "do": "by-hand", "moment": "start-of-turn", "text": "At the beginning of your turn, roll a d6.",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "said"),
    [("Doctor Reed", "Dr. Reed"), ("The Wren", "Wren"), ("Wren (Night)", "Wren"), ("Wren and Owl", "This character")],
)
def test_forms_of_the_figures_own_name(name, said):
    assert read_text(f"{said} can use Stealth.", name).effects == [STEALTH]


def test_long_and_odd_texts_end_soon():
    for text in ("A. " * 1_600, "Stealth and " * 400, "(" * 5_000, "When " * 1_000, "Stealth, " * 550):
        assert read_text(text, "Wren").understood is not Understood.WHOLLY

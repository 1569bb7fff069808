"""Hebrew and Arabic names on paper, worked out by hand by the Unicode Bidirectional Algorithm and letter forms."""

from hypothesis import given
from hypothesis import strategies as st

from events.pdf.right_to_left import drawn, joined
from tests.tables import every_row


@every_row(
    "written, from_the_left",
    [
        ("Ana Žižek", "Ana Žižek"),
        ("\u05d0\u05d1\u05d2", "\u05d2\u05d1\u05d0"),
        ("\u05d0\u05d1 \u05d2\u05d3", "\u05d3\u05d2 \u05d1\u05d0"),
        ("Ana \u05d0\u05d1!", "Ana \u05d1\u05d0!"),
        ("\u05d0\u05d1 12", "12 \u05d1\u05d0"),
        ("\u05d0\u05d1 12:30 \u05d2", "\u05d2 12:30 \u05d1\u05d0"),
        ("\u05d0 (\u05d1)", "(\u05d1) \u05d0"),
        ("Ana (\u05d0\u05d1)", "Ana (\u05d1\u05d0)"),
        ("\u05d0 (Bo)", "\u05d0 (Bo)"),
        ("Round 3: \u05d0\u05d1 against Bo", "Round 3: \u05d1\u05d0 against Bo"),
        ("\u05d0\u05b7\u05d1", "\u05d1\u05d0\u05b7"),
    ],
)
def test_letters_stand_in_the_order_in_which_they_are_read(written, from_the_left):
    assert drawn(written) == from_the_left


def test_arabic_letters_join():
    assert joined("\u0645\u062d\u0645\u062f") == "\ufee3\ufea4\ufee4\ufeaa", "Muhammad: initial, medial, medial, final"
    assert joined("\u0644\u0627") == "\ufefb", "lam and alef are one letter"
    assert joined("\u0633\u0644\u0627\u0645") == "\ufeb3\ufefc\ufee1", "Salam: lam-alef in its final form, meem alone"
    assert joined("\u062f\u0627\u0631") == "\ufea9\ufe8d\ufead", "letters that bind nothing after them"
    assert joined("\u067e\u06cc") == "\ufb58\ufbfd", "Persian letters"


@given(st.text(alphabet="ab 12()\u05d0\u05d1\u05d2-:", max_size=20))
def test_nothing_is_lost_and_plain_text_stays(text):
    shown = drawn(text)
    turned = str.maketrans("()", "((")  # brackets are mirrored in reversed text
    assert sorted(shown.translate(turned)) == sorted(text.translate(turned))
    plain = "".join(c for c in text if c < "\u0500")
    assert drawn(plain) == plain

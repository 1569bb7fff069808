"""Pages, messages, documents and commands are in plain English: no phrase that the project has replaced comes back.

`.github/CONTRIBUTING.md`, Words, says how to write. In a phrase below, "…" stands for any words, and a number for any
number or placeholder.
"""

import ast
import functools
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest

from tests.trees import tree_of

ROOT = Path(__file__).parents[1]
APPS = ("config", "events", "judging", "rules")
ENGINE = ROOT / "rules" / "engine"
"""Sentences of the engine are in the documents' reports, which keep them."""
TRANSLATED = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy"}

REPLACED = """
Who is not checked in is not paired.
Who has a feat meets its prerequisites
Nothing is to be done.
Everything is played: verify the results
This table does not play any more
no time is given
Somebody removed that meanwhile.
Open the page again to see how it stands.
That was too often within a minute
wait a little, then try again
Let an event depart from the policy
… is let pass.
The report is tardy: send it now
no product younger than 14 days
the dial has two clicks 3
… names no square
This is no event file
1 change by hand is given up
changes by hand are given up
The head judge is told.
Together these are more than 300 points
wait for a judge's look
1 table waits for a judge
the oldest since
The reports of table 9 differ
Ask both players, then decide.
Change one's own account
What is due stands on everybody's pages.
What was mailed has arrived.
It belongs to no event
do the contrary where it was done
By the venue's clock
An installation is told by the environment
shows the address and a QR code; serves it by HTTPS
Make an account
I have an account: sign in
I am under age
As it should stand on pairings and result sheets.
Say that you may play, or you cannot be entered.
Entered: check in when you are here
You are entered nowhere.
You work at no coming event.
Where I play
Where I work
Where am I playing?
Who enters later waits.
is not paired any more
Hand in this force
Hand in, though not legal
not handed in
Round 1 is paired: the force stands.
Every rule is kept
It is a proxy
Name, number, anything
Narrow the search
More to search by
Also what this event does not allow
The first 24: type more to narrow it.
Keep these facts
Name and facts
Keep as a force file
Take everything off
It takes the place of what is on the bench
one step back brings that again
This is no JSON
Put this file away
Mend the file
Everything is there
All is done
Copy to the next such weekday
How the event stands to the policy
looked at where it happens
Let something pass
Let it pass
Take it into another calendar
Moments are told by the clock of
Something is missing or wrong: it stands at its field.
waits for a judge since
How good it is
Proved best: the scores alone make a cost of 0 unavoidable.
Exchange two players
Cut to the best
Put tables right
Take the pairings back
Play on after the end
Equal points, came late, won in another way
Victory points as the battle gave them, without any cap.
type the points below instead
A loss for both
Report what you have.
one of you reports anew
Fill this in above
Decide so, as a judge
Nobody concedes: who abandons a battle has withdrawn from the whole event.
Minutes agreed on top
Give the call back
Nobody has to come: cancel the call
Here only a judge gives a loss to both.
Only these may do that
We do not need a judge any more
Tell me when the pairings are out
The rules' reading
Your own hand
Rule anew in its place
Take the decision back
What is done?
Say it exactly
And with it (
What comes out
1 thing that may not be
Lay this map
Tell it by this book
Turn it round
hit is no
is 1 squares away
The card is not among the source texts: the commonly known value.
That is my answer
not official: an explanation, no rule
One may perplex oneself.
Nobody may waive knockback.
Who starts a move in hindering terrain goes half its speed, rounded up.
… carries 0 at most, not 1.
as the system
To the content
To the page above
The same as a table
with no other keys than
Targets of a ranged attack
Step through a dispute here
a character beside an exact corner
Your decision, in your own words
never knocked back by smaller ones
prizes, one a line
Others stand in brackets
lose their place at the end
other opponents than the ranks give
Nothing shows that this entry is yours
its results stay together
Join two names
picks nothing in this turn
More or less?
What matters here
Use proposal again
notes the draft on paper
a player of their own again
"""
"""Phrases of three words or more that were replaced."""

NEVER = {
    r"\bhand(?:s|ed|ing)? in\b": "submit",
    r"(?<![“\"])\btardy\b(?![”\"])": "overdue",
    r"\bmeanwhile(?=[.:;!?]|$)": "leave it out",
    r"\b(?:some|any|no|every)body\b": "someone, anyone, no one, everyone, or a noun",
    r"\bwhoever\b": "name the person",
    r"\bcontrary\b": "undo, reverse",
    r"\bmend(?:s|ed|ing)?\b": "fix",
    r"\bbears\b(?! on)": "has, applies to",
    r"\blest\b": "so that … not",
    r"\bhow-manieth\b": "which",
    r"\bbe it\b": "whether",
    r"\b(?:take|takes|took|taken|taking) (?:(?:it|them|this|that|its|the|a|an|my|your|his|her|their)(?: \w+){0,3} )?back\b": (
        "withdraw, undo, revoke, unpublish"
    ),
    r"\bput(?:s|ting)? (?:(?:it|them|this|that|the \w+) )?right\b": "fix, correct",
    r"\bdepart(?:s|ed|ing|ure|ures)? from (?:the policy|a rule)\b": "an exception to",
    r"\bone-time code\b": "sign-in code",
    r"\blink of an entry\b": "player link",
    r"\brank order\b": "standings",
    r"\btime given back\b": "extension",
    r"\bword of change\b": "notification, live update",
    r"(?:^|(?<=[.!?] ))(?:Who|Whoever|Whatever) [^.?!]+[.!](?= |$)": "name the person or thing: “Players who …”",
    r"(?:^|(?<=[.!?] ))What (?!you )[^.?!]+ (?:is|are|was|has|stands|counts|stays|comes)\b[^.?!]*\.(?= |$)": "begin with the thing",
}
"""Words that are never right → what to write instead."""

LEFT: set[str] = set()
"""Files that are being reworded; no others may have such words."""


def pattern_of(phrase: str) -> str:
    words = re.sub(r"\d+", "#", phrase).split()
    ready = [re.escape(word).replace(r"\#", r"(?:#|…)").replace("#", r"(?:\d+|…)") for word in words if word != "…"]
    return r"\s+".join(ready).replace("\\'", "['’]").replace("'", "['’]")


FOUND = re.compile(r"(?<!\w)(?:" + "|".join(map(pattern_of, REPLACED.strip().lower().splitlines())) + r")(?!\w)")
WORDS = [
    (re.compile(pattern, re.I if "Who" not in pattern and "What" not in pattern else 0), instead)
    for pattern, instead in NEVER.items()
]


def plain(text: str) -> str:
    """Return a text on one line, with … for what is filled in."""
    return " ".join(re.sub(r"%\(\w+\)[sd]|{{.*?}}|{\w*}", "…", text, flags=re.S).split())


def of_template(file: Path) -> Iterator[str]:
    text = re.sub(r"{% comment.*?endcomment %}|{#.*?#}", "", file.read_text(encoding="utf-8"), flags=re.S)
    for body in re.findall(r"{% blocktranslate[^%]*%}(.*?){% endblocktranslate %}", text, re.S):
        yield from re.split(r"{% plural %}", body)
    yield from (found[1] or found[2] for found in re.finditer(r"(?:translate |_\()(?:\"([^\"]+)\"|'([^']+)')", text))


def of_module(file: Path) -> Iterator[str]:
    """Yield a module's texts: what is translated, and every other string of several words but docstrings."""
    tree = tree_of(file.read_text(encoding="utf-8"))
    documented = {
        id(one.value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        for one in node.body
        if isinstance(one, ast.Expr)
    }
    translated = {
        id(argument)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in TRANSLATED
        for argument in node.args
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented
        if is_text and (id(node) in translated or " " in node.value):
            yield node.value


def of_document(file: Path) -> Iterator[str]:
    text = re.sub(r"^```.*?^```$", "", file.read_text(encoding="utf-8"), flags=re.M | re.S)
    yield from re.split(r"\n\s*\n|\n(?=\s*[-|#\d])", text)


def of_rulings() -> Iterator[tuple[str, str]]:
    """Yield the place and text of each ruling, and of the title of each topic and kind of topics."""
    folder = ENGINE / "editions" / "texts"
    for file in sorted((folder / "rulings").glob("*.toml")):
        for one in tomllib.loads(file.read_text(encoding="utf-8"))["ruling"]:
            yield f"{file.relative_to(ROOT)}: {one['id']}", one["text"]
    written = tomllib.loads((folder / "topics.toml").read_text(encoding="utf-8"))
    for titles in (written["kinds"], *written["topics"].values()):
        yield from ((f"topics.toml: {name}", title) for name, title in titles.items())


def of_examples() -> Iterator[tuple[str, str]]:
    """Yield the place and each text of the disputes and positions that come with the program."""
    for file in sorted((ROOT / "rules" / "library").glob("*/*.json")):
        written = json.loads(file.read_text(encoding="utf-8"))
        told = [written.get(key, "") for key in ("title", "note", "question", "answer")]
        told += [line["shows"] for line in written.get("lines", ())]
        yield from ((str(file.relative_to(ROOT)), text) for text in told)


@functools.cache
def texts() -> list[tuple[str, str]]:
    """Return the place of every text, and the text."""
    return list(_texts())


@functools.cache
def french() -> polib.POFile:
    return polib.pofile(str(ROOT / "config/locale/fr/LC_MESSAGES/django.po"))


def _texts() -> Iterator[tuple[str, str]]:
    yield from of_rulings()
    yield from of_examples()
    for folder in ("templates", "config/templates"):
        for file in sorted((ROOT / folder).rglob("*.*")):
            yield from ((str(file.relative_to(ROOT)), text) for text in of_template(file))
    for app in APPS:
        for file in sorted((ROOT / app).rglob("*.py")):
            if ENGINE not in file.parents and "migrations" not in file.parts:
                yield from ((str(file.relative_to(ROOT)), text) for text in of_module(file))
    for file in [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob(".github/*.md"))]:
        yield from ((str(file.relative_to(ROOT)), text) for text in of_document(file))


def faults_of(text: str) -> list[str]:
    said = plain(text)
    found = [f"“{one[0]}” was replaced" for one in FOUND.finditer(said.lower())]
    return found + [f"“{one[0]}”: write {instead}" for rule, instead in WORDS for one in rule.finditer(said)]


def test_no_text_has_a_phrase_that_was_replaced():
    wrong = [
        f"{place}: {fault} in: {plain(text)[:120]}"
        for place, text in texts()
        if place not in LEFT
        for fault in faults_of(text)
    ]
    assert wrong == [], f"{len(wrong)} to reword\n" + "\n".join(wrong)


def test_no_translated_text_has_a_phrase_that_was_replaced():
    said = [text for entry in french() if not entry.obsolete for text in (entry.msgid, entry.msgid_plural) if text]
    wrong = [f"{fault} in: {plain(text)[:120]}" for text in said for fault in faults_of(text)]
    assert wrong == [], f"{len(wrong)} to reword, then `make messages`\n" + "\n".join(wrong)


def test_every_apostrophe_is_straight():
    """The same words are then the same message, and a search on a page finds them as a keyboard types them."""
    wrong = [f"{place}: {plain(text)[:120]}" for place, text in texts() if re.search(r"\w’", text)]
    wrong += [one.msgid for one in french() if "’" in "".join([one.msgstr, *one.msgstr_plural.values()])]
    assert wrong == [], "write ' for ’\n" + "\n".join(wrong)


def test_no_translated_text_lacks_its_subject():
    """A fault is a whole sentence: “This must be a list.”, and not “must be a list” behind the name of a field."""
    headless = re.compile(r"(must|isn't|aren't|doesn't|has|contains|is (missing|unknown|longer|too))\b")
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}: {words.value}"
        for app in APPS
        for file in sorted((ROOT / app).rglob("*.py"))
        for node in ast.walk(tree_of(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in TRANSLATED
        for words in node.args
        if isinstance(words, ast.Constant) and headless.match(str(words.value))
    ]
    assert found == []


def test_texts_with_a_plural_stand_in_their_call_where_make_messages_finds_them():
    elsewhere = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for app in APPS
        for file in sorted((ROOT / app).rglob("*.py"))
        if "ngettext" in (text := file.read_text(encoding="utf-8"))
        for node in ast.walk(tree_of(text))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("ngettext", "ngettext_lazy")
        if not all(isinstance(one, ast.Constant) for one in node.args[:2])
    ]
    assert elsewhere == []


@pytest.mark.parametrize(
    "text",
    [
        "Who is not checked in is not paired.",
        "Wait. Who enters later waits.",
        "Cut to the best %(n)d",
        "Somebody removed it.",
        "Take the last result back",
        "{{ round }} is tardy",
        "What was ruled stays to be read.",
    ],
)
def test_such_a_text_is_found(text):
    assert faults_of(text)


@pytest.mark.parametrize(
    "text", ["Roles and permissions", "What would change?", "The book calls it “tardy”.", "Sit back."]
)
def test_other_texts_are_left_alone(text):
    assert faults_of(text) == []

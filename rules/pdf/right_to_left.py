"""Names in Hebrew and Arabic in PDFs: letters in the order and form in which they are drawn.

A browser does this itself; reportlab draws letters from left to right as given. This follows the Unicode Bidirectional
Algorithm (UAX 9) for a line that begins on the left, without its control characters, which names don't need. It
reorders single lines; text that wraps is reordered as a whole.
"""

from __future__ import annotations

import functools
import unicodedata

RIGHT_TO_LEFT = frozenset({"R", "AL"})
NUMBERS = frozenset({"EN", "AN"})
CONTROLS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")
LAM, ALEFS, TATWEEL = "\u0644", "\u0622\u0623\u0625\u0627", "\u0640"


def drawn(text: str) -> str:
    """Return the text with its letters in visual order from left to right; other text unchanged."""
    if not any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in text):
        return text
    clusters = _clusters("".join(c for c in joined(text) if unicodedata.bidirectional(c) not in CONTROLS))
    levels = _levels([cluster[0] for cluster in clusters])
    ordered = [
        cluster.translate(MIRRORED) if level == 1 else cluster for cluster, level in zip(clusters, levels, strict=True)
    ]
    for least in (2, 1):
        ordered, levels = _turn_round(ordered, levels, least)
    return "".join(ordered)


def _clusters(text: str) -> list[str]:
    """Return each letter together with its combining marks."""
    found: list[str] = []
    for letter in text:
        if found and unicodedata.bidirectional(letter) == "NSM":
            found[-1] += letter
        else:
            found.append(letter)
    return found


def _levels(letters: list[str]) -> list[int]:
    """Return the level of each letter: 0 left to right, 1 right to left, 2 numbers within that (rules W2–W7, N0–N2)."""
    kinds = [unicodedata.bidirectional(letter) for letter in letters]
    side, sides, levels = "L", [""] * len(kinds), [0] * len(kinds)
    for place, kind in enumerate(kinds):
        if kind == "L" or kind in RIGHT_TO_LEFT:
            side = "L" if kind == "L" else "R"
            sides[place], levels[place] = side, int(side == "R")
        elif kind in NUMBERS:
            number = "R" if kind == "AN" else side
            sides[place], levels[place] = number, 2 if number == "R" else 0
        elif kind in ("CS", "ES") and 0 < place < len(kinds) - 1 and kinds[place - 1] == kinds[place + 1] == "EN":
            sides[place], levels[place] = side, 2 if side == "R" else 0
    for opening, closing in _brackets(letters):
        within, before = set(sides[opening + 1 : closing]) - {""}, [each for each in sides[:opening] if each]
        if within:
            of_both = "R" if within == {"R"} and before and before[-1] == "R" else "L"
            sides[opening] = sides[closing] = of_both
            levels[opening] = levels[closing] = int(of_both == "R")
    place = 0
    while place < len(kinds):
        if sides[place]:
            place += 1
            continue
        end = place
        while end < len(kinds) and not sides[end]:
            end += 1
        left, right = sides[place - 1] if place else "L", sides[end] if end < len(kinds) else "L"
        for between in range(place, end):
            levels[between] = int(left == right == "R")
        place = end
    return levels


def _brackets(letters: list[str]) -> list[tuple[int, int]]:
    """Return where brackets open and close, pair by pair in order of opening."""
    opened: list[tuple[str, int]] = []
    found = []
    for place, letter in enumerate(letters):
        if letter in "([{":
            opened.append((letter.translate(MIRRORED), place))
        elif letter in ")]}" and any(closing == letter for closing, _place in opened):
            while opened[-1][0] != letter:
                opened.pop()
            found.append((opened.pop()[1], place))
    return sorted(found)


def _turn_round(clusters: list[str], levels: list[int], least: int) -> tuple[list[str], list[int]]:
    """Reverse each run of at least this level (rule L2)."""
    place = 0
    clusters, levels = list(clusters), list(levels)
    while place < len(levels):
        end = place
        while end < len(levels) and levels[end] >= least:
            end += 1
        clusters[place:end] = reversed(clusters[place:end])
        levels[place:end] = reversed(levels[place:end])
        place = max(end, place + 1)
    return clusters, levels


@functools.cache
def _forms() -> dict[str, dict[str, str]]:
    """Return the forms of each Arabic letter, and of lam with an alef, from Unicode's presentation forms."""
    found: dict[str, dict[str, str]] = {}
    for code in (*range(0xFB50, 0xFC00), *range(0xFE80, 0xFEFD)):
        name, *letters = unicodedata.decomposition(chr(code)).split()[:3] or [""]
        plain = "".join(chr(int(letter, 16)) for letter in letters)
        if name in ("<isolated>", "<initial>", "<medial>", "<final>") and plain:
            found.setdefault(plain, {})[name[1:-1]] = chr(code)
    return found


def joined(text: str) -> str:
    """Return Arabic letters in the forms they have beside their neighbours; other letters unchanged."""
    forms = _forms()
    made: list[str] = []
    bound = False
    place = 0
    while place < len(text):
        letter = text[place]
        if unicodedata.bidirectional(letter) == "NSM":
            made.append(letter)
            place += 1
            continue
        following = next((c for c in text[place + 1 :] if unicodedata.bidirectional(c) != "NSM"), "")
        if letter == LAM and following and following in ALEFS and text[place + 1] == following:
            letter, place, following = letter + following, place + 1, ""
        has = forms.get(letter, {})
        binds = letter == TATWEEL or (
            "initial" in has and (following == TATWEEL or "final" in forms.get(following, {}))
        )
        form = ("medial" if binds else "final") if bound else ("initial" if binds else "isolated")
        made.append(has.get(form, letter))
        bound = binds
        place += 1
    return "".join(made)

"""Forces as players write them: lines of text → the ways in which each may be read. Pure: no database.

A line names one element, and how often. Players write it in many styles ("2x Name", "svc 012 100", "Name (SVC) - 75",
"75: Name"), and a number may be a count, points, a collector number or part of a name. So a line has several readings;
`rules.list_matches` keeps those that the catalogue confirms, and asks if more than one is left.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .documents import MAX_POINTS, RANKS, fold

MAX_LINES = 300
LONGEST_LINE = 200
MAX_COUNT = 200
LIKELY_COUNT = 20
"""A larger bare number before a name is its points or collector number."""
MAX_READINGS, MAX_DRAWN = 40, 80
"""How many readings of a line are weighed, and drawn with repetitions; what players write has at most about thirty."""
SIDELINE = "sideline"

_SECTIONS = {
    "characters": "figure figures character characters figurines personnages team roster force clix bystander bystanders",
    "feats": "feat feats 'feat cards'",
    "objects": "object objects relic relics objets 'special objects'",
    "battlefield_conditions": "bfc bfcs 'battlefield condition' 'battlefield conditions'",
    "resources": "resource resources ressources 'resource dial'",
    "team_ability_cards": "ata atas 'team ability card' 'team ability cards' 'team abilities'",
    "other": (
        "other equipment equipement attachment attachments 'id card' 'id cards' 'special terrain' 'tarot card' "
        "'tarot cards' 'mystery card' 'mystery cards' 'legacy card' 'legacy cards' 'one shot' 'one shots' "
        "'terrain marker' 'terrain markers' 'trick arrow' 'trick arrows'"
    ),
    SIDELINE: "sideline 'side line' 'sideline figures'",
}
_OTHER_LABELS = (
    "total totals subtotal points pts cost 'build total' 'total points' 'grand total' 'point total' theme 'theme team' "
    "'themed team' keyword keywords player joueur name 'team name' 'force name' event date venue format edition map maps "
    "carte cartes location note notes initiative 'initiative bonus' ttpc 'ttpc count' actions 'set # name points'"
)


def _labels(words: str) -> list[str]:
    return [(quoted or plain) for quoted, plain in re.findall(r"'([^']+)'|(\S+)", words)]


HEADINGS = {label: section for section, words in _SECTIONS.items() for label in _labels(words)} | dict.fromkeys(
    _labels(_OTHER_LABELS), ""
)
"""Headings and labels in lower case → the section of a force file that follows, or "" for what names no element."""
ALONE = frozenset({"total", "totals", "subtotal", "total points", "grand total", "build total", "set # name points"})
"""Labels of no element that need no colon."""
RANK_LETTERS = {"r": "rookie", "e": "experienced", "v": "veteran", "u": "unique", "le": "limited-edition"}
RANK_WORDS = {fold(rank.replace("-", " ")): rank for rank in RANKS} | {rank: rank for rank in RANKS}

_POINTS_WORD = r"(?:pts?|points?|p)\.?"
_DECORATION = re.compile(
    r"\[/?(?:b|i|u|s|list|quote|url|size|color|center)(?:=[^\]]*)?\]|\[\*\]|https?://\S+|[*_`~]{2,}"
)
_BULLET = re.compile(r"^(?:[\s>*•◦▪●○‣⁃·►▶→✓✔☐☑☒✅+–—-]+(?!\d*\s*$)|\[[ xX]?\]\s+)+")
_ORDINAL = re.compile(r"^\d{1,3}[.)]\s+(?=\S)")
_AMOUNT = re.compile(r"(?<![\s(\[=–—-])[\s(\[=–—-]*\d*(?:\s*/\s*\d+)?\s*(?:pts?|points?)?[)\]]*\s*$")
_NOTHING = re.compile(r"[^\w]*|[^\w]*\d+(?:\s*/\s*\d+)?\s*(?:pts?|points?)?(?:\s+total)?[^\w]*", re.IGNORECASE)
_COUNTS = (
    re.compile(r"^(?P<n>\d+)\s*(?:x\s|×)\s*(?=\S)", re.IGNORECASE),
    re.compile(r"^[x×]\s?(?P<n>\d+)\s+(?=\S)", re.IGNORECASE),
    re.compile(r"^[(\[]\s*(?:x\s?(?P<n>\d+)|(?P<m>\d+)\s?x|(?P<k>\d{1,2}))\s*[)\]]\s*(?=\S)", re.IGNORECASE),
    re.compile(r"\s*[(\[]\s*(?:[x×]\s?(?P<n>\d+)|(?P<m>\d+)\s?[x×])\s*[)\]]$", re.IGNORECASE),
    re.compile(r"\s+(?:[x×](?P<n>\d+)|×\s(?P<m>\d+)|(?P<k>\d+)[x×])$", re.IGNORECASE),
)
_LOOSE_COUNT = re.compile(r"\s+x\s(?P<n>\d+)$", re.IGNORECASE)
_POINTS = (
    re.compile(rf"\s*[(\[]\s*(?P<n>\d+)\s*{_POINTS_WORD}\s*[)\]]$", re.IGNORECASE),
    re.compile(rf"(?<![\s,:=@–—-])[\s,:=@–—-]+(?P<n>\d+)\s*{_POINTS_WORD}$", re.IGNORECASE),
    re.compile(r"\s*[@=]\s*(?P<n>\d+)$"),
    re.compile(rf"^(?P<n>\d+)\s*{_POINTS_WORD}\s*[\s:=–—-]\s*(?=\S)", re.IGNORECASE),
    re.compile(r"^(?P<n>\d+)\s*[:=]\s*(?=\S)"),
)
_TOKEN = re.compile(r"[^\W_]+(?:(?:(?<=\d)|(?<=\d[A-Za-z]))\.\d+)?")
_NUMBER = re.compile(r"[a-z]{0,5}\d{1,4}[a-z]?(?:\.\d+)?[a-z]{0,4}\d?|(?=.*\d)[a-z\d]{1,6}-[a-z\d.]{1,8}")
_BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")


@dataclass(frozen=True)
class Reading:
    """One way to read a line. `is_loose`: it leaves out some of the line's words, so it may only be offered."""

    name: str = ""
    set: str = ""
    number: str = ""
    points: int | None = None
    count: int = 1
    rank: str = ""
    is_loose: bool = False


@dataclass(frozen=True)
class Line:
    """A line that isn't blank: its place (from 1), its text, and its readings; none for a heading or a total.

    `section` is the section of a force file under whose heading it stands, or `SIDELINE`.
    """

    place: int
    text: str
    section: str = ""
    readings: tuple[Reading, ...] = ()
    is_too_long: bool = False


class TooManyLines(ValueError):
    """The list has more than MAX_LINES lines."""


def name_key(name: str) -> str:
    """Return a name as it is compared: letters and digits only, with a sign between numbers that stand apart."""
    apart = re.sub(r"(?<=\d)[\W_]+(?=\d)", "~", fold(name).replace("&", "and").replace("~", " "))
    return re.sub(r"[^\w~]|_", "", apart)


def number_key(number: str) -> str:
    """Return a collector number as it is compared: without case, leading zeros, and signs but for those between digits."""
    apart = re.sub(r"(?<=\d)[^\w.]+(?=\d)", "~", fold(number).replace("~", " "))
    return re.sub(r"(?<!\d)0+(?=\d)", "", re.sub(r"[^\w.~]|_", "", apart))


def read_list(text: str, sets: Mapping[str, Sequence[str]]) -> list[Line]:
    """Return the lines of a list that aren't blank. `sets`: `name_key` of a set's code or name → the codes it may mean.

    Raises TooManyLines.
    """
    found: list[Line] = []
    section = ""
    for place, raw in enumerate(text.splitlines(), 1):
        written = _plain(raw[: 4 * LONGEST_LINE])
        if not re.search(r"\w", written):
            continue
        if len(found) >= MAX_LINES:
            raise TooManyLines
        if len(written) > LONGEST_LINE:
            found.append(Line(place, written[:LONGEST_LINE], section, is_too_long=True))
            continue
        label, rest = _labelled(_bare(written))
        if label is not None and not rest:
            section = (HEADINGS[label] or section) if label in HEADINGS else ""
            found.append(Line(place, written, section))
        elif _NOTHING.fullmatch(rest):
            found.append(Line(place, written, section))
        else:
            at = section if label is None else HEADINGS[label]
            found.append(Line(place, written, at, tuple(_readings(rest.replace("&", " and "), sets))))
    return found


def _plain(raw: str) -> str:
    """Return a line without control and direction signs, in plain digits, single-spaced."""
    wide = unicodedata.normalize("NFKC", raw.replace("\t", " ").replace("|", " ").replace(";", " "))
    kept = "".join(sign for sign in wide if unicodedata.category(sign)[0] != "C")
    return " ".join(kept.split())


def _bare(written: str) -> str:
    """Return a line without bullets, ordinals, links and markup."""
    bare = _BULLET.sub("", " ".join(_DECORATION.sub(" ", written).split()))
    return _ORDINAL.sub("", bare).strip(' *_`~"“”,.=')


def _labelled(bare: str) -> tuple[str | None, str]:
    """Return a line's heading or label, if it has one, and what follows it."""
    before, colon, after = bare.partition(":")
    known = fold(_AMOUNT.sub("", before)).strip(" -#=")
    if known in HEADINGS and (colon or HEADINGS[known] or known in ALONE):
        return known, "" if HEADINGS[known] == "" or _NOTHING.fullmatch(after) else after.strip()
    if colon and not after.strip() and not re.search(r"\d", before):
        return known, ""
    return None, bare


def _readings(body: str, sets: Mapping[str, Sequence[str]]) -> Iterator[Reading]:
    """Yield the readings of a line's body, each once; if they are too many to weigh, none is more than a guess."""
    plain = _explicit(body)
    loose = _LOOSE_COUNT.search(plain[0]) if plain[1] is None else None
    bodies = [plain] if loose is None else [plain, (plain[0][: loose.start()], int(loose["n"]), plain[2])]
    readings = (
        reading
        for text, count, points in bodies
        for reading in _named(text, sets, Reading(count=1 if count is None else count, points=points), count is None)
    )
    drawn = list(itertools.islice(readings, MAX_DRAWN + 1))
    found = list(dict.fromkeys(drawn))
    if len(drawn) > MAX_DRAWN or len(found) > MAX_READINGS:
        found = [replace(one, is_loose=True) for one in found[:MAX_READINGS]]
    yield from dict.fromkeys(found)


def _explicit(body: str) -> tuple[str, int | None, int | None]:
    """Return the body without a count and points that are marked as such, and both."""
    given: dict[str, int] = {}
    searching = True
    while searching:
        searching = False
        for what, patterns in (("points", _POINTS), ("count", _COUNTS)):
            for pattern in () if what in given else patterns:
                match = pattern.search(body)
                rest = (body[: match.start()] + body[match.end() :]).strip(" ,:–—-") if match else ""
                if match and re.search(r"\w", rest):
                    digits = next(group for group in match.groups() if group is not None)
                    given[what] = min(int(digits[:9]), MAX_POINTS + 1)
                    body, searching = rest, True
                    break
    return body, given.get("count"), given.get("points")


def _named(text: str, sets: Mapping[str, Sequence[str]], start: Reading, may_count: bool) -> Iterator[Reading]:
    """Yield the readings of a name with the set, number, rank and bare numbers that may stand around it."""
    for known, rest in _identified(text, sets, start):
        for ranked, left in _ranked(known, rest):
            yield from _numbered(ranked, left, may_count and text[:1].isdigit())
            for without in (_BRACKETS.sub(" ", left), re.split(r"\s[–—-]\s", left, maxsplit=1)[0]):
                if without != left and re.search(r"\w", without):
                    yield from _numbered(replace(ranked, is_loose=True), without, may_count and text[:1].isdigit())


def _identified(text: str, sets: Mapping[str, Sequence[str]], start: Reading) -> Iterator[tuple[Reading, str]]:
    """Yield the ways in which the text may name a set and a collector number, with the rest of the text."""
    yield start, text
    tokens = [(match.start(), match.end(), fold(match[0])) for match in _TOKEN.finditer(text)]

    def without(first: int, last: int) -> str:
        return f"{text[: tokens[first][0]]} {text[tokens[last][1] :]}"

    names_set = any(token in sets for _begins, _ends, token in tokens)
    for first, (begins, _ends, _word) in enumerate(tokens):
        is_marked = begins > 0 and text[begins - 1] == "#"
        for number, last in _numbers(text, tokens, first) if is_marked or (first and not names_set) else ():
            if is_marked or (re.search(r"[a-z]", number) and text[begins - 1] in " ("):
                yield replace(start, number=number), without(first, last)
        spelled = ""
        for last in range(first, min(first + 6, len(tokens))):
            if last > first and "#" in text[tokens[last - 1][1] : tokens[last][0]]:
                break
            ending = tokens[last][2]
            for cut in range(1, len(ending)):
                for code in sets.get(spelled + ending[:cut], ()):
                    for number, end in _numbers(text, tokens, last, ending[cut:]):
                        yield replace(start, set=code, number=number), without(first, end)
            spelled += ending
            for code in sets.get(spelled, ()):
                known = replace(start, set=code)
                for number, end in _numbers(text, tokens, last + 1) if last + 1 < len(tokens) else ():
                    yield replace(known, number=number), without(first, end)
                for before in range(max(0, first - 2), first):
                    for number, end in _numbers(text, tokens, before):
                        if end == first - 1:
                            yield replace(known, number=number), without(before, last)
                yield known, without(first, last)


def _numbers(text: str, tokens: Sequence[tuple[int, int, str]], at: int, rest: str = "") -> Iterator[tuple[str, int]]:
    """Yield the collector numbers that may begin with a token, or with the rest of it, each with its last token.

    Written as `012`, `S 006`, or with a hyphen, as `DC24-004`.
    """
    word = rest or tokens[at][2]
    is_number = bool(_NUMBER.fullmatch(word))
    if at + 1 < len(tokens):
        divided = text[tokens[at][1] : tokens[at + 1][0]]
        number = f"{word}{'-' if divided == '-' else ''}{tokens[at + 1][2]}"
        if (divided == "-" or not is_number) and _NUMBER.fullmatch(number):
            yield number, at + 1
            is_number = is_number and word[0].isdigit()  # `012-100` may be a number and points, `DC24-004` is not
    if is_number:
        yield word, at


def _ranked(known: Reading, text: str) -> Iterator[tuple[Reading, str]]:
    """Yield the text as it is, and without a rank at either end or in brackets."""
    yield known, text
    for bracket in _BRACKETS.finditer(text):
        inside = fold(bracket[1])
        if rank := RANK_LETTERS.get(inside) or RANK_WORDS.get(inside):
            yield replace(known, rank=rank), f"{text[: bracket.start()]} {text[bracket.end() :]}"
    words = text.split()
    for rank_word, others in ((words[:1], words[1:]), (words[-1:], words[:-1])):
        rank = RANK_WORDS.get(fold(" ".join(rank_word)).strip("-–—,:"))
        if rank and others:
            yield replace(known, rank=rank), " ".join(others)


def _numbered(known: Reading, text: str, may_count: bool) -> Iterator[Reading]:
    """Yield the text as a name, and with bare numbers at its ends as points, a collector number or a count."""
    name = _tidied(text)
    yield replace(known, name=name)
    last = re.search(r"(?:^|(?<![\s,:–—-])(?:[\s,:–—-]|\.\.)+)[(\[]?(\d{1,7})[)\]]?$", name)
    if last:
        yield from _with_number(known, _tidied(name[: last.start()]), last[1])
    first = re.match(r"(\d{1,7})(?:\s*[–—-]\s+|\s+|$)", name)
    if not first:
        return
    rest, digits = _tidied(name[first.end() :]), first[1]
    if may_count and digits[0] != "0" and int(digits) <= LIKELY_COUNT and (rest or known.number):
        counted = replace(known, count=int(digits))
        yield replace(counted, name=rest)
        if last and last.start() >= first.end():
            yield from _with_number(counted, _tidied(name[first.end() : last.start()]), last[1])
    else:
        yield from _with_number(known, rest, digits)
        if last and last.start() >= first.end():
            numbered = replace(known, number=known.number or digits)
            yield from _with_number(numbered, _tidied(name[first.end() : last.start()]), last[1])


def _with_number(known: Reading, name: str, digits: str) -> Iterator[Reading]:
    """Yield a name with a bare number as its points and as its collector number."""
    if known.points is None and (digits == "0" or digits[0] != "0"):
        yield replace(known, name=name, points=int(digits))
    if name and not known.number:
        yield replace(known, name=name, number=digits)


def _tidied(text: str) -> str:
    """Return a name without empty or lonely brackets and the signs that divided it from what was taken out."""
    without = re.sub(r"[(\[][\s,#:–—-]*[)\]]|[(\[](?![^()\[\]]*[)\]])", " ", text)
    without = re.sub(r"^([^(\[)\]]*)[)\]]", r"\1 ", without)
    return " ".join(without.split()).strip(' ,:;#@=/–—-"“”')

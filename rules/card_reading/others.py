"""The phrases by which card texts mean other characters: friendly or opposing, how near, of which keyword or name.

Before a sentence is read, `with_others` writes each such phrase as one token, so that the patterns of phrases need not
know how characters are described: `<all>` stands for all characters of a description, `<one>` for one of them, `<up>`
for up to so many, `<no>` for none, `<any>` for one or more.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

from .words import number, one_team

Effect = dict[str, Any]
Found = re.Match[str]
ME = "\N{REPLACEMENT CHARACTER}"
"""Stands in a text where the figure names itself."""
SPACE = "\N{NO-BREAK SPACE}"
"""Stands for a space within a token."""
TOKENS = {
    "<all>": r"⟦all\|([^⟧]*)⟧",
    "<one>": r"⟦one\|([^⟧]*)⟧",
    "<another>": r"⟦(?:one|any)\|([^⟧]*)⟧",
    "<any>": r"⟦any\|([^⟧]*)⟧",
    "<no>": r"⟦no\|([^⟧]*)⟧",
    "<up>": r"⟦up\|([^⟧]*)⟧",
}
SIDES = {"friendly": "friends", "opposing": "opponents", None: "all"}
NAME = r"[A-Z][\w.'’/-]*(?: (?:(?:of|the|and) )*[A-Z][\w.'’/-]*)*"
_COUNT = r"(?:\d+|one|two|three|four|five|six)"
_HEAD = re.compile(
    r"(?<![A-Za-z])(?<!\bhit )(?P<before>(?:[Aa]djacent |[Oo]ther |[Ss]maller |[Ll]arger )*)"
    r"(?:(?P<side>[Ff]riendly|[Oo]pposing) )?(?P<more>(?:adjacent |other )*)"
    r"(?P<noun>characters?|Characters)\b(?!’| (?:cards?|bases?|and/or|or objects?)\b)"
)
_QUANTITIES = (
    (re.compile(r"(?:all|every|each)$", re.IGNORECASE), "all"),
    (re.compile(r"(?:one or more|1 or more)$", re.IGNORECASE), "any"),
    (re.compile(rf"up to (?P<number>{_COUNT})$", re.IGNORECASE), "up"),
    (re.compile(r"(?:an?|one|1|any)$", re.IGNORECASE), "one"),
    (re.compile(r"no$", re.IGNORECASE), "no"),
)
_KEYWORDS = r"[A-Z][\w'.-]*(?: [\w'.&-]+)*?(?:(?:,? or (?:the )?|, )[A-Z][\w'.-]*(?: [\w'.&-]+)*?)*"
_MODIFIERS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "keyword",
        re.compile(
            rf"(?:with|that (?:has|have|possess(?:es)?)|who (?:has|have)) the (?P<said>{_KEYWORDS}) keywords?(?! or\b)"
        ),
    ),
    ("name", re.compile(rf"named (?P<said>{NAME}(?: or {NAME})*)")),
    ("name", re.compile(rf"named \"(?P<said>{NAME})\"")),
    (
        "within",
        re.compile(
            rf"(?:that(?:'s| is| are) )?within (?P<said>{_COUNT}) squares?(?: of {ME})?(?P<seen> and line of fire)?"
        ),
    ),
    (
        "within",
        re.compile(
            rf"(?:that(?:'s| is| are) )?within (?:(?:his|her|its|their|{ME}'s?) )?(?P<said>range)(?P<seen> and line of fire)?"
        ),
    ),
    ("within", re.compile(rf"(?:that(?:'s| is| are) )?(?P<said>adjacent) to {ME}(?!')")),
    ("within", re.compile(r"that(?:'s| is| are) (?P<said>adjacent)(?! to)")),
    ("points_at_most", re.compile(r"(?:of |that(?:'s| is| are) )?(?P<said>\d+) points or (?:less|fewer)")),
    ("points_at_least", re.compile(r"(?:of |that(?:'s| is| are) )?(?P<said>\d+) points or more")),
    (
        "points",
        re.compile(r"(?:(?:with|of|that (?:has|have|is|are)) )?(?:a )?(?P<said>higher|lower) (?:point value|points)"),
    ),
    ("tokens", re.compile(r"(?:with|that (?:has|have)) (?P<said>no|0|zero|one|1|an|two|2) action tokens?")),
    (
        "shares_keyword",
        # Several "that share a keyword" may share it with each other.
        re.compile(
            r"(?:that shares|(?:that share|sharing)(?= a keyword with)) "
            rf"(?P<said>a keyword)(?: with (?:{ME}|him|her|it|them))?(?!')"
        ),
    ),
    (
        "beside",
        re.compile(
            r"(?:that (?:is|are) )?adjacent to "
            r"(?P<said>(?:an?y?|the|each|all) (?:hit (?:characters?|targets?))|hit (?:characters?|targets?)|the attacker)"
        ),
    ),
    ("team", re.compile(rf"(?:with|that (?:has|have|can use)) the (?P<said>{one_team()}) team ability")),
)
"""What may follow the noun, with the key of position files that it gives."""


def keywords(said: str) -> list[str]:
    """Return the keywords of "Hero or Scout"; none if other words stand among them."""
    if re.search(r"\b(?:abilit\w*|keyword|and|than|named|symbol)\b", said):
        return []
    return [word.removeprefix("the ").strip() for word in re.split(r",? or |, ", said)]


def names(said: str) -> list[str]:
    """Return the names of "Ada or Bo"; none if the figure itself is among them, whose whole name isn't known here."""
    return [] if ME in said else said.split(" or ")


def number_of_tokens(said: str) -> list[int]:
    """Return the numbers of action tokens that a word means: "an action token" is one or more."""
    return [1, 2] if said == "an" else [number("no" if said == "zero" else said)]


def _fact(key: str, found: Found) -> Any:
    """Return what a modifier says; None if its words aren't understood."""
    said = found["said"]
    match key:
        case "keyword":
            return keywords(said) or None
        case "name":
            return names(said) or None
        case "within":
            return said if said in ("adjacent", "range") else number(said)
        case "points":
            return said
        case "shares_keyword":
            return True
        case "beside":
            return "attacker" if "attacker" in said else "hit-target" if "target" in said else "hit"
        case "tokens":
            return number_of_tokens(said)
        case "team":
            return [said]
        case _:
            return int(said)


_JOINT = re.compile(r" (?:(?:and|that are|that is) (?=with|a |higher|lower|named|of \d|that|adjacent))?")


def _described(said: str, head: Found) -> tuple[Effect, int] | None:
    """Return the characters that a phrase beginning with this noun means, and where it ends."""
    words = f"{head['before']}{head['more']}".lower().split()
    who: Effect = {"side": SIDES[head["side"].lower() if head["side"] else None]}
    if len(set(words)) < len(words):
        return None
    if "adjacent" in words:
        who["within"] = "adjacent"
    for size in {"smaller", "larger"} & {*words}:
        who["size"] = size
    end = head.end()
    while joint := _JOINT.match(said, end):
        step = next(((key, found) for key, one in _MODIFIERS if (found := one.match(said, joint.end()))), None)
        if step is None:
            break
        key, found = step
        value = _fact(key, found)
        many = key == "name" and head["noun"].lower() == "characters"
        if key in who or value is None or (many and any(" and " in one for one in value)):
            return None  # "characters named Ada and Bo" are two, or are both called so
        who[key] = value
        if found.re.groups > 1 and found["seen"]:
            who["line_of_fire"] = True
        end = found.end()
    if re.match(
        rf"(?:,? or (?:{ME}|adjacent|named|with|that|within)\b"
        r"|,? (?:except|other than|that|who|which|whose|with(?! an? (?:close|ranged?)\b| an attack))\b)",
        said[end:],
    ):
        return None
    if who["side"] == "friends" and who.get("within") != "adjacent" and "other" not in words:
        who["also_self"] = True  # characters are friendly to themselves, and never adjacent to themselves
    if who["side"] == "all" and "other" not in words and who.get("within") != "adjacent":
        who["also_self"] = True
    return who, end


def _written(quantity: str, means: Effect, found: Found) -> str:
    return token(quantity, hit_target(means) if "target" in found[0] else means, found[0])


def hit_target(who: Effect) -> Effect:
    """Return those of the characters described that are targets, if they are those hit."""
    return {**who, "targeted": True} if "hit" in who else who


def token(quantity: str, who: Effect, said: str) -> str:
    """Return the token of so many characters of a description, with the words that say so."""
    return f"⟦{quantity}|{_packed(who)}|{said}⟧".replace(" ", SPACE)


def _packed(who: Effect) -> str:
    return json.dumps(who, separators=(",", ":"), ensure_ascii=False)


def of_those_hit(said: str, who: Effect) -> str:
    """Return a phrase whose tokens of those hit are of these: "the hit character" of a hit on an opposing one is that one."""
    for hit in ({"hit": True}, {"hit": True, "targeted": True}):
        said = said.replace(_packed(hit), _packed({**who, **hit}).replace(" ", SPACE))
    return said


_OF_ATTACK = (
    (
        re.compile(r"\b(?:each|all|every|any) (?:hit (?:characters?|targets?)|(?:characters?|targets?) hit)\b"),
        "all",
        {"hit": True},
    ),
    (
        re.compile(r"\b(?:each|all|every) (?:opposing )?hit opposing characters?\b"),
        "all",
        {"side": "opponents", "hit": True},
    ),
    (re.compile(r"\b(?:hit (?:characters|targets))\b"), "all", {"hit": True}),
    (re.compile(r"\b(?:a|one) hit (?:character|target)\b"), "one", {"hit": True}),
    (re.compile(r"\bthe hit (?:character|target)\b"), "all", {"hit": True}),
    (re.compile(r"\bthe attack(?:er|ing (?:opposing )?character)\b"), "all", {"attacker": True}),
)


_ANOTHER = re.compile(r"\b(?:another|any other|an other) $", re.IGNORECASE)
_UNTOLD = re.compile(r"\b(?:than|for|the|that|those|these|only|two|three|any|its|his|her|single|\d+) $")
"""Words before a phrase by which it means particular characters, which aren't known."""


def _quantity(before: str, head: Found, *, bare: bool) -> tuple[str, int, str] | None:
    """Return how many are meant, where the words for that begin, and the number of "up to"; None if that isn't told."""
    if another := _ANOTHER.search(before):
        return "one", another.start(), ""
    for words, name in _QUANTITIES if before.endswith(" ") else ():
        found = words.search(before.rstrip())
        if found and not (found.start() and (before[found.start() - 1].isalnum() or before[found.start() - 1] == "-")):
            word, one = found[0].lower(), head["noun"].lower() == "character"
            if (word == "all" and one) or (word == "any" and not one):
                return None
            return name, found.start(), found["number"] if name == "up" else ""
    plural = head["noun"] == "characters" or (head["noun"] == "Characters" and not head.start())
    return None if not plural or bare or _UNTOLD.search(before) else ("all", len(before), "")


def with_others(said: str) -> str:
    """Return a sentence with a token in place of each phrase that means other characters."""
    if "character" not in said.lower() and "target" not in said and "attack" not in said:
        return said
    written, begin = [], 0
    for head in _HEAD.finditer(said):
        described = _described(said, head) if head.start() >= begin else None
        if described is None:
            continue
        means, end = described
        before = said[begin : head.start()]
        bare = not head["side"] and not means.keys() - {"side", "also_self"}
        many = _quantity(before, head, bare=bare)
        if many is None:
            continue
        if _ANOTHER.search(before):
            means.pop("also_self", None)
        if many[2]:
            means["choose"] = number(many[2])
        written += [before[: many[1]], token(many[0], means, said[begin + many[1] : end])]
        begin = end
    said = "".join(written) + said[begin:]
    for phrase, quantity, meant in _OF_ATTACK:
        said = phrase.sub(partial(_written, quantity, meant), said)
    return said


def who(token: str) -> Effect:
    """Return the characters of a token that a pattern found."""
    found: Effect = json.loads(token.split("|")[-2].replace(SPACE, " "))
    return found


def plain(said: str) -> str:
    """Return words with the phrases of tokens as they were written."""
    return re.sub(r"⟦[^⟧]*\|([^⟧|]*)⟧", r"\1", said).replace(SPACE, " ")

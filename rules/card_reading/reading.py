"""Read a text of a card clause by clause: wholly, partly or not understood, with the effects that it says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from .conditions import condition, words_of
from .happenings import ENDS, OUTCOME, action, happening, moment
from .others import ME, Effect, plain, who, with_others
from .patterns import pattern, rows
from .phrases import ALONE, BODIES, MOMENTS, PENETRATING, to_all
from .words import ACTING, ATTACKING, own_name

USES_IT = re.compile(
    rf"^((?:Once per (?:turn|game), when|When|While) )(?:{ME}|he|she|it|they) (?:uses it|does so|does)\b"
)
"""How a sentence begins about using the power that the sentence before it grants."""
CAN_USE_IT = re.compile(rf"^(?:{ME}|He|She|It|They) (?:can|may) use it(?= as | with )")
LONGEST_BY_HAND = 160
"""The maximum number of characters that a position file keeps of a clause decided by hand."""
MAX_CLAUSE = 400
OF_ATTACKS = frozenset({"attack", "attacked", "target", "using"})
OPENS = re.compile(r"\b(?:choose|roll|following|if|may|instead|has|have|gains?|until|unless)\b|:|\"", re.IGNORECASE)
"""Words of a clause that can put the sentences after it under a condition."""


SHORT = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Lt|St|Jr|Sr|Col|Capt|Prof|Sgt|Gen|vs|[A-Z])\.$")
"""Abbreviations that don't end a sentence."""


ROLLING = re.compile(r"\b[Rr]oll a [dD]6(?: for (?:each|every|all) [^.]*)?[. ]*$")
CHOOSING = re.compile(r"(?<=\b[Cc]h)oose one:")
CHOSEN = re.compile(
    r".{1,60} can use the chosen (?:power|ability|power or ability) (this turn|until your next turn)[.]?"
)
GIVEN = re.compile(r"Give [^.,]* action(?: (?:if|when) [^.,]*)?[. ]*$")


class Understood(StrEnum):
    """How much of a clause, or of a text, is understood."""

    WHOLLY = "wholly"
    PARTLY = "partly"
    NOT = "not"


@dataclass(frozen=True)
class Clause:
    """A clause of a text; `effects` in the words of position files."""

    text: str
    understood: Understood
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True)
class Reading:
    """A text of a card, clause by clause."""

    clauses: tuple[Clause, ...]

    @property
    def effects(self) -> list[Effect]:
        """Return the proposed effects; what isn't understood is decided by hand."""
        return [effect for clause in self.clauses for effect in clause.effects]

    @property
    def understood(self) -> Understood:
        """Return how much of the whole text is understood."""
        found = {clause.understood for clause in self.clauses}
        if found == {Understood.WHOLLY}:
            return Understood.WHOLLY
        return Understood.NOT if found <= {Understood.NOT} else Understood.PARTLY


def _paragraphs(text: str) -> Iterator[str]:
    plain = text.replace("’", "'").replace("“", '"').replace("”", '"')
    yield from (part.strip() for part in re.split(r"/ ?/|\n", plain) if part.strip())


def _sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph; quotations and parentheses stay whole."""
    found, depth, quoted, begin = [], 0, False, 0
    for place, sign in enumerate(paragraph):
        depth += (sign == "(") - (sign == ")")
        quoted ^= sign == '"'
        ends = (
            sign in ".;!"
            and not SHORT.search(paragraph[max(begin, place - 5) : place + 1])
            and (place + 1 == len(paragraph) or paragraph[place + 1] == " ")
        )
        if ends and depth <= 0 and not quoted:
            found.append(paragraph[begin : place + 1].strip())
            begin = place + 1
    return [sentence for sentence in [*found, paragraph[begin:].strip()] if sentence.strip(" .;!")]


ITEM = r"(?:the |\[?Improved |Giant Reach|Passenger|PROTECTED|Protected|KNOCKBACK|Immobile|SAFEGUARD)"
HAS = re.compile(rf"(?:{ME}|[Hh]e|[Ss]he|[Ii]t|[Tt]hey) (?:can use|has|have|possesses) |[Cc]an use ")


OTHERS_HAVE = re.compile(r"(⟦all\|[^⟧]*⟧) (?:can use|have|has) ")
"""How a list begins of what other characters can use."""


def _items(said: str) -> list[Effect]:
    """Return what a list says: powers and abilities with commas, where each item is understood by itself."""
    others = OTHERS_HAVE.match(said)
    said = said[begins.end() :] if (begins := others or HAS.match(said)) else said
    parts = re.split(
        rf",? and (?:can use |has |have |gains )?(?={ITEM})|, (?={ITEM})|(?<=\d),(?: and)? |(?<=ability),(?: and)? ",
        said,
    )
    effects = []
    for part in parts if len(parts) > 1 else ():
        found = rows(BODIES, part)
        if not found or any("to" in effect for effect in found):
            return []
        effects += found
    return to_all(who(others[1]), effects) if others else effects


def _joined(sentences: list[str]) -> Iterator[tuple[str, str]]:
    """Yield sentences as they are read, and as they are written.

    The outcomes of a roll stay with it, what replaces a figure with the action for it, and how long a choice lasts with
    the choice.
    """
    said = text = joint = ""
    for sentence in sentences:
        if joint and OUTCOME.match(sentence):
            said, joint = f"{said.rstrip(' .;')}{joint}{sentence}", ENDS
        elif GIVEN.fullmatch(said) and sentence.startswith("Replace "):
            said = f"{said.rstrip(' .')} and {sentence[:1].lower()}{sentence[1:]}"
        elif (chosen := CHOSEN.fullmatch(sentence)) and CHOOSING.search(said):
            said = CHOOSING.sub(f"oose one to use {chosen[1]}:", said, count=1)
        else:
            if said:
                yield said, text
            said = text = sentence
            joint = ". " if ROLLING.search(sentence) else ""
            continue
        text = f"{text} {sentence}"
    if said:
        yield said, text


def _body(said: str, depth: int = 0) -> list[Effect]:
    """Return what a phrase without a condition says, or several joined by "and"."""
    if found := rows(BODIES, said) or _items(said):
        return found
    if depth == 2 or re.search(r"\b(?:but|unless|until|or)\b", said):
        return []
    for joint in re.finditer(r",? and ", said):
        left, right = said[: joint.start()], said[joint.end() :]
        first = _body(left, depth + 1)
        if first and not re.match(r"(?:can use )?Improved", right):
            subject = (
                "" if re.match(rf"{ME}|[Hh]e |[Ss]he |[Ii]t |[Tt]hey |[Mm]odif|Improved|opposing", right) else f"{ME} "
            )
            second = _body(f"{subject}{right}", depth + 1)
            poisons = any("Poison" in effect.get("powers", ()) for effect in first) and PENETRATING in second
            if second and not poisons and not any("to" in effect for effect in (*first, *second)):
                return first + second
    return []


def _under(condition: Effect, effects: list[Effect]) -> list[Effect]:
    about = words_of(condition)
    if any(not condition.keys().isdisjoint(effect.get("when", ())) for effect in effects):
        return []
    if condition.get("using") and not ACTING.issuperset(condition["using"]):
        return []  # only what an action uses is named in it
    if condition.get("using") and any(effect["do"] == "carry" for effect in effects):
        return []
    in_attack = OF_ATTACKS - {"using"} & about or any(effect["do"] in ("damage", "raise") for effect in effects)
    if in_attack and not ATTACKING.issuperset(condition.get("using", ())):
        return []
    if OF_ATTACKS & about and any("to" in effect for effect in effects):
        return []  # in a position these words are about the character that the effect reaches
    attacked = "attacked" in about
    if attacked and any(effect["do"] in ("stop", "carry") for effect in effects):
        return []
    return [{**effect, "when": {**effect.get("when", {}), **condition}} for effect in effects]


BOTH = re.compile(
    r"(?:When|If|While) (?P<one>.+?),? (?:they both modify their|modify both (?:of )?(?:their|characters'))"
    r" (?P<values>.+?)(?: by)? (?P<by>[+−-]\d)(?P<unique>,? (?:if|unless) (?:not )?already modified by this effect)?"
)


def _both_modify(said: str) -> list[Effect]:
    """Return what "they both modify their values" says: the figure beside another, and the other."""
    found = BOTH.fullmatch(said)
    when = condition(found["one"]) if found else None
    if found is None or when is None or when.keys() != {"adjacent_to"}:
        return []
    made = _body(f"{ME} modifies {found['values']} {found['by']}")
    unique = {"unique": True} if found["unique"] else {}
    others = {**when["adjacent_to"], "within": "adjacent"}
    own = [{**one, "when": when, **unique} for one in made]
    return own + [{**one, "to": others, **unique} for one in made]


MODIFIES = re.compile(
    rf"(?:(?:{ME}|[Hh]e|[Ss]he|[Ii]t|[Tt]hey) )?[Mm]odif(?:y|ies) [^,⟦]*?\b(?:speed|attack|defense|damage|range)\b[^,⟦]*? (?:by )?[+−-]\d"
)
"""A single modifier of one or several values."""
EITHER = re.compile(
    r"[Ff]riendly characters that are adjacent or have the (?P<keyword>[A-Z][\w' .-]*?) keyword (?P<says>(?:can use|have) .+)"
)


def _adjacent_or(said: str) -> list[Effect]:
    """Return what friends can use that are adjacent or of a keyword: both, where it doesn't matter that some are twice."""
    found = EITHER.fullmatch(said)
    if found is None:
        return []
    both = (
        f"Adjacent friendly characters {found['says']}",
        f"Friendly characters with the {found['keyword']} keyword {found['says']}",
    )
    read = [_body(with_others(one)) for one in both]
    effects = [effect for one in read for effect in one]
    return (
        effects
        if all(read) and all(effect["do"] in ("can-use", "protected", "not-targeted") for effect in effects)
        else []
    )


WHOSE = re.compile(rf"(?:{ME}|he\b|she\b|it\b|⟦|there\b|no\b|the listed|\d\+ listed)")
"""How a condition begins that isn't about the characters that the effect reaches."""


def _whole(said: str) -> list[Effect]:
    """Return the effects of a sentence, if every word of it is understood."""
    if alone := rows(ALONE, said):
        return alone
    if happens := happening(said) or action(said):
        return happens
    if found := re.fullmatch(r"UNIQUE MODIFIER ?[-–:] ?(.+)", said):
        effects = _whole(found[1])
        fitting = effects and all(effect["do"] in ("modify", "range") for effect in effects)
        return [{**effect, "unique": True} for effect in effects] if fitting else []
    if found := re.fullmatch(r"(.+?),? (?:if not|unless) already modified by this effect", said):
        effects = _whole(found[1])
        fitting = effects and all(effect["do"] in ("modify", "range") for effect in effects)
        return [{**effect, "unique": True} for effect in effects] if fitting else []
    if found := re.fullmatch(r"Once per (turn|game),? (.+)", said):
        return [{**effect, "limit": found[1]} for effect in _whole(found[2]) if "limit" not in effect]
    if both := _both_modify(said) or _adjacent_or(plain(said)):
        return both
    if found := re.fullmatch(r"(?:[Ww]hen|[Ww]hile|[Ii]f|[Ww]henever) ([^,]+?) (modif(?:y|ies) [^,]+)", said):
        when, effects = condition(found[1]), _body(found[2]) if MODIFIES.fullmatch(found[2]) else []
        return _under(when, effects) if when else []
    if found := re.fullmatch(r"(?:[Ww]hen|[Ww]hile|[Ii]f|[Ww]henever) (.+?), (?:then )?(.+)", said):
        for comma in re.finditer(", ", said):
            begins = said[: comma.start()]
            when = condition(re.sub(r"^\w+ ", "", begins, count=1))
            if "⟦" in begins and re.match(r"[^⟦]*\b(?:their|they|them)\b", said[comma.end() :]):
                return []  # the others may be meant, too
            rest = said[comma.end() :]
            if when and "knocked_out" in when:
                rest = re.sub(r",? (?:for the rest of the|this) game$", "", rest)
            effects = _body(rest) if when else []
            clear = WHOSE.match(begins.partition(" ")[2]) or not any("to" in effect for effect in effects)
            if when and effects and clear:
                return _under(when, effects)
        return []
    if says := rows(BODIES, said):
        return says
    if found := re.fullmatch(r"(.+) against (close|ranged?)(?: combat)? attacks", said):
        attacked = {"attacked": "close" if found[2] == "close" else "ranged"}
        effects = _body(found[1])
        if len(effects) != 1 or effects[0].get("value") != "defense" or "when" in effects[0]:
            return []
        return [{**effects[0], "when": attacked}]
    if found := re.fullmatch(r"(.+?)(, but only)? (?:when|while|if|as long as) (.+)", said):
        when, effects = condition(found[3]), _body(found[1])
        one = len(effects) == 1 or MODIFIES.fullmatch(found[1]) is not None
        simple = one and " but " not in found[1] and (not found[2] or len(effects[0].get("powers", "1")) == 1)
        clear = WHOSE.match(found[3]) or not any("to" in effect for effect in effects)
        return _under(when, effects) if when and simple and clear else []
    return _body(said)


LIMITED = re.compile(r"(?:UNIQUE MODIFIER ?[-–:] ?)?(?:Once per (?:turn|game|attack|force)(?: for all [^,]*)?,? )?")
"""What may stand before the words that say when something happens."""
LASTING = re.compile(
    r"\b(?:this game|rest of the game|until|can(?:'t)?|modif\w+|considered|gains?|ha(?:s|ve)|when\w*|turns?)\b"
)
"""Words by which what is done before the game may count in it."""


def _part(said: str, text: str) -> list[Effect]:
    """Return what is left for the judge of a sentence of which the moment is understood."""
    said = LIMITED.sub("", said, count=1)
    for phrase, named in MOMENTS:
        if found := pattern(phrase).match(said):
            over = named == "before-game" and LASTING.search(said[found.end() :])
            return [] if over else [{"do": "by-hand", "moment": named, "text": text[:LONGEST_BY_HAND]}]
    at = moment(said)
    return [{"do": "by-hand", **at, "text": text[:LONGEST_BY_HAND]}] if at else []


KEYWORD = re.compile(
    r"(?<= the )[A-Z][^,.;⟦]*? keywords?\b|(?<= with )(?:the |any |an? )?[^,.;]*? equipped\b|\[[^\]]*\]"
)


NAMESAKE = re.compile(
    r"(?:\b(?:[Aa]djacent|[Oo]ther|[Aa]nother) (?:adjacent |friendly |opposing )*characters?|characters? adjacent to \S+) named $"
)
"""What stands before a name of the figure's that others have, too."""


def _as_me(sentence: str, name: str) -> str:
    """Return a sentence in which the figure's own name is a sign, but for names of keywords and of equipment."""
    kept = [found.span() for found in KEYWORD.finditer(sentence)]

    def written(found: re.Match[str]) -> str:
        as_name = any(start <= found.start() < end for start, end in kept) or NAMESAKE.search(sentence[: found.start()])
        return found[0] if as_name else ME

    return own_name(name).sub(written, sentence)


def _clause(read: str, sentence: str, name: str, *, follows_me: bool, depends: bool, granted: str) -> Clause:
    said = _as_me(read, name).rstrip(" .;!")
    if granted:
        said = USES_IT.sub(lambda found: f"{found[1]}{ME} uses {granted}", said)
        said = CAN_USE_IT.sub(f"{ME} can use {granted}", said)
    said = with_others(re.sub(rf"{ME}(?: {ME})+", ME, said))
    # A pronoun at the beginning is the figure only after a sentence about the figure.
    refers = re.match(r"(?:He|She|It|They|he|she|it|they)\b", said) is not None
    depends = depends and not rows(ALONE, said)
    if len(said) <= MAX_CLAUSE and not depends and (follows_me or not refers) and (effects := _whole(said)):
        return Clause(sentence, Understood.WHOLLY, tuple(effects))
    if part := _part(said, sentence):
        return Clause(sentence, Understood.PARTLY, tuple(part))
    return Clause(sentence, Understood.NOT, ({"do": "by-hand", "text": sentence[:LONGEST_BY_HAND]},))


def _granted(clause: Clause) -> str:
    """Return the one power that a clause grants the figure, which the next may call "it"; "" if it grants another."""
    first: Effect = next(iter(clause.effects), {"do": ""})
    names: list[str] = first.get("powers", []) if first["do"] == "can-use" and "to" not in first else []
    is_one = len(clause.effects) == 1 and len(names) == 1 and clause.understood is Understood.WHOLLY
    return names[0] if is_one else ""


def read_text(text: str, name: str) -> Reading:
    """Read the text of a card of the figure of this name. Nothing is guessed: what isn't understood is left by hand."""
    clauses: list[Clause] = []
    for paragraph in _paragraphs(text):
        follows_me = depends = False
        granted = ""
        for said, sentence in _joined(_sentences(paragraph)):
            clause = _clause(said, sentence, name, follows_me=follows_me, depends=depends, granted=granted)
            clauses.append(clause)
            wholly = clause.understood is Understood.WHOLLY
            others = any("to" in effect or "whose" in effect for effect in clause.effects)
            follows_me = wholly and not others and "⟦" not in with_others(sentence)
            granted = _granted(clause) or (granted if USES_IT.match(_as_me(sentence, name)) else "")
            depends = depends or (not wholly and OPENS.search(sentence) is not None)
    return Reading(tuple(_as_actions_apart(clauses)))


def _as_actions_apart(clauses: Iterable[Clause]) -> Iterator[Clause]:
    """Yield the clauses; of several that ask for the same action, each is an action of its own."""
    seen: list[tuple[Any, ...]] = []
    for clause in clauses:
        first = next((one for one in clause.effects if "costs" in one), None)
        if first is None:
            yield clause
            continue
        key = (first["costs"], first.get("when"), first.get("limit"))
        part = seen.count(key) + 1
        seen.append(key)
        effects = tuple({**one, "part": part} if part > 1 and "costs" in one else one for one in clause.effects)
        yield replace(clause, effects=effects)

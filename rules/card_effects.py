"""What stands on a figure's cards, as effects of position files: proposed from the texts, or confirmed by a judge.

A proposal is made from a card's text whenever it is needed. What a judge confirms or corrects is a fact of the figure,
`cards`, and takes the place of the proposal. Neither has the words of a text: positions and facts are open to strangers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .card_reading import Understood, read_text
from .card_words import effect_words
from .dials import PLACES, SLOTS
from .engine import NAMELESS, BadInput, is_adjudicated, read_cards

Effect = dict[str, Any]
TRAIT = "trait"
MAX_CARDS = 50
"""The maximum number of cards that a character of a position can have."""
BY_HAND: Effect = {"do": "by-hand"}


@dataclass(frozen=True)
class PrintedCards:
    """What the catalogue has of a figure's cards: their texts, and its facts with what judges confirmed of them."""

    texts: list[dict[str, str]]
    facts: dict[str, Any]
    code: str


@dataclass(frozen=True)
class Line:
    """A clause of a card's text with its effects, or one effect of a card without its text."""

    text: str
    effects: tuple[Effect, ...]
    counts: bool
    """Whether disputes take all of it into account; otherwise the judge decides by the card."""

    @property
    def words(self) -> str:
        """Return the effects in words of one line."""
        return "; ".join(effect_words(one) for one in self.effects)


@dataclass(frozen=True)
class FigureCard:
    """A special power or a trait of a figure: its heading, its text if the installation has it, and its effects."""

    slot: str
    name: str
    sort: str
    text: str
    effects: tuple[Effect, ...]
    clicks: tuple[int, ...] = ()
    confirmed: bool = False
    """Whether a judge has confirmed or corrected the effects; otherwise they are proposed from the text."""
    settled: bool = False
    """Whether nothing but these effects is needed, such as the powers that a source names for a special power."""
    lines: tuple[Line, ...] = ()

    @property
    def key(self) -> str:
        """Return what tells the cards of a figure apart."""
        return key_of({"slot": self.slot, "name": self.name, "sort": self.sort})

    @property
    def single(self) -> list[Line]:
        """Return the effects one by one, without the text."""
        return [Line("", (effect,), counts(effect)) for effect in self.effects]

    @property
    def as_data(self) -> str:
        """Return the effects as JSON, to be edited."""
        return json.dumps(self.effects, ensure_ascii=False, indent=1)

    @property
    def leaves_rest(self) -> bool:
        """Return whether something of the card is decided by hand."""
        return any(effect["do"] == "by-hand" for effect in self.effects)

    @property
    def counted(self) -> str:
        """Return how much of the card disputes take into account: `wholly`, `partly` or `not`."""
        found = {line.counts for line in self.lines}
        return "wholly" if found == {True} else "partly" if True in found else "not"

    @property
    def in_position(self) -> dict[str, Any]:
        """Return the card as position files have it, without the words of its text."""
        kind = "special-power" if self.slot in SLOTS else TRAIT if self.slot == TRAIT and not self.sort else "other"
        card: dict[str, Any] = {"name": self.name or self.sort.capitalize() or NAMELESS, "kind": kind}
        if kind == "special-power":
            card["slot"] = self.slot
        if self.clicks:
            card["clicks"] = list(self.clicks)
        return {**card, "effects": [dict(effect) for effect in self.effects]}


def key_of(heading: Mapping[str, str]) -> str:
    """Return what tells a heading of a card apart from the others of its figure."""
    return "|".join(heading.get(part, "").casefold() for part in ("slot", "sort", "name"))


def without_words(effects: Iterable[Mapping[str, Any]]) -> tuple[Effect, ...]:
    """Return effects without the words of texts; what is decided by hand stands once for each moment."""
    found: list[Effect] = []
    for effect in effects:
        if effect.get("do") == "by-hand":
            plain = BY_HAND | {key: effect[key] for key in ("moment", "after", "limit") if key in effect}
        else:
            plain = dict(effect)
        if plain not in found:
            found.append(plain)
    return tuple(found)


def counts(effect: Mapping[str, Any]) -> bool:
    """Return whether disputes take an effect into account. Raises BadInput for one that isn't valid."""
    (card,) = read_cards([{"name": "-", "kind": "other", "effects": [dict(effect)]}])
    return all(is_adjudicated(one) for one in card.effects)


def fault_of(effects: Any) -> BadInput | None:
    """Return why a position file can't have these effects on one card, or None."""
    try:
        read_cards([{"name": "-", "kind": "other", "effects": effects}])
    except BadInput as fault:
        return fault
    return None


def cards_of(facts: Mapping[str, Any], texts: Iterable[Mapping[str, str]]) -> list[FigureCard]:
    """Return the cards of a figure: confirmed ones from its facts, the others proposed from its texts."""
    confirmed = {key_of(card): card for card in facts.get("cards", ())}
    found = [_card(facts, text, confirmed.pop(key_of(text), None)) for text in texts]
    found += [_card(facts, {**heading, "text": ""}, heading) for heading in confirmed.values()]
    return found[:MAX_CARDS]


def _card(facts: Mapping[str, Any], text: Mapping[str, Any], confirmed: Mapping[str, Any] | None) -> FigureCard:
    slot, name, sort = (text.get(part, "") for part in ("slot", "name", "sort"))
    clicks, certain = _clicks(facts, slot, name)
    if confirmed is not None:
        effects = tuple(confirmed["effects"])
        lines = tuple(Line("", (one,), counts(one)) for one in effects)
        return FigureCard(slot, name, sort, text["text"], effects, clicks, True, True, lines)
    reading = read_text(text["text"], str(facts.get("name", "")))
    effects = without_words(reading.effects)
    if sort or not certain or fault_of([*effects]) is not None:
        # Whether its player paid for it, or which click shows it, isn't known.
        effects = (BY_HAND,)
        return FigureCard(
            slot, name, sort, text["text"], effects, clicks, lines=(Line(text["text"], effects, counts=False),)
        )
    lines = tuple(
        Line(
            clause.text,
            without_words(clause.effects),
            clause.understood is Understood.WHOLLY and all(counts(one) for one in clause.effects),
        )
        for clause in reading.clauses
    )
    settled = reading.understood is Understood.WHOLLY
    return FigureCard(slot, name, sort, text["text"], effects, clicks, False, settled, lines)


def _clicks(facts: Mapping[str, Any], slot: str, name: str) -> tuple[tuple[int, ...], bool]:
    """Return the clicks on which a special power is printed, without KOs, and whether that is certain."""
    dial = [click for click in facts.get("dial") or () if not click.get("ko")]
    if slot not in SLOTS or not dial:
        return (), True
    shown = [(click.get("powers") or {}).get(slot, "") for click in dial]
    exact = tuple(number for number, power in enumerate(shown, 1) if power.casefold() == name.casefold())
    if exact:
        return exact, True
    others = {one["name"] for one in facts.get("special_powers", ()) if one.get("slot") == slot}
    return tuple(
        number for number, power in enumerate(shown, 1) if power and power not in PLACES and power not in others
    ), False

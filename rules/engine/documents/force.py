"""Force files: JSON → a force, and its findings → the report (FORMATS, "Force file")."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Any, Final, TypeVar

from rules.engine.documents.edition import an_edition
from rules.engine.documents.faults import every_fault
from rules.engine.documents.reader import (
    MAX_POINTS,
    Reader,
    a_list,
    an_object,
    day,
    flag,
    name,
    nullable,
    one_of,
    points,
    shape_of,
    shaped,
    shown,
    text,
    whole_number,
)
from rules.engine.edition import Edition
from rules.engine.errors import BadInput, refuse
from rules.engine.force.check import Breach, ForceReport, check
from rules.engine.forces import (
    BattlefieldCondition,
    CardRule,
    EventRules,
    Feat,
    Force,
    ForceCharacter,
    ForceClick,
    ForceObject,
    Format,
    OtherElement,
    OtherKind,
    Rank,
    Rarity,
    Requirements,
    Resource,
    Tactic,
    TeamAbilityCard,
)
from rules.engine.limit import within_limit
from rules.engine.position.dial import ValueName
from rules.engine.position.objects import ObjectKind
from rules.engine.rivals import RivalKind

Document = dict[str, Any]
Made = TypeVar("Made")


@within_limit
def check_force(document: Document) -> Document:
    """Return the report on a force file. Raises `BadInput` if it can't be read."""
    document_id, edition, force = read_force(document)
    return report_of(document_id, check(force, edition))


# ── Elements, for battles too ──────────────────────────────────────────────────────────────────


def elements(sort: str, make: Callable[..., Made], keys: Mapping[str, Reader[Any]], *required: str) -> Reader[Any]:
    """Return a reader for a list of elements; one without a `ref` is named by its sort and place."""
    read_fields: Reader[tuple[Document, ...]] = a_list(an_object(dict, {"ref": nullable(name), **keys}, required))

    @shaped(lambda: shape_of(read_fields))
    def read(value: Any) -> tuple[Made, ...]:
        made = read_fields(value)
        for number, fields in enumerate(made, 1):
            if fields.get("ref") is None:
                fields["ref"] = f"{sort}-{number}"
        return tuple([make(**fields) for fields in made])

    return read


def unique_refs(lists: Iterable[tuple[str, Iterable[Any], Any]]) -> Iterator[BadInput]:
    """Yield a fault for each ref that another element has too. Each list comes with its pointer and its JSON value."""
    seen: set[str] = set()
    places = [
        (element.ref, f"{where}/{place}", raw)
        for where, made, written in lists
        for place, (element, raw) in enumerate(zip(made, written or (), strict=True))
    ]
    places.sort(key=lambda placed: placed[2].get("ref") is not None)
    for ref, where, _ in places:
        if ref in seen:
            yield BadInput(f"{where}/ref", f"Another element already has the ref {shown(ref)}.")
        seen.add(ref)


def refs_exist(
    where: str, refs: Iterable[str], known: Iterable[str] | Mapping[str, Any], who: str
) -> Iterator[BadInput]:
    """Yield a fault for each of these refs that is unknown or appears twice."""
    seen: set[str] = set()
    for place, ref in enumerate(refs):
        if ref not in known:
            yield BadInput(f"{where}/{place}", f"{shown(ref)} isn't the ref of {who}.")
        elif ref in seen:
            yield BadInput(f"{where}/{place}", f"{shown(ref)} is named twice.")
        seen.add(ref)


def _requirements(values: Mapping[str, int] | None = None, **fields: Any) -> Requirements:
    return Requirements(values=tuple((ValueName(key), least) for key, least in (values or {}).items()), **fields)


_VALUES: Final[Reader[Document]] = an_object(dict, {value.value: whole_number for value in ValueName})
NAMES: Final = a_list(text)
REFS: Final = a_list(text)
REQUIREMENTS: Final = nullable(
    an_object(_requirements, {"powers": NAMES, "teams": NAMES, "keywords": NAMES, "values": _VALUES})
)
COLOR: Final = text


# ── The force ──────────────────────────────────────────────────────────────────────────────────


def _whole_click(
    speed: int = 0, attack: int = 0, defense: int = 0, damage: int = 0, powers: tuple[str, ...] = ()
) -> ForceClick:
    return ForceClick(speed, attack, defense, damage, powers)


CLICK: Final = an_object(
    _whole_click, {"speed": points, "attack": points, "defense": points, "damage": points, "powers": NAMES}
)


@shaped(lambda: shape_of(CLICK))
def _click(value: Any) -> ForceClick:
    """Return a click of a dial.

    A complete click is built directly, for speed; `CLICK` reads one with missing or wrong keys.
    """
    try:
        speed, attack, defense, damage, powers = _USUAL_CLICK(value)
    except (KeyError, TypeError):
        return CLICK(value)
    if (
        len(value) == 5
        and type(powers) is list
        and type(speed) is type(attack) is type(defense) is type(damage) is int
        and 0 <= min(speed, attack, defense, damage) <= max(speed, attack, defense, damage) <= MAX_POINTS
    ):
        try:
            if "".join(powers).isascii():
                return ForceClick(speed, attack, defense, damage, tuple(powers))
        except TypeError:
            pass
    return CLICK(value)


_USUAL_CLICK: Final = itemgetter("speed", "attack", "defense", "damage", "powers")


def _character(rarity: Rarity | None = None, **fields: Any) -> ForceCharacter:
    return ForceCharacter(**fields)


def _event(tactics: tuple[Tactic, ...] | None = None, **fields: Any) -> EventRules:
    return EventRules(tactics=None if tactics is None else frozenset(tactics), **fields)


DIAL: Final = a_list(_click)
CARD_RULES: Final = a_list(one_of(CardRule))
CHARACTER_KEYS: Final[Mapping[str, Reader[Any]]] = {
    "name": name,
    "set": nullable(text),
    "number": nullable(text),
    "points": points,
    "rank": one_of(Rank),
    "rarity": nullable(one_of(Rarity)),
    "kind": one_of(RivalKind),
    "base_color": nullable(COLOR),
    "teams": NAMES,
    "keywords": NAMES,
    "generic_keywords": NAMES,
    "dial": DIAL,
    "point_options": a_list(points),
    "street_date": nullable(day),
    "promotional": flag,
    "proxy": flag,
    "from_sealed_product": flag,
    "dial_number": nullable(text),
    "optional_points": points,
    "card_rules": CARD_RULES,
}
FORCE: Final[Reader[Document]] = an_object(
    dict,
    {
        "characters": elements("character", _character, CHARACTER_KEYS, "name", "points"),
        "feats": elements(
            "feat", Feat, {"name": text, "points": points, "assigned_to": REFS, "requires": REQUIREMENTS}
        ),
        "objects": elements(
            "object",
            ForceObject,
            {
                "name": text,
                "kind": nullable(one_of(ObjectKind)),
                "special": flag,
                "points": points,
                "card_rules": CARD_RULES,
            },
        ),
        "battlefield_conditions": elements("battlefield-condition", BattlefieldCondition, {"name": text}),
        "resources": elements(
            "resource", Resource, {"name": text, "points": points, "assigned_to": REFS, "card_rules": CARD_RULES}
        ),
        "team_ability_cards": elements(
            "team-ability-card",
            TeamAbilityCard,
            {"name": text, "cost_per_character": points, "assigned_to": REFS, "requires": REQUIREMENTS},
        ),
        "other": elements(
            "other",
            OtherElement,
            {"name": text, "kind": nullable(one_of(OtherKind)), "points": points, "card_rules": CARD_RULES},
        ),
        "sideline": elements("sideline", _character, CHARACTER_KEYS, "name", "points"),
        "sideline_allowed_by": REFS,
    },
)
EVENT: Final = an_object(
    _event,
    {
        "build_total": nullable(points),
        "format": one_of(Format),
        "sanctioned": flag,
        "date": nullable(day),
        "sets": NAMES,
        "event_dial": flag,
        "tactics": nullable(a_list(one_of(Tactic))),
    },
    ("build_total",),
)


HEAD: Final[Mapping[str, Reader[Any]]] = {
    "id": nullable(text),
    "title": nullable(text),
    "note": nullable(text),
    "edition": an_edition,
}
DOCUMENT: Final[Reader[Document]] = an_object(
    dict, {**HEAD, "event": EVENT, "force": FORCE}, ("edition", "event", "force")
)
ASSIGNED: Final = ("feats", "resources", "team_ability_cards")
LISTS: Final = (
    "characters",
    "feats",
    "objects",
    "battlefield_conditions",
    "resources",
    "team_ability_cards",
    "other",
    "sideline",
)


@every_fault
def read_force(document: Any) -> tuple[str | None, Edition, Force]:
    """Return a force file's id, edition and force. Raises `BadInput` with every fault."""
    read = DOCUMENT(document)
    lists = read["force"]
    force = Force(event=read["event"], **lists)
    refuse(no_build_total(force.event.build_total, force.event.format, "/event/build_total"))
    refuse(fault.under("force") for fault in _wrong_refs(force, lists, document["force"]))
    return read.get("id"), read["edition"], force


def no_build_total(build_total: int | None, format_: Format | None, where: str) -> Iterator[BadInput]:
    """Yield a fault where there is no build total, unless the event is a Battle Royale."""
    if build_total is None and format_ is not Format.BATTLE_ROYALE:
        yield BadInput(where, "Only a Battle Royale can be without a build total. Give a whole number.")


def _wrong_refs(force: Force, lists: Document, written: Document) -> Iterator[BadInput]:
    known = {element.ref for element in force.elements}
    if len(known.union(one.ref for one in force.sideline)) < len(force.elements) + len(force.sideline):
        yield from unique_refs((f"/{sort}", lists[sort], written[sort]) for sort in LISTS if sort in lists)
    characters = {one.ref for one in force.characters}
    for where, refs in _assignments(lists):
        yield from refs_exist(where, refs, characters, "a character on the force")
    yield from refs_exist("/sideline_allowed_by", force.sideline_allowed_by, known, "anything on the force")


def _assignments(lists: Document) -> Iterator[tuple[str, tuple[str, ...]]]:
    for sort in ASSIGNED:
        for place, element in enumerate(lists.get(sort, ())):
            if element.assigned_to:
                yield f"/{sort}/{place}/assigned_to", element.assigned_to


# ── The report ─────────────────────────────────────────────────────────────────────────────────


def report_of(document_id: str | None, found: ForceReport) -> Document:
    """Return the findings as a report."""
    theme = found.themed_team
    return {
        "id": document_id,
        "legal": not found.violations,
        "total": found.total,
        "build_total": found.build_total,
        "action_total": found.action_total,
        "violations": [_breach(breach) for breach in found.violations],
        "warnings": [_breach(breach) for breach in found.warnings],
        "unchecked": [
            {"rule": one.rule, "needs": one.needs, "elements": list(one.elements)} for one in found.unchecked
        ],
        **({"not_applied": list(found.not_applied)} if found.not_applied else {}),
        "themed_team": theme
        and {
            "keyword": theme.keyword,
            "kind": "named" if theme.is_named else "generic",
            "initiative_bonus": theme.initiative_bonus,
            "probability_control_uses": theme.probability_control_uses,
        },
    }


def _breach(breach: Breach) -> Document:
    return {
        "rule": breach.rule,
        "message": breach.message,
        "elements": list(breach.elements),
        "citations": [citation.as_dict() for citation in breach.citations],
    }

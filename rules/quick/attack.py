"""The attack card: the roll that an attack needs and its odds, and the damage, by adjudicating every roll of two dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from rules.dispute.replay import Replay
from rules.dispute.words import roll_words
from rules.engine import Edition, Power
from rules.piece_form import SIZES, STANDARD
from rules.positions import Document, piece_of
from rules.quick.cards import (
    Card,
    CardAnswer,
    Choice,
    Chosen,
    Field,
    Number,
    Options,
    Several,
    percent,
    powers,
    sums,
    texts,
)
from rules.quick.filling import by_face, faces_words, filled, kind_of, single_dice, without_rolls
from rules.quick.positions import Scenery, give, position
from rules.quick.positions import put as put_there
from rules.quick.terms import terms

ALL_ROLLS = tuple((one, other) for one in range(1, 7) for other in range(one, 7))
"""Every roll of two dice, the lower die first."""
WITH_FRIEND = ("enhancement", "empower")
"""Powers of a friend of the attacker."""
OF_TARGET = ("energy-shield-deflection", "combat-reflexes", "defend")
"""Powers of the target, or of a friend beside it, that change its defense."""


def fields(edition: Edition, chosen: Chosen) -> Sequence[Field]:
    """Return the fields of the attack card in a book."""
    kind = chosen.get("kind", "close")
    most = edition.values.modifiers_limit or 9
    return (
        Choice("kind", _("Attack"), (("close", _("close")), ("ranged", _("ranged")))),
        Number("attack", _("Attack value"), 0, 20, STANDARD["attack"]),
        Number("defense", _("Defense value"), 0, 25, STANDARD["defense"]),
        Number("damage", _("Damage value"), 0, 12, STANDARD["damage"]),
        Several("with", _("Circumstances"), _circumstances(edition, kind)),
        Choice(
            "power", _("The attacker uses"), (("", _("no power")), *powers(edition, lambda row: _attacks(row, kind)))
        ),
        Choice("against", _("The target has"), (("", _("no power")), *powers(edition, _protects))),
        *(Number(f"perplex-{value}", title, -most, most, 0) for value, title in _perplexed()),
        Choice(
            "reroll",
            _("Reroll (Probability Control, themed team)") if _has_themed_teams(edition) else _("Probability Control"),
            (
                ("", _("none")),
                ("attacker", _("the attacker rerolls a miss")),
                ("target", _("the target rerolls a hit")),
            ),
        ),
    )


def _has_themed_teams(edition: Edition) -> bool:
    return bool(edition.cite(("themed-team-probability-control",)))


def _perplexed() -> tuple[tuple[str, str], ...]:
    return (
        ("attack", _("Perplex on the attack value")),
        ("defense", _("Perplex on the defense value")),
        ("damage", _("Perplex on the damage value")),
    )


def _attacks(row: Power, kind: str) -> bool:
    """Return whether a power is used by naming it for an attack of one target."""
    return kind in row.action and row.act is None and not row.moving.grants and row.targets == "opponents"


def _protects(row: Power) -> object:
    return row.defending.reduce_damage or row.defending.evade or row.defending.shape_change


def _circumstances(edition: Edition, kind: str) -> Options:
    known = terms(edition.name)
    named: list[tuple[str, str]] = []
    if kind == "ranged":
        named.append(("hindering-terrain", _("hindering terrain between")))
        named.append(("blocking-terrain", _("blocking terrain between")))
    named.append(("walls", _("wall between")))
    named += [("elevation-y", _("target elevated")), ("elevation-x", _("attacker elevated"))]
    if edition.movement.flight_modes:
        named += [("soaring-y", _("target soaring")), ("soaring-x", _("attacker soaring"))]
    if kind == "close":
        named += [("light", _("light object (Super Strength)")), ("heavy", _("heavy object (Super Strength)"))]
    else:
        named += [
            ("light", _("thrown light object (Super Strength)")),
            ("heavy", _("thrown heavy object (Super Strength)")),
        ]
    named.append(("action-tokens-x", _("the attacker has an action token")))
    named += [
        (key, _("a friendly figure with %(power)s adjacent to the attacker") % {"power": known[key].name})
        for key in WITH_FRIEND
        if key in known
    ]
    for key in (key for key in OF_TARGET if key in known):
        lent = key == "defend"
        words = _("a friendly figure with %(power)s adjacent to the target") if lent else _("the target has %(power)s")
        named.append((key, words % {"power": known[key].name}))
    named += [
        (key, _("target: %(size)s") % {"size": words})
        for key, words in SIZES
        if key in ("giant", "tiny") and key in known
    ]
    return tuple(named)


# --- The position ---


def document_of(edition: Edition, chosen: Chosen, without: str = "") -> Document:
    """Return the position of an attack as chosen, without one circumstance if it is named."""
    matters = [one for one in chosen["with"] if one != without]
    if {"light", "heavy"} <= {*matters}:  # no one holds two objects
        matters.remove("light")
    friends = bool({*matters} & {*WITH_FRIEND})
    scenery = Scenery(near=chosen["kind"] == "close", supported=friends, friend="defend" in matters)
    made = position(edition.name, scenery)
    attacker, target = piece_of(made, "x") or {}, piece_of(made, "y") or {}
    _set(attacker, "attack", chosen["attack"])
    _set(attacker, "damage", chosen["damage"])
    _set(target, "defense", chosen["defense"])
    action: dict[str, Any] = {"action": chosen["kind"], "actor": "x", "targets": ["y"]}
    for one in matters:
        _put(made, terms(edition.name), one, scenery, action)
    for name, piece in ((chosen["power"], attacker), (chosen["against"], target)):
        if name:
            give(piece, name)
    if chosen["power"]:
        action["using"] = [chosen["power"]]
    for value, piece in (("attack", attacker), ("defense", target), ("damage", attacker)):
        if by := chosen[f"perplex-{value}"]:
            piece["modifiers"] = [*piece.get("modifiers", ()), {"value": value, "by": by, "source": "Perplex"}]
    return {**made, "actions": [action]}


def _set(piece: Document, value: str, number: int) -> None:
    piece["dial"] = [{**click, value: number} for click in piece["dial"]]


def _put(made: Document, known: Any, one: str, scenery: Scenery, action: dict[str, Any]) -> None:
    """Put one circumstance on the position."""
    attacker, target = piece_of(made, "x") or {}, piece_of(made, "y") or {}
    if one in ("light", "heavy"):
        made["objects"].append({"id": "object", "kind": one, "square": None})
        attacker["holding"] = "object"
        give(attacker, "Super Strength")
        action["with_object"] = "object"
    elif one in WITH_FRIEND:
        give(piece_of(made, "xf") or {}, known[one].name)
    elif one == "defend":
        friend = piece_of(made, "yf") or {}
        _set(friend, "defense", target["dial"][0]["defense"] + 1)
        give(friend, known[one].name)
    else:
        key, _dash, role = one.rpartition("-") if one.endswith(("-x", "-y")) else (one, "", "y")
        put_there(made, known[key], role, scenery)


# --- The answer ---


def answer(edition: Edition, chosen: Chosen) -> CardAnswer:
    """Return the roll that the attack needs, its odds and its damage."""
    document = document_of(edition, chosen)
    rolled = {dice: _rolled(document, dice) for dice in ALL_ROLLS}
    first = rolled[ALL_ROLLS[-1]]
    if first.fault is not None or not first.legal:
        said = tuple(first.faults) or texts(first.steps, "illegal")
        return CardAnswer("bad", _("This attack isn't possible."), said, first)
    hits = {dice: _hits(replay) for dice, replay in rolled.items()}
    ways = sum(1 if dice[0] == dice[1] else 2 for dice, hit in hits.items() if hit)
    totals = {sum(dice): hit for dice, hit in hits.items()}
    shown = _typical(rolled, hits)
    share = ways / 36
    facts = [(_("Odds"), _("%(ways)s of 36, %(share)s") % {"ways": ways, "share": percent(share)})]
    if chosen["reroll"]:
        again = share + (1 - share) * share if chosen["reroll"] == "attacker" else share * share
        facts.append((_("With the reroll"), percent(again)))
    facts += _special(rolled, hits)
    facts += _pushing(shown)
    facts += _by_die(shown, share)
    idle = [
        words
        for value, words in _circumstances(edition, chosen["kind"])
        if value in chosen["with"] and _idle(edition, chosen, value, rolled)
    ]
    if idle:
        facts.append((_("No effect on this attack"), ", ".join(idle)))
    return CardAnswer(
        state="good" if ways > 18 else "warn" if ways else "bad",
        lead=_needed(totals),
        sentences=texts(shown.steps, "line-of-fire", "hit", "miss", "damage-taken", "click", "ko")[-4:],
        replay=shown,
        sums=sums(shown.steps, "attack-roll", "hit", "damage-dealt", "damage-taken"),
        facts=tuple(facts),
        rolls=tuple(sorted(totals.items())),
    )


def _rolled(document: Document, dice: tuple[int, int]) -> Replay:
    [action] = document["actions"]
    return filled({**document, "actions": [{**action, "rolls": {"attack": [list(dice)]}}]}, {}, doubles=False)


def _hits(replay: Replay) -> bool:
    return any(one.kind == "hit" for one in replay.steps)


def _typical(rolled: dict[tuple[int, int], Replay], hits: dict[tuple[int, int], bool]) -> Replay:
    """Return the replay of the lowest hit without doubles, or of any other roll if there is none."""
    plain = [dice for dice in sorted(rolled, key=sum) if hits[dice] and dice[0] != dice[1]]
    hit = [dice for dice in sorted(rolled, key=sum) if hits[dice]]
    return rolled[(plain or hit or [ALL_ROLLS[1]])[0]]


def _needed(totals: dict[int, bool]) -> str:
    """Return which totals of the dice hit."""
    hit = [total for total, hits in totals.items() if hits]
    if not hit:
        return _("No roll hits.")
    least = min(total for total in hit if all(totals[more] for more in range(total, 13)))
    if least == 12:
        return _("The attack hits only on a 12.")
    return _("The attack hits on %(least)s or more.") % {"least": least}


def _special(rolled: dict[tuple[int, int], Replay], hits: dict[tuple[int, int], bool]) -> Iterator[tuple[str, str]]:
    """Yield what the engine says of 2, 12 and doubles."""
    low, high = rolled[(1, 1)], rolled[(6, 6)]
    if said := texts(low.steps, "critical-miss"):
        yield _("On a 2"), " ".join((*said, *texts(low.steps, "click")[-1:]))
    if said := texts(high.steps, "critical-hit"):
        yield _("On a 12"), " ".join(said)
    doubles = [replay for dice, replay in rolled.items() if dice[0] == dice[1] and hits[dice] and sum(dice) < 12]
    if doubles and (said := texts(doubles[0].steps, "knock-back")):
        yield _("On doubles"), said[0]


def _pushing(shown: Replay) -> Iterator[tuple[str, str]]:
    """Yield what the second action token comes to."""
    pushed = next((one.number for one in shown.steps if one.kind == "push"), None)
    if pushed is not None:
        yield _("Pushing"), " ".join(texts(shown.steps[pushed - 1 :], "push", "click", "ko"))


def _by_die(shown: Replay, share: float) -> Iterator[tuple[str, str]]:
    """Yield what comes of a hit for each result of the other dice that are rolled."""
    start = without_rolls(shown.document, "attack")
    for kind in single_dice(shown):
        name = next(roll for roll in shown.document["actions"][0]["rolls"] if kind_of(roll) == kind)
        found = by_face(start, kind)
        if len(found) == 1:
            continue
        evaded = sum(len(faces) for faces, replay in found if not _hits(replay) or texts(replay.steps, "evade"))
        if evaded:
            yield _("Hit and not avoided"), percent(share * (6 - evaded) / 6)
        for faces, replay in found:
            ends = texts(replay.steps, "evade", "damage-taken", "click", "ko", "shape-change", "roll")
            words = _("%(die)s: %(results)s") % {"die": roll_words(shown.document, name), "results": faces_words(faces)}
            yield words, ends[-1]


def _idle(edition: Edition, chosen: Chosen, value: str, rolled: dict[tuple[int, int], Replay]) -> bool:
    """Return whether a circumstance changes neither a roll nor the damage."""
    bare = document_of(edition, chosen, without=value)
    for dice in ((1, 2), (3, 4), (5, 6)):
        one, other = rolled[dice], _rolled(bare, dice)
        if [_numbers(step) for step in one.steps] != [
            _numbers(step) for step in other.steps
        ] or one.legal != other.legal:
            return False
    return True


def _numbers(step: Any) -> Any:
    return step.kind, [step.numbers.get(key) for key in ("total", "defense", "damage", "taken", "clicked")]


ATTACK = Card("attack", fields, answer)

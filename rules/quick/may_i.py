"""“May I?” cards: breaking away, carrying, pushing, the reach of Outwit and knock back, each one action of the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.dispute.replay import Replay
from rules.engine import Edition, column_letters
from rules.piece_form import SIZES, STANDARD_RANGE
from rules.positions import Document
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
from rules.quick.filling import faces_words, filled
from rules.quick.positions import HEIGHT, WIDTH, figure, give
from rules.quick.terms import terms

ROW = 5
SURE = 12
"""An attack value with which the attack of the knock back card hits."""
MOST_CARRIED = 8


def _sizes(edition: Edition) -> Options:
    known = terms(edition.name)
    return (
        ("", _("standard size")),
        *((key, str(words)) for key, words in SIZES if key != "standard" and key in known),
    )


def _stands(edition: Edition) -> Options:
    """Return the ways to stand or fly that matter in a book."""
    if edition.movement.flight_modes:
        return (("", _("on foot")), ("hovering", _("hovering")), ("soaring", _("soaring")))
    return (("", _("on foot")), ("wing", _("flying")))


def _speeds(edition: Edition) -> Options:
    return (
        (*_stands(edition), ("transporter-boot", _("a transporter")))
        if "transporter" in _topics(edition)
        else _stands(edition)
    )


def _topics(edition: Edition) -> frozenset[str]:
    return frozenset(edition.topics)


def _dress(piece: Document, *, stands: str = "", size: str = "", power: str = "") -> Document:
    """Give a figure its flight, its size and a power, as chosen."""
    symbols: dict[str, str] = {}
    if stands in ("hovering", "soaring"):
        symbols["speed"], piece["flight"] = "wing", stands
    elif stands:
        symbols["speed"] = stands
    if size:
        symbols["damage"] = size
    if symbols:
        piece["symbols"] = symbols
    if power:
        give(piece, power)
    return piece


def _made(
    edition: Edition, mine: list[Document], theirs: list[Document], action: dict[str, Any], **more: Any
) -> Document:
    sides = [{"player": "A", "characters": mine}, {"player": "B", "characters": theirs}]
    drawn = {"width": WIDTH, "height": HEIGHT, "terrain": [], "walls": [], **more.pop("map", {})}
    return {"edition": edition.name, "map": drawn, "objects": [], "sides": sides, **more, "actions": [action]}


def _square(column: int, row: int = ROW) -> str:
    return f"{column_letters(column)}{row}"


# --- Breaking away ---


def _break_away_fields(edition: Edition, chosen: Chosen) -> Sequence[Field]:
    return (
        Number("beside", _("Adjacent opponents"), 0, 3, 1),
        Choice(
            "mover",
            _("Moving figure's power"),
            (("", _("no power")), *powers(edition, lambda row: row.moving.moves_past or row.moving.break_away_bonus)),
        ),
        Choice("stands", _("The moving figure is"), _stands(edition)),
        Choice("size", _("Size of the moving figure"), _sizes(edition)),
        Choice(
            "holder",
            _("Power of one opponent"),
            (("", _("no power")), *powers(edition, lambda row: row.moving.holds_back)),
        ),
        Choice("other-stands", _("The opponents are"), _stands(edition)),
        Choice("other-size", _("Size of the opponents"), _sizes(edition)),
    )


def _break_away(edition: Edition, chosen: Chosen) -> CardAnswer:
    mover = _dress(figure("x", "Mover", "C5"), stands=chosen["stands"], size=chosen["size"], power=chosen["mover"])
    beside = [
        _dress(
            figure(f"y{number}", f"Opponent {number}", square), stands=chosen["other-stands"], size=chosen["other-size"]
        )
        for number, square in enumerate(("D5", "D4", "D6")[: chosen["beside"]], 1)
    ]
    if beside and chosen["holder"]:
        give(beside[0], chosen["holder"])
    action: dict[str, Any] = {"action": "move", "actor": "x", "path": ["B5", "A5"]}
    row = edition.row(chosen["mover"]) if chosen["mover"] else None
    if row is not None and "move" in row.action and not row.moving.grants:
        action["using"] = [row.name]
    document = _made(edition, [mover], beside, action)
    asked = filled({**document, "actions": [], "ask": [{"ask": "break-away", "of": "x"}]}, {})
    found = asked.report["answers"][0]
    faces = tuple(found["result"]["succeeds_on"])
    lead, state = _("No roll needed."), "good"
    facts: tuple[tuple[str, str], ...] = ()
    if found["result"]["needed"]:
        lead = _("The roll succeeds on %(results)s.") % {"results": faces_words(faces)}
        facts, state = (
            ((_("Odds"), _("%(ways)s of 6, %(share)s") % {"ways": len(faces), "share": percent(len(faces) / 6)}),),
            "warn",
        )
    return CardAnswer(
        state, lead, tuple(found["because"]), asked, facts=facts, cited=tuple(found["citations"]), given=document
    )


# --- Carrying ---


def _carry_fields(edition: Edition, chosen: Chosen) -> Sequence[Field]:
    known = terms(edition.name)
    teams = [(known[key].name, known[key].name) for key in ("green-lantern-corps",) if key in known]
    matters = [
        ("holds", _("the carrier holds an object")),
        ("passenger-holds", _("the passenger holds an object")),
        ("apart", _("the passenger isn't adjacent to the carrier")),
        ("token", _("the passenger has an action token")),
    ]
    return (
        Number("passengers", _("Number of passengers"), 1, MOST_CARRIED, 1),
        Choice("carrier", _("The carrier is"), _speeds(edition)),
        Choice("carrier-size", _("Size of the carrier"), _sizes(edition)),
        *([Choice("team", _("Team ability of the carrier"), (("", _("no team ability")), *teams))] if teams else []),
        Choice("passenger", _("The passenger is"), _speeds(edition)),
        Choice("passenger-size", _("Size of the passenger"), _sizes(edition)),
        Several("with", _("Circumstances"), tuple(matters)),
    )


def _carry(edition: Edition, chosen: Chosen) -> CardAnswer:
    count, matters = chosen["passengers"], chosen["with"]
    carrier = _dress(figure("x", "Carrier", "C5"), stands=chosen["carrier"], size=chosen["carrier-size"])
    if chosen.get("team"):
        carrier["teams"] = [chosen["team"]]
    around, ends = _around("C", 5), _around("H", 5)
    carried = []
    for number in range(1, count + 1):
        name = f"Passenger {number}" if count > 1 else "Passenger"
        square = f"{'ABCDEFGH'[number - 1]}8" if "apart" in matters else around[number - 1]
        piece = _dress(figure(f"p{number}", name, square), stands=chosen["passenger"], size=chosen["passenger-size"])
        piece["tokens"] = 1 if "token" in matters else 0
        carried.append(piece)
    objects = []
    for piece, key in ((carrier, "holds"), (carried[0], "passenger-holds")):
        if key in matters:
            objects.append({"id": key, "kind": "light", "square": None})
            piece["holding"] = key
    ids = [piece["id"] for piece in carried]
    path = [f"{letter}5" for letter in "DEFGH"]
    place = dict(zip(ids, ends, strict=False))
    action = {"action": "move", "actor": "x", "path": path, "carry": ids, "choose": {"place": place}}
    replay = filled(_made(edition, [carrier, *carried], [], action, objects=objects), {})
    return _allowed(replay, ("carry", "move", "note"))


def _around(column: str, row: int) -> list[str]:
    """Return the squares around one, those above and below it last, so that a path to the right stays free."""
    before, after = chr(ord(column) - 1), chr(ord(column) + 1)
    return [
        f"{column}{row + 1}",
        f"{column}{row - 1}",
        f"{before}{row}",
        f"{before}{row - 1}",
        f"{before}{row + 1}",
        f"{after}{row - 1}",
        f"{after}{row + 1}",
        f"{after}{row}",
    ]


def _allowed(replay: Replay, shown: tuple[str, ...], no: str = "", yes: str = "") -> CardAnswer:
    """Return yes with the sentences of these steps, or no with the reason."""
    if replay.fault is not None or not replay.legal:
        return CardAnswer("bad", no or _("No."), tuple(replay.faults) or texts(replay.steps, "illegal"), replay)
    return CardAnswer(
        "good",
        yes or _("Yes."),
        texts(replay.steps, *shown) or texts(replay.steps, "declare"),
        replay,
        sums(replay.steps, *shown),
    )


# --- Pushing ---


def _pushing_fields(edition: Edition, chosen: Chosen) -> Sequence[Field]:
    symbols = [("indomitable", _("indomitable symbol"))] if edition.combat.indomitable else []
    return (
        Number("tokens", _("Action tokens on the figure"), 0, 2, 1),
        Choice(
            "power",
            _("The figure has"),
            (
                ("", _("no power")),
                *powers(
                    edition, lambda row: row.defending.pushed_unhurt or row.despite_tokens or row.name == "Willpower"
                ),
                *symbols,
            ),
        ),
        Choice("size", _("Size of the figure"), _sizes(edition)),
        Choice("action", _("Type of action"), (("move", _("a move")), ("close", _("a close attack")))),
    )


def _pushing(edition: Edition, chosen: Chosen) -> CardAnswer:
    power = chosen["power"]
    piece = _dress(figure("x", "Figure", "C5"), size=chosen["size"], power="" if power == "indomitable" else power)
    if power == "indomitable":
        piece["symbols"] = {**piece.get("symbols", {}), "defense": "indomitable"}
    piece["tokens"] = chosen["tokens"]
    action: dict[str, Any] = {"action": "move", "actor": "x", "path": ["C4"]}
    foes = []
    if chosen["action"] == "close":
        action = {"action": "close", "actor": "x", "targets": ["y"]}
        foes = [figure("y", "Target", "D5")]
    replay = filled(_made(edition, [piece], foes, action), {})
    pushed = texts(replay.steps, "push")
    hurt = any(one.kind == "push" and one.numbers.get("damage") for one in replay.steps)
    told = (
        _("Yes, and the figure takes pushing damage.")
        if hurt
        else _("Yes. The figure takes no pushing damage.")
        if pushed
        else _("Yes. The figure isn't pushed.")
    )
    found = _allowed(replay, ("note", "push", "token", "click", "ko"), yes=told)
    return CardAnswer("warn" if hurt else found.state, found.lead, found.sentences, replay, found.sums)


# --- Outwit ---


def _outwit_fields(edition: Edition, chosen: Chosen) -> Sequence[Field]:
    between = (
        ("", _("nothing")),
        ("hindering", _("hindering terrain")),
        ("blocking", _("blocking terrain")),
        ("wall", _("a wall")),
        ("figure", _("another figure")),
        ("elevated", _("elevated terrain")),
    )
    return (
        Number("distance", _("Distance in squares"), 1, WIDTH - 1, 6),
        Number("range", _("Range of the figure with Outwit"), 0, 12, STANDARD_RANGE),
        Choice("between", _("Between the figures"), between),
        Choice("stands", _("The figure with Outwit is"), _stands(edition)),
        Choice("other-stands", _("The target is"), _stands(edition)),
        Choice(
            "power",
            _("The target has"),
            (
                ("", _("only the power to be countered")),
                *powers(edition, lambda row: row.defending.hides_behind_hindering),
            ),
        ),
    )


def _outwit(edition: Edition, chosen: Chosen) -> CardAnswer:
    replay = _outwitted(edition, chosen)
    alone = {**chosen, "between": ""}
    reached = [away for away in range(1, WIDTH) if _outwitted(edition, {**alone, "distance": away}).legal]
    found = _allowed(replay, ("line-of-fire", "counter"))
    words = ngettext("%(count)s square", "%(count)s squares", max(reached, default=0)) % {
        "count": max(reached, default=0)
    }
    return replace(found, facts=((_("Range with a clear line of fire"), words),))


def _outwitted(edition: Edition, chosen: Chosen) -> Replay:
    """Return the use of Outwit as chosen."""
    away = chosen["distance"]
    mine = _dress(figure("x", "Attacker", _square(0)), stands=chosen["stands"], power="Outwit")
    mine["range"] = chosen["range"]
    target = _dress(figure("y", "Target", _square(away)), stands=chosen["other-stands"], power="Toughness")
    if chosen["power"]:
        give(target, chosen["power"])
    middle, drawn = away // 2, dict[str, Any]()
    others: list[Document] = []
    if chosen["between"] and away == 1:
        drawn = {"walls": [f"{_square(0)}|{_square(1)}"]} if chosen["between"] == "wall" else {}
    elif chosen["between"] == "wall":
        drawn = {"walls": [f"{_square(middle)}|{_square(middle + 1)}"]}
    elif chosen["between"] == "figure":
        others = [figure("z", "Other figure", _square(middle))]
    elif chosen["between"]:
        drawn = {"terrain": [{"type": chosen["between"], "squares": [_square(middle)]}]}
    action = {"action": "free", "actor": "x", "targets": ["y"], "using": ["Outwit"], "choose": {"counter": "Toughness"}}
    return filled(_made(edition, [mine], [target, *others], action, map=drawn), {})


# --- Knock back ---


def _knock_back_fields(edition: Edition, chosen: Chosen) -> Sequence[Field]:
    behind = (
        ("", _("nothing")),
        ("wall", _("a wall")),
        ("blocking", _("blocking terrain")),
        ("figure", _("another figure")),
        ("edge", _("the edge of the map")),
        ("fall", _("the edge of a roof")),
        ("hindering", _("hindering terrain")),
        ("water", _("water")),
    )
    return (
        Number("damage", _("Damage value"), 1, 8, 3),
        Choice("behind", _("Obstacle behind the target"), behind),
        Number("free", _("Free squares before the obstacle"), 0, 4, 1),
        Choice(
            "power",
            _("The target has"),
            (
                ("", _("no power")),
                *powers(edition, lambda row: row.defending.may_be_knocked_back or row.defending.reduce_damage),
            ),
        ),
        Choice("stands", _("The target is"), _stands(edition)),
        Choice("size", _("Size of the target"), _sizes(edition)),
    )


def _knock_back(edition: Edition, chosen: Chosen) -> CardAnswer:
    hitter, target = figure("x", "Attacker", "A5"), figure("y", "Target", "B5")
    hitter["dial"] = [{**click, "attack": SURE, "damage": chosen["damage"]} for click in hitter["dial"]]
    _dress(target, stands=chosen["stands"], size=chosen["size"], power=chosen["power"])
    if chosen["stands"] == "soaring":
        _dress(hitter, stands="soaring")
    place, behind = 2 + chosen["free"], chosen["behind"]
    others, drawn = list[Document](), dict[str, Any]()
    if behind == "wall":
        drawn = {"walls": [f"{_square(place - 1)}|{_square(place)}"]}
    elif behind == "edge":
        drawn = {"width": place}
    elif behind == "fall":
        drawn = {"terrain": [{"type": "elevated", "squares": [f"A4:{_square(place - 1, 6)}"]}]}
    elif behind == "figure":
        others = [figure("z", "Other figure", _square(place))]
    elif behind:
        drawn = {"terrain": [{"type": behind, "squares": [_square(place)]}]}
    action = {"action": "close", "actor": "x", "targets": ["y"]}
    replay = filled(_made(edition, [hitter], [target, *others], action, map=drawn), {}, doubles=True)
    if replay.fault is not None or not replay.legal:
        return _allowed(replay, ())
    moved = any(one.kind == "knock-back" and one.numbers.get("squares") for one in replay.steps)
    begins = next((at for at, one in enumerate(replay.steps) if one.kind == "knock-back"), 0)
    after = replay.steps[begins:]
    shown = ("note", "knock-back", "knock-back-damage", "damage-taken", "click", "ko")
    lead = _("The target is knocked back.") if moved else _("The target stays in its square.")
    return CardAnswer(
        "warn" if moved else "good",
        lead,
        texts(after, *shown),
        replay,
        sums(after, "knock-back", "knock-back-damage"),
    )


BREAK_AWAY = Card("break-away", _break_away_fields, _break_away)
CARRY = Card("carry", _carry_fields, _carry)
PUSHING = Card("pushing", _pushing_fields, _pushing)
OUTWIT = Card("outwit", _outwit_fields, _outwit)
KNOCK_BACK = Card("knock-back", _knock_back_fields, _knock_back)

"""What the dispute page asks of the engine: what happened step by step, what is waited for, and what if it were otherwise.

A `Story` is one position file told: its report, and the board as it was after each step. A branch is the same file
with some changes (another roll, another edition, a power countered); `compare` says where stories part. Documents in,
documents out; nothing here knows a rule, and nothing is written anywhere.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from rules import engine
from rules.drawings.board import labels
from rules.engine import EDITIONS, BadInput, Edition, Ruling, read_edge, read_square, topics
from rules.positions import Cell, Document, piece_of, pieces, square_name, stands_in, whole_numbers

OPTIONAL = ("squares", "captured_by", "flight", "countered", "stack")
"""What a report's state names only where it applies."""
SHUT = ("walls", "windows", "doors")
TWO_DICE = frozenset({"attack", "support", "capture", "rescue"})
NOTED = "rolled-here"


# --- A number with its reasons ---


@dataclass(frozen=True, slots=True)
class SumLine:
    """One line of an itemised sum: what it adds or sets, why, by what it is ignored; the sum itself has `is_sum`."""

    amount: str
    why: str
    ignored_by: str = ""
    is_sum: bool = False


def sum_lines(parts: Iterable[Mapping[str, Any]], name: str) -> list[SumLine]:
    """Return the parts of a number as the lines of a sum; the last is the sum, called `name`, where there are several."""
    found: list[SumLine] = []
    value = 0
    for part in parts:
        found.append(SumLine(_amount_words(part, value), part["why"], part["ignored_by"] or ""))
        value += part["amount"] if part["ignored_by"] is None else 0
    if len(found) > 1:
        found.append(SumLine(str(value).replace("-", "−"), name, is_sum=True))
    return found


def _amount_words(part: Mapping[str, Any], before: int) -> str:
    """Return what a part makes of the number before it: a number of its own, or what it adds."""
    kind, amount = part["kind"], part["amount"]
    shown = {"printed": f"{amount}", "replaced": f"→ {before + amount}", "halved": "÷ 2", "doubled": "× 2"}
    return shown.get(kind, f"{amount:+d}").replace("-", "−")


def _sums(step: Mapping[str, Any]) -> list[SumLine]:
    """Return the sums that a step shows: of its main number, and of another that is more than one number."""
    parts = step["numbers"].get("parts", {})
    lines: list[SumLine] = []
    for number, name in _sums_shown(step["step"]):
        if number in parts and (not lines or len(parts[number]) > 1):
            lines += sum_lines(parts[number], name)
    return lines


def _sums_shown(kind: str) -> tuple[tuple[str, str], ...]:
    """Return which numbers of a step are shown with what made them, the main one first, and what they are called."""
    return {
        "attack-roll": (("total", _("attack total")),),
        "hit": (("defense", _("defense")),),
        "miss": (("defense", _("defense")),),
        "damage-dealt": (("damage", _("damage")),),
        "damage-taken": (("taken", _("damage taken")),),
        "move": (("budget", _("squares to move")), ("cost", _("cost of the move"))),
        "knock-back": (("squares", _("squares knocked back")),),
    }.get(kind, ())


# --- The board after a step ---


def after(document: Mapping[str, Any], changes: Mapping[str, Any]) -> Document:
    """Return the position that a step's changes make of a position; the one given is not touched."""
    if not changes:
        return dict(document)
    changed = copy.deepcopy(dict(document))
    for name, standing in changes.get("characters", {}).items():
        piece = piece_of(changed, name)
        if piece is not None:
            _restand(piece, standing)
    things = {thing["id"]: thing for thing in changed.get("objects", ())}
    for name, put in changes.get("objects", {}).items():
        if name in things:
            things[name].update({key: put[key] for key in ("square", "removed") if key in put})
    drawn = changed["map"]
    if "markers" in changes:
        drawn["markers"] = changes["markers"]
    gone = {read_edge(name) for name in changes.get("walls_destroyed", ())}
    if gone:
        for kind in SHUT:
            drawn[kind] = [name for name in drawn.get(kind, ()) if read_edge(name) not in gone]
    if "turn" in changes:
        changed["turn"] = changes["turn"]
    return changed


def _restand(piece: Document, standing: Mapping[str, Any]) -> None:
    if "square" in standing:
        piece.pop("squares", None)
        piece["square"] = standing["square"]
    if standing.get("squares"):
        piece.pop("square", None)
    for key in ("click", "tokens", "holding", *OPTIONAL):
        if key in standing:
            if standing[key] is None and key in OPTIONAL:
                piece.pop(key, None)
            else:
                piece[key] = standing[key]
    if standing.get("ko"):
        piece["click"] = max(piece.get("click", 1), len(piece["dial"]) + 1)


# --- A position file told ---


@dataclass(frozen=True, slots=True)
class Shown:
    """One step as the page shows it. `number` counts from 1; `line` names who draws a line of fire to whom."""

    number: int
    action: int
    kind: str
    text: str
    sums: tuple[SumLine, ...]
    numbers: Mapping[str, Any]
    citations: tuple[Mapping[str, Any], ...]
    rulings: tuple[str, ...]
    topics: tuple[str, ...]
    line: tuple[str, str] | None
    rolled_here: bool

    @property
    def tells_line(self) -> bool:
        """Whether the step is about the line of fire; the later steps of an attack only show it on the board."""
        return self.line is not None and self.kind in ("targets", "line-of-fire", "illegal")

    @property
    def word(self) -> str:
        """The kind of step, as a heading says it; what stands only on a card was not decided by anybody yet."""
        if self.kind == "ruling" and "by" not in self.numbers:
            return _("For the judge to decide")
        return step_word(self.kind)


@dataclass(frozen=True, slots=True)
class Awaited:
    """A die or a choice that is missing: which, in the words of the page, and of which action."""

    action: int
    name: str
    title: str
    dice: int
    why: str
    player: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def is_roll(self) -> bool:
        """Whether dice are waited for, not a choice."""
        return self.dice > 0


@dataclass
class Story:
    """A position file and what came of it. `fault` is what the edition cannot make of it; then there is no report."""

    document: Document
    report: Mapping[str, Any] = field(default_factory=dict)
    fault: BadInput | None = None

    @property
    def edition(self) -> Edition:
        """The book it is told by."""
        return EDITIONS[self.document["edition"]]

    @cached_property
    def steps(self) -> list[Shown]:
        """The steps in order."""
        found: list[Shown] = []
        line: tuple[str, str] | None = None
        action = -1
        for number, step in enumerate(self.report.get("steps", ()), 1):
            if step["action"] != action:
                action, line = step["action"], None
            line = self._line_after(step, line)
            numbers = step["numbers"]
            found.append(
                Shown(
                    number,
                    action,
                    step["step"],
                    step["text"],
                    tuple(_sums(step)),
                    numbers,
                    tuple(step["citations"]),
                    tuple(step["rulings"]),
                    tuple(step["topics"]),
                    line,
                    self._rolled_here(step),
                )
            )
        return found

    def _given(self, number: int) -> Mapping[str, Any]:
        """Return an action of the file; an empty one for what a judge decides where nothing was done."""
        actions = self.document.get("actions") or ()
        return actions[number] if number < len(actions) else {}

    def _line_after(self, step: Mapping[str, Any], line: tuple[str, str] | None) -> tuple[str, str] | None:
        numbers = step["numbers"]
        if step["step"] == "line-of-fire" and "to" in numbers:
            return numbers["from"], numbers["to"]
        if step["step"] == "targets" and "from" in numbers:
            ranged = "ranged-combat" in step["topics"]
            return (numbers["from"], numbers["targets"][0]) if ranged and numbers["targets"] else None
        if step["step"] == "illegal":
            given = self._given(step["action"])
            goals = [goal for goal in given.get("targets") or () if piece_of(self.document, goal)]
            looks = given.get("action") == "ranged" or "line-of-fire" in step["topics"]
            return (given["actor"], goals[0]) if looks and goals else None
        if step["step"] in ("move", "token", "push", "turn", "clear-tokens", "resolve"):
            return None
        return line

    def _rolled_here(self, step: Mapping[str, Any]) -> bool:
        noted = noted_rolls(self._given(step["action"]))
        kinds = {name.removesuffix("/reroll").partition(":")[0] for name in noted}
        if step["step"] == "attack-roll":
            return "attack" in kinds
        rolled = "roll" in step["numbers"] or "dice" in step["numbers"]
        return rolled and not kinds.isdisjoint(step["topics"])

    @property
    def last(self) -> int:
        """The number of the last step, 0 where nothing has happened."""
        return len(self.report.get("steps", ()))

    def board(self, number: int) -> Document:
        """Return the position after so many steps, without what is done and asked."""
        position = {key: part for key, part in self.document.items() if key not in ("actions", "ask", "judge")}
        for step in self.report.get("steps", ())[:number]:
            position = after(position, step["changes"])
        return position

    def before(self, number: int) -> Document:
        """Return the position in which a step began: what a line of fire of that step was drawn on."""
        return self.board(max(0, number - 1))

    @cached_property
    def awaited(self) -> Awaited | None:
        """What is waited for, or None."""
        missing = self.report.get("awaiting")
        return None if missing is None else _awaited(self.document, missing)

    @property
    def legal(self) -> bool:
        """Whether everything was allowed so far."""
        return bool(self.report.get("legal", True))

    @cached_property
    def rulings(self) -> list[Ruling]:
        """The rulings that bear on it, best first."""
        ids = [one["id"] for one in self.report.get("rulings", ())]
        return [found for name in ids if (found := engine.ruling(self.document["edition"], name)) is not None]

    @property
    def ended(self) -> bool:
        """Whether everything that was named has been done, nothing waits and nothing was forbidden."""
        return self.fault is None and self.legal and self.report.get("awaiting") is None

    def outcome(self) -> list[tuple[str, str]]:
        """Return what became of each figure, as (name, words), for comparing."""
        standing = self.report.get("state", {}).get("characters", {})
        found, names = [], names_apart(self.document)
        for _player, piece in pieces(self.document):
            now = standing.get(piece["id"])
            if now is not None:
                found.append((names[piece["id"]], standing_words(now)))
        return found


def tell(document: Mapping[str, Any]) -> Story:
    """Return a position file told, whatever its edition makes of it."""
    try:
        return Story(dict(document), engine.adjudicate(document))
    except BadInput as fault:
        return Story(dict(document), fault=fault)


def standing_words(standing: Mapping[str, Any]) -> str:
    """Return how a character stands at the end in few words: where, on which click, with how many tokens."""
    if standing.get("ko"):
        return _("knocked out")
    words = []
    if standing.get("captured_by"):
        words.append(_("captive"))
    elif standing.get("squares"):
        words.append(", ".join(standing["squares"]))
    elif standing.get("square"):
        words.append(standing["square"])
    words.append(_("click %(click)s") % {"click": standing["click"]})
    if standing.get("tokens"):
        words.append(_("tokens: %(tokens)s") % {"tokens": standing["tokens"]})
    if standing.get("countered"):
        words.append(_("countered: %(powers)s") % {"powers": ", ".join(standing["countered"])})
    if standing.get("flight"):
        words.append(str(standing["flight"]))
    return " · ".join(words)


def step_word(kind: str) -> str:
    """Return the name of a kind of step."""
    words = {
        "declare": _("Declared"),
        "illegal": _("Not allowed"),
        "break-away": _("Break away"),
        "move": _("Move"),
        "carry": _("Carry"),
        "pick-up": _("Pick up"),
        "put-down": _("Put down"),
        "targets": _("Targets"),
        "shape-change": _("Shape Change"),
        "line-of-fire": _("Line of fire"),
        "attack-roll": _("Attack roll"),
        "reroll": _("Reroll"),
        "hit": _("Hit"),
        "miss": _("Miss"),
        "evade": _("Evaded"),
        "damage-dealt": _("Damage dealt"),
        "damage-taken": _("Damage taken"),
        "click": _("Clicks"),
        "ko": _("Knocked out"),
        "knock-back": _("Knock back"),
        "knock-back-damage": _("Knock back damage"),
        "critical-hit": _("Critical hit"),
        "critical-miss": _("Critical miss"),
        "heal": _("Healing"),
        "counter": _("Countered"),
        "modify": _("Modified"),
        "token": _("Action token"),
        "push": _("Pushing"),
        "terrain": _("Terrain"),
        "capture": _("Capture"),
        "resolve": _("Resolved"),
        "clear-tokens": _("Tokens cleared"),
        "turn": _("Turn"),
        "roll": _("Die"),
        "ruling": _("The judge's decision"),
    }
    return words.get(kind, kind)


# --- What is waited for ---


def _awaited(document: Mapping[str, Any], missing: Mapping[str, Any]) -> Awaited:
    name: str = missing["roll"] if "roll" in missing else missing["choice"]
    options = tuple((_written(option), _option_words(document, name, option)) for option in missing.get("options", ()))
    return Awaited(
        missing["action"],
        name,
        roll_words(document, name) if "roll" in missing else choice_words(document, name),
        missing.get("dice", 0),
        "" if "roll" in missing else missing.get("why", ""),
        missing.get("player", ""),
        options,
    )


def _written(option: Any) -> str:
    return {True: "yes", False: "no"}[option] if isinstance(option, bool) else str(option)


def _option_words(document: Mapping[str, Any], name: str, option: Any) -> str:
    if isinstance(option, bool):
        if name == "knock-back":
            return _("Yes, knock back") if option else _("No knock back")
        return _("Yes") if option else _("No")
    piece = piece_of(document, str(option))
    return names_apart(document)[piece["id"]] if piece is not None else str(option)


def roll_words(document: Mapping[str, Any], name: str) -> str:
    """Return what a roll is called: whose it is, and for what."""
    kind, _colon, who = name.removesuffix("/reroll").partition(":")
    titles = {"damage": _("Damage die"), "attack": _("Attack roll"), "support-heal": _("Support: how much is healed")}
    known = topics().get({"skrull": "skrulls"}.get(kind, kind))
    title = titles.get(kind) or (known.title if known is not None else kind)
    piece = piece_of(document, who)
    if piece is not None:
        title = _("%(roll)s: %(name)s") % {"roll": title, "name": names_apart(document)[who]}
    return _("%(roll)s, rolled again") % {"roll": title} if name.endswith("/reroll") else title


def choice_words(document: Mapping[str, Any], name: str) -> str:
    """Return what a choice is called."""
    kind, _colon, who = name.partition(":")
    words = {
        "knock-back": _("Knock back?"),
        "knock-back-direction": _("Knocked back which way?"),
        "divide": _("How is the damage divided?"),
        "place": _("Placed in which square?"),
        "mastermind": _("Does somebody else take the damage?"),
        "counter": _("Which power is turned off?"),
        "value": _("Which value?"),
        "by": _("More or less?"),
        "square": _("In which square?"),
        "squares": _("In which squares?"),
    }
    title = words.get(kind, kind)
    piece = piece_of(document, who)
    named = {"choice": title, "name": names_apart(document)[who]} if piece is not None else {}
    return _("%(choice)s (%(name)s)") % named if named else title


def noted_rolls(action: Mapping[str, Any]) -> list[str]:
    """Return the names of the rolls that the site made for this action."""
    note = action.get("note")
    named = note.get(NOTED) if isinstance(note, dict) else None
    return [name for name in named if isinstance(name, str)] if isinstance(named, list) else []


def with_dice(document: Mapping[str, Any], place: int, name: str, dice: Sequence[int], *, here: bool) -> Document:
    """Return the position file with one more roll of an action; `here` says that the site rolled it."""
    changed = copy.deepcopy(dict(document))
    action = changed["actions"][place]
    action["rolls"] = {**(action.get("rolls") or {})}
    action["rolls"].setdefault(name, []).append(list(dice))
    if here:
        note = action.get("note")
        kept = note if isinstance(note, dict) else {"words": note} if note else {}
        action["note"] = {**kept, NOTED: [*noted_rolls(action), name]}
    return changed


def with_choice(document: Mapping[str, Any], place: int, name: str, value: Any) -> Document:
    """Return the position file with a choice of an action made, where its format keeps that choice."""
    changed = copy.deepcopy(dict(document))
    action = changed["actions"][place]
    if name == "divide":
        action["divide"] = value
        return changed
    chosen = {**(action.get("choose") or {})}
    kind, _colon, who = name.partition(":")
    if kind == "place" and who:
        chosen["place"] = {**(chosen.get("place") or {}), who: value}
    else:
        chosen[name] = value
    action["choose"] = chosen
    return changed


def with_action(document: Mapping[str, Any], action: Mapping[str, Any]) -> Document:
    """Return the position file with one more action at its end, whatever is empty left out."""
    given = {key: value for key, value in action.items() if value not in (None, "", [], {})}
    return {**document, "actions": [*document.get("actions", ()), whole_numbers(given)]}


# --- What may be done ---


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that a figure might be given now: one tap does it where `target` is named, else more must be said."""

    action: str
    using: str
    target: str
    target_name: str
    legal: bool
    because: str
    words: str

    @property
    def often_argued(self) -> bool:
        """Whether it is what people call a judge for: a plain ranged attack that the book does not allow."""
        return not self.legal and self.action == "ranged" and not self.using and bool(self.target)


def names_apart(document: Mapping[str, Any]) -> dict[str, str]:
    """Return id → name; where several bear one name, each with the signs that the board writes on it."""
    named = Counter(piece["name"] for _player, piece in pieces(document))
    signs = labels(document)
    return {
        piece["id"]: piece["name"] if named[piece["name"]] == 1 else f"{piece['name']} {signs[piece['id']]}"
        for _player, piece in pieces(document)
    }


def kinds_of_action() -> dict[str, str]:
    """Return the kinds of action with their names."""
    return {
        "move": _("Move"),
        "close": _("Close attack"),
        "ranged": _("Ranged attack"),
        "power": _("Power action"),
        "double-power": _("Double power action"),
        "free": _("Free action"),
        "pass": _("Pass"),
        "end-turn": _("End of turn"),
    }


def deeds(document: Mapping[str, Any], name: str) -> list[Deed]:
    """Return what a character may be given after all that was done, and what it may not, each with the reason."""
    asked = engine.adjudicate({**document, "ask": [{"ask": "actions", "of": name}]})
    standing = asked["state"]["characters"]
    mine = next((player for player, piece in pieces(document) if piece["id"] == name), None)
    others = [
        piece
        for player, piece in pieces(document)
        if player != mine and (standing[piece["id"]].get("square") or standing[piece["id"]].get("squares"))
    ]
    names = names_apart(document)
    found = []
    for opening in asked["answers"][0]["result"]:
        kind, using = opening["action"], " + ".join(opening.get("using", ()))
        if kind == "pass":
            continue
        because = " ".join(opening.get("because", ()))
        if kind not in ("close", "ranged"):
            found.append(Deed(kind, using, "", "", opening["legal"], because, _deed_words(kind, using)))
            continue
        goals = opening.get("targets", ())
        for goal in goals:
            words = _deed_words(kind, using)
            found.append(Deed(kind, using, goal, names.get(goal, goal), opening["legal"], because, words))
        found += [
            Deed(kind, using, piece["id"], names[piece["id"]], False, because, _deed_words(kind, using))
            for piece in others
            if piece["id"] not in goals
        ]
    return found


def _deed_words(kind: str, using: str) -> str:
    if not using:
        return kinds_of_action()[kind]
    return _("%(using)s (%(kind)s)") % {"using": using, "kind": kinds_of_action()[kind].lower()}


def action_words(document: Mapping[str, Any], action: Mapping[str, Any]) -> str:
    """Return an action of a position file in a line."""
    names = names_apart(document)
    kind = kinds_of_action()[action["action"]]
    if action["action"] == "end-turn":
        return kind
    using = action.get("using")
    words = _("%(name)s: %(kind)s") % {"name": names.get(action.get("actor", ""), "–"), "kind": kind.lower()}
    if using:
        words = _("%(words)s with %(using)s") % {"words": words, "using": ", ".join(using)}
    if action.get("path"):
        words = _("%(words)s to %(square)s") % {"words": words, "square": action["path"][-1]}
    if action.get("targets"):
        goals = ", ".join(names.get(goal, goal) for goal in action["targets"])
        words = _("%(words)s → %(targets)s") % {"words": words, "targets": goals}
    return words


def with_turn_of(document: Document, player: str) -> Document:
    """Return the position file as that player's turn, where nothing has been done yet; else as it is."""
    if document.get("actions"):
        return document
    turn = document.get("turn") or {}
    active = turn.get("active") or document["sides"][0]["player"]
    return document if active == player else {**document, "turn": {**turn, "active": player}}


def rolls_so_far(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the dice that fell so far, each with the words for it and where it stands in the file."""
    found = []
    for place, action in enumerate(document.get("actions", ())):
        for name, fallen in (action.get("rolls") or {}).items():
            for time, dice in enumerate(fallen):
                found.append(
                    {
                        "value": f"{place}/{time}/{name}",
                        "words": roll_words(document, name),
                        "dice": dice,
                        "here": name in noted_rolls(action),
                    }
                )
    return found


def squares_wanted(name: str) -> int:
    """Return how many squares a choice names: 0 where it is none of squares."""
    kind = name.partition(":")[0]
    return {"squares": 4, "square": 1, "place": 1}.get(kind, 0)


def path_to(document: Mapping[str, Any], name: str, end: str, using: Sequence[str] = ()) -> list[str]:
    """Return squares that lead a character to where its move shall end, on a cheapest way.

    Where none leads there it is the straight one, so that the engine can say what is wrong with it.
    """
    piece = piece_of(document, name)
    goal = read_square(end)
    if piece is None or goal is None or not stands_in(piece):
        return [end]
    found = engine.way_to(document, name, end, using=using)
    return found or [square_name(cell) for cell in _straight(min(stands_in(piece)), goal)]


def _straight(start: Cell, goal: Cell) -> list[Cell]:
    """Return the squares of a way that goes diagonally first, then straight."""
    found, (column, row) = [], start
    while (column, row) != goal:
        column += (goal[0] > column) - (goal[0] < column)
        row += (goal[1] > row) - (goal[1] < row)
        found.append((column, row))
    return found


# --- The judge's own hand ---


@dataclass(frozen=True, slots=True)
class Decidable:
    """Something that a judge may decide before a step: its key, its words, and what may be said: value and words."""

    key: str
    words: str
    answers: tuple[tuple[str, str], ...] = ()


def decidable(shown: Shown) -> list[Decidable]:
    """Return what a judge may decide of a step instead of the book (`judge` in a position file)."""
    yes_or_no = (("yes", _("yes")), ("no", _("no")))
    lines = (("clear", _("clear")), ("hindered", _("hindered")), ("blocked", _("blocked")))
    hit = Decidable("hit", _("The attack hits"), yes_or_no)
    succeeds = Decidable("succeeds", _("The roll succeeds"), yes_or_no)
    damage = Decidable("damage", _("Damage"))
    known = {
        "hit": [hit],
        "miss": [hit],
        "attack-roll": [Decidable("total", _("Total of the attack"))],
        "evade": [succeeds],
        "shape-change": [succeeds],
        "break-away": [succeeds],
        "line-of-fire": [Decidable("line", _("The line of fire is"), lines)],
        "damage-dealt": [damage],
        "damage-taken": [damage],
        "push": [damage],
        "heal": [Decidable("clicks", _("Clicks healed"))],
        "knock-back": [
            Decidable("knock-back", _("Knocked back"), yes_or_no),
            Decidable("squares", _("Squares knocked back")),
        ],
    }
    legal = Decidable("legal", _("The act is allowed"), yes_or_no)
    return [*known.get(shown.kind, ()), *([] if shown.kind == "ruling" else [legal])]


def moment_of(story: Story, shown: Shown) -> dict[str, Any]:
    """Return when a decision about a step is made, as a position file says it: the action, the step, the how-manieth."""
    if shown.kind == "illegal":
        return {"action": shown.action, "step": "declare"}
    alike = {"hit": ("hit", "miss"), "miss": ("hit", "miss")}.get(shown.kind, (shown.kind,))
    before = [one for one in story.steps[: shown.number] if one.action == shown.action and one.kind in alike]
    step = "hit" if shown.kind == "miss" else shown.kind
    moment = {"action": shown.action, "step": step}
    return moment if len(before) == 1 else {**moment, "time": len(before)}


# --- What if ---


def branched(document: Mapping[str, Any], changes: Iterable[Mapping[str, Any]]) -> Document:
    """Return the position file as a branch has it; a change that no longer fits what was done is left out."""
    changed = copy.deepcopy(dict(document))
    for change in changes:
        _branch(changed, change)
    return changed


def _branch(changed: Document, change: Mapping[str, Any]) -> None:
    sort = change.get("change")
    actions = changed.get("actions", [])
    place = change.get("action", 0)
    if sort == "edition" and change.get("edition") in EDITIONS:
        changed["edition"] = change["edition"]
    elif sort == "by-the-book":
        changed.pop("judge", None)
    elif sort == "counter":
        piece = piece_of(changed, change.get("character", ""))
        if piece is not None:
            piece["countered"] = list(dict.fromkeys([*piece.get("countered", ()), change.get("power", "")]))
    elif sort == "click":
        piece = piece_of(changed, change.get("character", ""))
        if piece is not None:
            piece["click"] = change.get("click", 1)
    elif sort in ("roll", "choice") and 0 <= place < len(actions):
        action = actions[place]
        if sort == "choice":
            actions[place] = with_choice({"actions": [action]}, 0, change["name"], change["value"])["actions"][0]
            return
        rolls = [list(dice) for dice in (action.get("rolls") or {}).get(change["name"], ())]
        at = change.get("time", 0)
        rolls[at : at + 1] = [list(change["dice"])]
        action["rolls"] = {**(action.get("rolls") or {}), change["name"]: rolls}


def branch_words(document: Mapping[str, Any], change: Mapping[str, Any]) -> str:
    """Return one change of a branch in words."""
    sort = change.get("change")
    piece = piece_of(document, change.get("character", ""))
    name = piece["name"] if piece is not None else ""
    if sort == "edition":
        return EDITIONS[change["edition"]].title
    if sort == "by-the-book":
        return _("without the judge's own hand")
    if sort == "counter":
        return _("%(name)s: %(power)s countered") % {"name": name, "power": change["power"]}
    if sort == "click":
        return _("%(name)s on click %(click)s") % {"name": name, "click": change["click"]}
    if sort == "roll":
        dice = " + ".join(map(str, change["dice"]))
        return _("%(roll)s %(dice)s") % {"roll": roll_words(document, change["name"]), "dice": dice}
    value = change.get("value")
    shown = _option_words(document, change["name"], value) if not isinstance(value, list | dict) else str(value)
    return _("%(choice)s %(value)s") % {"choice": choice_words(document, change["name"]), "value": shown}


def parting(one: Story, other: Story) -> int | None:
    """Return the first step, counted from 1, at which two stories are no longer the same; None where they never part."""
    mine, theirs = one.steps, other.steps
    for number, (step, beside) in enumerate(zip(mine, theirs, strict=False), 1):
        if (step.kind, step.text) != (beside.kind, beside.text):
            return number
    if len(mine) != len(theirs) or one.awaited != other.awaited or one.legal != other.legal:
        return min(len(mine), len(theirs)) + 1
    return None


# --- Not in the rules ---


def etiquette_of(edition: str) -> Ruling | None:
    """Return the ruling that settles by one die what a book leaves open (1–3 no, 4–6 yes), None where it has none."""
    named = ("faq-unanswered-etiquette", "rulebook-no-ruling-die")
    found = (engine.ruling(edition, name) for name in named)
    return next((one for one in found if one is not None), None)


def allowed_by(die: int) -> bool:
    """Return what the die of etiquette says: from 4 on the act is allowed."""
    return die >= 4


# --- For training ---


def nameless(document: Mapping[str, Any]) -> Document:
    """Return the position file without anybody's name: players are A, B, …, and nobody's words are kept."""
    changed = copy.deepcopy(dict(document))
    letters = {side["player"]: chr(ord("A") + number) for number, side in enumerate(changed["sides"])}
    for side in changed["sides"]:
        side["player"] = letters[side["player"]]
        for piece in side.get("characters", ()):
            if piece.get("last_damaged_by") in letters:
                piece["last_damaged_by"] = letters[piece["last_damaged_by"]]
            for modifier in piece.get("modifiers", ()):
                modifier.pop("source", None)
    for area in changed["map"].get("terrain", ()):
        if "player" in area:
            area["player"] = letters.get(area["player"], "A")
    if changed.get("turn", {}).get("active") in letters:
        changed["turn"]["active"] = letters[changed["turn"]["active"]]
    for action in changed.get("actions", ()):
        _forget_words(action)
    for decision in changed.get("judge", ()):
        decision.pop("by", None)
        decision.pop("text", None)
        points = (decision.get("set") or {}).get("victory_points")
        if points:
            decision["set"]["victory_points"] = {letters.get(player, player): one for player, one in points.items()}
    for asked in changed.get("ask", ()):
        if asked.get("player") in letters:
            asked["player"] = letters[asked["player"]]
    for key in ("id", "note", "title"):
        changed.pop(key, None)
    return changed


def _forget_words(action: Document) -> None:
    action.pop("note", None)
    action.pop("by", None)
    for granted in action.get("then") or ():
        _forget_words(granted)


def rulings_for(edition: str, ids: Iterable[str]) -> list[Ruling]:
    """Return rulings by their ids, in that order; those that an edition does not have are left out."""
    return [found for name in ids if (found := engine.ruling(edition, name)) is not None]

"""What stands around an action or a question: the circumstances by which a ruling bears on it or does not.

Topics say what the steps are about. Whether a note on, say, hoverers next to an opponent bears on a case hangs on more:
who takes part and with which powers, where they stand, what a line crosses, how the dice fell. That is found here, as
words of a closed list, from the battle as it is when the action begins. No rule is decided, nothing is changed, and
nothing is cited by a circumstance.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from rules.engine.action import Action
from rules.engine.actions.questions import (
    AskAdjacent,
    AskBreakAway,
    AskCanCarry,
    AskCanTarget,
    AskKnockBack,
    AskLineOfFire,
    AskReachable,
    AskValue,
    Place,
    Question,
)
from rules.engine.board.lines import passages
from rules.engine.figures.adjacency import figures_adjacent
from rules.engine.figures.standing import SENTINEL, STANDARD, figure_of, ground_of, hovers, size_of, soars, standing_of
from rules.engine.figures.values import value_of
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.position.edges import read_edge
from rules.engine.position.figures import Figure
from rules.engine.position.maps import MapKind
from rules.engine.position.squares import Square, distance, read_square
from rules.engine.steps import Step, StepName

CIRCUMSTANCES: dict[str, str] = {
    "two-powers": "one action names two powers or more",
    "within-action": "a free power is used inside another action",
    "actor-soaring": "who acts soars",
    "actor-hovering": "who acts hovers",
    "actor-in-hindering": "who acts stands in hindering terrain",
    "actor-on-object": "who acts stands on an object",
    "target-soaring": "the target soars",
    "target-hovering": "the target hovers",
    "target-token": "the target has an action token",
    "target-two-tokens": "the target has two action tokens",
    "target-in-hindering": "the target stands in hindering terrain",
    "target-on-object": "the target stands on an object",
    "object-beside-target": "an object lies beside the target",
    "target-100": "the target costs a hundred points or more",
    "target-team": "the target has a team ability",
    "target-perplexed": "a value of the target has been modified",
    "several-targets": "several targets are named",
    "friend-beside-target": "a friend of who acts is beside the target",
    "targets-self": "who acts is its own target",
    "targets-friend": "the target is a friend",
    "namesakes": "who acts and the target have one name",
    "targets-other": "somebody else is the target",
    "aims-at-terrain": "a square or a wall is the target",
    "aims-at-barrier": "a barrier is the target",
    "has-larger-base": "somebody with a base of several squares takes part",
    "has-wild-card": "a wild card takes part",
    "other-sizes": "somebody of another size takes part, or stands on the line",
    "somebody-soars": "somebody on the map soars",
    "has-sentinel": "a Sentinel takes part",
    "on-blocking": "somebody is on top of blocking terrain",
    "both-soar": "both soar",
    "one-soars": "one soars, the other does not",
    "range-zero": "who acts has no range",
    "odd-speed": "the speed is an odd number",
    "several-bolts": "who acts has several bolts",
    "several-carried": "there are several to be carried",
    "passenger-beside-opponent": "who is carried starts beside an opponent",
    "changes-flight": "the flight mode changes",
    "starts-in-hindering": "the move starts in hindering terrain",
    "enters-hindering": "the move enters hindering terrain",
    "enters-water": "the move enters water",
    "enters-blocking": "the move enters blocking terrain",
    "changes-level": "the move goes from one elevation to another",
    "cuts-corner": "the move passes a corner diagonally",
    "leaves-opponent": "the move starts beside an opponent",
    "leaves-soarer": "the move starts below or above an opponent in another flight mode",
    "meets-opponent": "the move passes beside an opponent",
    "ends-beside-opponent": "the move ends beside an opponent",
    "stays-beside-opponent": "who acts is beside an opponent and does not move",
    "beside-opponent": "who acts is beside an opponent",
    "object-under-opponent": "the object lies under an opponent",
    "object-under-actor": "the object lies under who acts",
    "named-object": "the object is a figure of its own, with a name",
    "held-by-somebody": "the object is in somebody's hand",
    "indoors": "the map is indoors",
    "passes-object": "an object lies where the move goes",
    "walls-near": "walls stand beside the way",
    "corner-of-barrier": "a barrier touches a corner that is passed",
    "corner-of-wall": "a wall touches a corner that the line passes",
    "stairs-near": "the move goes over stairs",
    "declines": "something optional is declined",
    "declines-team": "a team ability is declined",
    "waives-knock-back": "knock back is declined",
    "rerolls-own": "who rolled rerolls",
    "rerolls-in-turn-of-other": "somebody rerolls in an opponent's turn",
    "controlled-attacks": "somebody under control attacks",
    "controlled-uses-power": "somebody under control uses a power",
    "places-markers": "markers are to be placed",
    "on-terrain-feature": "a marker is to lie on hindering or blocking terrain, or on an object",
    "asks-adjacent": "whether two are adjacent is asked",
    "lifts-figure": "a figure is to be moved by a power",
    "moves-object": "an object is to be moved by a power",
    "fires-object": "an object is fired",
    "different-levels": "the line runs from one elevation to another",
    "line-through-corner": "the line passes exactly through a corner",
    "corner-of-figures": "the line passes between two figures at a corner",
    "corner-of-terrain": "the line passes a corner of hindering or blocking terrain",
    "crosses-figure": "somebody stands on the line",
    "crosses-hovering": "somebody hovering is on the line",
    "crosses-object": "an object lies on the line",
    "crosses-hidden": "somebody hidden by Stealth stands on the line",
    "crosses-hindering": "hindering terrain lies on the line",
    "crosses-blocking": "blocking terrain lies on the line",
    "crosses-barrier": "a barrier lies on the line",
    "rooftop-blocking": "blocking terrain on elevated terrain is concerned",
    "rooftop-hindering": "hindering terrain on elevated terrain is concerned",
    "wall-between-levels": "the wall stands between two elevations",
    "power-changes": "whoever acts, or a friend of theirs, shows other powers after a click",
    "several-rolls": "the same one is attacked by several rolls",
    "several-hit": "several are hit",
    "oblique": "the path of a knock back has to be chosen",
    "break-away-failed": "the roll to break away failed",
}
"""The closed list, with what each means; beside them `present:TOPIC`, `beside:TOPIC`, `figure:NAME`, `step:NAME` and `awaits:ROLL`."""
KINDS = ("present", "beside", "figure", "step", "awaits")
FREE_POWERS = frozenset({"Outwit", "Perplex"})
TELEKINESIS = "Telekinesis"
MIND_CONTROL = "Mind Control"


def circumstances_of(play: Play, given: Action) -> set[str]:
    """Return what stands around an action that is about to be performed."""
    return set(_of_action(play, given))


def circumstances_asked(play: Play, question: Question) -> set[str]:
    """Return what stands around a question."""
    return set(_of_question(play, question))


def circumstances_met(play: Play, steps: Iterable[Step]) -> set[str]:
    """Return what the steps that were made tell beside their topics; `play` has all steps so far."""
    found: set[str] = set()
    hits = 0
    for step in steps:
        found.add(f"step:{step.step.value}")
        if step.step is StepName.ATTACK_ROLL:
            hits = 0
        hits += step.step is StepName.HIT
        if step.step is StepName.CLICK and _shows_other_powers(step):
            found.add("power-changes")
        if hits > 1:
            found.add("several-hit")
    if "step:break-away" in found and "step:move" not in found:
        found.add("break-away-failed")
    if _rolled_twice(play):
        found.add("several-rolls")
    return found


def _shows_other_powers(step: Step) -> bool:
    """Return whether the click of a step has turned powers away from somebody on the side of the active player."""
    if step.before is None or step.after is None:
        return False
    for side in step.after.sides:
        if side.player != step.after.turn.active:
            continue
        for one in side.characters:
            was = step.before.find(one.id)
            if was is None or was.click == one.click or was.showing is None or one.showing is None:
                continue
            if not set(was.showing.powers) <= set(one.showing.powers):
                return True
    return False


def circumstances_awaited(roll: str) -> set[str]:
    """Return what a roll or choice that is waited for tells."""
    kind = roll.partition(":")[0].partition("/")[0]
    return {f"awaits:{kind}"} | ({"oblique"} if kind == "knock-back-direction" else set())


def _rolled_twice(play: Play) -> bool:
    """Return whether two rolls to attack so far were made against the same target."""
    seen: set[str] = set()
    targets: tuple[str, ...] = ()
    for step in play.steps:
        if step.step is StepName.TARGETS:
            targets = tuple(step.numbers.get("targets", ()))
        elif step.step is StepName.ATTACK_ROLL:
            if not seen.isdisjoint(targets):
                return True
            seen.update(targets)
    return False


# ── An action ──────────────────────────────────────────────────────────────────────────────────


def _of_action(play: Play, given: Action, granted_by: Action | None = None) -> Iterator[str]:
    actor = play.position.find(given.actor) if given.actor else None
    targets = [found for name in given.targets if (found := play.position.find(name)) is not None]
    yield from _of_powers(play, given, granted_by)
    if play.position.map.kind is MapKind.INDOOR:
        yield "indoors"
    if any(figure.soaring for figure in standing_of(play).figures.values()):
        yield "somebody-soars"
    involved = [actor, *targets, *_named(play, given)]
    yield from _of_people(play, [one for one in involved if one is not None])
    if actor is not None:
        yield from _of_actor(play, actor)
        yield from _of_targets(actor, targets)
        if actor.on_map:
            yield from _of_move(play, given, actor)
            yield from _of_objects(play, given, actor)
            yield from _of_aim(play, given)
        for target in targets:
            yield from _between(play, actor, target)
            if not play.friendly(actor, target):
                continue
            yield "targets-friend"
    yield from _of_choices(play, given, actor)
    yield from _of_markers(play, given)
    onward = _moved(play, actor, given)
    for then in given.then:
        yield from _of_action(onward, then, given)


def _of_powers(play: Play, given: Action, granted_by: Action | None) -> Iterator[str]:
    named = {name for name in given.using if name in play.edition.powers}
    yield from (f"present:{play.edition.powers[name].topic}" for name in named)
    if granted_by is not None and granted_by.actor == given.actor:
        named |= {name for name in granted_by.using if name in play.edition.powers}
    if len(named - FREE_POWERS) > 1:
        yield "two-powers"
    if granted_by is not None and given.kind == "free" and not FREE_POWERS.isdisjoint(given.using):
        yield "within-action"
    if granted_by is not None and MIND_CONTROL in granted_by.using:
        if given.kind in ("close", "ranged"):
            yield "controlled-attacks"
        if given.using:
            yield "controlled-uses-power"
    if TELEKINESIS in given.using:
        if given.with_object is not None:
            yield "fires-object"
        elif given.targets and play.position.find(given.targets[0]) is not None:
            yield "lifts-figure"
        else:
            yield "moves-object"


def _named(play: Play, given: Action) -> list[Character]:
    """Return the characters that an action names beside its actor and its targets."""
    names = [*given.assist, *given.carry]
    chosen = given.choose
    names += [one for one in (chosen.reroll_by, *chosen.masterminds.values(), chosen.unstack) if isinstance(one, str)]
    return [found for name in names if (found := play.position.find(name)) is not None]


def _of_people(play: Play, people: Iterable[Character]) -> Iterator[str]:
    for one in people:
        yield from (f"present:{topic}" for topic in _topics_of(play, one))
        yield from _figure_names(one.name, one.number)
        if size_of(one) == SENTINEL:
            yield "has-sentinel"
        elif size_of(one) != STANDARD:
            yield "other-sizes"
        if len(one.squares) > 1:
            yield "has-larger-base"
        if not play.edition.wild_cards.isdisjoint(one.teams):
            yield "has-wild-card"
        held = play.position.object(one.holding) if one.holding is not None else None
        if held is not None and held.name:
            yield from _figure_names(held.name)


def _topics_of(play: Play, one: Character) -> Iterator[str]:
    """Yield the topics of the powers that a character shows, turned off or not, and of its team abilities."""
    shown = one.showing or one.dial[-1]
    named = [play.edition.powers.get(name) for name in shown.powers]
    named += [play.edition.team_abilities.get(name) for name in one.teams]
    yield from (row.topic for row in named if row is not None)


def _figure_names(name: str, number: str = "") -> Iterator[str]:
    word = _slug(name)
    plain = number.lstrip("0")
    yield f"figure:{word}-{plain}" if plain else f"figure:{word}"


@cache
def _slug(name: str) -> str:
    return "-".join("".join(sign if sign.isalnum() else " " for sign in name.casefold()).split())


def _of_actor(play: Play, actor: Character) -> Iterator[str]:
    if soars(play, actor):
        yield "actor-soaring"
    elif hovers(play, actor):
        yield "actor-hovering"
    if actor.range == 0:
        yield "range-zero"
    if actor.bolts > 1:
        yield "several-bolts"


def _of_targets(actor: Character, targets: list[Character]) -> Iterator[str]:
    if len({target.id for target in targets}) > 1:
        yield "several-targets"
    for target in targets:
        if target.id == actor.id:
            yield "targets-self"
        else:
            yield "targets-other"
            if target.name == actor.name:
                yield "namesakes"
        if target.tokens:
            yield "target-token"
        if target.tokens > 1:
            yield "target-two-tokens"
        if target.points >= 100:
            yield "target-100"
        if target.teams:
            yield "target-team"
        if target.modifiers:
            yield "target-perplexed"


def _of_choices(play: Play, given: Action, actor: Character | None) -> Iterator[str]:
    declined = given.choose.declined
    if declined is not None:
        yield "declines"
        teams = {word for row in play.edition.team_abilities.values() for word in (row.topic, row.name)}
        if any(one.power in teams for one in declined):
            yield "declines-team"
    if given.choose.knock_back is False:
        yield "waives-knock-back"
    if given.choose.direction is not None:
        yield "oblique"
    if any(roll.endswith("/reroll") for roll in given.rolls):
        yield from _of_rerollers(play, given, actor)


def _of_rerollers(play: Play, given: Action, actor: Character | None) -> Iterator[str]:
    """Yield whose Probability Control it is: that of whom the action names, else of anybody who has it."""
    named = given.choose.reroll_by
    rerolling = {name for name, row in play.edition.powers.items() if row.rerolls}
    for one in play.position.characters():
        shown = one.showing
        able = shown is not None and not rerolling.isdisjoint(shown.powers)
        if one.id != named and (named is not None or not able):
            continue
        if actor is not None and one.id == actor.id:
            yield "rerolls-own"
        if play.player_of(one) != play.position.turn.active:
            yield "rerolls-in-turn-of-other"


def _of_markers(play: Play, given: Action) -> Iterator[str]:
    named = given.choose.squares
    if not named:
        return
    yield "places-markers"
    ground = ground_of(play)
    taken = {thing.square for thing in play.position.objects if thing.square is not None and not thing.removed}
    for square in named:
        if (
            square is not None
            and ground.has(square)
            and ((ground.hindering | ground.blocking) & ground.bit(square) or square in taken)
        ):
            yield "on-terrain-feature"


def _moved(play: Play, actor: Character | None, given: Action) -> Play:
    """Return the battle with the actor at the end of its path, for what its action grants."""
    if actor is None or not given.path or len(actor.squares) != 1 or not play.position.map.holds(given.path[-1]):
        return play
    onward = Play(play.edition, play.position, battle=play.battle, this_turn=play.this_turn, steps=play.steps)
    flight = given.flight if given.flight is not None else actor.flight
    onward.change(replace(actor, squares=(given.path[-1],), flight=flight))
    return onward


# ── Where they stand and where they go ─────────────────────────────────────────────────────────


REACH = 3
"""How far away figures can still be adjacent: the longest reach of a giant, and one more."""


def _around(play: Play, figure: Figure) -> list[Figure]:
    """Return whoever stands near enough that it may be adjacent for one purpose or another."""
    figures = standing_of(play).figures.values()
    own = figure.character.squares
    if len(own) == 1:
        return [f for f in figures if f is not figure and _gap(own[0], f) <= REACH]
    return [f for f in figures if f is not figure and any(_gap(square, f) <= REACH for square in own)]


def _opponents(play: Play, figure: Figure) -> list[Figure]:
    return [other for other in standing_of(play).figures.values() if other.player != figure.player]


def _gap(square: Square, figure: Figure) -> int:
    squares = figure.character.squares
    return distance(square, squares[0]) if len(squares) == 1 else min(distance(square, own) for own in squares)


def _of_move(play: Play, given: Action, actor: Character) -> Iterator[str]:
    figure = figure_of(play, actor)
    if figure is None:
        return
    ground = ground_of(play)
    opponents = _opponents(play, figure)
    around = _around(play, figure)
    held = any(f.player != figure.player and figures_adjacent(play, figure, f, "movement") for f in around)
    if held:
        yield "beside-opponent"
    for other in around:
        if other.player == figure.player and figures_adjacent(play, figure, other):
            yield from (f"beside:{topic}" for topic in _topics_of(play, other.character))
    if given.flight is not None and given.flight is not actor.flight and (actor.flight or given.flight == "soaring"):
        yield "changes-flight"
    if given.carry:
        friends = [
            other
            for other in standing_of(play).figures.values()
            if other.player == figure.player and other is not figure and figures_adjacent(play, figure, other)
        ]
        if len(given.carry) > 1 or len(friends) > 1:
            yield "several-carried"
        carried = [found for name in given.carry if (found := standing_of(play).figures.get(name)) is not None]
        if any(figures_adjacent(play, one, other, "movement") for one in carried for other in opponents):
            yield "passenger-beside-opponent"
    path = [square for square in given.path if ground.has(square)]
    if not path:
        if held and (given.kind == "move" or (given.kind == "power" and not given.then)):
            yield "stays-beside-opponent"
        return
    if held:
        yield "leaves-opponent"
    near = [other for other in opponents if other.soaring != figure.soaring]
    if any(_gap(square, other) <= 1 for other in near for square in actor.squares):
        yield "leaves-soarer"
    if value_of(play, actor, ValueName.SPEED).total % 2:
        yield "odd-speed"
    if ground.hindering_feet & figure.bits:
        yield "starts-in-hindering"
    met = [any(_gap(square, other) <= 1 for other in opponents) for square in path]
    if any(met):
        yield "meets-opponent"
    if met[-1]:
        yield "ends-beside-opponent"
    yield from _on_the_way(play, (*actor.squares[:1], *path))
    reach = 1 if size_of(actor) == SENTINEL else 0
    lying = [thing.square for thing in play.position.objects if thing.square is not None and not thing.removed]
    if any(distance(square, thing) <= reach for square in path for thing in lying):
        yield "passes-object"
    if ground.bits_beside(ground.walls) & ground.bits(tuple(path)):
        yield "walls-near"


def _on_the_way(play: Play, way: tuple[Square, ...]) -> Iterator[str]:
    ground = ground_of(play)
    for before, after in itertools.pairwise(way):
        bit = ground.bit(after)
        if ground.hindering_feet & bit and not ground.hindering_feet & ground.bit(before):
            yield "enters-hindering"
        if ground.water & bit:
            yield "enters-water"
        if ground.blocking & bit:
            yield "enters-blocking"
        if ground.level_of(before) != ground.level_of(after):
            yield "changes-level"
        if ground.level_of(after) > 1:
            if ground.blocking & bit:
                yield "rooftop-blocking"
            if ground.hindering & bit:
                yield "rooftop-hindering"
        if before.column != after.column and before.row != after.row:
            yield "cuts-corner"
            sides = (Square(after.column, before.row), Square(before.column, after.row))
            if any(ground.has(side) and ground.barrier & ground.bit(side) for side in sides):
                yield "corner-of-barrier"
        if any({before, after} & {edge.first, edge.second} for edge in ground.stairs):
            yield "stairs-near"


def _of_objects(play: Play, given: Action, actor: Character) -> Iterator[str]:
    names = [name for name in (given.pick_up, given.with_object, actor.holding, *given.targets) if name is not None]
    for name in dict.fromkeys(names):
        thing = play.position.object(name)
        if thing is None:
            continue
        if thing.name:
            yield "named-object"
            yield from _figure_names(thing.name)
        if thing.square is None:
            if name in given.targets:
                yield "held-by-somebody"
            continue
        ground = ground_of(play)
        if ground.level_of(thing.square) != ground.level_of(actor.squares[0]):
            yield "different-levels"
        here = standing_of(play).at.get(thing.square)
        if here is None:
            continue
        if here.character.id == actor.id:
            yield "object-under-actor"
        elif not play.friendly(actor, here.character):
            yield "object-under-opponent"


def _of_aim(play: Play, given: Action) -> Iterator[str]:
    """Yield what is told by targets that are squares or edges."""
    ground = ground_of(play)
    for name in given.targets:
        square = read_square(name)
        if square is None:
            edge = read_edge(name)
            if edge is not None:
                yield "aims-at-terrain"
                if ground.has(edge.first) and ground.has(edge.second):
                    levels = {ground.level_of(edge.first), ground.level_of(edge.second)}
                    if len(levels) > 1:
                        yield "wall-between-levels"
            continue
        if not ground.has(square) or play.position.find(name) is not None:
            continue
        yield "aims-at-terrain"
        yield from _rooftop(play, square)
        if ground.barrier & ground.bit(square):
            yield "aims-at-barrier"


# ── Lines ──────────────────────────────────────────────────────────────────────────────────────


def _between(play: Play, one: Character, other: Character) -> Iterator[str]:
    """Yield what stands between two characters, if both are on the map."""
    first, second = figure_of(play, one), figure_of(play, other)
    if first is None or second is None:
        return
    if first.on_blocking or second.on_blocking:
        yield "on-blocking"
    if first.soaring and second.soaring:
        yield "both-soar"
    elif first.soaring != second.soaring:
        yield "one-soars"
    yield from (f"target-{mode}" for mode in ("soaring", "hovering") if getattr(second, mode))
    ground = ground_of(play)
    friends = [f for f in _around(play, second) if f.player == first.player and f is not first]
    if second.player != first.player and any(figures_adjacent(play, friend, second) for friend in friends):
        yield "friend-beside-target"
    objects = {thing.square for thing in play.position.objects if thing.square is not None and not thing.removed}
    for who, character in (("actor", one), ("target", other)):
        if ground.hindering_sight & ground.bits(character.squares):
            yield f"{who}-in-hindering"
        if not objects.isdisjoint(character.squares):
            yield f"{who}-on-object"
    if any(_gap(square, second) == 1 for square in objects):
        yield "object-beside-target"
    yield from _along(play, one.squares[0], other.squares[0])


def _along(play: Play, start: Square, end: Square) -> Iterator[str]:
    """Yield what lies on a line between two squares, those two excepted."""
    ground, at = ground_of(play), standing_of(play).at
    objects = {thing.square for thing in play.position.objects if thing.square is not None and not thing.removed}
    if ground.level_of(start) != ground.level_of(end):
        yield "different-levels"
    for square in (start, end):
        yield from _rooftop(play, square)
    for passage in passages(start, end):
        if passage.through_corner:
            yield "line-through-corner"
            sides = [side for side in passage.sides() if ground.has(side)]
            if sum(side in at for side in sides) == 2:
                yield "corner-of-figures"
            if any((ground.hindering_sight | ground.blocking) & ground.bit(side) for side in sides):
                yield "corner-of-terrain"
            if any(ground.barrier & ground.bit(side) for side in sides):
                yield "corner-of-barrier"
            ends = (passage.before, passage.after)
            if any(ground.crosses(ground.parting, side, near) for side in sides for near in ends):
                yield "corner-of-wall"
        square = passage.after
        if square == end:
            break
        bit = ground.bit(square)
        yield from _rooftop(play, square)
        if square in objects:
            yield "crosses-object"
        figure = at.get(square)
        if figure is not None and not {start, end}.intersection(figure.character.squares):
            yield "crosses-figure"
            if figure.hovering:
                yield "crosses-hovering"
            if figure.size != STANDARD:
                yield "other-sizes"
            yield from _of_hidden(play, figure)
        if ground.hindering_sight & bit:
            yield "crosses-hindering"
        if ground.blocking & bit:
            yield "crosses-blocking"
        if ground.barrier & bit:
            yield "crosses-barrier"


def _of_hidden(play: Play, figure: Figure) -> Iterator[str]:
    shown = figure.character.showing
    rows = [play.edition.powers.get(name) for name in shown.powers] if shown is not None else []
    if any(row is not None and row.hides_behind_hindering for row in rows):
        yield "crosses-hidden"


def _rooftop(play: Play, square: Square) -> Iterator[str]:
    ground = ground_of(play)
    if not ground.has(square) or ground.level_of(square) <= 1:
        return
    if ground.blocking & ground.bit(square):
        yield "rooftop-blocking"
    if ground.hindering & ground.bit(square):
        yield "rooftop-hindering"


# ── A question ─────────────────────────────────────────────────────────────────────────────────


def _of_question(play: Play, question: Question) -> Iterator[str]:
    if play.position.map.kind is MapKind.INDOOR:
        yield "indoors"
    ends: list[Place] = []
    if isinstance(question, AskAdjacent):
        yield "asks-adjacent"
    match question:
        case AskLineOfFire(start, end) | AskAdjacent(start, end):
            ends = [start, end]
        case AskCanTarget(_, start, end) | AskCanCarry(start, end):
            ends = [start, end]
        case AskValue():
            ends = [end for end in (question.attacker, question.target) if end is not None] or [question.of]
        case AskKnockBack(of, origin):
            ends = [origin, of]
            if _oblique(play, origin, play.character(of)):
                yield "oblique"
        case AskBreakAway(of) | AskReachable(of):
            ends = [of]
    people = [play.position.find(end) if isinstance(end, str) else None for end in ends]
    known = [one for one in people if one is not None]
    yield from _of_people(play, known)
    if people and people[0] is not None:
        yield from _of_actor(play, people[0])
        if isinstance(question, AskBreakAway | AskReachable):
            yield from _of_surroundings(play, people[0])
        if isinstance(question, AskReachable) and question.flight not in (None, people[0].flight):
            yield "changes-flight"
    if len(ends) != 2:
        return
    if len(known) == 2:
        yield from _between(play, *known)
        return
    squares = [
        one.squares[0] if one is not None and one.squares else end for one, end in zip(people, ends, strict=True)
    ]
    if isinstance(squares[0], Square) and isinstance(squares[1], Square):
        yield from _along(play, squares[0], squares[1])


def _oblique(play: Play, origin: Place, thrown: Character) -> bool:
    """Return whether a knock back from there would be on no straight line."""
    source = play.position.find(origin) if isinstance(origin, str) else None
    squares = source.squares if source is not None else (origin,) if isinstance(origin, Square) else ()
    if not squares or not thrown.squares:
        return False
    one, other = squares[0], thrown.squares[0]
    columns, rows = abs(one.column - other.column), abs(one.row - other.row)
    return bool(columns and rows and columns != rows)


def _of_surroundings(play: Play, character: Character) -> Iterator[str]:
    """Yield what stands around somebody who may want to move."""
    figure = figure_of(play, character)
    if figure is None:
        return
    opponents = _opponents(play, figure)
    if any(figures_adjacent(play, figure, other, "movement") for other in opponents):
        yield "beside-opponent"
        yield "leaves-opponent"
    if any(
        other.soaring != figure.soaring and _gap(own, other) <= 1 for other in opponents for own in character.squares
    ):
        yield "leaves-soarer"
    if ground_of(play).hindering_feet & figure.bits:
        yield "starts-in-hindering"

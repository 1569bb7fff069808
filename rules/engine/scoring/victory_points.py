"""Victory points: the value of each defeat, capture, loss and survival, and the player who scores it, line by line.

The editions' procedures for awarding a defeat come first, then the lines of a whole battle by the standard rules.
Scenarios are in `scenarios`, the winner is determined in `winner`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from rules.engine.battles import (
    Award,
    Battle,
    BattleCard,
    BattleCharacter,
    BattleFeat,
    BattleSide,
    BattleToken,
    Cause,
    Fallen,
    Fate,
    ObjectFate,
    ScoreLine,
    Source,
)
from rules.engine.edition import Edition
from rules.engine.figures.archenemies import are_archenemies

OWN_DOING: Final = frozenset({Cause.PUSHING, Cause.OWN_POWER, Cause.CRITICAL_MISS})
MAX_FOR_RELEASE: Final = 50


# ── Awarding a defeat ────────────────────────────────────────────────────────────────────────────────────


def to_the_striker(battle: Battle, owner: str, fallen: Fallen) -> Award:
    """Award a defeat to the opponent who dealt the final damage, else to the last to damage it, else shared evenly.

    If the attacker or the defeated character itself was under Mind Control, its controller dealt the damage.
    """
    opponents = battle.opponents(owner)
    if len(opponents) == 1:
        return Award(opponents)
    striker = battle.owner(fallen.controller)
    if striker is None and fallen.cause not in OWN_DOING:
        striker = battle.owner(fallen.by)
    return _first_opponent((striker, fallen.last_damaged_by, battle.owner(fallen.by)), opponents)


def to_the_active_player(battle: Battle, owner: str, fallen: Fallen) -> Award:
    """Award a defeat to the opponent whose turn it was; in the owner's turn to the last to damage it, else shared.

    If the turn isn't given, it was that of the attacker's player, or of the player who controlled the attacker.
    """
    opponents = battle.opponents(owner)
    if len(opponents) == 1:
        return Award(opponents)
    active = fallen.on_turn_of
    if active is None:
        active = battle.owner(fallen.controller)
    if active is None and fallen.cause not in OWN_DOING:
        active = battle.owner(fallen.by)
    return _first_opponent((active, fallen.last_damaged_by, battle.owner(fallen.by)), opponents)


def to_every_opponent(battle: Battle, owner: str, _fallen: Fallen) -> Award:
    """Award a defeat to each opponent, in full."""
    return Award(battle.opponents(owner))


def to_the_last_to_damage(battle: Battle, owner: str, damaged_by: str | None) -> Award:
    """Award a defeat to the opponent who damaged the character most recently, else shared evenly."""
    return _first_opponent((damaged_by,), battle.opponents(owner))


def _first_opponent(candidates: Iterable[str | None], opponents: tuple[str, ...]) -> Award:
    for candidate in candidates:
        if candidate in opponents:
            return Award((candidate,))
    return Award(opponents, Fraction(1, len(opponents)))


# ── The lines of a battle ──────────────────────────────────────────────────────────────────────


def standard_lines(battle: Battle, edition: Edition) -> tuple[ScoreLine, ...]:
    """Return every line of a battle by the standard rules, side after side."""
    return tuple([line for side in battle.sides for line in _lines_of(battle, edition, side)])


def _lines_of(battle: Battle, edition: Edition, side: BattleSide) -> Iterator[ScoreLine]:
    options = edition.scoring
    for one in side.characters:
        if one.ref in battle.replaced:
            continue
        if one.fate in options.scoring_fates:
            why = f"{one.name} survived" if one.fate is Fate.SURVIVED else f"{one.name} wasn't defeated"
            yield ScoreLine(side.player, one.points, why, one.ref, ("victory-points",), Source.PRESENCE)
        elif is_defeated(battle, one):
            yield from _defeat(battle, edition, side.player, one)
        elif one.fate is Fate.RELEASED and options.release is not None:
            yield from options.release(battle, edition, one)
    if options.replaced_value_counts and battle.replaced:
        yield from _replaced_values(battle, edition, side)
    if options.cards_score:
        for card in side.team_ability_cards:
            yield from _card(battle, edition, side, card)
    if options.feats_score:
        for feat in side.feats:
            yield from _feat(battle, edition, side, feat)
    if options.objects_score:
        for token in side.objects:
            yield from _lost_token(battle, edition, side, token)
    if options.resources_score:
        for token in side.resources:
            yield from _resource(battle, edition, side, token)


def is_defeated(battle: Battle, one: BattleCharacter) -> bool:
    """Return whether a character counts as defeated, including one that an opponent eliminated from the battle."""
    if one.fate is Fate.DEFEATED:
        return True
    if one.fate is Fate.REMOVED and one.cause is Cause.KNOCKBACK and one.by is not None:
        return battle.owners[one.by] != battle.owners[one.ref]
    return False


def lines_of_defeat(battle: Battle, edition: Edition, owner: str, one: BattleCharacter) -> Iterator[ScoreLine]:
    """Yield the lines of one defeat in play: the player, the points and the reason.

    The last of those that replaced a character also scores what that one was worth beyond them.
    """
    yield from _defeat(battle, edition, owner, one)
    if one.replaces is not None and edition.scoring.replaced_value_counts:
        before: str | None = one.replaces
        ancestors: set[str] = set()
        while before is not None and before not in ancestors:
            ancestors.add(before)
            before = battle.characters[before].replaces
        side = next(side for side in battle.sides if side.player == owner)
        yield from (line for line in _replaced_values(battle, edition, side) if line.element in ancestors)


def lines_of_feat(
    battle: Battle, edition: Edition, owner: str, one: BattleCharacter, name: str, points: int
) -> Iterator[ScoreLine]:
    """Yield the lines of a feat that leaves the game with its character; none where the edition doesn't score feats."""
    if edition.scoring.feats_score:
        side = next(side for side in battle.sides if side.player == owner)
        why = f"{name} lost with {one.name}"
        yield from _awarded(battle, edition, side, one, points, why, one.ref, "feat-victory-points")


def _defeat(battle: Battle, edition: Edition, owner: str, one: BattleCharacter) -> Iterator[ScoreLine]:
    players, share = edition.scoring.award(battle, owner, one)
    striker = _archenemy(battle, edition, owner, one)
    why, times = f"{one.name} defeated", 1
    topics: tuple[str, ...] = ("victory-points",)
    if striker is not None:
        why, times = f"{one.name} defeated by {striker.name}, an archenemy (twice {one.points})", 2
        topics = ("victory-points", "archenemies")
    if share != 1:
        why += f", shared by {len(players)} players"
    if one.controller is not None:
        why += f" ({battle.characters[one.controller].name} was in control)"
        topics = (*topics, "mind-control")
    for player in players:
        yield ScoreLine(player, one.points * times * share, why, one.ref, topics, Source.DEFEAT, times)


def _archenemy(battle: Battle, edition: Edition, owner: str, one: BattleCharacter) -> BattleCharacter | None:
    """Return the archenemy that dealt the defeating blow, or None."""
    options = edition.scoring
    if not options.archenemies_count_double:
        return None
    if one.controller is not None and options.controller_strikes:
        ref = one.controller
    elif one.by is not None and one.cause not in OWN_DOING:
        ref = one.by
    else:
        return None
    striker = battle.characters[ref]
    if battle.owners[ref] == owner or not are_archenemies(striker, one, edition.rivalries):
        return None
    return striker


# ── Captives ───────────────────────────────────────────────────────────────────────────────────


def twice_or_thrice(battle: Battle, edition: Edition, captive: Fallen) -> tuple[ScoreLine, ...]:
    """Return the line for a released captive: double points to the captor's player, three times between archenemies."""
    captor, one = _captor_and_captive(battle, captive)
    times = 2
    topics: tuple[str, ...] = ("release",)
    why = f"{one.name} captured and released (twice {one.points})"
    if are_archenemies(captor, one, edition.rivalries):
        why = f"{one.name}, an archenemy, captured and released (three times {one.points})"
        times, topics = 3, ("release", "sentinel-archenemies")
    line = ScoreLine(battle.owners[captor.ref], one.points * times, why, one.ref, topics, Source.DEFEAT, times)
    return (line,)


def defeat_and_bonus(battle: Battle, edition: Edition, captive: Fallen) -> tuple[ScoreLine, ...]:
    """Return the lines for a released captive: its defeat, and as much again to its captor's player, at most 50."""
    captor, one = _captor_and_captive(battle, captive)
    player = battle.owners[captor.ref]
    bonus = min(one.points, MAX_FOR_RELEASE)
    why = f"{one.name} captured and released: {bonus} more"
    extra = ScoreLine(player, bonus, why, one.ref, ("release",), Source.DEFEAT)
    return (*_defeat(battle, edition, battle.owners[one.ref], one), extra)


def _captor_and_captive(battle: Battle, captive: Fallen) -> tuple[BattleCharacter, BattleCharacter]:
    assert isinstance(captive, BattleCharacter)
    assert captive.by is not None
    return battle.characters[captive.by], captive


# ── Replaced characters ────────────────────────────────────────────────────────────────────────


def _replaced_values(battle: Battle, edition: Edition, side: BattleSide) -> Iterator[ScoreLine]:
    """Yield the value of a replaced character beyond its replacements, once all of these are defeated."""
    worth: dict[str, int] = {}
    for one in reversed(_generations(battle, side)):
        scored = sum(worth[heir.ref] for heir in battle.successors.get(one.ref, ()))
        worth[one.ref] = max(one.points, scored)
        if one.ref in battle.successors and one.points > scored and _has_fallen(battle, one):
            why = (
                f"all characters that replaced {one.name} defeated: {one.points - scored} more, up to its {one.points}"
            )
            last = _last(battle.heirs(one))
            topic = "replacing-victory-points"
            yield from _awarded(battle, edition, side, last, one.points - scored, why, one.ref, topic)


def _generations(battle: Battle, side: BattleSide) -> list[BattleCharacter]:
    """Return a side's characters, each before those that replaced it."""
    found, waiting = [], [one for one in side.characters if one.replaces is None]
    while waiting:
        current = waiting.pop()
        found.append(current)
        waiting.extend(battle.successors.get(current.ref, ()))
    return found


# ── Cards, feats, objects, resources ───────────────────────────────────────────────────────────


def _card(battle: Battle, edition: Edition, side: BattleSide, card: BattleCard) -> Iterator[ScoreLine]:
    if card.cost_per_character:
        for one in _assigned(battle, card.assigned_to):
            if _has_fallen(battle, one):
                why = f"{one.name} was assigned {card.name or 'the card'}"
                yield from _awarded(
                    battle,
                    edition,
                    side,
                    one,
                    card.cost_per_character,
                    why,
                    card.ref,
                    "team-ability-card-victory-points",
                )


def _feat(battle: Battle, edition: Edition, side: BattleSide, feat: BattleFeat) -> Iterator[ScoreLine]:
    """Yield the points for a feat: scored like its character, by the last player to damage it, or by its own player.

    If several chosen characters were last damaged by different players, the file can't tell which was the last.
    """
    if feat.per_character and feat.assigned_to:
        for one in _assigned(battle, feat.assigned_to):
            yield from _increment(battle, edition, side, feat, (one,))
    else:
        chosen = _assigned(battle, feat.assigned_to)
        yield from _increment(battle, edition, side, feat, chosen or _all_of(battle, side))


def _increment(
    battle: Battle, edition: Edition, side: BattleSide, feat: BattleFeat, chosen: Sequence[BattleCharacter]
) -> Iterator[ScoreLine]:
    if not feat.points:
        return
    named, cited = feat.name or "the feat", "feat-victory-points"
    fallen = [one for one in chosen if _has_fallen(battle, one)]
    if fallen and all(_has_fallen(battle, one) or one.fate is Fate.REMOVED for one in chosen):
        why = f"{named} lost with {_last(fallen).name}"
        yield from _awarded(battle, edition, side, _last(fallen), feat.points, why, feat.ref, cited)
    elif feat.fate is ObjectFate.REMOVED:
        damaged_by = {one.last_damaged_by for one in chosen if one.last_damaged_by} if feat.assigned_to else set()
        last = damaged_by.pop() if len(damaged_by) == 1 else None
        players, share = to_the_last_to_damage(battle, side.player, last)
        for player in players:
            why = f"{named} removed from the game"
            yield ScoreLine(player, feat.points * share, why, feat.ref, (cited,), Source.DEFEAT)
    elif edition.scoring.scoring_fates:
        yield ScoreLine(side.player, feat.points, f"{named} kept", feat.ref, (cited,), Source.PRESENCE)


def lines_of_loss(battle: Battle, edition: Edition, owner: str, token: BattleToken) -> Iterator[ScoreLine]:
    """Yield the lines of one object removed in play; none where the edition doesn't score objects."""
    if edition.scoring.objects_score:
        yield from _lost_token(battle, edition, next(side for side in battle.sides if side.player == owner), token)


def _lost_token(battle: Battle, edition: Edition, side: BattleSide, token: BattleToken) -> Iterator[ScoreLine]:
    if token.fate is ObjectFate.REMOVED and token.points:
        players, share = edition.scoring.award(battle, side.player, token)
        for player in players:
            why = f"{token.name or 'an object'} removed from the game"
            yield ScoreLine(player, token.points * share, why, token.ref, ("object-victory-points",), Source.DEFEAT)


def _resource(battle: Battle, edition: Edition, side: BattleSide, token: BattleToken) -> Iterator[ScoreLine]:
    assigned = _assigned(battle, token.assigned_to)
    if token.points and assigned and all(_has_fallen(battle, one) for one in assigned):
        why = f"{token.name or 'the resource'} lost with {_last(assigned).name}"
        yield from _awarded(battle, edition, side, _last(assigned), token.points, why, token.ref, "resource")
    else:
        yield from _lost_token(battle, edition, side, token)


def _awarded(
    battle: Battle,
    edition: Edition,
    side: BattleSide,
    fallen: BattleCharacter,
    points: int,
    why: str,
    ref: str,
    topic: str,
) -> Iterator[ScoreLine]:
    """Yield points to the players who score the defeated piece."""
    players, share = edition.scoring.award(battle, side.player, fallen)
    for player in players:
        yield ScoreLine(player, points * share, why, ref, (topic,), Source.DEFEAT)


def _assigned(battle: Battle, refs: Iterable[str]) -> list[BattleCharacter]:
    return [battle.characters[ref] for ref in refs]


def _all_of(battle: Battle, side: BattleSide) -> list[BattleCharacter]:
    return [one for one in side.characters if one.ref not in battle.replaced]


def _has_fallen(battle: Battle, one: BattleCharacter) -> bool:
    """Return whether a character counts as defeated; a replaced one does once all its replacements do."""
    return all(
        not heir.replaced and (heir.fate is Fate.RELEASED or is_defeated(battle, heir)) for heir in battle.heirs(one)
    )


def _last(fallen: Sequence[BattleCharacter]) -> BattleCharacter:
    """Return the character that was defeated last: by its order, otherwise by its place in the document."""
    return max(enumerate(fallen), key=lambda placed: (placed[1].order or 0, placed[0]))[1]

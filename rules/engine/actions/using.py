"""The powers and team abilities that an action names, checked against the action and against each other."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.action import Action
from rules.engine.errors import Illegal, UsedUp
from rules.engine.figures.abilities import USING, borrowed, borrowing, powers_of, spent_by, why_barred, why_countered
from rules.engine.met import Met
from rules.engine.play import Play
from rules.engine.position.cards import ONCE_A_GAME, CardKind
from rules.engine.position.characters import Character
from rules.engine.power import Power
from rules.engine.reasons import listed

KIND_TOPICS = {
    "move": "move-action",
    "close": "close-combat-action",
    "ranged": "ranged-combat-action",
    "power": "power-action",
    "double-power": "double-power-action",
    "free": "free-action",
}


def used_rows(play: Play, actor: Character, given: Action) -> list[Power]:
    """Return the rows of the powers an action uses. Raises Illegal if the actor lacks one or one doesn't fit."""
    of_everyone = (
        row for row in play.edition.inherent.values() if not row.named_by_anyone and row.name not in actor.countered
    )
    known = {power.name: power for power in (*powers_of(play, actor), *of_everyone)}
    known |= {power.name: power for power in known_acts(play, actor)}
    titles = {card.name_of(one): card.titled(card.name_of(one)) for card in actor.cards for one in card.effects}
    rows = []
    for name in given.using:
        row = known.get(name) or known.get(titles.get(name, ""))
        if row is None:
            rows += _not_shown(play, actor, name, known, name in titles)
            continue
        row = _as_used(play, row, given)
        if play.carded:
            _check_not_by_itself(play, actor, row, name)
        if not _fits(row, given):
            kinds = " or ".join(play.edition.action(kind) for kind in row.action)
            others = (known[other].topic for other in given.using if other in known and other != name)
            topics = (row.topic, "actions", *others)
            raise Illegal(f"{name} needs a {kinds}, not a {play.edition.action(given.kind)}.", topics)
        rows.append(row)
    if given.kind in ("power", "free"):
        _check_one_power(play, given, rows)
    for row in rows:
        for other in rows:
            if other.name in row.cannot_join:
                play.note(Met.TWO_POWERS)
                both = given.kind in row.action and given.kind in other.action
                why = f": one {play.edition.action(given.kind)} activates only one of them" if both else ""
                text = f"{row.name} and {other.name} can't be used together{why}."
                raise Illegal(text, (row.topic, other.topic, "actions"))
    _check_wild_card(play, actor, rows)
    if given.with_object is not None and play.edition.combat.object_in_hand == "named":
        own = next((row for row in rows if row.cannot_join and given.kind in row.action), None)
        if own is not None:
            text = f"{own.name} and the use of an object each need their own action."
            raise Illegal(text, (own.topic, "object-attack", "costed-actions"))
    return rows


def _not_shown(play: Play, actor: Character, name: str, known: dict[str, Power], named_on_card: bool) -> list[Power]:
    """Return the rows by which a name that is no row of the actor can be used all the same; it may be another's, or unknown.

    Raises Illegal if the actor can't use it.
    """
    if name in play.edition.actions.not_on_cards:
        raise Illegal(f"This rulebook has no {name}.", ("actions",))
    other = play.edition.row(name)
    if other is not None and other.named_by_anyone:
        return []
    why = _not_in_force(play, actor, name) if other is None and named_on_card else ""
    if why:
        raise Illegal(f"{actor.name} can't use {name} now: {why}.", ("powers", *_countered(actor, name)))
    if other is None and play.edition.actions.much_stands_on_cards:
        return [Power(name=name, topic="powers", known=False)]
    topic = other.topic if other is not None else "powers"
    if barred := why_barred(play, actor, USING + name):
        raise Illegal(f"{actor.name} can't use {name} now: {barred}.", ("powers", topic))
    if name not in actor.countered and any(name in row.lends for row in powers_of(play, actor)):
        return [Power(name=name, topic=topic, known=False)]
    if card := spent_by(play, actor, name):
        raise UsedUp(f"{actor.name} can't use {name} now: it has already used {card}.", (topic, "powers"))
    granting = [known[team] for team in actor.teams if team in known and known[team].grants_powers]
    topics = (topic, "powers", *_countered(actor, name), *(team.topic for team in granting))
    why = _taken_away(play, actor, name, topic)
    if not why and name in play.edition.powers:
        teams = f", and {listed([team.name for team in granting])} doesn't grant it now" if granting else ""
        why = f": {actor.name}'s click doesn't show it{teams}"
    raise Illegal(f"{actor.name} can't use {name} now{why}.", topics)


def _as_used(play: Play, row: Power, given: Action) -> Power:
    """Return the row of a power as an action uses it: as it is adjudicated, if it can be used by that kind at all."""
    if row.besides is None:
        return row
    if not _fits(row.besides, given) or (row.besides.at_no_cost and row.name not in play.this_action.at_no_cost):
        return replace(row, besides=None)
    return row if _fits(row, given) else row.besides


def _check_not_by_itself(play: Play, actor: Character, row: Power, name: str) -> None:
    """Refuse what a card lets happen only after another action, given as an action of its own."""
    if row.at_no_cost and name not in play.this_action.at_no_cost:
        text = f"{actor.name} can use {name} only at no cost, in the action after which its card lets it."
        raise Illegal(text, ("actions", row.topic))
    if row.topic or row.act is not None:
        return
    if any(one.lets is not None and one.name == row.name for one in powers_of(play, actor)):
        text = f"{name} lets {actor.name} act only after another action, as a part of that one."
        raise Illegal(text, ("actions",))


def _fits(row: Power, given: Action) -> bool:
    """Return whether a power may be used by an action of that kind."""
    by_kind = not row.action or given.kind in row.action
    return by_kind or (given.kind == "close" and row.attacking.reaches_other_elevations)


def known_acts(play: Play, actor: Character) -> list[Power]:
    """Return the rows that are actions of a card; other effects of the same card have the same name."""
    return [row for row in powers_of(play, actor) if row.topic == "" and row.act is not None] if play.carded else []


def check_asked_for(play: Play, given: Action, rows: list[Power]) -> None:
    """Refuse a power or free action without any power that requires it; powers that only modify something require none.

    Sources: Power Actions, Free Actions (2005, 2014), Action Types (2020s).
    """
    topic = KIND_TOPICS[given.kind]
    if not rows:
        raise Illegal(f"Name the power that the {play.edition.action(given.kind)} uses.", (topic, "actions"))
    if all(row.known and given.kind not in row.action for row in rows):
        names = listed([row.name for row in rows])
        raise Illegal(
            f"{names} can't be used with a {play.edition.action(given.kind)}.",
            (topic, "actions", *(row.topic for row in rows)),
        )


def _check_one_power(play: Play, given: Action, rows: list[Power]) -> None:
    """Refuse two powers that each require the action: one action activates one of them.

    Sources: Giving Actions to Characters, Special Powers (2014); Action Types, Costed Actions (2020s).
    """
    asking = list(dict.fromkeys(row.name for row in rows if row.action))
    if len(asking) > 1:
        play.note(Met.TWO_POWERS)
        topics = (KIND_TOPICS[given.kind], "actions", *(row.topic for row in rows if row.action))
        raise Illegal(f"One {play.edition.action(given.kind)} can activate only one of {' and '.join(asking)}.", topics)


def _check_wild_card(play: Play, actor: Character, rows: list[Power]) -> None:
    """Refuse two borrowed team abilities in one action: a wild card uses one at a time.

    Sources: the FAQ of the wild cards (2002), Wild Cards (2005, 2014).
    """
    several = borrowed(play, actor, rows)
    if len(several) > 1:
        names = listed([row.name for row in several])
        text = f"{actor.name} is a wild card and can use only 1 team ability at a time, not {names}."
        raise Illegal(text, borrowing(play, actor, rows))


def _not_in_force(play: Play, actor: Character, name: str) -> str:
    """Return why an action of one of a character's cards can't be used, as the end of a sentence; "" if it has none."""
    acting = (card for card in actor.cards for one in card.effects if card.name_of(one) == name and one.is_action)
    card = next(acting, None)
    if card is None:
        return ""
    if card.name in actor.countered:
        return why_countered(play, actor, card.name).removeprefix(": ")
    if not {name, name + ONCE_A_GAME}.isdisjoint(actor.used):
        return "it has used it already"
    shown = actor.showing.powers if actor.showing is not None else ()
    on_dial = card.kind is CardKind.SPECIAL_POWER and not card.clicks
    if (card.clicks and actor.click not in card.clicks) or (on_dial and card.name not in shown):
        return f"{actor.name}'s click doesn't show it"
    return "the condition on its card doesn't hold"


def _taken_away(play: Play, actor: Character, name: str, topic: str) -> str:
    """Return in words what has taken a power from a character; "" if it just doesn't show it."""
    if name in actor.countered:
        return why_countered(play, actor, name)
    if f"{topic}:{actor.id}" in play.this_action.set_aside:
        return ": a wild card can use only 1 team ability at a time"
    return ": it is declined" if play.declines(topic, actor) else ""


def _countered(actor: Character, name: str) -> tuple[str, ...]:
    return ("outwit", "counter") if name in actor.countered else ()

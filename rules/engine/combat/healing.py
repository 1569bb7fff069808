"""Healing: clicks back towards the starting click, and never past it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.engine.combat.damage import end_alterations, stopped_at
from rules.engine.combat.ko import lose_what_is_gone
from rules.engine.combat.moments import come_to
from rules.engine.figures.abilities import powers_of, why_barred
from rules.engine.play import Play
from rules.engine.position.cards import CardMoment
from rules.engine.position.characters import Character
from rules.engine.steps import StepName


def heal(play: Play, character: Character, clicks: int, why: str, topics: Iterable[str] = ()) -> None:
    """Heal a character on the map, no further than its starting click.

    Sources: Healing of each book.
    """
    if barred := why_barred(play, character, "heal"):
        text = f"{character.name} heals nothing ({why}): {barred} keeps it from healing."
        play.record(StepName.HEAL, text, ("healing", *topics), {"clicks": clicks, "healed": 0})
        return
    ruled = play.ruled(StepName.HEAL, character.id).clicks
    character, topics = play.character(character.id), (*topics,)
    clicks = _fewer(play, character, clicks, topics) if ruled is None else ruled
    healed = max(0, min(clicks, character.click - character.starting_click))
    stop = stopped_at(play, character, character.click - healed, attacked_by_opponent=False) if healed else None
    healed = healed if stop is None else character.click - stop
    if not character.on_map:
        return
    if healed:
        play.change(replace(character, click=character.click - healed))
        end_alterations(play, character.id)
    told, stopped = f"{healed} click{'' if healed == 1 else 's'}", ""
    if healed != clicks:
        told, stopped = (
            f"{healed} of {clicks} clicks",
            ", its starting click" if stop is None else ", where its card stops it",
        )
    text = f"{character.name} heals {told} ({why}): click {character.click} → {character.click - healed}{stopped}."
    if not healed:
        text = f"{character.name} heals nothing ({why}){': it is on its starting click' if clicks else ''}."
    play.record(StepName.HEAL, text, ("healing", *topics), {"clicks": clicks, "healed": healed})
    if healed:
        lose_what_is_gone(play, character.id)
        come_to(play, CardMoment.WHEN_CLICKED, character)


def _fewer(play: Play, character: Character, clicks: int, topics: tuple[str, ...]) -> int:
    """Return the clicks left of those healed by these topics, where a card has the character healed of fewer."""
    rows = powers_of(play, character) if play.carded and clicks > 0 else ()
    found = [(by, row.name) for row in rows for topic, by in row.defending.heals_less if topic in topics]
    if not found:
        return clicks
    by, why = max(found)
    left = max(0, clicks - by)
    text = f"{why} heals {character.name} {by} less: {left} of {clicks} clicks."
    play.record(StepName.NOTE, text, ("healing",), {"clicks": left}, of=character.id)
    return left


def heal_what_is_due(play: Play) -> None:
    """Apply the healing due once the action has resolved, each cause separately (Triggered Effects, 2020s)."""
    due, play.this_action.healing_due = play.this_action.healing_due, ()
    for one in due:
        character = play.character(one.character)
        if character.on_map:
            heal(play, character, one.clicks, one.why, (one.topic,))
        else:
            text = f"{one.why} doesn't heal {character.name}: it was knocked out first."
            play.record(StepName.NOTE, text, (one.topic, "healing", "ko"), of=character.id)

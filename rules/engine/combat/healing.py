"""Healing: clicks back towards the starting click, and never past it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.engine.combat.damage import end_alterations
from rules.engine.combat.ko import lose_what_is_gone
from rules.engine.combat.moments import come_to
from rules.engine.figures.abilities import why_barred
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
    clicks = clicks if ruled is None else ruled
    character = play.character(character.id)
    healed = max(0, min(clicks, character.click - character.starting_click))
    if not character.on_map:
        return
    if healed:
        play.change(replace(character, click=character.click - healed))
        end_alterations(play, character.id)
    told, stopped = f"{healed} click{'' if healed == 1 else 's'}", ""
    if healed != clicks:
        told, stopped = f"{healed} of {clicks} clicks", ", its starting click"
    text = f"{character.name} heals {told} ({why}): click {character.click} → {character.click - healed}{stopped}."
    if not healed:
        text = f"{character.name} heals nothing ({why}){': it is on its starting click' if clicks else ''}."
    play.record(StepName.HEAL, text, ("healing", *topics), {"clicks": clicks, "healed": healed})
    if healed:
        lose_what_is_gone(play, character.id)
        come_to(play, CardMoment.WHEN_CLICKED, character)


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

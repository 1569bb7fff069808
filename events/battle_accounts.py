"""What players say of a battle: two battle files of the same match compared, figure by figure. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from events.battles import CAUSES, ENDED, FATES, SIDE
from events.results.result import Seat
from events.results.words import Difference


def account_of(document: Mapping[str, Any], players: Mapping[Seat, str]) -> dict[str, tuple[str, str]]:
    """Return a battle file's statements, each with its subject in words, by key; `players` are the names by seat."""
    found = {
        "ended": (_("how the match ended"), str(ENDED.get(document.get("ended", ""), document.get("ended", "")))),
        "turn": (_("turns taken"), str(document.get("turn") or "–")),
        "scenario_winner": (_("scenario's winner"), _player(document.get("scenario_winner"), players)),
    }
    names = {one.get("ref"): one["name"] for side in document.get("sides", ()) for one in side.get("characters", ())}
    for side in document.get("sides", ()):
        for one in side.get("characters", ()):
            found[f"c:{one.get('ref')}"] = (one["name"], _fate_words(one, names, players))
        for section in ("objects", "resources", "feats"):
            for one in side.get(section, ()):
                gone = one.get("fate") == "removed"
                found[f"t:{one.get('ref')}"] = (one.get("name", ""), _("lost") if gone else _("still in play"))
    return found


def _player(player: str | None, players: Mapping[Seat, str]) -> str:
    return players.get(SIDE.get(player or "", ""), player or "–")


def _fate_words(one: Mapping[str, Any], names: Mapping[str, str], players: Mapping[Seat, str]) -> str:
    fate = one.get("fate", "survived")
    if fate == "survived":
        return _("still in play")
    words = pgettext("figure", "knocked out") if fate == "defeated" else str(FATES.get(fate, fate))
    if one.get("by") or one.get("last_damaged_by"):
        by = names.get(one["by"], one["by"]) if one.get("by") else _player(one["last_damaged_by"], players)
        words = _("knocked out by %(name)s") % {"name": by} if fate == "defeated" else f"{words} ({by})"
    if one.get("cause") not in (None, "attack"):
        words = f"{words} ({CAUSES.get(one['cause'], one['cause'])})"
    return words


def compare_battles(
    one: Mapping[str, Any] | None, other: Mapping[str, Any] | None, players: Mapping[Seat, str]
) -> list[Difference]:
    """Return where two accounts of a battle differ, figure by figure; nothing if either is missing."""
    if not one or not other:
        return []
    mine, theirs = account_of(one, players), account_of(other, players)
    return [
        Difference(what, said, theirs.get(key, (what, "–"))[1])
        for key, (what, said) in mine.items()
        if theirs.get(key, (what, "–"))[1] != said
    ]

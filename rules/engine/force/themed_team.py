"""Themed teams: the keyword that all characters of a force share, and its benefits."""

from __future__ import annotations

from rules.engine.edition import Edition
from rules.engine.figures.archenemies import folded
from rules.engine.forces import Force, ForceCharacter, Tactic, ThemedTeam


def themed_team(force: Force, edition: Edition) -> ThemedTeam | None:
    """Return the best theme of a force, or None.

    At least two characters, not counting tokens, share a keyword, regardless of case. Named keywords come before
    generic ones, then alphabetical order decides; the bonus is the same for every shared keyword.
    """
    options = edition.force
    count_uses = options.probability_control_uses
    if count_uses is None or not uses_themes(force, edition):
        return None
    members = [character for character in force.characters if not character.is_token]
    if len(members) < 2:
        return None
    shared = _shared_keywords(members)
    if not shared:
        return None
    generic = options.generic_keywords.union(
        folded(keyword) for character in members for keyword in character.generic_keywords
    )
    keyword, spelled = min(shared.items(), key=lambda found: (found[0] in generic, found[0]))
    is_named = keyword not in generic
    return ThemedTeam(spelled, is_named, len(members), count_uses(force, len(members)) if is_named else 0)


def uses_themes(force: Force, edition: Edition) -> bool:
    """Return whether the event plays with themed teams."""
    tactics = force.event.tactics
    return Tactic.THEMED_TEAMS in edition.force.tactics and (tactics is None or Tactic.THEMED_TEAMS in tactics)


def one_for_each_hundred(force: Force, members: int) -> int:
    """Return the uses of Probability Control: one per character, at most one per full 100 points of the build total."""
    total = force.event.build_total
    return members if total is None else min(members, total // 100)


def at_most_five(_force: Force, members: int) -> int:
    """Return the uses of Probability Control: one per character with the keyword, at most five."""
    return min(members, 5)


def keywords_of(character: ForceCharacter) -> frozenset[str]:
    """Return a character's keywords, named and generic, in the form used for comparisons."""
    return frozenset(folded(keyword) for keyword in (*character.keywords, *character.generic_keywords))


def _shared_keywords(members: list[ForceCharacter]) -> dict[str, str]:
    """Return the keywords that all characters share: form used for comparisons → first spelling in the force."""
    first = members[0]
    shared = {folded(keyword): keyword.strip() for keyword in reversed((*first.keywords, *first.generic_keywords))}
    for member in members[1:]:
        if not shared:
            break
        theirs = keywords_of(member)
        shared = {keyword: spelled for keyword, spelled in shared.items() if keyword in theirs}
    return shared

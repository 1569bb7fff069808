"""Reading lists of players: each line's player, and faults by line; the services decide whether a player may be entered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.actions import Text
from events.services.entries import ListedPlayer, Problem
from events.services.teams import MAX_TITLE

from .sheets import Column, Faulty, by_field, first_and_rest, plain, taken

MAX_LINES = 2_000
MOST_ROUNDS = 50
MAX_RANK = 9_999
NO_ROUND = gettext_lazy("“%(said)s” isn't a round. Enter the rounds with an awarded bye, such as 1-2 or 1, 3.")
COLUMNS = {
    "name": (
        "name", "player", "player name", "full name", "display name", "displayname", "participant", "participant name",
        "competitor", "nom", "nom complet", "joueur", "spieler", "naam",
    ),
    "first_name": ("first name", "firstname", "given name", "given names", "prenom", "vorname", "voornaam"),
    "last_name": ("last name", "lastname", "family name", "surname", "nom de famille", "nachname", "achternaam"),
    "nickname": (
        "username", "user name", "nickname", "handle", "discord", "discord name", "challonge username", "pseudo",
        "gamer tag", "gamertag", "win username",
    ),
    "email": ("e-mail", "email", "mail", "e-mail address", "email address", "player email", "courriel", "adresse e-mail"),
    "club": ("club", "club or team", "store", "local club", "association"),
    "team": ("team", "team of two", "team name", "equipe", "mannschaft"),
    "is_minor": ("minor", "under 18", "child", "mineur"),
    "fixed_table": ("fixed table", "table", "table fixe"),
    "rank": ("rank", "seed", "seeding", "seed number", "rang", "classement", "tete de serie"),
    "rating": ("rating", "elo", "cote"),
    "awarded_byes": ("awarded byes", "awarded bye", "byes", "bye", "exempts", "exempt"),
}  # fmt: skip
"""The fields and how lists spell them: spreadsheets, and the lists of the usual tools."""
LABELS: dict[str, Text] = {
    "name": gettext_lazy("Name"),
    "first_name": gettext_lazy("First name"),
    "last_name": gettext_lazy("Last name"),
    "nickname": gettext_lazy("User name"),
    "email": gettext_lazy("E-mail"),
    "club": gettext_lazy("Club"),
    "team": gettext_lazy("Team"),
    "is_minor": gettext_lazy("Minor"),
    "fixed_table": gettext_lazy("Fixed table"),
    "rank": gettext_lazy("Rank"),
    "rating": gettext_lazy("Rating"),
    "awarded_byes": gettext_lazy("Awarded byes"),
}
NAMES = frozenset({"name", "first_name", "last_name", "nickname"})
"""Fields of which a list needs one; a user name counts where a line has no other name."""
YES = {"yes", "y", "true", "1", "x", "oui", "ja", "j", "✓", "minor", "under 18"}
NO = {"", "no", "n", "false", "0", "non", "nein", "nee", "-"}


@dataclass(frozen=True)
class PlayerList:
    """The list as read: players, faults by line, and what each column was taken for."""

    lines: tuple[ListedPlayer, ...]
    problems: tuple[Problem, ...]
    columns: tuple[Column, ...] = ()

    @property
    def unknown(self) -> tuple[str, ...]:
        """The headings of columns that were left out."""
        return tuple(column.heading for column in self.columns if column.heading and not column.field)


def rounds_of(text: str) -> list[int]:
    """Return the numbers of rounds in a text such as "1-2" or "1, 3", in order. Raise ValueError for anything else."""
    found: set[int] = set()
    for part in re.split(r"[\s,;+]+", re.sub(r"\s*[-–]\s*", "-", text.strip())):
        if not part:
            continue
        bounds = re.fullmatch(r"([0-9]{1,2})(?:-([0-9]{1,2}))?", part)
        if bounds is None or not 1 <= int(bounds[1]) <= int(bounds[2] or bounds[1]) <= MOST_ROUNDS:
            raise ValueError(part)
        found.update(range(int(bounds[1]), int(bounds[2] or bounds[1]) + 1))
    return sorted(found)


def read_players(text: str, *, in_teams: bool = False, chosen: Mapping[int, str] | None = None) -> PlayerList:
    """Return the players of a list. The first line names the columns, unless the list has only names.

    `in_teams`: the event is of teams of two, which a column `team` names. `chosen`: what the columns at these places are.
    """
    lines: list[ListedPlayer] = []
    problems: list[Problem] = []
    columns: tuple[Column, ...] = ()
    try:
        (number, first), rest = first_and_rest(text)
        columns = used = _columns(first, in_teams=in_teams, chosen=chosen)
        fields = {column.field for column in columns} - {""}
        if first and not fields & NAMES:
            if fields or len(first) > 1:
                raise Faulty(number, _("The first line must name the columns, including “name”."))
            columns, used, rest = (), (Column(0, "", "name"),), chain([(number, first)], rest)
        for number, cells in rest:
            if len(lines) + len(problems) >= MAX_LINES:
                raise Faulty(number, _("A list can have at most %(most)d players.") % {"most": MAX_LINES})
            _read_line(number, cells, used, lines, problems)
    except Faulty as wrong:
        problems.append(Problem(wrong.line, wrong.message))
    if not lines and not problems:
        problems.append(Problem(1, _("The list has no players. Enter one name on each line.")))
    return PlayerList(tuple(_ranked(lines)), tuple(problems), columns)


def _columns(cells: Sequence[str], *, in_teams: bool, chosen: Mapping[int, str] | None) -> tuple[Column, ...]:
    """Return the columns; where no teams of two play, a team is a club, and a rating counts only without a rank."""
    known: dict[str, tuple[str, ...]] = dict(COLUMNS)
    if not in_teams:
        known["club"] += known.pop("team")
    found = taken(cells, known, chosen)
    if any(column.field == "rank" for column in found):
        found = tuple(replace(column, field="") if column.field == "rating" else column for column in found)
    return found


def _ranked(lines: Sequence[ListedPlayer]) -> Iterator[ListedPlayer]:
    """Yield the players with the ranks that their ratings give: the highest is 1, and equal ratings share a rank."""
    ratings = sorted((line.rating for line in lines if line.rating is not None), reverse=True)
    for line in lines:
        yield line if line.rating is None else replace(line, rank=ratings.index(line.rating) + 1)


def _number(text: str, problems: list[Problem], line: int) -> int | None:
    """Return a rank; add a problem if the text isn't one."""
    if text and not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= MAX_RANK):
        told = {"said": text, "most": MAX_RANK}
        problems.append(Problem(line, _("“%(said)s” isn't a rank (1 to %(most)d).") % told))
        return None
    return int(text) if text else None


def _rating(text: str, problems: list[Problem], line: int) -> float | None:
    """Return a rating; add a problem if the text isn't one."""
    if text and not re.fullmatch(r"[0-9]{1,6}([.,][0-9]{1,3})?", text):
        problems.append(Problem(line, _("“%(said)s” isn't a rating. Enter a number, such as 1540.") % {"said": text}))
        return None
    return float(text.replace(",", ".")) if text else None


def _read_line(
    number: int,
    cells: Sequence[str],
    columns: Sequence[Column],
    lines: list[ListedPlayer],
    problems: list[Problem],
) -> None:
    said = by_field(cells, columns)
    before = len(problems)
    name = said.get("name") or " ".join(filter(None, (said.get("first_name", ""), said.get("last_name", ""))))
    name = name or said.get("nickname", "")
    if not name:
        problems.append(Problem(number, _("The name is missing.")))
    elif len(name) > 120:
        problems.append(Problem(number, _("The name is longer than 120 characters.")))
    if any(cell.strip() for cell in cells[len(columns) :]):
        problems.append(Problem(number, _("This line has more cells than the first line has columns.")))
    email = said.get("email", "")
    if email:
        try:
            validate_email(email)
        except ValidationError:
            problems.append(Problem(number, _("“%(email)s” isn't an e-mail address.") % {"email": email}))
    minor = plain(said.get("is_minor", "")) if said.get("is_minor", "") != "✓" else "✓"
    if minor not in YES and minor not in NO:
        problems.append(Problem(number, _("“Minor” must be yes or no, not “%(said)s”.") % {"said": said["is_minor"]}))
    club = said.get("club", "")
    if len(club) > 80:
        problems.append(Problem(number, _("The club name can have at most 80 characters.")))
    team = said.get("team", "")
    if len(team) > MAX_TITLE:
        problems.append(Problem(number, _("A team name can have at most %(n)d characters.") % {"n": MAX_TITLE}))
    table = said.get("fixed_table", "")
    if table and not (table.isascii() and table.isdecimal() and 1 <= int(table[:6]) <= 999):
        problems.append(Problem(number, _("“%(table)s” isn't a table number (1 to 999).") % {"table": table}))
    rank = _number(said.get("rank", ""), problems, number)
    rating = _rating(said.get("rating", ""), problems, number)
    byes: list[int] = []
    try:
        byes = rounds_of(said.get("awarded_byes", ""))
    except ValueError as part:
        problems.append(Problem(number, NO_ROUND % {"said": str(part)}))
    if len(problems) == before:
        lines.append(
            ListedPlayer(
                line=number,
                name=name,
                email=email,
                club=club,
                team=team,
                is_minor=minor in YES,
                fixed_table=int(table) if table else None,
                awarded_byes=tuple(byes),
                rank=rank,
                rating=rating,
            )
        )

"""Lists of players as people send them: encodings, separators, names like formulas, errors by line."""

import contextlib

from hypothesis import example, given
from hypothesis import strategies as st

from events.forms.entries_list import read_players
from events.forms.sheets import text_of
from rules.uploads import Unreadable
from tests.tables import every_row

LIST = "name,e-mail,club,minor,fixed table\nAna Žižek,ana@example.org,North,no,\nÉmile,,South,yes,7\n"


@every_row("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_any_unicode_encoding_is_read(encoding):
    read = read_players(text_of(LIST.encode(encoding)))
    assert [(line.name, line.fixed_table, line.is_minor) for line in read.lines] == [
        ("Ana Žižek", None, False),
        ("Émile", 7, True),
    ]
    assert not read.problems


def test_the_windows_letters_are_read():
    read = read_players(text_of("Name;Club\r\nÉmile Müller;Köln\r\n".encode("cp1252")))
    assert [(line.name, line.club) for line in read.lines] == [("Émile Müller", "Köln")]


@every_row("separator", [",", ";", "\t", "|"])
def test_any_separator(separator):
    read = read_players(LIST.replace(",", separator))
    assert len(read.lines) == 2
    assert read.lines[0].email == "ana@example.org"


def test_a_separator_inside_quotes_stays():
    read = read_players('name,club\n"Doe, Jane","The ""Best"", Ghent"\n')
    assert (read.lines[0].name, read.lines[0].club) == ("Doe, Jane", 'The "Best", Ghent')


@every_row("name", ["=SUM(A1:A9)", "+Plus", "-Minus", "@home", "=cmd|' /C calc'!A0"])
def test_a_name_like_a_formula_is_kept_as_text(name):
    quoted = name.replace('"', '""')
    assert read_players(f'name,club\n"{quoted}",x\n').lines[0].name == name
    assert read_players(f'name,club\n"\'{quoted}",x\n').lines[0].name == name


def test_bare_names_need_no_first_line():
    assert [line.name for line in read_players("Ana Alpha\n\nBo Beta\n").lines] == ["Ana Alpha", "Bo Beta"]


def test_first_and_last_names_in_columns_of_their_own():
    read = read_players("Last name;First name;Shoe size\nAlpha;Ana;39\n")
    assert read.lines[0].name == "Ana Alpha"
    assert read.unknown == ("Shoe size",)


def test_errors_are_reported_by_line():
    text = (
        "name,email,minor,fixed table\n,a@example.org,,\nBo,not-an-address,,\nCy,,perhaps,\nDi,,,12b\nEd,,,0\nFi,,,3\n"
    )
    read = read_players(text)
    assert [(problem.line, problem.message) for problem in read.problems] == [
        (2, "The name is missing."),
        (3, "“not-an-address” isn't an e-mail address."),
        (4, "“Minor” must be yes or no, not “perhaps”."),
        (5, "“12b” isn't a table number (1 to 999)."),
        (6, "“0” isn't a table number (1 to 999)."),
    ]
    assert [line.name for line in read.lines] == ["Fi"]


def test_columns_without_a_name_are_reported():
    read = read_players("club,minor\nNorth,no\n")
    assert "including “name”" in read.problems[0].message


def test_too_many_cells_are_reported():
    assert read_players("name;club\nDoe;Jane;North\n").problems[0].message.startswith("This line has more cells")


def test_an_empty_list_is_reported():
    for text in (" \n\n", "name,e-mail\n"):
        assert read_players(text).problems[0].message == "The list has no players. Enter one name on each line."


@given(st.text(max_size=200))
def test_any_text_gives_a_list_or_problems(text):
    read = read_players(text)
    assert read.lines or read.problems or text.strip()
    for line in read.lines:
        assert line.name.strip()


@given(st.binary(max_size=200))
@example(b"\xfd7zXZ\x00")
def test_any_bytes_are_read_or_refused_with_a_sentence(raw):
    with contextlib.suppress(Unreadable):
        read_players(text_of(raw))


def test_a_team_is_a_column_of_its_own_only_where_teams_of_two_play():
    text = "name;team\nAna;Owls\nBo;owls\n"
    assert [(line.club, line.team) for line in read_players(text).lines] == [("Owls", ""), ("owls", "")]
    assert [(line.club, line.team) for line in read_players(text, in_teams=True).lines] == [("", "Owls"), ("", "owls")]
    both = read_players("name;club;team\nAna;North;Owls\n")
    assert (both.lines[0].club, both.unknown) == ("North", ("team",))
    [problem] = read_players(f"name;équipe\nAna;{'x' * 81}\n", in_teams=True).problems
    assert (problem.line, "at most 80" in problem.message) == (2, True)

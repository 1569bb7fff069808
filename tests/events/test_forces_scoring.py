"""Battles scored on the result form, worked out by hand from the books, through the players' and officials' forms."""

import json
import re

import pytest

from events.models import Event, Force, Match
from events.results.result import as_json
from events.services import forces
from tests.conftest import client_of
from tests.events.swapped import swapped, typed_swapped
from tests.factories import EntryFactory, MatchFactory, PersonFactory, RoundFactory
from tests.judging.test_verification import build, judge_of, submit_force

from .force_catalogue import small_catalogue


@pytest.fixture
def table(db, staff):
    """Ann has Night Heron (60, grey base) and Bramble (17); Ben has Laughing Jack (54, grey base) and Wrecker (120)."""
    small_catalogue()
    a, b = (EntryFactory(event=staff.event, name=name, person=PersonFactory()) for name in ("Ann Archer", "Ben Bard"))
    submit_force(a, "Night Heron", "Bramble")
    submit_force(b, "Laughing Jack", "Wrecker")
    match = MatchFactory(round=RoundFactory(event=staff.event, number=1, scenario=""), a=a, b=b)
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
    staff.event.refresh_from_db()
    return match


def at(match, what=""):
    event = match.round.event
    return f"/events/{event.public_id}/rounds/{match.round.number}/tables/{match.table}/{what}"


def ref(match, side, name):
    entry = {"a": match.a, "b": match.b}[side]
    figures = Force.objects.get(entry=entry).document["force"]["characters"]
    return f"{side}:" + next(one["ref"] for one in figures if one["name"] == name)


def ticks(match, *fallen, ended="time", **more):
    """Return the posted values: each of `fallen` is (side, name) or (side, name, who of the other side defeated it)."""
    posted = {"ended": ended, "ko": [], "score_a": "", "score_b": "", **more}
    for side, name, *by in fallen:
        figure = ref(match, side, name)
        posted["ko"].append(figure)
        if by:
            posted[f"by-{figure}"] = ref(match, "b" if side == "a" else "a", by[0])
    return posted


HERON_FELLS_JACK = ("b", "Laughing Jack", "Night Heron")


def score(client, match, posted):
    response = client.post(at(match, "score/"), posted, headers={"X-Requested-With": "score"})
    assert response.status_code == 200
    return response.content.decode()


def result(match):
    return Match.objects.get(pk=match.pk).result


def test_both_forces_are_side_by_side_and_show_whose_defeats_count_double(table):
    text = client_of(table.a.person).get(at(table)).content.decode()
    assert text.index("Ann Archer") < text.index("Night Heron") < text.index("Laughing Jack") < text.index("Wrecker")
    jack = text.split(f'name="by-{ref(table, "b", "Laughing Jack")}"')[1].split("</select>")[0]
    assert "Night Heron – archenemy, scores double points" in jack
    wrecker = text.split(f'name="by-{ref(table, "b", "Wrecker")}"')[1].split("</select>")[0]
    assert "scores double" not in wrecker


def test_an_archenemy_doubles_and_survivors_count_in_2002(table):
    # Annotated Rulebook, Victory!: defeated figures, twice if by an archenemy, and one's own survivors.
    # Ann: 2 × 54 for Jack, her own 60 + 17 = 185. Ben: his Wrecker 120.
    text = score(client_of(table.a.person), table, ticks(table, HERON_FELLS_JACK))
    assert 'data-score_a="185"' in text
    assert 'data-score_b="120"' in text
    assert "Ann Archer wins" in text
    assert "archenemy" in text
    assert "/rules/rulebook/citation/?edition=car-2002" in text
    single = score(client_of(table.a.person), table, ticks(table, ("b", "Laughing Jack", "Bramble")))
    assert 'data-score_a="131"' in single, "54 + 60 + 17"


def test_pushing_is_no_defeat_by_an_archenemy(table):
    posted = ticks(table, HERON_FELLS_JACK)
    posted[f"cause-{posted['ko'][0]}"] = "pushing"
    assert 'data-score_a="131"' in score(client_of(table.a.person), table, posted)


def test_equal_reports_with_ticks_confirm_and_keep_the_battle(table):
    posted = ticks(table, HERON_FELLS_JACK)
    first = client_of(table.a.person).post(at(table, "claim/"), posted)
    assert first.status_code == 302
    client_of(table.b.person).post(at(table, "claim/"), posted)
    kept = result(table)
    assert (*kept.scores, kept.winner, kept.to_time) == (185, 120, "a", True)
    jack = next(one for one in kept.battle["sides"][1]["characters"] if one["name"] == "Laughing Jack")
    assert (jack["fate"], jack["by"], jack["cause"]) == ("defeated", ref(table, "a", "Night Heron"), "attack")
    page = client_of(table.a.person).get(at(table)).content.decode()
    assert "How the points were scored" in page
    assert "archenemy" in page
    other_way = typed_swapped(as_json(kept))["battle"]
    assert other_way["sides"][0]["player"] == "A"
    assert swapped(swapped(kept)) == kept


def test_differences_are_listed_figure_by_figure(table):
    client_of(table.a.person).post(at(table, "claim/"), ticks(table, HERON_FELLS_JACK))
    client_of(table.b.person).post(at(table, "claim/"), ticks(table, ("b", "Laughing Jack", "Bramble")))
    assert Match.objects.get(pk=table.pk).state == Match.State.DISPUTED
    text = client_of(table.a.person).get(at(table)).content.decode()
    assert "knocked out by Night Heron" in text
    assert "knocked out by Bramble" in text
    judge = client_of(table.round.event.officials.get(role="judge").person).get(at(table)).content.decode()
    assert "knocked out by Bramble" in judge


def test_a_plain_score_is_still_possible(table, staff):
    response = staff.client("scorekeeper").post(at(table, "enter/"), {"score_a": "90", "score_b": "20"})
    assert response.status_code == 302
    assert result(table).battle is None


def test_without_both_forces_nothing_is_asked(table):
    Force.objects.filter(entry=table.b).delete()
    text = client_of(table.a.person).get(at(table)).content.decode()
    assert 'name="ko"' not in text
    assert 'name="score_a"' in text


def test_without_scripts_the_button_shows_the_score_and_keeps_the_ticks(table):
    posted = ticks(table, HERON_FELLS_JACK)
    text = client_of(table.a.person).post(at(table, "score/"), posted).content.decode()
    assert "Ann Archer wins" in text
    assert f'name="ko" value="{posted["ko"][0]}" checked' in text
    assert 'value="185"' in text
    assert result(table) is None


def test_ticks_without_an_end_are_sent_back(table):
    response = client_of(table.a.person).post(at(table, "claim/"), ticks(table, HERON_FELLS_JACK, ended=""))
    assert response.status_code == 400
    assert "Choose how the match ended" in response.content.decode()


def test_points_typed_beside_the_figures_are_never_lost(table):
    client = client_of(table.a.person)
    counted = score_in(client.post(at(table, "score/"), ticks(table, HERON_FELLS_JACK)).text)
    typed = ticks(table, HERON_FELLS_JACK, score_a="7", score_b=counted[1])
    answer = client.post(at(table, "claim/"), typed)
    assert answer.status_code == 400
    assert f"You entered 7, but the figures give {counted[0]}." in answer.text
    assert answer.context["form"].errors.keys() == {"score_a"}
    assert score_in(answer.text) == counted
    assert not table.claims.exists()
    client.post(at(table, "claim/"), typed | {"score_a": counted[0]})
    assert table.claims.get().result.score("a") == int(counted[0])


def score_in(page):
    """Return the points in the form's two fields."""
    return [re.search(rf'<input[^>]*name="score_{side}"[^>]*value="(\d+)"', page)[1] for side in "ab"]


def test_only_the_players_and_the_desk_score(table):
    stranger = EntryFactory(event=table.round.event, person=PersonFactory())
    assert client_of(stranger.person).post(at(table, "score/"), ticks(table)).status_code == 403


def scenario(table, name):
    table.round.scenario = name
    table.round.save()


def test_a_turn_limited_scenario_continues_until_a_player_has_half(table):
    # Challenge of the Champions: after five turns only defeats count, and half of 200 wins; 17 points are too few.
    scenario(table, "challenge-of-the-champions")
    posted = ticks(table, ("a", "Bramble"), ended="turn-limit", turn="5")
    assert "continues to the last turn" in score(client_of(table.a.person), table, posted)
    assert client_of(table.a.person).post(at(table, "claim/"), posted).status_code == 400
    posted = ticks(table, ("b", "Wrecker", "Bramble"), ended="turn-limit", turn="5")
    text = score(client_of(table.a.person), table, posted)
    assert 'data-score_a="120"' in text
    assert 'data-score_b="0"' in text, "survivors do not count after five turns"
    posted["turn"] = "10"
    assert 'data-score_a="197"' in score(client_of(table.a.person), table, posted), "120 + 60 + 17"


def test_the_officials_own_scenario_names_its_winner(table):
    scenario(table, "custom")
    posted = ticks(table, HERON_FELLS_JACK, ended="scenario", scenario_winner="b")
    assert "Ben Bard wins" in score(client_of(table.a.person), table, posted)
    for player in (table.a, table.b):
        client_of(player.person).post(at(table, "claim/"), posted)
    kept = result(table)
    assert (kept.winner, kept.decided_by, kept.score("a")) == ("b", "scenario", 185)


def test_a_tie_asks_for_the_editions_own_way(table, staff):
    Event.objects.filter(pk=staff.event.pk).update(edition="core-2014")
    text = score(client_of(table.a.person), table, ticks(table))
    assert "not decided by the figures" in text
    assert "Each tied player rolls two dice" in text
    posted = ticks(table, roll_a="7", roll_b="9")
    assert "Ben Bard wins" in score(client_of(table.a.person), table, posted)
    assert client_of(table.a.person).post(at(table, "claim/"), posted).status_code == 302
    client_of(table.b.person).post(at(table, "claim/"), posted)
    kept = result(table)
    assert (kept.winner, kept.decided_by, kept.battle["roll_off"]) == ("b", "roll-off", {"A": 7, "B": 9})


def test_the_last_standing_wins_against_the_points_in_2014(table, staff):
    Event.objects.filter(pk=staff.event.pk).update(edition="core-2014", build_total=100)
    posted = ticks(table, ("a", "Night Heron"), ("a", "Bramble"), ended="elimination")
    assert "Ben Bard wins" in score(client_of(table.a.person), table, posted)
    client_of(table.a.person).post(at(table, "claim/"), posted)
    client_of(table.b.person).post(at(table, "claim/"), posted)
    assert result(table).winner == "b"


def test_the_cap_is_shown_beside_the_uncapped_points(table, staff):
    Event.objects.filter(pk=staff.event.pk).update(build_total=100)
    text = score(client_of(table.a.person), table, ticks(table, HERON_FELLS_JACK))
    assert "Capped at 100 points in the standings" in text


def test_a_figure_beside_the_force_counts(table):
    posted = ticks(table, HERON_FELLS_JACK)
    posted |= {"extra-b-1-name": "Spirit", "extra-b-1-points": "40"}
    posted["ko"].append("b:extra-1")
    assert 'data-score_a="225"' in score(client_of(table.a.person), table, posted), "185 + 40"


def test_the_desk_enters_and_a_judge_corrects_with_ticks(table, staff):
    staff.client("scorekeeper").post(at(table, "enter/"), ticks(table, HERON_FELLS_JACK) | {"signed": "on"})
    assert result(table).score("a") == 185
    posted = ticks(table, ("b", "Laughing Jack", "Bramble")) | {"act": "correct", "reason": "Miscounted"}
    judge = staff.client("judge")
    assert judge.post(at(table, "enter/"), posted).status_code == 409
    assert judge.post(at(table, "enter/"), posted | {"confirmed": "yes"}).status_code == 302
    assert result(table).score("a") == 131


def test_the_battle_kept_is_a_battle_file_that_scores_the_same(table, tmp_path, capsys):
    from django.core.management import call_command

    client_of(table.a.person).post(at(table, "claim/"), ticks(table, HERON_FELLS_JACK))
    client_of(table.b.person).post(at(table, "claim/"), ticks(table, HERON_FELLS_JACK))
    path = tmp_path / "battle.json"
    path.write_text(json.dumps(result(table).battle), encoding="utf-8")
    call_command("score_battle", str(path))
    report = json.loads(capsys.readouterr().out)
    assert report["victory_points"] == {"A": 185, "B": 120}


def test_the_tables_page_asks_a_steady_number_of_questions(table, django_assert_max_num_queries):
    client = client_of(table.a.person)
    with django_assert_max_num_queries(34):
        client.get(at(table))


def test_a_knockout_alone_never_says_that_time_was_called(table):
    client, posted = client_of(table.a.person), ticks(table, HERON_FELLS_JACK, ended="")
    said = score(client, table, posted)
    assert 'data-score_a="185"' in said
    assert "Choose how the match ended." in said
    assert "data-to_time" not in said
    page = client.post(at(table, "score/"), posted).content.decode()
    assert "checked" not in page.split('name="to_time"')[1].split(">")[0]
    assert "data-to_time" in score(client, table, posted | {"ended": "time"})


# tables of three and four


@pytest.fixture
def of_four(table, staff):
    """Cara with Bramble (17) and Dan with Night Heron (60) sit down, too; only knocked out figures count."""
    c, d = (EntryFactory(event=staff.event, name=name, person=PersonFactory()) for name in ("Cara Cole", "Dan Dee"))
    for entry, figure in ((c, "Bramble"), (d, "Night Heron")):
        build(entry, figure)
        forces.submit_force(by=judge_of(entry), entry=entry, from_round=1, confirmed=True, reason="late entry")
    Match.objects.filter(pk=table.pk).update(c=c, d=d)
    Event.objects.filter(pk=staff.event.pk).update(table_size=4, edition="core-2014")
    return Match.objects.with_round().get(pk=table.pk)


@pytest.fixture
def fallen(of_four):
    """Return the posted values: Ann's Night Heron knocked out Jack, Ben knocked out Cara and Dan's Night Heron."""
    refs = {}
    for seat, entry in zip("abcd", of_four.entries, strict=True):
        for one in Force.objects.get(entry=entry).document["force"]["characters"]:
            refs[seat, one["name"]] = f"{seat}:{one['ref']}"
    jack, bramble, heron = refs["b", "Laughing Jack"], refs["c", "Bramble"], refs["d", "Night Heron"]
    by = {f"by-{jack}": refs["a", "Night Heron"], f"by-{bramble}": "b", f"by-{heron}": "b"}
    return {"ended": "time", "ko": [jack, bramble, heron], **by}


def test_a_table_of_four_is_scored_by_who_knocked_out_whom(of_four, fallen, staff):
    page = client_of(of_four.c.person).get(at(of_four)).text
    assert 'optgroup label="Dan Dee"' in page
    counted = score(client_of(of_four.a.person), of_four, fallen)
    assert [re.search(rf'data-score_{seat}="(\d+)"', counted)[1] for seat in "abcd"] == ["54", "77", "0", "0"]
    assert "Ben Bard wins" in counted
    ticked = client_of(of_four.a.person).post(at(of_four, "score/"), fallen).text
    assert 'name="score_b" value="77"' in ticked
    missing = fallen | {f"by-{fallen['ko'][1]}": ""}
    answer = client_of(of_four.a.person).post(at(of_four, "claim/"), missing)
    assert (answer.status_code, "Choose who knocked out Bramble" in answer.text) == (400, True)
    wrong = client_of(of_four.a.person).post(at(of_four, "claim/"), fallen | {"score_c": "50"})
    assert wrong.status_code == 400
    for entry in (of_four.a, of_four.b):
        assert client_of(entry.person).post(at(of_four, "claim/"), fallen).status_code == 302
    kept = result(of_four)
    assert (kept.scores, kept.places) == ((54, 77, 0, 0), (("b",), ("a",), ("c", "d")))
    assert (kept.knocked_out_by, kept.to_time) == ((None, None, "b", "b"), True)
    shown = client_of(of_four.c.person).get(at(of_four)).text
    assert "How the points were scored" in shown
    assert "Laughing Jack defeated" in shown
    correcting = staff.client("judge").get(at(of_four)).text
    assert f'value="{fallen["ko"][1]}" checked' in correcting
    other = dict(fallen, ko=fallen["ko"][:2])
    asked = staff.client("head_judge").post(at(of_four, "enter/"), other | {"act": "correct", "reason": "recount"})
    assert asked.status_code == 409
    sheet = staff.client("head_judge").get(f"/events/{of_four.round.event.public_id}/results.csv").text
    assert "Cara Cole" in sheet


def test_where_each_opponent_scores_a_defeat_no_one_need_say_who_dealt_it(of_four, fallen):
    Event.objects.filter(pk=of_four.round.event_id).update(edition="core-modern")
    fallen[f"by-{fallen['ko'][1]}"] = ""
    assert client_of(of_four.a.person).post(at(of_four, "claim/"), fallen).status_code == 302
    claim = of_four.claims.get().result
    assert (claim.scores, claim.knocked_out_by) == ((131, 77, 114, 71), (None, None, None, "b"))


def test_differing_ticks_of_four_are_told_figure_by_figure(of_four, fallen):
    client_of(of_four.a.person).post(at(of_four, "claim/"), fallen)
    client_of(of_four.d.person).post(at(of_four, "claim/"), fallen | {f"by-{fallen['ko'][1]}": "d"})
    assert Match.objects.get(pk=of_four.pk).state == Match.State.DISPUTED
    told = client_of(of_four.a.person).get(at(of_four)).text
    assert "knocked out by Dan Dee" in told
    assert "knocked out by Ben Bard" in told


def test_the_api_scores_a_battle_file_of_four(of_four, fallen, staff):
    client_of(of_four.a.person).post(at(of_four, "claim/"), fallen)
    battle = of_four.claims.get().result.battle
    address = f"/api/events/{of_four.round.event.public_id}/rounds/1/tables/{of_four.table}/result"

    def sent(client, **given):
        return client.post(address, json.dumps(given), content_type="application/json")

    client = client_of(of_four.b.person)
    assert sent(client, battle=battle | {"build_total": 1}).status_code == 422
    assert sent(client, battle=battle | {"sides": battle["sides"][:2]}).status_code == 422
    assert sent(client, battle=battle | {"sides": {"a": 1}}).status_code == 422
    assert sent(client, battle=battle, score_a=99).status_code == 422
    assert sent(client_of(PersonFactory()), battle=battle).status_code == 403
    assert sent(client, score_a=1).status_code == 422
    told = sent(client, battle=battle)
    assert told.status_code == 200
    assert told.json()["result"]["knocked_out_by"] == {"c": "b", "d": "b"}
    assert result(of_four).scores == (54, 77, 0, 0)

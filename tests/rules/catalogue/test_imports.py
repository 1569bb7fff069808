"""Imports into the catalogue: planned, shown, applied completely or not at all; by command and by page."""

import datetime
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rules.models import CatalogueChange, Correction, Element, Facts, Import, ImportLine, Set
from rules.services.catalogue import correct_element
from rules.services.imports import (
    CannotApply,
    apply_import,
    begin_import,
    outcomes,
    plan_again,
    plan_more,
    put_away_import,
)
from rules.uploads import Unreadable
from tests.examples import examples

DAY = datetime.date(2020, 5, 1)
SHEET = "set,set_name,number,name,points,teams\nx1,Set X,001,Ada,40,Guild\nx1,Set X,002,Bo,20,\n"


def planned(content=SHEET, **more):
    row = begin_import(file_name="x.csv", content=content.encode(), counts_from=DAY, **more)
    return plan_more(reading_of=row)


def applied(content=SHEET, **more):
    return apply_import(planned=planned(content, **more))


@pytest.mark.django_db
class TestService:
    def test_a_preview_changes_nothing(self):
        row = planned()
        assert outcomes(row) == {"added": 2}
        assert row.new_sets == {"x1": "Set X"}
        assert not Element.objects.exists()
        assert not Set.objects.exists()

    def test_applied_as_seen(self):
        loaded = applied()
        assert loaded.added == ["x1/001", "x1/002"]
        assert Element.objects.get(code="x1/001").facts_on(DAY).document["teams"] == ["Guild"]
        assert CatalogueChange.objects.filter(verb="apply-import").count() == 1
        assert Import.objects.get().state == "applied"
        assert bytes(Import.objects.get().content) == b""

    def test_a_second_time_it_says_nothing_new(self):
        applied()
        assert outcomes(planned()) == {"unchanged": 2}

    def test_changes_are_dated_and_shown_with_their_differences(self):
        applied()
        row = planned(SHEET.replace("40", "45"))
        line = row.lines.get(outcome="changed")
        assert line.differences == [{"fact": "points", "before": 40, "after": 45}]
        apply_import(planned=row)
        ada = Element.objects.get(code="x1/001")
        assert ada.facts_on(DAY - datetime.timedelta(days=1)).points == 40
        assert ada.facts_on(DAY).points == 45

    def test_one_error_and_nothing_is_applied(self):
        row = planned(SHEET + "x1,Set X,003,Cy,many,\n")
        assert outcomes(row) == {"added": 2, "error": 1}
        with pytest.raises(CannotApply, match="Nothing was changed"):
            apply_import(planned=row)
        assert not Element.objects.exists()

    def test_one_number_twice(self):
        row = planned(SHEET + "x1,Set X,001,Ada again,10,\n")
        line = row.lines.get(outcome="error")
        assert line.where == "line 4"
        assert "line 2" in line.message

    def test_a_catalogue_that_changed_in_the_meantime(self):
        applied()
        row = planned(SHEET.replace("40", "45"))
        correct_element(element=Element.objects.get(code="x1/001"), from_date=DAY, changes={"points": 42})
        with pytest.raises(CannotApply, match="changed since this preview"):
            apply_import(planned=row)
        again = plan_more(reading_of=plan_again(planned=row))
        assert again.lines.get(outcome="changed").differences == [{"fact": "points", "before": 42, "after": 45}]
        apply_import(planned=again)

    def test_applied_once_only(self):
        row = planned()
        apply_import(planned=row)
        with pytest.raises(CannotApply):
            apply_import(planned=row)

    def test_step_by_step_is_the_same(self):
        lines = [f"x1,,{number:03d},Name {number % 7},{number},\n" for number in range(30)]
        row = begin_import(
            file_name="x.csv", content=(SHEET.split("\n", maxsplit=1)[0] + "\n" + "".join(lines)).encode()
        )
        steps = 0
        while row.state == Import.State.PLANNING:
            row = plan_more(reading_of=row, at_once=7)
            steps += 1
        assert steps == 5
        assert list(row.lines.values_list("order", flat=True)) == list(range(1, 31))
        assert outcomes(row) == {"added": 30}

    def test_a_number_twice_in_different_steps(self):
        content = "set,number,name\n" + "".join(f"x1,{number},N\n" for number in (1, 2, 3, 1))
        row = begin_import(file_name="x.csv", content=content.encode())
        for _step in range(2):
            row = plan_more(reading_of=row, at_once=3)
        assert outcomes(row) == {"added": 3, "error": 1}

    def test_put_away(self):
        row = put_away_import(planned=planned())
        assert row.state == "put-away"
        assert not ImportLine.objects.exists()

    def test_names_in_every_script(self):
        applied("set,name,rank\nx1,蝙蝠侠,unique\nx1,Бэтмен,unique\nx1,باتمان,unique\n")
        assert Element.objects.count() == 3
        assert Facts.objects.filter(name="蝙蝠侠").count() == 1

    def test_a_code_distinguishes_elements_with_the_same_name(self):
        sheet = "set,code,name,points\nx1,ada-early,Ada,30\nx1,ada-late,Ada,50\n"
        applied(sheet)
        assert set(Element.objects.values_list("code", flat=True)) == {"x1/ada-early", "x1/ada-late"}
        assert outcomes(planned(sheet)) == {"unchanged": 2}
        assert outcomes(planned(sheet.replace("ada-late", "ada late"))) == {"unchanged": 1, "error": 1}

    def test_queries_do_not_grow_with_the_file(self, django_assert_max_num_queries):
        content = "set,number,name,teams\n" + "".join(f"x1,{number},N,A|B\n" for number in range(400))
        with django_assert_max_num_queries(60):
            applied(content)
        with django_assert_max_num_queries(60):
            applied(content.replace(",N,", ",M,"))
        with django_assert_max_num_queries(60):
            applied(content)


@pytest.mark.django_db
@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200) | st.text(max_size=80).map(lambda text: f"name,set\n{text}".encode()))
def test_any_bytes_give_a_plan_or_a_clear_fault(content):
    try:
        row = begin_import(file_name="any", content=content, set_code="x1")
    except Unreadable as bad:
        fault = str(bad)
    else:
        fault = ""
    if fault:
        return
    while row.state == Import.State.PLANNING:
        row = plan_more(reading_of=row)
    assert sum(outcomes(row).values()) == row.records
    for line in row.lines.all():
        assert line.message or line.outcome in ("added", "changed", "unchanged")


@pytest.mark.django_db
class TestCommand:
    def run(self, tmp_path, capsys, content=SHEET, *options):
        path = tmp_path / "x.csv"
        path.write_text(content, encoding="utf-8")
        call_command("import_catalogue", str(path), *options)
        return capsys.readouterr()

    def test_preview_then_apply(self, tmp_path, capsys):
        said = self.run(tmp_path, capsys)
        assert "2 new" in said.out
        assert "Nothing was changed" in said.out
        assert not Element.objects.exists()
        assert "Applied: 2 added" in self.run(tmp_path, capsys, SHEET, "--apply").out
        said = self.run(tmp_path, capsys, SHEET.replace("40", "45"), "--from", "2020-01-01", "--apply")
        assert "points: 40 → 45" in said.out
        assert Correction.objects.get().from_date == datetime.date(2020, 1, 1)

    def test_errors_by_line(self, tmp_path, capsys):
        with pytest.raises(CommandError, match="1 records have errors"):
            self.run(tmp_path, capsys, SHEET.replace("40", "forty"), "--apply")
        assert "line 2: Ada: points must be a whole number" in capsys.readouterr().out
        assert not Element.objects.exists()

    def test_progress_of_a_large_file(self, tmp_path, capsys):
        content = "set,number,name\n" + "".join(f"x1,{number},N\n" for number in range(1200))
        said = self.run(tmp_path, capsys, content)
        assert "500 of 1200 records read" in said.err
        assert "1200 of 1200 records read" in said.err

    def test_unknown_fields_and_new_sets_are_reported(self, tmp_path, capsys):
        said = self.run(tmp_path, capsys, "set,name,tea\nx1,Ada,black\n")
        assert "not understood: tea (1 times)" in said.out
        assert "new set: x1" in said.out

    def test_what_cannot_be_read(self, tmp_path, capsys):
        with pytest.raises(CommandError, match="cannot be read"):
            call_command("import_catalogue", str(tmp_path / "nothing"))
        with pytest.raises(CommandError, match="must be a date"):
            self.run(tmp_path, capsys, SHEET, "--from", "soon")
        with pytest.raises(CommandError, match="valid XML"):
            self.run(tmp_path, capsys, "<set>", "--layout", "octgn")


def upload(client, content=SHEET, name="x.csv", **more):
    sent = {"file": SimpleUploadedFile(name, content.encode()), "counts_from": "2020-05-01", "layout": "", **more}
    return client.post(reverse("rules:imports"), sent)


class TestPages:
    def test_only_for_the_office(self, client, other_client, office_client):
        address = reverse("rules:imports")
        assert client.get(address).status_code == 302
        refused = other_client.get(address)
        assert refused.status_code == 403
        assert b"sanctioning office" in refused.content
        assert upload(other_client).status_code == 403
        assert not Import.objects.exists()
        assert office_client.get(address).status_code == 200

    def test_upload_preview_apply(self, office_client, django_assert_max_num_queries):
        answer = upload(office_client, "set,number,name,points,tea\nx1,001,Ada,40,black\n")
        row = Import.objects.get()
        assert answer["Location"] == reverse("rules:import", args=[row.pk])
        with django_assert_max_num_queries(25):
            page = office_client.get(answer["Location"]).content.decode()
        assert "1 item to add or change" in page
        assert "<code>tea</code>" in page
        assert not Element.objects.exists()
        page = office_client.post(reverse("rules:import-apply", args=[row.pk]), follow=True).content.decode()
        assert "1 item added or changed." in page
        assert Element.objects.get().name == "Ada"
        assert CatalogueChange.objects.filter(verb="apply-import", by="Otto Office").exists()
        assert "Apply import" not in page

    def test_differences_and_errors_are_shown(self, office_client):
        applied()
        upload(office_client, SHEET.replace("40", "45").replace(",20,", ",oops,"))
        page = office_client.get(reverse("rules:import", args=[Import.objects.latest("pk").pk])).content.decode()
        assert "<s>40</s> → <strong>45</strong>" in page
        assert "points must be a whole number" in page
        assert "Apply import" not in page
        errors = office_client.get(reverse("rules:import", args=[Import.objects.latest("pk").pk]) + "?outcome=error")
        assert "45" not in errors.content.decode().split("<tbody")[1]

    def test_progress_without_scripts(self, office_client):
        content = "set,number,name\n" + "".join(f"x1,{number},N\n" for number in range(700))
        address = upload(office_client, content)["Location"]
        first = office_client.get(address).content.decode()
        assert "500 of 700 records" in first
        assert 'http-equiv="refresh"' in first
        assert '<progress value="500" max="700"' in first
        assert "700 items to add or change" in office_client.get(address).content.decode()

    def test_a_file_that_cannot_be_read_is_reported_at_its_field(self, office_client):
        answer = upload(office_client, '[{"name": ', "x.json")
        assert answer.status_code == 400
        assert "line 1, column" in answer.content.decode()
        assert not Import.objects.exists()

    def test_no_file(self, office_client):
        answer = office_client.post(reverse("rules:imports"), {"counts_from": "2020-05-01"})
        assert answer.status_code == 400

    def test_applying_over_a_changed_catalogue_shows_the_new_preview(self, office_client):
        applied()
        row = planned(SHEET.replace("40", "45"))
        correct_element(element=Element.objects.get(code="x1/001"), from_date=DAY, changes={"points": 42})
        page = office_client.post(reverse("rules:import-apply", args=[row.pk]), follow=True).content.decode()
        assert "The catalogue has changed since this preview" in page
        assert "<s>42</s> → <strong>45</strong>" in page

    def test_put_away(self, office_client):
        row = planned()
        office_client.post(reverse("rules:import-put-away", args=[row.pk]))
        row.refresh_from_db()
        assert row.state == "put-away"
        assert office_client.get(reverse("rules:import", args=[row.pk])).status_code == 200

    def test_units_and_cards_through_the_page(self, office_client):
        unit = {"set_id": "x2", "collector_number": "9", "name": "Cy", "type": "character", "point_values": [30]}
        assert upload(office_client, json.dumps([unit]), "x.json").status_code == 302
        cards = '<set name="Night"><cards><card name="Di"><property name="Unit ID" value="n1"/></card></cards></set>'
        assert upload(office_client, cards, "x.xml").status_code == 302
        assert {row.layout for row in Import.objects.all()} == {"hcunits", "octgn"}

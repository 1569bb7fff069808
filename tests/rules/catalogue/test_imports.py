"""Imports into the catalogue: planned, shown, applied completely or not at all; by command and by page."""

import datetime
import io
import json
import struct
import threading
import tracemalloc
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rules.apart import Stopped
from rules.documents import BadFacts
from rules.importers.kept import Kept, kept_uploads
from rules.models import CatalogueChange, Correction, Element, Facts, Import, ImportLine, Set
from rules.services import import_jobs, imports
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
from rules.system import lock_until_closed
from rules.uploads import Unreadable
from tests.examples import examples

DAY = datetime.date(2020, 5, 1)


def of_a_million_entries() -> bytes:
    """Return a ZIP archive whose directory names one file a million times, and whose end counts only a few of them."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.json", "[]")
    whole = packed.getvalue()
    start, end = whole.index(b"PK\x01\x02"), whole.index(b"PK\x05\x06")
    directory = whole[start:end] * 1_000_000
    return whole[:start] + directory + whole[end : end + 12] + struct.pack("<LLH", len(directory), start, 0)


SHEET = "set,set_name,number,name,points,teams\nx1,Set X,001,Ada,40,Guild\nx1,Set X,002,Bo,20,\n"


def begun(*contents, name="x.csv", counts_from=DAY, set_code=""):
    files = [(f"{number}-{name}" if number else name, content) for number, content in enumerate(contents)]
    files = [(name, content.encode() if isinstance(content, str) else content) for name, content in files]
    return begin_import(name=name, reading=Kept(kept_uploads(files, "", set_code)), counts_from=counts_from)


def units(*numbered):
    unit = {"set_id": "x1", "type": "character"}
    return json.dumps([{**unit, "collector_number": number, "name": name} for number, name in numbered])


def planned(*contents, **more):
    return plan_more(reading_of=begun(*(contents or [SHEET]), **more))


def applied(*contents, **more):
    return apply_import(planned=planned(*contents, **more))


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

    def test_many_records_are_applied_in_parts(self, monkeypatch):
        monkeypatch.setattr(imports, "IN_MEMORY", 2)
        applied(SHEET)
        row = planned(SHEET.replace("40", "45") + "x1,,003,Cy,3,\nx1,,004,Di,4,\n,,005,Ed,4,\n")
        loaded = apply_import(planned=row)
        assert (loaded.added, list(loaded.changed)) == (["x1/003", "x1/004"], ["x1/001"])
        log = CatalogueChange.objects.filter(verb="apply-import").order_by("pk")
        assert [[change["element"] for change in entry.changes] for entry in log[1:]] == [
            ["x1/001", "x1/003"], ["x1/004"],
        ]  # fmt: skip

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

    def test_sound_records_are_applied_and_others_left_out(self):
        row = planned(SHEET + "x1,Set X,003,Cy,many,\n")
        assert outcomes(row) == {"added": 2, "left-out": 1}
        assert apply_import(planned=row).added == ["x1/001", "x1/002"]
        assert not Element.objects.filter(number="003").exists()

    @pytest.mark.parametrize("apart", [False, True])
    def test_of_two_records_of_one_number_the_later_counts(self, apart):
        line = "x1,Set X,001,Ada again,10,\n"
        row = planned(SHEET, SHEET.split("\n", maxsplit=1)[0] + "\n" + line) if apart else planned(SHEET + line)
        assert outcomes(row) == {"added": 2, "left-out": 1}
        left_out = row.lines.get(outcome="left-out")
        assert (left_out.file, left_out.where, left_out.name) == ("x.csv", "line 2", "Ada")
        assert ("1-x.csv, line 2" if apart else "x.csv, line 4") in left_out.faults[0][1]
        apply_import(planned=row)
        assert Element.objects.get(code="x1/001").facts_on(DAY).name == "Ada again"

    @pytest.mark.parametrize(
        ("content", "where", "later"),
        [
            ("set,code,name\nx1,a,Ada\nx1,b,Bo\nx1,A,Cy\n", "line 2", "line 4"),
            ("set,code,number,name\nx1,a,1,Ada\nx1,b,2,Bo\nx1,a,3,Cy\n", "line 2", "line 4"),
            (units(("1.0", "Ada"), ("2", "Bo"), ("10", "Cy")), "/0", "/2"),
        ],
    )
    def test_of_two_records_of_one_code_the_later_counts(self, content, where, later):
        row = planned(content)
        assert outcomes(row) == {"added": 2, "left-out": 1}
        left_out = row.lines.get(outcome="left-out")
        [(place, message)] = left_out.faults
        assert (left_out.where, left_out.name, place) == (where, "Ada", where)
        assert f"x.csv, {later}, has the same code, x1/" in message
        assert len(apply_import(planned=row).added) == 2
        assert set(Element.objects.values_list("name", flat=True)) == {"Bo", "Cy"}
        assert outcomes(planned(content)) == {"unchanged": 2, "left-out": 1}

    def test_a_record_that_only_a_replaced_one_stands_against_is_imported(self):
        row = planned("set,code,number,name\nx1,a,1,Ada\nx1,a,2,Bo\nx1,b,2,Cy\n")
        assert {line.name: line.outcome for line in row.lines.all()} == {
            "Ada": "added", "Bo": "left-out", "Cy": "added",
        }  # fmt: skip
        assert apply_import(planned=row).added == ["x1/a", "x1/b"]

    def test_the_longest_code_and_name_are_imported(self):
        applied(f"set,code,name\n{'s' * 40},{'c' * 79},{'n' * 160}\n")
        applied(f"set,code,name,points\n{'s' * 40},{'c' * 79},{'n' * 160},40\n")
        assert Correction.objects.get().element.code == f"{'s' * 40}/{'c' * 79}"
        assert len(Correction.objects.get().code) <= Correction._meta.get_field("code").max_length

    def test_every_fault_of_a_line_is_named(self):
        row = planned("set,number,name,points,rank,range,starts\nx1,1,Ada,many,duke,far,100:x\n,2,,1,king,,\n")
        first, second = row.lines.all()
        assert [message.partition(":")[0] for _where, message in first.faults] == ["points", "range", "starts", "rank"]
        assert [message.partition(":")[0] for _where, message in second.faults] == [
            "The set is missing. Fill in the set column, or enter the set code when importing.", "name", "rank",
        ]  # fmt: skip

    def test_ten_thousand_faults_of_one_record_are_bounded(self):
        row = planned(json.dumps([{"set_id": "x1", "type": "feat", "name": "A", "point_values": ["x"] * 10_000}]))
        assert len(row.lines.get().faults) == 1
        row = planned(json.dumps([{"set_id": "x1", "type": "character", "name": "A", "dial": [{}] * 10_000}]))
        assert len(row.lines.get().faults) == 200

    def test_a_later_record_at_fault_replaces_nothing(self):
        row = planned(SHEET + "x1,Set X,001,Ada again,many,\n")
        apply_import(planned=row)
        assert Element.objects.get(code="x1/001").facts_on(DAY).name == "Ada"

    def test_an_element_never_changes_its_section(self):
        applied()
        row = planned("set,number,name,section,code\nx1,001,Ada,feats,001\n")
        assert outcomes(row) == {"left-out": 1}
        assert "under characters" in row.lines.get().faults[0][1]

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
        row = begun(SHEET.split("\n", maxsplit=1)[0] + "\n" + "".join(lines))
        steps = 0
        while row.state == Import.State.PLANNING:
            row = plan_more(reading_of=row, at_once=7)
            steps += 1
        assert steps == 5
        assert list(row.lines.values_list("order", flat=True)) == list(range(1, 31))
        assert outcomes(row) == {"added": 30}

    def test_a_number_twice_in_different_steps(self):
        content = "set,number,name\n" + "".join(f"x1,{number},N\n" for number in (1, 2, 3, 1))
        row = begun(content)
        for _step in range(2):
            row = plan_more(reading_of=row, at_once=3)
        assert outcomes(row) == {"added": 3, "left-out": 1}

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
        assert outcomes(planned(sheet.replace("ada-late", "ada late"))) == {"unchanged": 1, "left-out": 1}

    def test_queries_do_not_grow_with_the_file(self, django_assert_max_num_queries):
        content = "set,number,name,teams\n" + "".join(f"x1,{number},N,A|B\n" for number in range(400))
        with django_assert_max_num_queries(65):
            applied(content)
        with django_assert_max_num_queries(65):
            applied(content.replace(",N,", ",M,"))
        with django_assert_max_num_queries(65):
            applied(content)


@pytest.mark.django_db
@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200) | st.text(max_size=80).map(lambda text: f"name,set\n{text}".encode()))
def test_any_bytes_give_a_plan_or_a_clear_fault(content):
    try:
        row = begun(content, name="any", set_code="x1")
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
        assert line.message or line.faults or line.outcome in ("added", "changed", "unchanged")


UNIT = '[{"set_id": "x2", "collector_number": "9", "name": "Café", "type": "character", "point_values": [30]}]'


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

    def test_faults_by_line(self, tmp_path, capsys):
        with pytest.raises(CommandError, match="--strict allows no faults"):
            self.run(tmp_path, capsys, SHEET.replace("40", "forty"), "--apply", "--strict")
        assert "line 2: Ada: points: This must be a whole number" in capsys.readouterr().out
        assert not Element.objects.exists()
        assert "Applied: 1 added" in self.run(tmp_path, capsys, SHEET.replace("40", "forty"), "--apply").out

    @pytest.mark.parametrize(
        ("name", "content", "is_said"),
        [("x.csv", SHEET.replace("Ada", "Зоя"), True), ("x.csv", SHEET, False), ("x.json", UNIT, True)],
    )
    def test_a_file_of_no_known_encoding_is_named(self, tmp_path, capsys, name, content, is_said):
        path = tmp_path / name
        path.write_bytes(content.encode("cp1251" if "Зоя" in content else "cp1252"))
        call_command("import_catalogue", str(path))
        assert (f"{name}: not UTF-8, read as Windows-1252. Check its names." in capsys.readouterr().out) is is_said

    def test_a_folder_a_zip_and_standard_input(self, tmp_path, capsys, monkeypatch):
        unit = {"set_id": "x2", "collector_number": "9", "name": "Cy", "type": "character", "point_values": [30]}
        wharf = {**unit, "collector_number": "10", "type": "map"}
        folder = tmp_path / "sets"
        (folder / "deep" / "__MACOSX").mkdir(parents=True)
        (folder / "a.csv").write_text(SHEET, encoding="utf-8")
        (folder / "deep" / "b.json").write_text(json.dumps({"results": [unit, wharf]}), encoding="utf-8")
        (folder / "deep" / "patch.JSON").write_text('{"updates": [], "a": 1, "a": 2}', encoding="utf-8")
        (folder / "deep" / "c.json").write_text('[{"name": ', encoding="utf-8")
        (folder / "deep" / "__MACOSX" / "d.json").write_text("[", encoding="utf-8")
        (folder / "read.me").write_text("no", encoding="utf-8")
        with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
            for path in folder.rglob("*.*"):
                archive.write(path, path.relative_to(folder))
        expected = {
            "applied": False, "files": 4, "files_passed_over": 1, "records": 4, "added": 3, "changed": 0,
            "unchanged": 0, "left_out": 0, "passed_over": {"map": 1}, "faults": [],
        }  # fmt: skip
        for path in (folder, tmp_path / "all.zip"):
            with pytest.raises(CommandError, match="1 of 4 files can't be read") as ended:
                call_command("import_catalogue", str(path), "--json")
            assert ended.value.returncode == 2
            report = json.loads(capsys.readouterr().out.splitlines()[-1])
            [unreadable] = report.pop("unreadable")
            assert (unreadable["file"], "line 1" in unreadable["message"]) == ("deep/c.json", True)
            assert report == expected
        with pytest.raises(CommandError, match="can't be read"):
            call_command("import_catalogue", str(folder), str(tmp_path / "nothing"), "--json", "--apply")
        report = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert (report["applied"], report["files"], Element.objects.count()) == (True, 5, 3)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SHEET.encode()), encoding="utf-8"))
        call_command("import_catalogue", "-")
        assert "2 unchanged" in capsys.readouterr().out

    def test_a_zip_of_a_million_entries_is_refused_before_its_directory_is_read(self, tmp_path, capsys):
        path = tmp_path / "million.zip"
        path.write_bytes(of_a_million_entries())
        tracemalloc.start()
        with pytest.raises(CommandError, match="at most 5000 files"):
            call_command("import_catalogue", str(path), "--apply")
        _now, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 5 * 1024**2
        assert not Element.objects.exists()

    def test_the_report_counts_and_names_faults(self, tmp_path, capsys):
        said = self.run(tmp_path, capsys, SHEET + "x1,Set X,003,Cy,many,\nx1,Set X,002,Bo again,2,\n", "--json")
        report = json.loads(said.out.splitlines()[-1])
        assert report["records"] == 4 == report["added"] + report["left_out"]
        places = [(fault["file"], fault["where"]) for fault in report["faults"]]
        assert places == [("x.csv", "line 3"), ("x.csv", "line 4")]
        assert report["faults"][1]["message"].startswith("points: This must be a whole number")

    def test_progress_of_a_large_file(self, tmp_path, capsys):
        content = "set,number,name\n" + "".join(f"x1,{number},N\n" for number in range(1200))
        said = self.run(tmp_path, capsys, content, "--apply")
        assert "500 records of 1 files read" in said.err
        assert "Applying the changes" in said.err
        assert "500 of 1200 records compared" in said.err
        assert "1200 of 1200 records compared" in said.err

    def test_unknown_fields_and_new_sets_are_reported(self, tmp_path, capsys):
        said = self.run(tmp_path, capsys, "set,name,tea\nx1,Ada,black\n")
        assert "Unknown field: tea (1 time)" in said.out
        assert "New set: x1" in said.out

    @pytest.mark.parametrize(
        ("content", "status", "says"),
        [
            (
                "set,points\nx1,4\n",
                0,
                "Nothing to import: line 1: The first line must contain the column names, including “name”.",
            ),
            ('{"updates": []}', 0, "The file must contain a list of units"),
            ("<svg/>", 0, "The file must contain a <set> of cards"),
            ("set,name\n", 0, "Nothing to import: The file contains no figures, objects or cards."),
            ('[{"name": ', 2, "This isn't valid JSON"),
            ("", 2, "The file is empty"),
        ],
    )
    def test_a_lone_file_without_records(self, tmp_path, capsys, content, status, says):
        if status:
            with pytest.raises(CommandError, match=says) as ended:
                self.run(tmp_path, capsys, content, "--json", "--apply")
            assert ended.value.returncode == status
            said = capsys.readouterr().out
        else:
            said = self.run(tmp_path, capsys, content, "--json", "--apply").out
        assert says in said
        report = json.loads(said.splitlines()[-1])
        assert [report[key] for key in ("applied", "files", "files_passed_over", "records", "added", "faults")] == [
            False, 1, 0 if status else 1, 0, 0, [],
        ]  # fmt: skip
        assert [one["file"] for one in report["unreadable"]] == ["x.csv"] * bool(status)

    def test_too_much_altogether_imports_nothing_and_reports_it(self, tmp_path, capsys, monkeypatch):
        monkeypatch.setattr("rules.importers.bundle.MAX_FILES", 1)
        (tmp_path / "a.csv").write_text(SHEET, encoding="utf-8")
        with pytest.raises(CommandError, match="at most 1 files") as ended:
            self.run(tmp_path, capsys, SHEET, str(tmp_path / "a.csv"), "--json", "--apply")
        assert ended.value.returncode == 2
        report = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert (report["applied"], report["records"], len(report["unreadable"])) == (False, 0, 1)
        assert not Element.objects.exists()

    def test_what_cannot_be_read(self, tmp_path, capsys):
        with pytest.raises(CommandError, match="nothing: The file can't be read: No such file"):
            call_command("import_catalogue", str(tmp_path / "nothing"))
        with pytest.raises(CommandError, match="must be a date"):
            self.run(tmp_path, capsys, SHEET, "--from", "soon")
        with pytest.raises(CommandError, match="valid XML"):
            self.run(tmp_path, capsys, "<set>", "--layout", "octgn")


def upload(client, content=SHEET, name="x.csv", **more):
    sent = {"file": SimpleUploadedFile(name, content.encode()), "counts_from": "2020-05-01", "layout": "", **more}
    return client.post(reverse("rules:imports"), sent)


@pytest.fixture
def later(monkeypatch):
    """Give work on 30 records to other processes; return a function that does it, in this one."""
    given = []
    monkeypatch.setattr(import_jobs, "SMALL", 100)
    monkeypatch.setattr(import_jobs, "AT_ONCE", 20)
    monkeypatch.setattr(import_jobs, "beside", lambda _pk, work: given.append(work))
    monkeypatch.setattr(import_jobs, "apart", lambda function, *args, **_limits: function(*args))
    return lambda: [given.pop(0)() for _work in list(given)]


MANY = "set,number,name,points\n" + "".join(f"x1,{number},N\n" for number in range(30))


class TestLongWork:
    def test_a_large_file_is_read_while_its_page_says_how_far(self, office_client, later, monkeypatch):
        answer = upload(office_client, MANY)
        page = office_client.get(answer["Location"]).content.decode()
        assert "Reading x.csv" in page
        assert "0 records so far" in page
        assert '<meta http-equiv="refresh" content="2">' in page
        assert "<progress" in page
        pages = []

        def told(files, records):
            if records in (1, 21):
                pages.append(office_client.get(answer["Location"]).content.decode())

        real = import_jobs.kept_uploads
        monkeypatch.setattr(import_jobs, "TOLD_EVERY", -1)
        monkeypatch.setattr(
            import_jobs, "kept_uploads", lambda *args: real(*args[:3], lambda *how: [args[3](*how), told(*how)])
        )
        later()
        assert "1 record so far" in pages[0]
        assert "21 records so far" in pages[1]
        assert "30 items to add or change" in office_client.get(answer["Location"]).content.decode()

    def test_a_large_file_that_cannot_be_read(self, office_client, later):
        answer = upload(office_client, MANY + '"')
        later()
        page = office_client.get(answer["Location"]).content.decode()
        assert "line 32: This line can&#x27;t be read" in page
        assert f'href="{reverse("rules:imports")}">Choose other files' in page
        assert Import.objects.get().state == "failed"

    def many_planned(self):
        row = planned(MANY)
        return reverse("rules:import-apply", args=[row.pk]), reverse("rules:import", args=[row.pk])

    def test_many_changes_are_applied_while_the_page_says_so(self, office_client, later):
        apply, address = self.many_planned()
        page = office_client.post(apply, follow=True).content.decode()
        assert "Importing x.csv" in page
        assert "0 seconds so far" in page
        assert '<meta http-equiv="refresh" content="2">' in page
        assert "can&#x27;t be applied now" in office_client.post(apply, follow=True).content.decode()
        assert not Element.objects.exists()
        later()
        page = office_client.get(address).content.decode()
        assert "30 items added or changed." in page
        assert 'http-equiv="refresh"' not in page
        assert Element.objects.count() == 30

    @pytest.mark.parametrize(
        ("fault", "says"),
        [
            (Stopped("The file took too long."), "The file took too long."),
            (OSError("disk"), "The import was interrupted. Nothing was changed. Try again."),
            (BadFacts("x1/1", "This is odd."), "Nothing was changed. x1/1: This is odd."),
        ],
    )
    def test_an_import_that_fails_is_a_preview_again_and_says_why(self, office_client, later, monkeypatch, fault, says):
        def fails(*_args, **_limits):
            raise fault

        apply, address = self.many_planned()
        office_client.post(apply)
        monkeypatch.setattr(import_jobs, "apply_import", fails)
        later()
        page = office_client.get(address).content.decode()
        assert says in page
        assert "Apply import" in page

    @pytest.mark.parametrize(("state", "after"), [("reading", "failed"), ("applying", "planned")])
    def test_work_that_ended_with_its_server(self, office_client, state, after):
        row = planned()
        address = reverse("rules:import", args=[row.pk])
        Import.objects.update(state=state, worked=timezone.now() - datetime.timedelta(seconds=600))
        assert 'http-equiv="refresh"' in office_client.get(address).content.decode()
        Import.objects.update(worked=timezone.now() - datetime.timedelta(seconds=631))
        assert (
            "The import was interrupted. Nothing was changed. Try again." in office_client.get(address).content.decode()
        )
        assert Import.objects.get().state == after

    @pytest.mark.parametrize(("state", "after"), [("reading", "failed"), ("applying", "planned")])
    def test_work_whose_server_stopped_says_so_at_the_next_look(self, office_client, state, after, settings, tmp_path):
        settings.DATA_DIR = tmp_path
        row = planned()
        listed, address = reverse("rules:imports"), reverse("rules:import", args=[row.pk])
        Import.objects.update(state=state, worked=timezone.now())
        with import_jobs.lock_of(row.pk).open("wb") as lock:
            lock_until_closed(lock.fileno())
            office_client.get(listed)
            assert 'http-equiv="refresh"' in office_client.get(address).content.decode()
        office_client.get(listed)
        assert Import.objects.get().state == after
        assert (
            "The import was interrupted. Nothing was changed. Try again." in office_client.get(address).content.decode()
        )
        assert not import_jobs.lock_of(row.pk).exists()

    def test_the_server_holds_an_imports_file_while_it_works(self, settings, tmp_path):
        settings.DATA_DIR = tmp_path
        row, begun, done = planned(), threading.Event(), threading.Event()
        row.state, row.worked = "applying", None
        import_jobs.beside(row.pk, lambda: [begun.set(), done.wait(20)])
        assert begun.wait(20)
        state = import_jobs.settled(row).state
        done.set()
        assert state == "applying"

    def test_what_was_read_after_it_was_given_up_is_dropped(self, office_client, later):
        upload(office_client, MANY)
        Import.objects.update(state="failed")
        later()
        assert bytes(Import.objects.get().content) == b""


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

    def test_differences_and_faults_are_shown(self, office_client):
        applied()
        upload(office_client, SHEET.replace("40", "45").replace(",20,", ",oops,"))
        address = reverse("rules:import", args=[Import.objects.latest("pk").pk])
        page = office_client.get(address).content.decode()
        assert "<s>40</s> → <strong>45</strong>" in page
        assert "points: This must be a whole number" in page
        assert "line 3" in page
        assert "Import 1 valid record" in page
        assert "1 record has faults and is left out." in page
        left_out = office_client.get(f"{address}?outcome=left-out")
        assert "45" not in left_out.content.decode().split("<tbody")[1].split("</tbody")[0]
        office_client.post(reverse("rules:import-apply", args=[Import.objects.latest("pk").pk]))
        assert Element.objects.get(code="x1/001").facts_on(DAY).points == 45

    def test_the_place_of_a_records_only_fault_is_shown(self, office_client):
        unit = {"set_id": "x1", "type": "character", "collector_number": "1", "name": "Ada"}
        content = json.dumps(
            [unit, {**unit, "collector_number": "2", "dial": [{"click_number": 1, "speed_value": "?"}]}]
        )
        page = office_client.get(upload(office_client, content, "x.json")["Location"]).content.decode()
        assert "<li>/1/dial/0/speed_value: This must be a whole number" in page

    def test_several_files_without_records_are_named_with_their_reasons(self, office_client):
        files = [SimpleUploadedFile("a.csv", b"set,points\nx1,4\n"), SimpleUploadedFile("b.json", b"[{")]
        sent = {"file": files, "counts_from": "2020-05-01", "layout": ""}
        page = office_client.post(reverse("rules:imports"), sent).content.decode()
        assert "a.csv: line 1: The first line must contain the column names" in page
        assert "b.json: This isn&#x27;t valid JSON" in page

    def test_several_files_and_a_zip_at_once(self, office_client, later):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("deep/b.csv", "set,number,name,points\nx1,002,Bo,many\n")
            archive.writestr("deep/c.json", "[{")
            archive.writestr("deep/d.json", "{}")
        files = [
            SimpleUploadedFile("a.csv", b"set,number,name\nx1,001,Ada\n"),
            SimpleUploadedFile("all.zip", packed.getvalue()),
        ]
        sent = {"file": files, "counts_from": "2020-05-01", "layout": ""}
        address = office_client.post(reverse("rules:imports"), sent)["Location"]
        later()
        page = office_client.get(address).content.decode()
        assert "a.csv, all.zip" in page
        assert "1 item to add or change" in page
        assert "<strong>deep/c.json</strong> " in page
        assert "1 file contains no catalogue records." in page
        assert "deep/b.csv line 2" in page

    def test_a_zip_of_a_million_entries(self, office_client, later):
        packed = SimpleUploadedFile("million.zip", of_a_million_entries())
        answer = office_client.post(
            reverse("rules:imports"), {"file": [packed], "counts_from": "2020-05-01", "layout": ""}
        )
        later()
        assert "at most 5000 files" in office_client.get(answer["Location"]).content.decode()
        assert Import.objects.get().state == "failed"

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

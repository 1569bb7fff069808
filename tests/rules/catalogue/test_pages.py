"""The catalogue's pages through requests: search, an element with its dial, corrections."""

import datetime
from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules.importers.kept import Kept, kept_uploads
from rules.models import Correction, Element, Set
from rules.services.catalogue import correct_element
from rules.services.imports import plan_files
from rules.uploads import Unreadable


def page(client, code, query=""):
    answer = client.get(reverse("rules:element", args=code.split("/", 1)) + query)
    assert answer.status_code == 200
    return answer.content.decode()


class TestSearch:
    def test_everyone_may_search(self, client, library):
        answer = client.get(reverse("rules:catalogue"), {"q": "lamplighter", "edition": "core-2014"})
        text = answer.content.decode()
        assert "Shattered Tides 020" in text
        assert "13 elements" not in text
        assert "Imports" not in text

    @pytest.mark.parametrize(
        "query", ["", "?q=a", "?power=Outwit&points_to=80&keyword=Undertow", "?sort=-points&page=2"]
    )
    def test_the_number_of_queries_stays_the_same(self, client, library, query, django_assert_max_num_queries):
        with django_assert_max_num_queries(10):
            assert client.get(reverse("rules:catalogue") + query).status_code == 200

    @pytest.mark.parametrize(
        "query",
        [
            "?points_from=many",
            "?date=soon",
            "?set=nothing",
            "?what=soup",
            "?page=9999",
            "?q=" + "x" * 500,
            "?sort=soup",
        ],
    )
    def test_odd_questions_get_a_page(self, client, library, query):
        assert client.get(reverse("rules:catalogue") + query).status_code == 200

    def test_as_it_counted_on_a_day(self, client, library):
        def found(date):
            return (
                "Pyro"
                in client.get(reverse("rules:catalogue"), {"team": "The Brotherhood", "date": date}).content.decode()
            )

        assert not found("2002-09-01")
        assert found("2002-10-01")

    def test_every_column_sorts(self, client, library):
        for column in ("name", "-points", "rank", "set", "kind"):
            assert client.get(reverse("rules:catalogue"), {"sort": column}).status_code == 200

    def test_results_are_in_four_tabs(self, client, library):
        def tabs(query):
            results = client.get(reverse("rules:catalogue") + query).context["results"]
            names = [row.name for row in results.rows]
            return (
                {tab.name: tab.count for tab in results.tabs},
                [tab.name for tab in results.tabs if tab.is_open],
                names,
            )

        counts, [opened], names = tabs("?all=1")
        of_section = Counter(Element.objects.values_list("section", flat=True))
        assert (counts["figures"], counts["feats"]) == (of_section["characters"], of_section["feats"])
        assert (opened, len(names), sum(counts.values())) == ("figures", counts["figures"], of_section.total())
        assert tabs("?q=slipery") == ({"figures": 0, "feats": 1, "objects": 0, "more": 0}, ["feats"], ["Slippery"])
        assert tabs("?q=dumpster&tab=feats")[1:] == (["objects"], ["Dumpster", "Dumpster"])  # an empty tab isn't opened
        assert tabs("?all=1&tab=more")[1] == ["more"]
        assert tabs("?all=1&tab=soup")[1] == ["figures"]

    def test_it_says_how_the_words_were_understood(self, client, library):
        text = client.get(reverse("rules:catalogue"), {"q": "lampligther"}).text
        assert "Showing results for <strong>lamplighter</strong>" in text
        assert (
            "No item contains all of these words"
            in client.get(reverse("rules:catalogue"), {"q": "lamplighter zebra"}).text
        )

    def test_it_opens_on_the_sets_last_used(self, client, other_client, library):
        def opened_on(visitor):
            results = visitor.get(reverse("rules:catalogue")).context["results"]
            assert {row.element.set for row in results.rows} <= set(results.sets)
            return [one.code for one in results.sets]

        imported = opened_on(client)
        last = Element.objects.select_related("set").latest("pk").set.code
        assert imported[0] == last
        other_client.get(reverse("rules:set", args=["ic"]))
        other_client.get(reverse("rules:catalogue"), {"set": "night-ledger"})
        other_client.get(reverse("rules:catalogue"), {"set": "nowhere"})
        assert opened_on(other_client) == ["night-ledger", "ic"]
        client.get(reverse("rules:set", args=["ic"]))
        assert opened_on(client) == imported  # a visitor without a session gets none
        assert not client.cookies

    def test_a_field_suggests_names(self, client, library):
        address = reverse("rules:suggestions")
        assert client.get(address, {"power": "outw"}).text == '<option value="Outwit"></option>'
        assert '<option value="Harbour Watch">' in client.get(address, {"team": "harb"}).text
        assert client.get(address).text == client.get(address, {"power": "<script>"}).text == ""


class TestElement:
    def test_a_dial_as_a_table(self, client, library):
        text = page(client, "brass-harbour/009")
        assert text.count('class="ko"') == 4 * 4
        assert 'class="power power-gray" title="Running Shot"' in text
        assert "clicks 1–4" in text

    def test_the_base_is_turned_click_by_click(self, client, library):
        assert "The stat slot at click 1: 9 Running Shot, 10 Energy Explosion" in page(client, "brass-harbour/009")
        assert "The stat slot at click 8: 6, 7, 13, 1 Perplex" in page(client, "brass-harbour/009", "?click=8")
        assert "The stat slot at click 12: KO" in page(client, "brass-harbour/009", "?click=99")
        for odd in ("?click=-1", "?click=x", "?click=²", "?date=never", "?date=0001-01-01", "?date=9999-12-31"):
            page(client, "brass-harbour/009", odd)

    def test_several_point_values_show_where_they_start(self, client, library):
        text = page(client, "night-ledger/010")
        assert text.count('<td class="start">') == 3
        assert "75/50/25" in text

    def test_a_figure_of_which_the_book_says_little(self, client, library):
        text = page(client, "icons/joker")
        assert "have this combat dial" in text
        assert "Enter the printed points when you add this item to a force." in text
        assert "DC starter set (2005) · Quick-Start Rules" in text

    def test_corrections_with_their_day_and_citation(self, client, library):
        text = page(client, "ic/92")
        assert "effective from 20 September 2002" in text
        assert reverse("rules:section", args=["car-2002", "official-heroclix-corrections/figure-corrections"]) in text
        cited = "Compiled and Annotated (2002) · Official HeroClix Corrections › Figure Corrections"
        assert cited in text
        assert cited in client.get(reverse("rules:corrections")).text
        assert "<dd>The Brotherhood</dd>" in text
        assert "<dd>Masters of Evil</dd>" in page(client, "ic/92", "?date=2002-09-01")

    def test_every_element_has_a_page_in_few_queries(self, client, library, django_assert_max_num_queries):
        for code in Element.objects.order_by("?").values_list("code", flat=True)[:40]:
            with django_assert_max_num_queries(8):
                page(client, code)

    def test_nothing_there(self, client, library):
        assert client.get(reverse("rules:element", args=["ic", "nobody"])).status_code == 404


class TestCorrections:
    def fields(self, code, **changed):
        from rules.forms import CorrectionForm
        from rules.services.catalogue import own_facts

        element = Element.objects.select_related("set").get(code=code)
        facts = own_facts(element.facts_on())
        form = CorrectionForm(section=element.section, facts=facts)
        sent = {name: form[name].value() or "" for name in form.fields}
        sent |= {"text": "As the publisher says.", "from_date": "2003-02-01", "version": str(element.version)}
        return sent | changed

    def address(self, code):
        return reverse("rules:element-correct", args=code.split("/", 1))

    def test_the_list(self, client, library):
        text = client.get(reverse("rules:corrections")).content.decode()
        assert "Mastermind instead of Shape Change" in text
        assert text.count("Riddler") == 3

    def test_only_the_office_corrects(self, client, other_client, library):
        address = self.address("brass-harbour/009")
        assert client.get(address).status_code == 302
        assert other_client.get(address).status_code == 403
        assert other_client.post(address, self.fields("brass-harbour/009", fact_points="60")).status_code == 403
        assert Correction.objects.count() == 7

    def test_a_correction_is_previewed_before_it_is_recorded(self, office_client, library):
        code = "brass-harbour/009"
        sent = self.fields(code, fact_points="60", fact_speed="9 9 8 8 8 7 7 6 | Charge 1-4")
        shown = office_client.post(self.address(code), sent)
        text = shown.content.decode()
        assert shown.status_code == 409
        assert "points: 57 → 60" in text
        assert "combat dial, click 1" in text
        assert Correction.objects.count() == 7
        answer = office_client.post(self.address(code), {**sent, "confirmed": "yes"})
        assert answer.status_code == 302
        row = Correction.objects.get(element__code=code)
        assert set(row.changes) == {"points", "dial"}
        element = Element.objects.get(code=code)
        assert element.facts_on(datetime.date(2003, 1, 31)).points == 57
        assert element.facts_on(datetime.date(2003, 2, 1)).document["dial"][3]["powers"]["speed"] == "Charge"

    def test_unchanged_fields_are_no_correction(self, office_client, library):
        answer = office_client.post(self.address("brass-harbour/009"), self.fields("brass-harbour/009"))
        assert answer.status_code == 400
        assert "changed anything" in answer.content.decode()

    @pytest.mark.parametrize(
        "code",
        ["shattered-tides/020", "gaslight-society/feat-wound-tight-f04", "shattered-tides/team-harbour-watch-t01"],
    )
    def test_special_powers_and_prerequisites_survive(self, office_client, library, code):
        before = Element.objects.get(code=code).facts_on().document
        sent = {**self.fields(code, fact_text="A new note."), "confirmed": "yes"}
        assert office_client.post(self.address(code), sent).status_code == 302
        after = Element.objects.get(code=code).facts_on().document
        assert after == {**before, "text": "A new note."}

    @pytest.mark.parametrize(
        ("field", "value", "says"),
        [
            ("fact_points", "many", "must be a whole number, not"),
            ("fact_rank", "emperor", "must be one of rookie"),
            ("fact_speed", "9 9", "clicks"),
            ("fact_name", "", "is required"),
        ],
    )
    def test_faults_are_reported(self, office_client, library, field, value, says):
        answer = office_client.post(
            self.address("brass-harbour/009"), self.fields("brass-harbour/009", **{field: value})
        )
        assert answer.status_code == 400
        assert says in answer.content.decode()

    def test_a_stale_form(self, office_client, library):
        code = "brass-harbour/009"
        sent = self.fields(code, fact_points="60")
        correct_element(
            element=Element.objects.get(code=code), from_date=datetime.date(2003, 1, 1), changes={"range": 9}
        )
        answer = office_client.post(self.address(code), {**sent, "confirmed": "yes"})
        assert answer.status_code == 400
        assert "Someone else has corrected this" in answer.content.decode()

    def test_withdrawing_is_confirmed(self, office_client, library):
        row = Correction.objects.get(element__code="ic/92")
        address = reverse("rules:correction-withdraw", args=[row.pk])
        assert office_client.post(address).status_code == 409
        assert office_client.post(address, {"confirmed": "yes"}).status_code == 302
        assert Element.objects.get(code="ic/92").facts_on().document["teams"] == ["Masters of Evil"]
        text = page(office_client, "ic/92")
        assert "withdrawn" in text


class TestSets:
    def test_everyone_sees_them(self, client, library, django_assert_max_num_queries):
        with django_assert_max_num_queries(5):
            text = client.get(reverse("rules:sets")).content.decode()
        assert "The Gaslight Society" in text
        text = client.get(reverse("rules:set", args=["ic"])).content.decode()
        assert "set's figures" in text
        assert "<form" not in text.split("<main")[1].split("</main")[0]
        assert client.get(reverse("rules:set", args=["nothing"])).status_code == 404

    def test_a_set_lists_its_items_by_collector_number(self, client, library, django_assert_max_num_queries):
        with django_assert_max_num_queries(4):
            page = client.get(reverse("rules:set", args=["ic"])).content.decode()
        order = [page.index(f">{number}</td>") for number in ("92", "93", "121")]
        assert order == sorted(order)
        assert page.count("<tr") == 1 + Set.objects.get(code="ic").elements.count()

    def test_the_office_says_the_street_date(self, office_client, other_client, library):
        address = reverse("rules:set", args=["ic"])
        sent = {
            "name": "Marvel Infinity Challenge",
            "universe": "marvel",
            "street_date": "2002-05-01",
            "year": "2002",
            "edition": "ic-2002",
        }
        assert other_client.post(address, sent).status_code == 403
        assert office_client.post(address, sent).status_code == 302
        assert Element.objects.get(code="ic/kingpin-rookie").facts_on().document["street_date"] == "2002-05-01"
        assert "1 May 2002" in office_client.get(address).content.decode()
        refused = office_client.post(address, {**sent, "street_date": "soon", "name": ""})
        assert refused.status_code == 400
        assert "<h1>Marvel Infinity Challenge</h1>" in refused.content.decode()


class TestSpreadsheet:
    @pytest.mark.parametrize("query", ["", "?set=night-ledger"])
    def test_an_exported_catalogue_can_be_imported_and_changes_nothing(
        self, client, library, query, django_assert_max_num_queries
    ):
        with django_assert_max_num_queries(5):
            answer = client.get(reverse("rules:catalogue-sheet") + query)
        assert answer["Content-Type"].startswith("text/csv")
        reading = Kept(kept_uploads([("x.csv", answer.content)], "", ""))
        lines = [line for some in plan_files(reading, datetime.date(2026, 1, 1)) for line in some]
        assert {line.outcome for line in lines} <= {"unchanged"}, [line.differences or line.faults for line in lines]
        shown = client.get(reverse("rules:catalogue") + (query or "?all=1")).context["results"]
        assert len(lines) == sum(tab.count for tab in shown.tabs)

    def test_an_empty_one_has_nothing_to_import(self, client, library):
        answer = client.get(reverse("rules:catalogue-sheet") + "?q=nothing-at-all")
        with pytest.raises(Unreadable, match="contains no figures, objects or cards"):
            Kept(kept_uploads([("x.csv", answer.content)], "", ""))


class TestRulingsAboutAFigure:
    def test_a_figure_shows_the_rulings_that_name_it(self, client, library):
        row = Element.objects.get(name="Man-Bat", number="40")
        text = page(client, f"{row.set.code}/{row.own_code}")
        assert reverse("rules:ruling", args=["car-2002", "correction-man-bat-40"]) in text
        assert reverse("rules:ruling", args=["car-2002", "correction-pyro-92"]) not in text

    def test_another_figure_shows_none(self, client, library):
        assert "/rulings/" not in page(client, "brass-harbour/009")


class TestApi:
    def test_it_is_the_same_search(self, client, library):
        found = client.get("/api/elements", {"q": "lampligther", "set": "brass-harbour"}).json()
        assert found["corrected"] == "lamplighter"
        assert found["count"] == len(found["elements"])
        assert {one["set"] for one in found["elements"]} == {"brass-harbour"}
        assert found["elements"][0]["address"].startswith("/rules/catalogue/elements/brass-harbour/")
        page = client.get(reverse("rules:catalogue"), {"q": "lampligther", "set": "brass-harbour"})
        assert [one["name"] for one in found["elements"]] == [row.name for row in page.context["results"].rows]

    def test_odd_questions_get_an_answer(self, client, library):
        assert client.get("/api/elements").json()["count"] == Element.objects.count()
        assert client.get("/api/elements", {"q": '"*\0', "set": "nowhere"}).json()["elements"] == []
        for wrong in ({"limit": 101}, {"limit": "x"}, {"date": "soon"}, {"q": "x" * 201}):
            assert client.get("/api/elements", wrong).status_code == 422


def test_a_search_asks_once_whether_its_index_is_up_to_date(library, client):
    for address in ("/rules/catalogue/?q=lampligther", "/api/elements?q=harbour"):
        client.get(address)
        with CaptureQueriesContext(connection) as asked:
            client.get(address)
        log = [query["sql"] for query in asked if "rules_cataloguechange" in query["sql"]]
        assert len(log) == 1, address

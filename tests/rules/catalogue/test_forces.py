"""The shipped catalogue allows legal and illegal forces in every edition, and the engine tells them apart."""

import pytest

from rules.documents import as_element, point_choices
from rules.engine import check_force
from rules.queries import elements_by_code

BRASS, GAS, TIDES, NIGHT = "brass-harbour", "gaslight-society", "shattered-tides", "night-ledger"


def report(edition, total, *codes, event=None, assigned=None, points=None, sideline=(), allowed_by=()):
    """Return the report on a force of catalogued elements; `assigned` maps codes of feats and cards to characters'."""
    found = elements_by_code([*codes, *sideline])
    force, refs = {}, {}
    for place, code in enumerate(codes):
        refs.setdefault(code, f"e{place}")
        version = found[code]
        element = as_element(
            version.element.section, version.document, ref=f"e{place}", points=(points or {}).get(code),
            assigned_to=[refs[to] for to in (assigned or {}).get(code, ())], edition=edition,
            made_for=version.element.set.edition,
        )  # fmt: skip
        force.setdefault(version.element.section, []).append(element)
    for place, code in enumerate(sideline):
        force.setdefault("sideline", []).append(as_element("characters", found[code].document, ref=f"s{place}"))
    if allowed_by:
        force["sideline_allowed_by"] = [refs[code] for code in allowed_by]
    given = {"build_total": total, "date": "2023-07-01", **(event or {})}
    answer = check_force({"id": "f", "edition": edition, "event": given, "force": force})
    assert "error" not in answer, answer
    return answer


LEGAL = {
    "ic-2002": (100, [f"{BRASS}/001", f"{BRASS}/009", f"{BRASS}/013", f"{BRASS}/object-mooring-post"], {}),
    "car-2002": (200, [f"{BRASS}/027", f"{BRASS}/009", f"{BRASS}/022", f"{BRASS}/object-street-lamp"], {}),
    "dc-2005": (
        200,
        [f"{GAS}/006", f"{GAS}/012", f"{GAS}/003", f"{GAS}/feat-wound-tight-f04", f"{GAS}/condition-pea-soup-c01"],
        {"assigned": {f"{GAS}/feat-wound-tight-f04": [f"{GAS}/012"]}},
    ),
    "core-2014": (
        300,
        [f"{TIDES}/020", f"{TIDES}/010", f"{TIDES}/003", f"{TIDES}/004", f"{TIDES}/team-harbour-watch-t01",
         f"{TIDES}/object-bollard", f"{TIDES}/object-fishmongers-table"],
        {"assigned": {f"{TIDES}/team-harbour-watch-t01": [f"{TIDES}/{n}" for n in ("020", "010", "003", "004")]}},
    ),
    "core-modern": (
        300,
        [f"{NIGHT}/021", f"{NIGHT}/020", f"{NIGHT}/010", f"{NIGHT}/other-lamplighters-pole-e01", f"{NIGHT}/object-strongbox-s01"],
        {"sideline": [f"{NIGHT}/021b", f"{NIGHT}/021c"], "allowed_by": [f"{NIGHT}/021"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("edition", LEGAL)
def test_a_legal_force(library, edition):
    total, codes, more = LEGAL[edition]
    answer = report(edition, total, *codes, **more)
    assert answer["violations"] == []
    assert answer["unchecked"] == []
    assert answer["legal"] is True


def test_its_theme(library):
    total, codes, more = LEGAL["core-2014"]
    assert report("core-2014", total, *codes, **more)["themed_team"]["keyword"] == "Harbour Watch"


ILLEGAL = [
    ("car-2002", 100, [f"{BRASS}/009", f"{BRASS}/010"], {}, {"archenemies"}),
    ("car-2002", 200, [f"{BRASS}/027", f"{BRASS}/101"], {}, {"unique"}),
    ("car-2002", 100, [f"{BRASS}/201", f"{BRASS}/001"], {}, {"promotional"}),
    ("car-2002", 300, [f"{BRASS}/028"], {"points": {f"{BRASS}/028": 150}}, {"point-value"}),
    ("car-2002", 100, [f"{BRASS}/001"], {"event": {"date": "2002-10-01"}}, {"product-not-yet-legal"}),
    ("car-2002", 100, [f"{BRASS}/001"], {"event": {"sets": ["ic"]}}, {"set-not-allowed"}),
    ("car-2002", 100, [f"{BRASS}/001", f"{GAS}/b01"], {}, {"not-in-edition"}),
    ("ic-2002", 100, [f"{BRASS}/025", f"{BRASS}/001"], {}, {"build-total"}),
    ("dc-2005", 200, [f"{GAS}/006", f"{GAS}/009"], {}, {"archenemies"}),
    ("dc-2005", 300, [f"{GAS}/014", f"{GAS}/014"], {}, {"unique"}),
    (
        "dc-2005", 100, [f"{GAS}/001", f"{GAS}/condition-pea-soup-c01", f"{GAS}/condition-lamps-out-c03"],
        {}, {"battlefield-condition-limit"},
    ),
    (
        "dc-2005", 100, [f"{GAS}/001", f"{GAS}/feat-wound-tight-f04"],
        {"assigned": {f"{GAS}/feat-wound-tight-f04": [f"{GAS}/001"]}}, {"feat-prerequisite"},
    ),
    ("core-2014", 300, [f"{TIDES}/040", f"{TIDES}/041"], {}, {"prime"}),
    ("core-2014", 200, [f"{TIDES}/030"], {}, {"build-total"}),
    (
        "core-2014", 200, [f"{TIDES}/003", f"{TIDES}/resource-the-tide-bell-r01", f"{TIDES}/object-gilded-figurehead-s02"],
        {}, {"resource-special-object"},
    ),
    (
        "core-2014", 100, [f"{TIDES}/010", f"{TIDES}/feat-cold-blooded-f03"],
        {"assigned": {f"{TIDES}/feat-cold-blooded-f03": [f"{TIDES}/010"]}}, {"feat-10-percent"},
    ),
    (
        "core-2014", 300, [f"{TIDES}/020", f"{TIDES}/021", f"{TIDES}/team-drowned-court-t02"],
        {}, {"team-ability-card-themed-team", "team-ability-card-assignment"},
    ),
    ("core-modern", 200, [f"{NIGHT}/040", f"{NIGHT}/041"], {}, {"prime"}),
    ("core-modern", 100, [f"{NIGHT}/001"], {"sideline": [f"{NIGHT}/021b"]}, {"sideline-not-allowed"}),
    ("core-modern", 100, [f"{NIGHT}/010"], {"points": {f"{NIGHT}/010": 60}}, {"point-value"}),
    ("core-modern", 300, [f"{NIGHT}/001", f"{GAS}/feat-wound-tight-f04"], {}, {"not-in-edition"}),
    ("core-modern", 300, [f"{NIGHT}/b01"], {}, {"no-character"}),
]  # fmt: skip


@pytest.mark.parametrize(("edition", "total", "codes", "more", "rules"), ILLEGAL)
def test_an_illegal_force(library, edition, total, codes, more, rules):
    answer = report(edition, total, *codes, **more)
    assert rules <= {each["rule"] for each in answer["violations"]}, answer
    assert answer["legal"] is False


def test_facts_missing_from_the_book_cannot_be_checked(library):
    """Here the feat of the 2005 example has no printed prerequisites, and its figures no dial."""
    robin, slippery = "icons/robin-rookie", "icons/feat-slippery"
    answer = report("dc-2005", 100, robin, slippery, assigned={slippery: [robin]})
    assert answer["violations"] == []
    assert "feat-prerequisite" in {each["rule"] for each in answer["unchecked"]}


def test_no_points_are_lost_between_catalogue_and_engine(library):
    codes = [f"{BRASS}/{number:03d}" for number in range(1, 25)]
    found = elements_by_code(codes)
    expected = sum(point_choices(found[code].document)[0] for code in codes)
    assert report("car-2002", 1000, *codes)["total"] == expected

"""Every kind of element is added to its own list of the force file, where its edition has it; else the rules say so."""

import pytest
from django.test import Client

from rules.documents import CHARACTER_KINDS, OBJECT_KINDS, OTHER_KINDS
from rules.engine import EDITIONS, check_force
from rules.models import Element
from rules.queries import search_elements
from rules.services.catalogue import NewElement, catalogue_elements, record_set

FREE = "/forces/check/"
RULED_BY_CARD = frozenset(OTHER_KINDS) - {"equipment", "id-card", "special-terrain"}
KINDS = [
    *(("characters", kind) for kind in CHARACTER_KINDS),
    *(("objects", kind) for kind in OBJECT_KINDS),
    *(("other", kind) for kind in OTHER_KINDS),
    *((section, "") for section in ("feats", "battlefield_conditions", "resources", "team_ability_cards")),
]


@pytest.fixture
def catalogue(db):
    """Create one element of each kind, named after it, and a Prime and a special object."""

    def element(section, name, **facts):
        cost = {"team_ability_cards": {"cost_per_character": 2}, "battlefield_conditions": {}}.get(
            section, {"points": 10}
        )
        return NewElement("set", section, {"name": name, "number": name, **cost, **facts})

    record_set(code="set", name="A Set")
    catalogue_elements(
        elements=[
            *(
                element(section, f"{section} {kind}".strip()[:20], **({"kind": kind} if kind else {}))
                for section, kind in KINDS
            ),
            element("characters", "first", rank="prime"),
            element("objects", "wondrous", kind="light", special=True),
        ]
    )


def check_of(edition: str, text: str) -> tuple[Client, dict]:
    """Add a list on the free check under an edition; return the client and the force file."""
    client = Client()
    client.post(FREE, {"act": "terms", "edition": edition, "build_total": 300, "format": "constructed"})
    assert client.post(FREE, {"act": "list-add", "text": text}).status_code == 302
    return client, client.get(f"{FREE}force.json").json()


def everything() -> str:
    return "\n".join(f"set {element.number}" for element in Element.objects.all())


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_kind_is_found_where_its_edition_has_it_and_stands_in_its_list(catalogue, edition):
    _client, document = check_of(edition, everything())
    placed = {(section, one["name"]): one["ref"] for section, ones in document["force"].items() for one in ones}
    assert set(placed) == set(Element.objects.values_list("section", "name"))
    foreign = {
        ref for one in check_force(document)["violations"] if one["rule"] == "not-in-edition" for ref in one["elements"]
    }
    assert foreign, "no edition has every kind"
    here = {(row.element.section, row.name) for row in search_elements(edition=edition)}
    assert here == {named for named, ref in placed.items() if ref not in foreign}


@pytest.mark.parametrize("kind", sorted(RULED_BY_CARD))
@pytest.mark.parametrize("edition", ["core-2014", "core-modern"])
def test_a_rule_that_only_its_card_knows_makes_the_verdict_cannot_tell(catalogue, edition, kind):
    client, document = check_of(edition, "other " + kind[:14] + "\ncharacters character")
    report = check_force(document)
    assert report["legal"]
    assert ("element-rules", "card") in {(one["rule"], one["needs"]) for one in report["unchecked"]}
    page = " ".join(client.get(FREE).content.decode().split())
    assert "the rules are on the card" in page
    assert "? </span> Can't tell" in page or "Can&#x27;t tell" in page


def test_every_kind_is_added_from_a_list_and_from_a_force_file_alike(catalogue):
    client, again = check_of("core-2014", everything())[0], Client()
    file = client.get(f"{FREE}force.json").content.decode()
    assert again.post(FREE, {"act": "list-add", "text": file}).status_code == 302
    first, second = client.get(f"{FREE}force.json").json(), again.get(f"{FREE}force.json").json()
    for section, elements in first["force"].items():
        assert sorted(one["name"] for one in elements) == sorted(one["name"] for one in second["force"][section])
    assert sum(map(len, first["force"].values())) == Element.objects.count()

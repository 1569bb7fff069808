"""Which kinds of elements each edition has, and which an event leaves out."""

from tests.rules.engine.force.forces import EDITIONS, checked, hero
from tests.rules.engine.golden import elements, rules
from tests.tables import every_row

HAVE = {
    "feats": ("dc-2005", "core-2014"),
    "battlefield_conditions": ("dc-2005", "core-2014"),
    "resources": ("core-2014", "core-modern"),
    "team_ability_cards": ("core-2014",),
    "other": ("core-modern",),
    "sideline": ("core-modern",),
}
MADE = {
    "feats": {"name": "Slippery", "points": 5, "assigned_to": ["a"], "requires": {}},
    "battlefield_conditions": {"name": "Fog"},
    "resources": {"name": "Belt", "points": 5},
    "team_ability_cards": {"name": "X", "cost_per_character": 2, "assigned_to": ["a", "b"], "requires": {}},
    "other": {"name": "Shield", "kind": "equipment", "points": 5},
    "sideline": {"name": "X", "points": 50, "ref": "x"},
}
PAIR = [hero("a", 40, keywords=["K"]), hero("b", 40, keywords=["K"])]


@every_row("edition", EDITIONS)
@every_row("sort", HAVE)
def test_sorts_of_elements(edition, sort):
    report = checked(edition, *PAIR, **{sort: [MADE[sort]]}, sideline_allowed_by=["a"])
    assert rules(report) == ([] if edition in HAVE[sort] else ["not-in-edition"])
    if sort != "sideline":
        assert report["total"] == 80 + MADE[sort].get("points", 0) + 2 * MADE[sort].get("cost_per_character", 0)


CARDS = ("attachment", "tarot-card", "mystery-card", "legacy-card", "one-shot", "terrain-marker", "trick-arrow")


@every_row("edition", EDITIONS)
@every_row("kind", CARDS)
def test_elements_ruled_by_their_card_are_never_plainly_legal(edition, kind):
    report = checked(edition, *PAIR, other=[{"name": "X", "kind": kind, "points": 5, "ref": "x"}])
    assert report["total"] == 85
    if edition in ("core-2014", "core-modern"):
        assert report["violations"] == []
        assert report["unchecked"] == [{"rule": "element-rules", "needs": "card", "elements": ["x"]}]
    else:
        assert rules(report) == ["not-in-edition"]
        assert "element-rules" not in {one["rule"] for one in report["unchecked"]}


@every_row("edition", EDITIONS)
@every_row(
    ("facts", "having"),
    [
        ({"kind": "bystander"}, EDITIONS[2:]),
        ({"kind": "horde"}, ("core-2014",)),
        ({"kind": "sentinel", "points": 100}, ("car-2002",)),
        ({"rank": "prime"}, EDITIONS[3:]),
        ({"rank": "chase"}, EDITIONS),
        ({"rank": "super-rare"}, EDITIONS),
    ],
)
def test_sorts_of_characters(edition, facts, having):
    report = checked(edition, hero("a", 40), {**hero("b", 40), **facts})
    assert rules(report) == ([] if edition in having else ["not-in-edition"])
    assert elements(report, "not-in-edition") == ([] if edition in having else ["b"])


@every_row("edition", EDITIONS)
@every_row(
    ("facts", "having"),
    [
        ({"kind": "heavy"}, EDITIONS),
        ({"kind": "light"}, EDITIONS),
        ({"kind": "immobile"}, ("core-2014",)),
        ({"kind": "ultra-light"}, ("core-2014",)),
        ({"kind": "ultra-heavy"}, ("core-2014",)),
        ({"kind": "heavy", "special": True}, EDITIONS[3:]),
    ],
)
def test_sorts_of_objects(edition, facts, having):
    report = checked(edition, hero(), objects=[{"name": "Thing", **facts}])
    assert rules(report) == ([] if edition in having else ["not-in-edition"])


@every_row("edition", EDITIONS)
def test_event_dials(edition):
    report = checked(edition, hero(), event={"event_dial": True})
    assert rules(report) == ([] if edition == "core-2014" else ["not-in-edition"])


def test_elements_of_other_editions_are_reported_only_as_such():
    report = checked(
        "ic-2002",
        hero("a", 90, rank="prime", point_options=[10], base_color="red"),
        hero("b", 90, rank="prime", base_color="red"),
        battlefield_conditions=[{"name": "Fog"}, {"name": "Rain"}],
        objects=[{"name": "Orb", "special": True}] * 5,
        build_total=100,
    )
    assert rules(report) == ["build-total", "not-in-edition"]
    assert report["total"] == 180


@every_row(
    ("sort", "tactic", "named"),
    [
        ("feats", "feats", "feats"),
        ("battlefield_conditions", "battlefield-conditions", "battlefield conditions"),
        ("resources", "resources", "resources"),
        ("team_ability_cards", "team-ability-cards", "additional team ability cards"),
    ],
)
def test_an_event_leaves_tactics_out(sort, tactic, named):
    everything = ["feats", "battlefield-conditions", "event-dials", "special-objects", "resources", "bystanders"]
    everything += ["team-ability-cards", "themed-teams"]
    others = [one for one in everything if one != tactic]
    assert rules(checked("core-2014", *PAIR, **{sort: [MADE[sort]]}, event={"tactics": everything})) == []
    report = checked("core-2014", *PAIR, **{sort: [MADE[sort]]}, event={"tactics": others})
    assert rules(report) == ["not-in-edition"]
    assert report["violations"][0]["message"] == f"This event doesn't use {named}."


def test_tokens_special_objects_dials_and_themes_are_left_out_too():
    none = {"tactics": []}
    assert rules(checked("core-2014", *PAIR, hero("c", 5, kind="bystander"), event=none)) == ["not-in-edition"]
    assert rules(checked("core-2014", *PAIR, hero("c", 5, kind="horde"), event=none)) == ["not-in-edition"]
    orb = [{"name": "Orb", "kind": "heavy", "special": True}]
    assert rules(checked("core-2014", *PAIR, objects=orb, event=none)) == ["not-in-edition"]
    fog = [{"name": "Fog"}]
    report = checked(
        "core-2014",
        *PAIR,
        event={"tactics": ["battlefield-conditions"], "event_dial": True},
        battlefield_conditions=fog,
    )
    assert rules(report) == ["not-in-edition"]
    assert checked("core-2014", *PAIR, event=none)["themed_team"] is None
    cards = {"team_ability_cards": [MADE["team_ability_cards"]], "event": {"tactics": ["team-ability-cards"]}}
    assert rules(checked("core-2014", *PAIR, **cards)) == ["team-ability-card-themed-team"]


def test_a_tactic_that_the_edition_lacks_does_not_bring_it():
    assert rules(checked("ic-2002", hero(), feats=[MADE["feats"]], event={"tactics": ["feats"]})) == ["not-in-edition"]

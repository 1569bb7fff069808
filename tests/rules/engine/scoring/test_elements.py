"""Feats, objects, cards and resources: what else scores when lost or kept."""

from tests.rules.engine.scoring.battles import EARLY, alive, fallen, points, scored, side
from tests.tables import every_row


def feat(points=12, *assigned, **more):
    return {"name": "Fastball", "points": points, "assigned_to": list(assigned), **more}


def with_feat(edition, made, *characters, **more):
    """Return the points of A and B, with characters that score nothing."""
    return points(
        scored(edition, side("A", alive("a", 0), alive("a2", 0)), side("B", *characters, feats=[made]), **more)
    )


UP, DOWN = alive("b", 0), fallen("b", 0, "a")
UP2, DOWN2 = alive("b2", 0), fallen("b2", 0, "a2")


@every_row(
    ("made", "characters", "lost", "kept"),
    [
        (feat(12, "b"), (UP,), 0, 12),
        (feat(12, "b"), (DOWN, UP2), 12, 0),
        (feat(12, "b", "b2"), (DOWN, UP2), 0, 12),
        (feat(12, "b", "b2"), (DOWN, DOWN2), 12, 0),
        (feat(12), (DOWN, UP2), 0, 12),
        (feat(12), (DOWN, DOWN2), 12, 0),
        (feat(5, "b", "b2", per_character=True), (UP, UP2), 0, 10),
        (feat(5, "b", "b2", per_character=True), (DOWN, UP2), 5, 5),
        (feat(5, "b", "b2", per_character=True), (DOWN, DOWN2), 10, 0),
        (feat(12, "b", fate="removed"), (UP,), 12, 0),
        (feat(12, "b", fate="removed"), (DOWN, UP2), 12, 0),
        (feat(12, fate="removed"), (UP,), 12, 0),
        (feat(0, "b"), (DOWN, UP2), 0, 0),
    ],
)
def test_feats(made, characters, lost, kept):
    assert with_feat("dc-2005", made, *characters) == [lost, kept]
    assert with_feat("core-2014", made, *characters) == [lost, 0]
    assert with_feat("ic-2002", made, *characters) == [0, 0]


def among_three(edition, made, *characters):
    return points(
        scored(edition, side("A", alive("a", 0)), side("B", *characters, feats=[made]), side("C", alive("c", 0)))
    )


@every_row("edition", ["dc-2005", "core-2014"])
@every_row(
    ("made", "characters", "award"),
    [
        (feat(15, "b"), [fallen("b", 32, cause="pushing")], [23.5, 0, 23.5]),
        (feat(15, "b"), [fallen("b", 0, "c")], [0, 0, 15]),
        (feat(12, "b", "b2"), [fallen("b", 0, "a", order=2), fallen("b2", 0, "c", order=1)], [12, 0, 0]),
        (feat(12, "b", "b2"), [fallen("b", 0, "a", order=1), fallen("b2", 0, "c", order=2)], [0, 0, 12]),
        (feat(10), [fallen("b", 0, "a", order=2), fallen("b2", 0, "c", order=1)], [10, 0, 0]),
        (feat(5, "b", "b2", per_character=True), [fallen("b", 0, "a"), fallen("b2", 0, "c")], [5, 0, 5]),
        (feat(12, "b", fate="removed"), [alive("b", 0, last_damaged_by="C")], [0, 0, 12]),
        (feat(12, "b", fate="removed"), [alive("b", 0)], [6, 0, 6]),
        (
            feat(12, "b", "b2", fate="removed"),
            [alive("b", 0, last_damaged_by="A"), alive("b2", 0, last_damaged_by="C")],
            [6, 0, 6],
        ),
    ],
)
def test_feats_go_where_their_characters_went(edition, made, characters, award):
    assert among_three(edition, made, *characters) == award


def test_an_archenemy_doubles_the_character_and_not_its_feat():
    red = {"base_color": "red", "set": "x"}
    report = scored(
        "dc-2005", side("A", alive("a", 0, **red)), side("B", fallen("b", 40, "a", **red), feats=[feat(12, "b")])
    )
    assert points(report) == [92, 0]


def test_a_feat_of_a_replaced_character():
    duo = {"ref": "r", "name": "Duo", "points": 0, "fate": "survived", "replaced": True}
    assert with_feat("core-2014", feat(12, "r"), duo, {**DOWN, "replaces": "r"}) == [12, 0]
    assert with_feat("core-2014", feat(12, "r"), duo, {**UP, "replaces": "r"}) == [0, 0]


@every_row(("edition", "lost"), [("ic-2002", 0), ("dc-2005", 0), ("core-2014", 8), ("core-modern", 8)])
def test_objects_that_were_removed(edition, lost):
    objects = [{"points": 8, "fate": "removed"}, {"points": 5, "fate": "survived"}, {"points": 0, "fate": "removed"}]
    report = scored(edition, side("A", alive("a", 0), objects=objects), side("B", alive("b", 0)))
    assert points(report) == [0, lost]


def test_objects_among_three():
    def lost(edition, **facts):
        objects = [{"points": 8, "fate": "removed", **facts}]
        return points(
            scored(
                edition, side("A", alive("a", 0)), side("B", alive("b", 0), objects=objects), side("C", alive("c", 0))
            )
        )

    assert lost("core-2014", on_turn_of="C") == [0, 0, 8]
    assert lost("core-2014", by="a") == [8, 0, 0]
    assert lost("core-2014", on_turn_of="B") == [4, 0, 4]
    assert lost("core-modern") == [8, 0, 8]


def test_cards_score_with_each_defeated_character():
    card = {"name": "League", "cost_per_character": 3, "assigned_to": ["b", "b2", "b3"]}
    characters = [fallen("b", 20, "a"), fallen("b2", 20, "a"), alive("b3", 20)]
    for edition, award in (("core-2014", 46), ("core-modern", 40), ("dc-2005", 40)):
        report = scored(edition, side("A", alive("a", 0)), side("B", *characters, team_ability_cards=[card]))
        assert report["victory_points"]["A"] == award
    free = card | {"cost_per_character": 0}
    report = scored("core-2014", side("A", alive("a", 0)), side("B", *characters, team_ability_cards=[free]))
    assert len(report["lines"]) == 2


@every_row(
    ("edition", "resource", "award"),
    [
        ("core-2014", {"points": 12, "assigned_to": ["b"]}, 12),
        ("core-2014", {"points": 12, "assigned_to": ["b", "b2"]}, 0),
        ("core-2014", {"points": 12}, 0),
        ("core-modern", {"points": 12, "fate": "removed"}, 12),
        ("core-modern", {"points": 12}, 0),
        ("dc-2005", {"points": 12, "fate": "removed"}, 0),
    ],
)
def test_resources(edition, resource, award):
    report = scored(edition, side("A", alive("a", 0)), side("B", DOWN, UP2, resources=[resource]))
    assert points(report) == [award, 0]


@every_row("edition", EARLY)
def test_the_cost_of_a_force_is_derived(edition):
    """The smaller force wins the tie: 40 and a feat of 2 x 3, an object and a card of 2 x 1, against 50."""
    extras = {
        "feats": [{"points": 3, "assigned_to": ["a", "a2"], "per_character": True}],
        "objects": [{"points": 1}],
        "resources": [{"points": 0}],
        "team_ability_cards": [{"cost_per_character": 1, "assigned_to": ["a", "a2"]}],
    }
    a = side("A", fallen("a", 20, "b"), fallen("a2", 20, "b"), **extras)
    report = scored(edition, a, side("B", alive("b", 50), fallen("b2", 0, "a")), build_total=100)
    assert report["winner"] == "B"
    tied = scored(edition, side("A", fallen("a", 49, "b"), points=49), side("B", fallen("b", 49, "a"), points=50))
    assert (tied["winner"], tied["decided_by"]) == ("A", "lowest-force")
    given = scored(edition, side("A", fallen("a", 49, "b"), points=60), side("B", fallen("b", 49, "a")))
    assert given["winner"] == "B"

"""Whole disputes, from position to report: which rulings a judge must be shown, and which not.

Rulings that must not be shown share a power, a topic or a word with the case but don't apply. Each case was made from
the book: a position where the question comes up, and rulings on the same page that don't answer it.
"""

import pytest

from rules.engine import adjudicate, ruling
from tests.tables import every_row

from .dispute_documents import close, dice, dispute, figure, flier, free, move, power, ranged, sentinel
from .laws import check_rulings

LINE = {"ask": "line-of-fire", "from": "a", "to": "b"}


def asked(ours, theirs, question, **ground):
    """Return a position file without actions and with one question."""
    return dispute(ours, theirs, ask=[question], **ground)


DISPUTES = [
    pytest.param(
        dispute([figure("a", "E5")], [flier("b", "F5", flight="soaring")], move("a", "D5")),
        ["faq-soarer-no-breakaway"],
        [
            "faq-breakaway-physical-move",
            "faq-breakaway-hovering",
            "correction-soaring-freely",
            "faq-soarer-attacks-soarer",
        ],
        id="a grounded figure leaves a soarer beside it",
    ),
    pytest.param(
        dispute([figure("a", "E5", "Phasing")], [figure("b", "F5")], move("a", "D5", "C5", using=("Phasing",))),
        ["faq-breakaway-leap-phasing", "steenbock-2002-05-16-phasing-no-breakaway"],
        [
            "steenbock-2002-05-16-leap-climb-no-breakaway",
            "faq-breakaway-failure-is-action",
            "faq-phasing-elevation",
            "faq-phasing-carry",
        ],
        id="phasing away from an opponent",
    ),
    pytest.param(
        dispute([figure("a", "E5", "Leap/Climb")], [figure("b", "F5")], move("a", "D5", "C5", using=("Leap/Climb",))),
        ["faq-breakaway-leap-phasing", "steenbock-2002-05-16-leap-climb-no-breakaway"],
        ["steenbock-2002-05-16-phasing-no-breakaway", "faq-barrier-leap-climb", "faq-leap-climb-elevated-not-soaring"],
        id="leaping away from an opponent",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5"), figure("p", "E6", teams=["Police"])],
            [flier("b", "H5", flight="soaring")],
            ranged("a", "b", rolls=dice(4, 4)),
        ),
        ["faq-police-under-soaring-rule"],
        [
            "faq-shield-hydra-enhancement-under-rule",
            "faq-hydra-line",
            "faq-soarer-attacks-soarer",
            "faq-knockback-wall-or-figure",
        ],
        id="the Police help against a soarer",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5"), figure("p", "E6", teams=["Hydra"])],
            [flier("b", "H5", flight="soaring")],
            ranged("a", "b", rolls=dice(4, 4)),
        ),
        ["faq-shield-hydra-enhancement-under-rule", "faq-hydra-line", "faq-hydra-no-token"],
        ["faq-police-under-soaring-rule", "faq-police-line", "faq-shield-no-line"],
        id="Hydra helps against a soarer",
    ),
    pytest.param(
        dispute(
            [flier("a", "E5", "Phasing"), figure("p", "E6")],
            [figure("b", "N5")],
            move("a", "F5", "G5", using=("Phasing",), carry=["p"], choose={"place": {"p": "G6"}}),
        ),
        ["faq-phasing-flier-carries", "faq-phasing-carry"],
        [
            "faq-charge-carry-drop",
            "magister-2002-07-21-carry-one",
            "faq-flier-breakaway-before-carry",
            "faq-hypersonic-no-carry-attack",
        ],
        id="a flier phases with a passenger",
    ),
    pytest.param(
        dispute([figure("a", "C5")], [figure("b", "B5")], close("a", "b", rolls=dice(5, 5))),
        ["faq-knockback-map-edge", "faq-knockback-wall-or-figure"],
        [
            "faq-knockback-edge-cling",
            "faq-knockback-off-elevation",
            "faq-force-blast-damage",
            "rulebook-example-mike-double-fives",
        ],
        id="knocked against the edge of the map",
    ),
    pytest.param(
        dispute(
            [flier("a", "E5", flight="soaring")],
            [flier("b", "H5", flight="soaring")],
            ranged("a", "b", rolls=dice(4, 5)),
            blocking=["F5"],
        ),
        ["faq-soarers-ignore-ground-blocking"],
        ["faq-shoot-up-not-down", "rulebook-example-soaring-half-range", "faq-diagonal-blocking", "faq-indoor-walls"],
        id="a soarer shoots at a soarer over a building",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Perplex")],
            [flier("b", "H5", flight="soaring")],
            free("a", "b", using=("Perplex",), choose={"value": "defense", "by": -1}),
        ),
        ["correction-perplex-vs-soaring", "faq-perplex-line"],
        [
            "faq-outwit-line",
            "faq-perplex-self",
            "faq-perplex-stacks",
            "faq-perplex-not-mid-action",
            "faq-probability-control-line",
        ],
        id="Perplex on a soarer",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Outwit")],
            [flier("b", "N5", "Toughness", flight="soaring")],
            free("a", "b", using=("Outwit",), choose={"counter": "Toughness"}),
        ),
        ["faq-outwit-line", "faq-half-range-not-universal"],
        [
            "faq-outwit-not-team",
            "faq-outwit-not-markers",
            "faq-superman-enemy-outwitted",
            "magister-2002-08-24-outwit-before-poison",
        ],
        id="Outwit on a soarer far away",
    ),
    pytest.param(
        dispute(
            [flier("a", "E5", flight="hovering")], [figure("b", "N5")], move("a", "F5", flight="soaring"), kind="indoor"
        ),
        ["faq-indoor-no-soaring"],
        ["faq-indoor-walls", "correction-soaring-freely", "faq-sentinel-not-soaring"],
        id="soaring indoors",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "H5")],
            ranged("a", "b", rolls=dice(4, 5)),
            elevated=["D4:I8"],
            hindering=["G5"],
        ),
        ["steenbock-2002-05-18-hindering-on-rooftop"],
        ["faq-hindering-stop", "faq-hindering-half-start", "faq-rooftop-fixtures-blocking", "faq-rooftop-edge"],
        id="a shot through bushes on a roof",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "F5")],
            ask=[{"ask": "line-of-fire", "from": "a", "to": "b"}],
            walls=["E5|F5"],
            kind="indoor",
        ),
        ["faq-indoor-walls"],
        ["faq-indoor-no-soaring", "faq-walls-stop-at-edges", "correction-destroy-at-least-three"],
        id="a line of fire through a wall indoors",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Hypersonic Speed")],
            [figure("b", "N5")],
            close("a", "E5|F5", using=("Hypersonic Speed",), rolls={"attack": [[4, 5], [4, 4], [3, 3]]}),
            walls=["E5|F5"],
        ),
        ["faq-hypersonic-wall"],
        [
            "faq-hypersonic-knockback-total",
            "chapeau-2002-09-25-hypersonic-no-breakaway",
            "faq-blades-wall",
            "faq-hypersonic-no-carry-attack",
        ],
        id="Hypersonic Speed against a wall",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "N5")], move("a", "F5", "G5"), elevated=["G4:I8"], stairs=["F5|G5"]),
        ["faq-stairs-each-space", "faq-stairs-clear", "faq-stairs-top-elevated"],
        ["faq-phasing-elevation", "faq-elevation-not-adjacent", "faq-rooftop-edge"],
        id="up the stairs",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Leap/Climb")], [figure("b", "H5")], ranged("a", "b", rolls=dice(4, 5)), blocking=["E5"]
        ),
        ["faq-on-top-of-blocking"],
        ["faq-on-top-adjacency", "faq-rooftop-fixtures-entry", "correction-destroy-at-least-three"],
        id="a shot from the top of blocking terrain",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Leap/Climb")], [figure("b", "F5")], close("a", "b", rolls=dice(4, 5)), blocking=["E5"]
        ),
        ["faq-on-top-adjacency"],
        ["faq-rooftop-fixtures-entry", "faq-elevation-not-adjacent"],
        id="a blow from the top of blocking terrain",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "H5")], move("a", "F5", "G5"), elevated=["D4:I8"], blocking=["G5"]),
        ["faq-rooftop-fixtures-entry", "faq-rooftop-fixtures-blocking"],
        ["faq-rooftop-fixtures-destroy", "faq-indoor-walls", "faq-diagonal-blocking"],
        id="a walk into a vent on a roof",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "K5")],
            close("a", "F5", rolls=dice(4, 5)),
            elevated=["D4:I8"],
            blocking=["F5"],
        ),
        ["faq-rooftop-fixtures-destroy"],
        ["faq-rooftop-fixtures-entry", "faq-blades-wall", "magister-2002-08-14-object-by-destroyed-wall"],
        id="a vent on a roof is destroyed",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", damage=2)],
            [
                figure(
                    "b",
                    "F5",
                    "Super Strength",
                    holding="bin",
                    dial=[{"speed": 8, "attack": 10, "defense": 15, "damage": 3, "powers": ["Super Strength"]}] * 2
                    + [{"speed": 8, "attack": 10, "defense": 15, "damage": 3, "powers": []}] * 5,
                )
            ],
            close("a", "b", rolls=dice(5, 5)),
            objects=[{"id": "bin", "kind": "heavy", "square": None}],
        ),
        ["faq-drop-before-knockback"],
        ["faq-charge-object", "faq-used-object-removed", "faq-office-desk", "faq-knockback-wall-or-figure"],
        id="a knock back takes Super Strength from a holder",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Telekinesis")],
            [figure("b", "H5")],
            ranged("a", "b", using=("Telekinesis",), with_object="bin", rolls=dice(4, 5)),
            objects=[{"id": "bin", "kind": "heavy", "square": "E6"}],
        ),
        [
            "faq-used-object-removed-telekinesis",
            "faq-telekinesis-object-roll",
            "steenbock-2002-05-07-thrown-object-modifiers",
        ],
        ["faq-telekinesis-no-slam", "faq-telekinesis-doubles", "faq-telekinesis-object-holder", "faq-object-under-foe"],
        id="Telekinesis fires an object",
    ),
    pytest.param(
        dispute([sentinel("s", "E5")], [figure("b", "P16")], move("s", "F5"), walls=["F4|G4", "F6|G6"], kind="indoor"),
        ["faq-sentinel-doorway"],
        ["chapeau-2002-09-24-sentinel-objects-end"],
        id="a Sentinel indoors, too wide for a doorway",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "P16")],
            move("a", "F5", "G5"),
            markers=[{"kind": "smoke", "square": "F5"}],
        ),
        ["faq-smoke-cloud-hindering", "faq-hindering-stop"],
        ["faq-smoke-cloud-no-line"],
        id="a Smoke Cloud stops a walker",
    ),
    pytest.param(
        dispute(
            [figure("a", "C5", "Hypersonic Speed")],
            [figure("b", "F5")],
            move(
                "a",
                "D5",
                "E5",
                using=("Hypersonic Speed",),
                then=[{"action": "close", "actor": "a", "targets": ["b"], "at": "E5", "path": ["D4", "C4"]}],
                rolls=dice(3, 4),
            ),
        ),
        ["chapeau-2002-09-25-hypersonic-no-breakaway"],
        ["faq-hypersonic-wall", "faq-hypersonic-critical"],
        id="Hypersonic Speed leaves its victim after the attack",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Pulse Wave")],
            [figure("b", "F7", "Impervious"), figure("c", "G7")],
            ranged("a", using=("Pulse Wave",), rolls=dice(4, 5)),
        ),
        ["magister-2002-08-14-impervious-target-only"],
        ["faq-psychic-blast-impervious"],
        id="Impervious in a Pulse Wave that reaches several",
    ),
    pytest.param(
        dispute([figure("a", "F5")], [figure("b", "E5", "Leap/Climb")], move("a", "G5"), blocking=["E5"]),
        ["faq-on-top-adjacency"],
        ["faq-on-top-of-blocking", "faq-breakaway-physical-move"],
        id="a figure leaves one on top of blocking terrain",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", teams=["Titans"]), figure("c", "E6", teams=["Titans"], click=3)],
            [figure("b", "P16")],
            move("a", using=("Titans",), targets=["c"]),
        ),
        ["faq-x-men-exchange", "faq-x-men-once-per-pair", "steenbock-2002-05-18-x-men-multiple"],
        ["faq-shield-multiple"],
        id="Titans exchange a click as the X-Men do",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Telekinesis")],
            [figure("b", "F5")],
            close("a", "b", using=("Telekinesis",), rolls=dice(3, 4), choose={"square": "H9"}),
        ),
        ["faq-telekinesis-no-slam"],
        ["faq-telekinesis-doubles"],
        id="Telekinesis without doubles",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Telekinesis")],
            [figure("b", "F5")],
            close("a", "b", using=("Telekinesis",), rolls=dice(4, 4), choose={"square": "H9"}),
        ),
        ["faq-telekinesis-doubles"],
        ["faq-knockback-wall-or-figure"],
        id="Telekinesis with doubles",
    ),
    pytest.param(
        dispute([sentinel("s", "E5")], [figure("b", "N5")], move("s", "F5", "G5"), walls=["G5|H5", "G6|H6", "F4|G4"]),
        ["faq-sentinel-doorway"],
        ["faq-sentinel-start-area", "faq-sentinel-not-soaring", "chapeau-2002-09-24-sentinel-objects-end"],
        id="a Sentinel before a doorway",
    ),
    pytest.param(
        dispute(
            [sentinel("s", "E5")],
            [figure("b", "N5")],
            move("s", "F5", "G5"),
            objects=[{"id": "bin", "kind": "light", "square": "H5"}],
        ),
        ["chapeau-2002-09-24-sentinel-objects-end"],
        ["faq-sentinel-doorway", "faq-destroyed-object-marker", "faq-pickup-during-move"],
        id="a Sentinel stops on an object",
    ),
    pytest.param(
        dispute(
            [sentinel("s", "E5", "Running Shot")],
            [figure("b", "J5"), figure("c", "J6")],
            move(
                "s",
                "F5",
                using=("Running Shot", "Multi-Attack"),
                then=[ranged("s", "b", rolls=dice(4, 5)), ranged("s", "c", rolls=dice(4, 5))],
            ),
        ),
        ["faq-sentinel-no-running-shot"],
        [
            "faq-running-shot-quarter",
            "faq-running-shot-breakaway",
            "faq-sentinel-multi-blocking",
            "faq-sentinel-multi-explosion",
        ],
        id="a Sentinel joins Running Shot and multi-attack",
    ),
    pytest.param(
        dispute(
            [sentinel("s", "E5", "Energy Explosion")],
            [figure("b", "J5"), figure("c", "J9")],
            power(
                "s",
                using=("Multi-Attack",),
                then=[ranged("s", "b", using=("Energy Explosion",)), ranged("s", "c")],
                rolls={"attack": [[4, 5], [4, 5]]},
            ),
        ),
        ["faq-sentinel-multi-explosion"],
        [
            "faq-sentinel-no-running-shot",
            "faq-sentinel-multi-blocking",
            "magister-2002-07-18-sentinel-shield-one",
            "faq-energy-explosion-multiple",
        ],
        id="a Sentinel explodes once in its multi-attack",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Force Blast")],
            [figure("b", "F5", "Charge")],
            move("a", using=("Force Blast",), targets=["b"]),
        ),
        ["faq-force-blast-vs-charge"],
        [
            "faq-charge-quarter",
            "faq-charge-breakaway",
            "faq-knockback-any-doubles",
            "magister-2002-08-06-force-blast-into-figure",
        ],
        id="Force Blast against Charge",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Hypersonic Speed")],
            [figure("b", "F5")],
            close("a", "b", using=("Hypersonic Speed",), rolls=dice(6, 6)),
        ),
        ["faq-hypersonic-critical"],
        [
            "faq-incapacitate-critical",
            "faq-mind-control-critical",
            "chapeau-2002-09-24-hypersonic-impervious",
            "faq-hypersonic-wall",
        ],
        id="two 6s in a Hypersonic Speed attack",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Charge", speed=9)],
            [figure("b", "I5")],
            move("a", "F5", "G5", "H5", using=("Charge",), then=[close("a", "b")], rolls=dice(4, 5)),
            hindering=["E5"],
        ),
        ["faq-round-up", "faq-charge-quarter", "faq-hindering-half-start"],
        ["faq-running-shot-quarter", "faq-hindering-stop", "faq-force-blast-vs-charge", "faq-charge-object"],
        id="a Charge with an odd speed out of hindering terrain",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Running Shot", range=8)],
            [figure("b", "J5", "Stealth")],
            move("a", "F5", "G5", using=("Running Shot",), then=[ranged("a", "b")], rolls=dice(4, 5)),
            hindering=["G5"],
        ),
        ["correction-hindering-first-square", "faq-hindering-stop"],
        ["faq-running-shot-quarter", "faq-stealth-outwit"],
        id="a Running Shot from the bushes at Stealth",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Mind Control")],
            [figure("b", "H5"), figure("c", "I5", clicks=2)],
            ranged("a", "b", using=("Mind Control",), then=[close("b", "c")], rolls={"attack": [[4, 5], [4, 5]]}),
        ),
        ["faq-mind-control-points"],
        [
            "faq-mind-control-critical",
            "faq-mind-control-not-pushed",
            "faq-mind-control-example-darkseid",
            "steenbock-2002-05-06-mind-control-bolts",
        ],
        id="a mind-controlled figure knocks out a friend",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Mind Control")],
            [figure("b", "H5", "Flurry"), figure("c", "I5")],
            ranged(
                "a",
                "b",
                using=("Mind Control",),
                then=[close("b", "c", "c", using=("Flurry",))],
                rolls={"attack": [[4, 5], [4, 5], [4, 4]]},
            ),
        ),
        ["faq-mind-control-powers-available"],
        ["faq-mind-control-not-pushed", "faq-mind-control-example-brainiac"],
        id="a mind-controlled figure uses Flurry",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Mind Control")],
            [figure("b", "H5", "Leap/Climb", "Willpower", points=103)],
            ranged("a", "b", using=("Mind Control",), then=[move("b", "I5", using=("Leap/Climb",))], rolls=dice(4, 5)),
        ),
        ["faq-mind-control-example-brainiac", "faq-mind-control-cost"],
        [
            "faq-mind-control-critical",
            "faq-mind-control-points",
            "faq-mind-control-example-darkseid",
            "magister-2002-08-14-mind-control-twice",
        ],
        id="a costly figure with Willpower is mind-controlled",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Mind Control", bolts=2)],
            [figure("b", "H5"), figure("c", "H7")],
            ranged("a", "b", "c", using=("Mind Control",), then=[move("b", "I5"), move("c", "I7")], rolls=dice(4, 5)),
        ),
        ["steenbock-2002-05-06-mind-control-bolts"],
        ["faq-mind-control-critical", "chapeau-2002-09-25-telekinesis-single-target"],
        id="two bolts of Mind Control",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Phasing")],
            [figure("b", "N5")],
            move("a", "F5", "G5", using=("Phasing",)),
            elevated=["G4:I8"],
        ),
        ["faq-phasing-elevation"],
        ["faq-phasing-legal-end", "faq-stairs-each-space", "faq-telekinesis-elevation", "faq-rooftop-edge"],
        id="phasing onto a roof",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "H5", "Stealth")],
            ranged("a", "b"),
            objects=[{"id": "bin", "kind": "light", "square": "H5"}],
        ),
        ["faq-stealth-object"],
        [
            "faq-stealth-outwit",
            "faq-stealth-elevated",
            "steenbock-2002-05-16-stealth-blocks-behind",
            "faq-batman-ally-object",
        ],
        id="a shot at Stealth on an object",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Stealth")],
            [figure("b", "H5")],
            ranged("a", "b", rolls=dice(4, 5)),
            objects=[{"id": "bin", "kind": "light", "square": "E5"}],
        ),
        ["steenbock-2002-05-16-stealth-on-object-shoots"],
        ["faq-stealth-outwit", "steenbock-2002-05-16-stealth-blocks-behind"],
        id="a shot by Stealth on an object",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "H5", "Stealth"), figure("c", "K5")],
            ranged("a", "c"),
            objects=[{"id": "bin", "kind": "light", "square": "H5"}],
        ),
        ["steenbock-2002-05-16-stealth-blocks-behind"],
        ["faq-stealth-object", "faq-stealth-outwit", "faq-diagonal-figures"],
        id="a shot past Stealth on an object",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "H5", "Stealth")],
            ranged("a", "b", rolls=dice(4, 5)),
            elevated=["E4:E6"],
            hindering=["G5"],
        ),
        ["faq-stealth-elevated"],
        ["faq-stealth-outwit", "faq-stealth-object", "faq-batman-ally-elevated"],
        id="a shot from a roof at Stealth behind bushes",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Psychic Blast")],
            [figure("b", "H5", "Impervious")],
            ranged("a", "b", using=("Psychic Blast",), rolls=dice(4, 5)),
        ),
        ["faq-psychic-blast-impervious"],
        [
            "faq-impervious-not-indirect",
            "magister-2002-08-14-impervious-target-only",
            "faq-mastermind-psychic-blast",
            "chapeau-2002-09-24-hypersonic-impervious",
        ],
        id="a Psychic Blast at Impervious",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Energy Explosion")],
            [figure("b", "N5")],
            ranged("a", "E5|F5", using=("Energy Explosion",), rolls=dice(4, 5)),
            walls=["E5|F5"],
        ),
        ["faq-energy-explosion-not-terrain"],
        ["faq-energy-explosion-knockback", "faq-skrull-not-splash", "faq-blades-wall", "faq-energy-explosion-multiple"],
        id="an Energy Explosion at a wall",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Telekinesis")],
            [figure("b", "N5")],
            close("a", "bin", using=("Telekinesis",), choose={"square": "H5"}),
            elevated=["E4:E6"],
            objects=[{"id": "bin", "kind": "light", "square": "F5"}],
        ),
        ["faq-telekinesis-elevation"],
        ["faq-telekinesis-doubles", "faq-telekinesis-no-slam", "faq-phasing-elevation", "faq-telekinesis-object-roll"],
        id="Telekinesis reaches down from a roof",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Telekinesis"), figure("p", "E6", "Phasing")],
            [figure("b", "N5")],
            close("a", "p", using=("Telekinesis",), choose={"square": "H6"}),
            walls=["F4|G4", "F5|G5", "F6|G6", "F7|G7"],
        ),
        ["faq-telekinesis-phasing", "faq-telekinesis-line"],
        ["faq-telekinesis-doubles", "faq-used-object-removed-telekinesis", "faq-phasing-carry"],
        id="Telekinesis through a wall",
    ),
    pytest.param(
        dispute([figure("a", "E5", "Willpower", tokens=1)], [figure("b", "N5")], move("a", "F5")),
        ["magister-2002-08-06-willpower-any-push"],
        ["faq-mind-control-example-brainiac", "faq-incapacitate-twice"],
        id="a push with Willpower",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Psychic Blast")],
            [figure("b", "H5", "Mastermind"), figure("g", "I5", points=10)],
            ranged("a", "b", using=("Psychic Blast",), rolls=dice(4, 5), choose={"mastermind:b": "g"}),
        ),
        ["faq-mastermind-psychic-blast", "faq-mastermind-transfers"],
        [
            "faq-psychic-blast-impervious",
            "chapeau-2002-09-25-mastermind-recipient-powers",
            "correction-riddler-mastermind",
        ],
        id="Mastermind hands a Psychic Blast on",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "F5", "Super Senses")],
            close("a", "b", rolls=dice(6, 6, super_senses__b=5)),
        ),
        ["steenbock-2002-05-16-super-senses-critical", "magister-2002-09-09-super-senses-any-attack"],
        [
            "faq-mind-control-critical",
            "faq-hypersonic-critical",
            "faq-probability-control-opponent-turn",
            "faq-pulse-wave-single",
        ],
        id="Super Senses against two 6s",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "N5")],
            close("a", "F5", rolls=dice(4, 5)),
            markers=[{"kind": "barrier", "square": "F5"}],
        ),
        ["faq-barrier-destroyable"],
        ["faq-barrier-unseen", "correction-barrier-must-four", "faq-barrier-leap-climb", "faq-blades-wall"],
        id="a Barrier is destroyed",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "N5")],
            move("a", "F6"),
            markers=[{"kind": "barrier", "square": "F5"}],
            blocking=["E6"],
        ),
        ["correction-barrier-diagonal-blocking"],
        ["faq-barrier-unseen", "faq-diagonal-blocking", "correction-destroy-at-least-three"],
        id="between a Barrier and a wall",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", teams=["The Brotherhood"])],
            [figure("b", "F5")],
            move("a", "D5", using=("The Brotherhood",), rolls=dice(break_away=2)),
        ),
        ["faq-brotherhood-breakaway"],
        ["faq-avengers-breakaway", "faq-justice-league-breakaway", "faq-breakaway-leap-phasing"],
        id="a free move of The Brotherhood fails to break away",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", teams=["Masters of Evil"]), figure("c", "E6", teams=["Masters of Evil"])],
            [figure("b", "F5")],
            close("a", "b", using=("Masters of Evil",), rolls=dice(4, 5)),
            close("c", "b", using=("Masters of Evil",), rolls=dice(4, 5)),
        ),
        ["faq-masters-same-target"],
        ["faq-injustice-same-target", "faq-shield-costs-action", "rulebook-example-bruce-actions"],
        id="two Masters of Evil share an action",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Incapacitate"), figure("s", "E6", teams=["S.H.I.E.L.D."])],
            [figure("b", "H5")],
            ranged("a", "b", using=("Incapacitate", "S.H.I.E.L.D."), assist=["s"], rolls=dice(4, 5)),
        ),
        ["magister-2002-08-14-shield-incapacitate", "faq-shield-costs-action"],
        [
            "faq-incapacitate-critical",
            "faq-rce-team-abilities",
            "faq-energy-explosion-shield-example",
            "faq-hydra-line",
        ],
        id="S.H.I.E.L.D. helps Incapacitate",
    ),
    pytest.param(
        dispute(
            [
                figure("a", "E5", attack=7, teams=["Sinister Syndicate"]),
                figure("c", "E6", teams=["Sinister Syndicate"]),
            ],
            [figure("b", "F5")],
            close("a", "b", rolls=dice(4, 5)),
        ),
        ["faq-sinister-syndicate-transitive"],
        ["faq-batman-enemy-transitive", "faq-defenders-transitive"],
        id="an attack value of the Sinister Syndicate",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "F5", teams=["Spider-Man"]), figure("c", "F6", teams=["Defenders"], defense=18)],
            close("a", "b", rolls=dice(4, 3)),
        ),
        ["faq-spider-man-count-as-members", "faq-spider-man-one-at-a-time"],
        ["faq-minions-count-as-members", "faq-legion-count-as-members", "faq-justice-society-transitive"],
        id="a Spider-Man beside a Defender",
    ),
    pytest.param(
        dispute(
            [
                figure("a", "E5", teams=["X-Men"], click=4),
                figure("c", "E6", teams=["X-Men"]),
                figure("d", "F5", teams=["X-Men"]),
            ],
            [figure("b", "N5")],
            move("c", targets=["a"], using=("X-Men",)),
            move("d", targets=["a"], using=("X-Men",)),
        ),
        ["steenbock-2002-05-18-x-men-multiple", "faq-x-men-exchange", "faq-x-men-once-per-pair"],
        ["faq-avengers-free-move", "faq-optional-cancel"],
        id="one X-Man is healed by two",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [
                figure("b", "F5", "Toughness", teams=["Justice Society"], defense=16),
                figure("c", "F6", "Energy Shield/Deflection", teams=["Justice Society"], defense=18),
            ],
            close("a", "b", rolls=dice(5, 4)),
        ),
        ["faq-justice-society-example-toughness"],
        ["faq-defenders-example-toughness", "faq-legion-count-as-members", "faq-toughness-resets"],
        id="the Justice Society lends a value",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", name="Pyro", set="infinity-challenge", number="092", teams=["The Brotherhood"])],
            [figure("b", "N5")],
            move("a", "F5", using=("The Brotherhood",)),
        ),
        ["correction-pyro-92"],
        ["correction-pyro-93", "correction-rogue-121", "faq-avengers-free-move", "faq-masters-same-target"],
        id="Pyro moves for free",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")], [figure("b", "F5", "Shape Change", name="Riddler", number="044")], close("a", "b")
        ),
        ["correction-riddler-mastermind"],
        ["correction-man-bat-40", "correction-pyro-92", "faq-mastermind-psychic-blast"],
        id="a blow at the Riddler",
    ),
    pytest.param(
        dispute(
            [sentinel("s", "E5", clicks=1, tokens=1)],
            [figure("b", "G5", clicks=2)],
            close("s", "b", using=("Capture",), rolls=dice(capture=[5, 6])),
        ),
        ["faq-game-end-mid-action", "faq-captured-not-ko"],
        ["faq-sentinel-multi-explosion", "faq-sentinel-doorway", "faq-battle-fury-capture", "faq-capture-not-power"],
        id="a Sentinel pushes to capture the last opponent",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Outwit"), figure("c", "E6", "Toughness")],
            [figure("b", "F5")],
            free("a", "c", using=("Outwit",), choose={"counter": "Toughness"}),
        ),
        ["correction-outwit-opposing"],
        ["faq-outwit-not-team", "faq-stealth-outwit", "faq-outwit-lost"],
        id="Outwit on a friend",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Outwit")],
            [figure("b", "H5", "Toughness", teams=["Skrulls"])],
            free("a", "b", using=("Outwit",), choose={"counter": "Skrulls"}),
        ),
        ["faq-outwit-not-team"],
        ["correction-outwit-opposing", "faq-superman-enemy-outwitted", "faq-outwit-not-markers"],
        id="Outwit on a team ability",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Charge", "Outwit")],
            [figure("b", "G5", "Toughness")],
            move(
                "a",
                "F5",
                using=("Charge",),
                then=[free("a", "b", using=("Outwit",), choose={"counter": "Toughness"}), close("a", "b")],
                rolls=dice(4, 5),
            ),
        ),
        ["faq-outwit-not-mid-action"],
        ["faq-perplex-not-mid-action", "faq-charge-quarter", "faq-outwit-not-team"],
        id="Outwit in the middle of a Charge",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Probability Control")],
            [figure("b", "F5")],
            close("a", "b", rolls={"attack": [[1, 2]], "attack/reroll": [[5, 4]]}),
        ),
        ["faq-probability-control-self"],
        ["faq-probability-control-opponent-turn", "faq-stealth-outwit", "correction-critical-miss-attack-roll"],
        id="a roll of one's own made again",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Super Strength")],
            [figure("b", "N5")],
            move("a", "F5", pick_up="bin"),
            objects=[{"id": "bin", "kind": "heavy", "square": "E5"}],
        ),
        ["correction-super-strength-own-square"],
        ["faq-object-under-foe", "magister-2002-08-28-no-pickup-after-stop", "faq-used-object-removed"],
        id="an object is lifted from under one's own feet",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Super Strength")],
            [figure("b", "G5")],
            move("a", "F5", pick_up="bin"),
            objects=[{"id": "bin", "kind": "heavy", "square": "G5"}],
        ),
        ["faq-object-under-foe"],
        ["faq-object-under-foe-telekinesis", "faq-destroyed-object-no-damage", "correction-super-strength-own-square"],
        id="an object is taken from under an opponent",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Super Strength", holding="bin")],
            [figure("b", "F5")],
            close("a", "b", with_object="bin", rolls=dice(4, 5)),
            objects=[{"id": "bin", "kind": "heavy", "square": None, "name": "Dumpster"}],
        ),
        ["faq-object-figures-apply", "faq-dumpster-not-destroyed"],
        ["faq-office-desk", "faq-charge-object", "steenbock-2002-05-07-thrown-object-modifiers"],
        id="a blow with a dumpster",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "H5", "Battle Fury")], ranged("a", "b", rolls=dice(4, 5))),
        ["faq-battle-fury-target"],
        ["faq-battle-fury-capture", "faq-cce-no-other-powers"],
        id="a shot at Battle Fury",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Ranged Combat Expert"), figure("s", "E6", "Enhancement")],
            [figure("b", "H5")],
            ranged("a", "b", using=("Ranged Combat Expert",), rolls=dice(4, 5)),
        ),
        ["faq-rce-team-abilities"],
        ["faq-cce-no-other-powers", "magister-2002-09-08-rce-example", "faq-shield-no-line"],
        id="Enhancement beside a Ranged Combat Expert",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Ranged Combat Expert", "Psychic Blast")],
            [figure("b", "H5", "Toughness")],
            ranged("a", "b", using=("Ranged Combat Expert", "Psychic Blast"), rolls=dice(4, 5)),
        ),
        ["magister-2002-09-08-rce-example", "faq-rce-no-other-powers"],
        ["faq-cce-no-other-powers", "faq-psychic-blast-impervious", "faq-mastermind-psychic-blast"],
        id="Ranged Combat Expert with a Psychic Blast",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Outwit")],
            [sentinel("s", "H5")],
            free("a", "s", using=("Outwit",), choose={"counter": "Capture"}),
        ),
        ["faq-capture-not-power"],
        ["faq-captured-not-ko", "faq-battle-fury-capture"],
        id="Outwit on a Sentinel",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "F5")], close("a", "b", rolls=dice(5, 5)), elevated=["E4:F6"]),
        ["faq-knockback-off-elevation"],
        [
            "faq-knockback-edge-cling",
            "correction-knockback-unoccupied",
            "faq-force-blast-damage",
            "faq-elevation-not-adjacent",
        ],
        id="knocked off a roof",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "F5"), figure("c", "G5")],
            close("a", "b", rolls=dice(5, 5)),
            elevated=["E4:F6"],
        ),
        ["faq-knockback-edge-cling"],
        [
            "faq-telekinesis-no-slam",
            "faq-force-blast-damage",
            "faq-knockback-map-edge",
            "correction-knockback-impervious",
            "faq-elevation-not-adjacent",
        ],
        id="knocked off a roof onto a figure",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "F5"), figure("c", "H5")], close("a", "b", rolls=dice(5, 5))),
        ["correction-knockback-unoccupied", "faq-knockback-wall-or-figure"],
        ["faq-knockback-edge-cling", "faq-knockback-map-edge", "magister-2002-08-06-force-blast-into-figure"],
        id="knocked against a figure",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "H6")], ranged("a", "b", rolls=dice(5, 5))),
        ["faq-knockback-oblique"],
        ["faq-knockback-wall-or-figure", "faq-knockback-edge-cling"],
        id="a knock back on no straight line",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5"), figure("d", "F5"), figure("e", "E6")],
            [figure("b", "G7")],
            ranged("a", "b", rolls=dice(4, 5)),
        ),
        ["faq-diagonal-figures"],
        ["faq-diagonal-hindering", "faq-diagonal-blocking", "faq-figure-blocks-line"],
        id="a shot between two figures at a corner",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Flurry", "Blades/Claws/Fangs")],
            [figure("b", "F5")],
            close("a", "b", using=("Flurry", "Blades/Claws/Fangs"), rolls=dice(4, 5)),
        ),
        ["faq-flurry-separate"],
        ["faq-one-effect-per-action", "faq-flurry-critical-miss", "faq-blades-wall"],
        id="Flurry together with Blades/Claws/Fangs",
    ),
    pytest.param(
        dispute(
            [flier("a", "E5", "Hypersonic Speed"), figure("p", "E6")],
            [figure("b", "H5")],
            move(
                "a",
                "F5",
                "G5",
                using=("Hypersonic Speed",),
                carry=["p"],
                then=[close("a", "b", at="G5")],
                rolls=dice(4, 5),
            ),
        ),
        ["faq-hypersonic-no-carry-attack"],
        ["faq-charge-carry-drop", "faq-phasing-carry", "magister-2002-07-21-carry-one"],
        id="a flier attacks at Hypersonic Speed with a passenger",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Hypersonic Speed")],
            [figure("b", "F5"), figure("c", "I5")],
            move(
                "a",
                "E4",
                "F4",
                "G4",
                "H4",
                using=("Hypersonic Speed",),
                then=[close("a", "c", at="H4")],
                rolls=dice(4, 5),
            ),
        ),
        ["chapeau-2002-09-25-hypersonic-no-breakaway"],
        ["faq-hypersonic-critical", "faq-hypersonic-no-carry-attack", "faq-breakaway-failure-is-action"],
        id="past an opponent at Hypersonic Speed",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Mind Control")],
            [figure("b", "H5", "Super Strength", holding="bin"), figure("c", "I5")],
            ranged(
                "a",
                "b",
                using=("Mind Control",),
                then=[close("b", "c", with_object="bin")],
                rolls={"attack": [[4, 5], [4, 5]]},
            ),
            objects=[{"id": "bin", "kind": "heavy", "square": None}],
        ),
        ["faq-mind-control-example-darkseid", "faq-mind-control-example-puppet-master"],
        [
            "faq-mind-control-example-brainiac",
            "faq-mind-control-not-pushed",
            "faq-charge-object",
            "faq-object-under-foe",
        ],
        id="a mind-controlled figure strikes with a dumpster",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "H5")], ranged("a", "b", rolls=dice(4, 5)), hindering=["E5", "G5"]),
        ["correction-hindering-first-square"],
        ["faq-hindering-stop", "faq-hindering-half-start", "faq-smoke-cloud-hindering"],
        id="a shot out of the bushes",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "F6")], close("a", "b", rolls=dice(4, 5)), walls=["E5|F5"]),
        ["faq-walls-stop-at-edges"],
        ["faq-indoor-walls", "faq-blades-wall", "rulebook-example-mike-double-fives"],
        id="a diagonal blow beside the end of a wall",
    ),
    pytest.param(
        dispute(
            [flier("a", "E5"), figure("p", "E6"), figure("q", "F6")],
            [figure("b", "N5")],
            move("a", "F5", "G5", carry=["p", "q"], choose={"place": {"p": "G6", "q": "H6"}}),
        ),
        ["magister-2002-07-21-carry-one"],
        ["faq-green-lantern-carry", "faq-hypersonic-no-carry-attack", "faq-flier-breakaway-before-carry"],
        id="a flier wants to carry two",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Energy Explosion")],
            [figure("b", "H5"), figure("c", "I5")],
            ranged("a", "b", using=("Energy Explosion",), rolls=dice(5, 5)),
        ),
        ["faq-energy-explosion-knockback"],
        [
            "faq-energy-explosion-not-terrain",
            "faq-energy-explosion-multiple",
            "faq-skrull-not-splash",
            "faq-hypersonic-doubles-end",
        ],
        id="double fives with an Energy Explosion",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Energy Explosion")],
            [figure("b", "H5"), figure("c", "I5", teams=["Skrulls"])],
            ranged("a", "b", using=("Energy Explosion",), rolls=dice(4, 5)),
            objects=[{"id": "bin", "kind": "heavy", "square": "H6"}],
        ),
        ["faq-skrull-not-splash", "faq-energy-explosion-not-terrain"],
        ["faq-skrull-pass", "faq-pulse-wave-skrull", "faq-energy-explosion-knockback"],
        id="an Energy Explosion beside a Skrull and a dumpster",
    ),
    pytest.param(
        dispute(
            [flier("a", "E5", name="Rogue", number="121", flight="soaring")],
            [figure("b", "F5")],
            close("a", "b", rolls=dice(4, 5)),
        ),
        ["correction-rogue-121"],
        ["correction-man-bat-40", "faq-soarer-attacks-soarer"],
        id="Rogue strikes from the ground although she stands on a flight base",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", teams=["Spider-Man"]), figure("f", "B2", teams=["Avengers"])],
            [figure("b", "N5")],
            move("a", "F5", using=("Avengers",)),
        ),
        ["faq-avengers-free-move", "faq-spider-man-count-as-members", "faq-spider-man-one-at-a-time"],
        ["faq-minions-count-as-members", "faq-legion-one-at-a-time", "faq-avengers-breakaway"],
        id="a wild card moves as an Avenger",
    ),
    pytest.param(
        asked(
            [figure("a", "E5", teams=["Defenders"]), figure("f", "G5", teams=["Defenders"], defense=18)],
            [figure("b", "N5")],
            {"ask": "value", "of": "a", "value": "defense"},
        ),
        ["faq-defenders-adjacent"],
        ["faq-defenders-transitive", "faq-justice-society-adjacent"],
        id="Defenders apart",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Pulse Wave")],
            [figure("b", "H5", "Super Senses")],
            ranged("a", using=("Pulse Wave",), rolls=dice(4, 5)),
        ),
        ["faq-pulse-wave-single"],
        ["faq-pulse-wave-skrull", "faq-skrull-not-splash", "faq-energy-explosion-miss"],
        id="a Pulse Wave reaches one with Super Senses",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [flier("b", "H5", flight="soaring")],
            ranged("a", "b", rolls=dice(4, 5)),
            edition="ic-2002",
        ),
        ["rulebook-example-soaring-half-range"],
        ["rulebook-flight-mode-cost", "rulebook-example-cyclops-two-targets", "rulebook-example-target-beside-friend"],
        id="Infinity Challenge: a shot at a soarer",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5"), figure("k", "I5")],
            [figure("b", "H5")],
            ranged("a", "b", rolls=dice(4, 5)),
            edition="ic-2002",
        ),
        ["rulebook-example-target-beside-friend"],
        ["rulebook-example-adjacent-figures", "rulebook-example-cyclops-two-targets"],
        id="Infinity Challenge: a friend beside the target",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "H5")],
            ranged("a", "b", rolls=dice(4, 5)),
            edition="ic-2002",
            elevated=["E4:E6"],
            hindering=["G5"],
        ),
        ["rulebook-example-shot-from-roof"],
        ["rulebook-example-elevated-neighbours", "rulebook-example-boomerang-line"],
        id="Infinity Challenge: a shot from a roof",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "H5")], ranged("a", "b"), edition="ic-2002", blocking=["G5"]),
        ["rulebook-example-boomerang-line"],
        ["rulebook-example-shot-from-roof", "rulebook-example-mike-double-fives"],
        id="Infinity Challenge: a building in between",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Blades/Claws/Fangs")],
            [figure("b", "F5")],
            close("a", "b", using=("Blades/Claws/Fangs",), rolls=dice(5, 5, damage=4)),
            edition="ic-2002",
            walls=["G5|H5"],
        ),
        ["rulebook-example-mike-double-fives"],
        ["rulebook-example-boomerang-line", "rulebook-example-pushing-hulk"],
        id="Infinity Challenge: knocked into a wall",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "F5")],
            close("a", "b", rolls=dice(4, 4)),
            edition="dc-2005",
            walls=["G5|H5"],
        ),
        ["rulebook-example-bizarro-robin"],
        ["rulebook-example-superman-wall", "rulebook-example-flash-moves", "rulebook-example-batman-joker"],
        id="2005: knocked into a wall",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", bolts=2)],
            [figure("b", "H5"), figure("c", "H7", defense=22)],
            ranged("a", "b", "c", rolls=dice(4, 5)),
            edition="dc-2005",
        ),
        ["rulebook-example-jon-two-targets"],
        ["rulebook-farthest-knocked-back-first", "rulebook-example-joker-shoots"],
        id="2005: two targets",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Charge")],
            [figure("b", "H5")],
            power("a", "F5", "G5", using=("Charge",), then=[close("a", "b")], rolls=dice(4, 5)),
            edition="dc-2005",
        ),
        ["rulebook-half-is-replacement"],
        ["rulebook-decide-flight-mode", "rulebook-example-flash-moves"],
        id="2005: half the speed",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Outwit")],
            [figure("b", "H5", "Toughness")],
            free("a", "b", using=("Outwit",), choose={"counter": "Toughness"}),
            ranged("a", "b", rolls=dice(4, 5)),
            edition="dc-2005",
        ),
        ["rulebook-countered-ends-at-once"],
        ["rulebook-no-damage-and-0", "rulebook-example-joker-shoots"],
        id="2005: Outwit on Toughness",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Telekinesis")],
            [figure("b", "H5")],
            power("a", using=("Telekinesis",), targets=["bin"], choose={"square": "F9"}),
            edition="dc-2005",
            objects=[{"id": "bin", "kind": "heavy", "square": "E6"}],
        ),
        ["rulebook-example-green-lantern-moves"],
        ["rulebook-example-green-lantern-attacks", "rulebook-example-bizarro-boulder"],
        id="2005: Telekinesis moves an object",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Super Strength", holding="bin")],
            [figure("b", "F5")],
            close("a", "b", with_object="bin", rolls=dice(4, 5)),
            edition="dc-2005",
            objects=[{"id": "bin", "kind": "heavy", "square": None}],
        ),
        ["rulebook-example-bizarro-boulder"],
        ["rulebook-example-wonder-woman-throws", "rulebook-example-green-lantern-attacks"],
        id="2005: a blow with an object",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "F5")],
            ranged("a", "b", rolls=dice(4, 5)),
            edition="dc-2005",
            elevated=["E4:E6"],
        ),
        ["rulebook-example-starfire-rim"],
        ["rulebook-example-harley-shoots-up", "rulebook-example-diagonals-hindering"],
        id="2005: from the rim",
    ),
    pytest.param(
        dispute(
            [flier("a", "E5"), figure("p", "E6")],
            [figure("b", "N5")],
            move("a", "F5", "G5", carry=["p"], choose={"place": {"p": "G6"}}),
            edition="dc-2005",
        ),
        ["rulebook-carried-no-line"],
        ["rulebook-decide-flight-mode", "rulebook-example-flash-moves"],
        id="2005: a passenger",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Incapacitate")],
            [figure("b", "F5", tokens=1)],
            close("a", "b", using=("Incapacitate",), rolls=dice(4, 5)),
            edition="dc-2005",
        ),
        ["rulebook-any-second-token-pushes"],
        ["rulebook-feat-push-first", "rulebook-example-cathy-actions"],
        id="2005: Incapacitate pushes",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Outwit")],
            [figure("b", "F5", "Stealth")],
            free("a", "b", using=("Outwit",), choose={"counter": "Stealth"}),
            edition="core-2014",
            hindering=["F5"],
        ),
        ["faq-stealth-outwit-adjacent"],
        [
            "faq-when-is-a-power-used",
            "rulebook-example-most-restrictive",
            "rulebook-based-cannot-shoot",
            "faq-counter-and-ignore",
        ],
        id="2014: Outwit from beside Stealth",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", bolts=2, damage=4)],
            [figure("b", "H5"), figure("c", "H7")],
            ranged("a", "b", "c", rolls=dice(4, 5), divide={"b": 2, "c": 2}),
            edition="core-2014",
        ),
        ["rulebook-example-norm-divides", "rulebook-example-jason-two-targets"],
        ["faq-damage-taken", "rulebook-example-mark-double-fours", "faq-damage-dealt"],
        id="2014: two targets",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Super Strength", damage=2)],
            [figure("b", "F5")],
            close("a", "b", rolls=dice(4, 4)),
            edition="core-2014",
            walls=["G5|H5"],
        ),
        ["rulebook-example-mark-double-fours"],
        ["rulebook-example-wall-debris", "rulebook-placed-is-not-moved", "rulebook-example-rim"],
        id="2014: knocked into a wall",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Charge", "Flurry")],
            [figure("b", "H5")],
            power(
                "a",
                "F5",
                "G5",
                using=("Charge",),
                then=[close("a", "b", "b", using=("Flurry",))],
                rolls={"attack": [[4, 5], [4, 3]]},
            ),
            edition="core-2014",
        ),
        ["rulebook-example-exploit-flurry"],
        ["rulebook-example-hypersonic-quake", "rulebook-example-charge-blades"],
        id="2014: Flurry after a Charge",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Hypersonic Speed", "Quake")],
            [figure("b", "H5")],
            power(
                "a",
                "F5",
                "G5",
                using=("Hypersonic Speed",),
                then=[close("a", "b", using=("Quake",), at="G5")],
                rolls=dice(4, 5),
            ),
            edition="core-2014",
        ),
        ["rulebook-example-hypersonic-quake"],
        ["rulebook-example-charge-blades", "rulebook-example-exploit-flurry"],
        id="2014: Quake at Hypersonic Speed",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5"), figure("d", "F5")],
            [figure("b", "F6"), figure("e", "E6")],
            ask=[{"ask": "line-of-fire", "from": "a", "to": "b"}],
            edition="core-2014",
        ),
        ["faq-adjacent-without-line"],
        ["rulebook-example-most-restrictive", "rulebook-example-rim"],
        id="2014: four at one corner",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "F5"), figure("c", "J5")], ranged("a", "c"), edition="core-2014"),
        ["rulebook-based-cannot-shoot"],
        ["rulebook-example-line-blocked", "faq-adjacent-without-line"],
        id="2014: a shot beside an opponent",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Pulse Wave")],
            [figure("b", "H5", "Toughness")],
            ranged("a", using=("Pulse Wave",), rolls=dice(4, 5)),
            edition="core-2014",
        ),
        ["faq-ignore-is-not-counter"],
        ["faq-counter-and-ignore", "faq-when-is-a-power-used"],
        id="2014: Pulse Wave against Toughness",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "F5", "Super Senses")],
            close("a", "b", rolls=dice(4, 5, super_senses__b=5)),
            edition="core-2014",
        ),
        ["rulebook-successful-attack-roll"],
        ["faq-damage-dealt", "rulebook-example-mark-double-fours"],
        id="2014: Super Senses",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "F5")],
            ranged("a", "b", rolls=dice(4, 5)),
            edition="core-2014",
            elevated=["E4:E6"],
        ),
        ["rulebook-example-rim"],
        ["rulebook-example-line-blocked", "rulebook-based-cannot-shoot", "rulebook-chart-is-an-aid"],
        id="2014: from the rim",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "F5", "Super Senses")],
            close("a", "b", rolls=dice(6, 6)),
            edition="core-modern",
        ),
        ["sidebar-critical-not-evaded", "sidebar-increase-is-no-modifier"],
        ["sidebar-becomes-the-hit-target", "sidebar-two-super-senses", "sidebar-success-rolls"],
        id="2020s: Super Senses against two 6s",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "F5")], close("a", "b", rolls=dice(6, 6)), edition="core-modern"),
        ["sidebar-increase-is-no-modifier"],
        ["sidebar-critical-not-evaded", "sidebar-evade-super-senses"],
        id="2020s: two 6s",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Charge")],
            [figure("b", "H5")],
            power("a", "F5", "G5", using=("Charge",), then=[close("a", "b")], rolls=dice(4, 5)),
            edition="core-modern",
        ),
        ["sidebar-charge-step-by-step", "sidebar-charge-nothing-between", "sidebar-move-action-and-move"],
        ["sidebar-activate-is-give", "sidebar-action-spelling", "sidebar-crossing-elevations"],
        id="2020s: a Charge",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Flurry", "Steal Energy", click=3)],
            [figure("b", "F5")],
            close("a", "b", "b", using=("Flurry",), rolls={"attack": [[4, 5], [4, 3]]}),
            edition="core-modern",
        ),
        ["sidebar-steal-energy-twice", "sidebar-flurry-recalculates"],
        ["sidebar-damage-simultaneous", "sidebar-other-trigger", "sidebar-regeneration-trigger-on-heal"],
        id="2020s: Flurry with Steal Energy",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Outwit")],
            [figure("b", "H5", "Super Strength", holding="bin")],
            free("a", "b", using=("Outwit",), choose={"counter": "Super Strength"}),
            edition="core-modern",
            objects=[{"id": "bin", "kind": "heavy", "square": None}],
        ),
        ["sidebar-outwit-super-strength", "sidebar-cannot-use-keeps-heavy"],
        ["sidebar-telekinesis-held-object", "sidebar-heavy-object-ends", "sidebar-or-powers"],
        id="2020s: Outwit on a holder's Super Strength",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Probability Control")],
            [figure("b", "F5")],
            close("a", "b", rolls={"attack": [[1, 2]], "attack/reroll": [[5, 4]]}),
            edition="core-modern",
        ),
        ["sidebar-reroll-order", "sidebar-reroll-one-die"],
        ["sidebar-ttpc-once", "sidebar-success-rolls", "sidebar-regeneration-versions"],
        id="2020s: a roll is made again",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "F5", "Toughness", "Invulnerability")],
            close("a", "b", rolls=dice(4, 5)),
            edition="core-modern",
        ),
        ["sidebar-one-reducer"],
        ["sidebar-minimum-maximum-damage", "sidebar-unavoidable-beats-cannot"],
        id="2020s: Toughness and Invulnerability",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Telekinesis")],
            [figure("b", "F5", "Super Strength", holding="bin")],
            power("a", using=("Telekinesis",), targets=["bin"], choose={"square": "F9"}),
            edition="core-modern",
            objects=[{"id": "bin", "kind": "heavy", "square": None}],
        ),
        ["sidebar-telekinesis-held-object"],
        ["sidebar-double-slash", "sidebar-outwit-super-strength"],
        id="2020s: Telekinesis on a held object",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "N5")],
            move("a", "F5"),
            edition="core-modern",
            hindering=["E5"],
            water=["F5"],
        ),
        ["sidebar-hindering-into-water"],
        ["sidebar-water-is-not-hindering-square", "sidebar-shooting-out-of-hindering"],
        id="2020s: from the bushes into water",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "H5")],
            ranged("a", "b", rolls=dice(4, 5)),
            edition="core-modern",
            objects=[{"id": "bin", "kind": "heavy", "square": "H5"}],
        ),
        ["sidebar-heavy-object-ends"],
        ["sidebar-pick-up-standing", "sidebar-keep-holding", "sidebar-telekinesis-held-object"],
        id="2020s: a heavy object under the target",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Leap/Climb")],
            [figure("b", "N5")],
            move("a", "F5", "G5"),
            edition="core-modern",
            blocking=["F5"],
        ),
        ["sidebar-outdoor-blocking"],
        ["sidebar-blocked-intersection", "sidebar-crossing-elevations"],
        id="2020s: a leap over a building",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Force Blast")],
            [figure("b", "F5")],
            power("a", using=("Force Blast",), targets=["b"], rolls=dice(force_blast=3)),
            edition="core-modern",
        ),
        ["sidebar-force-blast-knock-back", "sidebar-knock-back-is-placing"],
        ["sidebar-knock-back-prevention-time", "sidebar-rough-ledge"],
        id="2020s: Force Blast",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "I5"), figure("c", "G5")],
            ranged("a", "b", rolls=dice(4, 5)),
            edition="core-modern",
            elevated=["D4:E6"],
        ),
        ["sidebar-standard-do-not-block-heights"],
        ["sidebar-crossing-elevations", "sidebar-wall-between-elevations"],
        id="2020s: over the heads",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Super Strength")],
            [figure("b", "N5")],
            move("a", pick_up="bin"),
            edition="core-modern",
            objects=[{"id": "bin", "kind": "heavy", "square": "E6"}],
        ),
        ["sidebar-pick-up-standing"],
        ["sidebar-keep-holding", "sidebar-carry-or-hold", "sidebar-outwit-super-strength"],
        id="2020s: an object is picked up",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "N5")], move("a", "F5", "G5"), hindering=["F5"]),
        ["faq-hindering-stop"],
        ["faq-hindering-half-start", "correction-hindering-first-square", "faq-smoke-cloud-hindering"],
        id="a walk through the bushes",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [flier("h", "G5"), figure("b", "I5")],
            ranged("a", "b", rolls=dice(4, 5)),
            elevated=["D4:E6"],
        ),
        ["faq-hovering-line-of-fire", "faq-elevated-attacker-favoured"],
        ["faq-hoverer-adjacent-target-only", "faq-grounded-vs-adjacent-hoverer", "faq-stealth-elevated"],
        id="a shot from a roof past a hoverer",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Telekinesis")],
            [figure("b", "F5")],
            close("a", "bin", using=("Telekinesis",), choose={"square": "H8"}),
            objects=[{"id": "bin", "kind": "heavy", "square": "F5"}],
        ),
        ["faq-object-under-foe-telekinesis", "faq-object-under-foe"],
        ["faq-telekinesis-doubles", "faq-telekinesis-no-slam", "faq-used-object-removed-telekinesis"],
        id="Telekinesis takes an object from under an opponent",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Force Blast")],
            [figure("b", "F5"), figure("c", "H5")],
            move("a", using=("Force Blast",), targets=["b"]),
        ),
        ["magister-2002-08-06-force-blast-into-figure", "faq-force-blast-damage"],
        ["faq-force-blast-vs-charge", "faq-knockback-edge-cling", "faq-impervious-not-indirect"],
        id="a Force Blast against a figure",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Telekinesis", bolts=2), figure("p", "E6")],
            [figure("b", "N5")],
            close("a", "p", using=("Telekinesis",), choose={"square": "H8"}),
        ),
        ["chapeau-2002-09-25-telekinesis-single-target"],
        ["faq-bolts-are-targets", "steenbock-2002-05-06-mind-control-bolts", "faq-telekinesis-object-holder"],
        id="Telekinesis with two bolts",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Flurry")],
            [figure("b", "F5", "Invulnerability")],
            close("a", "b", "b", using=("Flurry",), rolls={"attack": [[4, 5], [4, 3]]}),
        ),
        ["faq-invulnerability-resets", "faq-flurry-separate"],
        ["faq-toughness-resets", "faq-hypersonic-one-attack", "faq-incapacitate-twice"],
        id="Flurry against Invulnerability",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Perplex")],
            [figure("b", "F5")],
            free("a", "a", using=("Perplex",), choose={"value": "damage", "by": 1}),
        ),
        ["faq-perplex-self"],
        ["faq-perplex-line", "faq-perplex-stacks", "correction-perplex-vs-soaring"],
        id="Perplex on oneself",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Perplex"), figure("d", "E6", "Perplex")],
            [figure("b", "F5")],
            free("a", "b", using=("Perplex",), choose={"value": "defense", "by": -1}),
            free("d", "b", using=("Perplex",), choose={"value": "defense", "by": -1}),
        ),
        ["faq-perplex-stacks", "faq-perplex-line"],
        ["faq-perplex-self", "faq-perplex-not-mid-action"],
        id="two Perplexes on one figure",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Charge", "Perplex")],
            [figure("b", "G5")],
            move(
                "a",
                "F5",
                using=("Charge",),
                then=[free("a", "b", using=("Perplex",), choose={"value": "defense", "by": -1}), close("a", "b")],
                rolls=dice(4, 5),
            ),
        ),
        ["faq-perplex-not-mid-action"],
        ["faq-outwit-not-mid-action", "faq-charge-quarter", "faq-cce-no-other-powers"],
        id="Perplex in the middle of a Charge",
    ),
    pytest.param(
        dispute(
            [flier("a", "E5", flight="soaring"), figure("p", "E6")],
            [figure("b", "N5")],
            move("a", "F5", carry=["p"], choose={"place": {"p": "F6"}}),
        ),
        ["correction-soarer-telekinesis", "faq-carry-starts-and-ends-hovering"],
        ["faq-phasing-flier-carries", "magister-2002-07-21-carry-one", "faq-green-lantern-carry"],
        id="a soarer wants to carry",
    ),
    pytest.param(
        dispute([flier("a", "E5", name="Rogue", number="121")], [figure("b", "N5")], move("a", "F5")),
        ["correction-rogue-121"],
        ["correction-pyro-92", "correction-man-bat-40", "correction-soaring-freely"],
        id="Rogue on her flight base",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "F5", "Super Strength", holding="d")],
            close("a", "b", rolls=dice(4, 5)),
            objects=[{"id": "d", "kind": "heavy", "square": None, "name": "Office Desk"}],
        ),
        ["faq-office-desk"],
        ["faq-dumpster-not-destroyed", "faq-used-object-removed", "faq-charge-object"],
        id="a blow at somebody who holds the desk",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Super Strength", holding="bin")],
            [figure("b", "H5")],
            ranged("a", "b", with_object="bin", rolls=dice(4, 5)),
            edition="dc-2005",
            objects=[{"id": "bin", "kind": "heavy", "square": None}],
        ),
        ["rulebook-example-wonder-woman-throws"],
        ["rulebook-example-green-lantern-moves", "rulebook-example-superman-wall"],
        id="2005: an object is thrown",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Telekinesis")],
            [figure("b", "H5")],
            power("a", using=("Telekinesis",), targets=["b"], with_object="bin", rolls=dice(4, 5)),
            edition="dc-2005",
            objects=[{"id": "bin", "kind": "heavy", "square": "E6"}],
        ),
        ["rulebook-example-green-lantern-attacks"],
        ["rulebook-example-green-lantern-moves", "rulebook-example-bizarro-boulder"],
        id="2005: an attack by Telekinesis",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "F5"), flier("c", "H5", flight="soaring")],
            close("a", "b", rolls=dice(5, 5)),
            edition="dc-2005",
        ),
        ["rulebook-soaring-character-in-the-way"],
        ["rulebook-example-bizarro-robin", "rulebook-decide-flight-mode"],
        id="2005: knocked against a soarer",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [{**figure("b", None), "squares": ["F5", "G5"], "base": "peanut"}],
            ask=[{"ask": "adjacent", "a": "a", "b": "b"}],
            edition="dc-2005",
        ),
        ["rulebook-example-double-base-neighbours"],
        ["rulebook-example-starfire-rim", "rulebook-carried-no-line"],
        id="2005: beside a double base",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "F5", teams=["Minions of Doom"]), figure("c", "F6", teams=["Superman Enemy"])],
            close("a", "b", rolls=dice(4, 3)),
            edition="dc-2005",
        ),
        ["rulebook-wild-card-has-no-symbol"],
        ["rulebook-feat-not-lent", "rulebook-example-batman-joker"],
        id="2005: a wild card",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Outwit")],
            [figure("b", "H5", "Toughness")],
            free("a", "b", using=("Outwit",), choose={"counter": "Toughness"}),
            ranged("a", "b", rolls=dice(4, 5)),
            edition="core-2014",
        ),
        ["faq-counter-and-ignore"],
        ["faq-ignore-is-not-counter", "faq-stealth-outwit-adjacent", "rulebook-action-in-progress-goes-on"],
        id="2014: Outwit on Toughness",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5"), figure("p", "G5")], [figure("b", "N5")], move("a", "F5", "G5"), edition="core-2014"
        ),
        ["rulebook-unoccupied-whatever-terrain"],
        ["rulebook-placed-is-not-moved", "rulebook-example-break-away"],
        id="2014: a move onto a friend",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Willpower", tokens=1)],
            [figure("b", "N5")],
            move("a", "F5", choose={"decline": ["willpower:a"]}),
            edition="core-2014",
        ),
        ["faq-when-is-a-power-used", "rulebook-may-means-optional"],
        ["faq-counter-and-ignore", "rulebook-do-push"],
        id="2014: Willpower is declined",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Telekinesis"), figure("p", "E6")],
            [figure("b", "N5")],
            power("a", using=("Telekinesis",), targets=["p"], choose={"square": "H8"}),
            edition="core-2014",
        ),
        ["rulebook-placed-is-not-moved"],
        ["rulebook-unoccupied-whatever-terrain", "rulebook-example-move-eight"],
        id="2014: Telekinesis places a friend",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "I5"), figure("g", "G5", symbols={"damage": "giant"})],
            ranged("a", "b"),
            edition="core-2014",
        ),
        ["rulebook-chart-is-an-aid", "rulebook-example-line-blocked"],
        ["faq-adjacent-without-line", "rulebook-example-multi-base-neighbours"],
        id="2014: a giant on the line",
    ),
    pytest.param(
        dispute(
            [
                figure(
                    "a",
                    "E5",
                    "Flurry",
                    dial=[
                        {"speed": 8, "attack": 10, "defense": 15, "damage": 3, "powers": ["Flurry"]},
                        {"speed": 8, "attack": 10, "defense": 15, "damage": 3, "powers": []},
                    ]
                    * 3,
                )
            ],
            [figure("b", "F5")],
            close("a", "b", "b", using=("Flurry",), rolls={"attack": [[1, 1], [4, 5]]}),
            edition="core-2014",
        ),
        ["rulebook-action-in-progress-goes-on"],
        ["faq-counter-and-ignore", "rulebook-example-exploit-flurry"],
        id="2014: Flurry is lost in the middle of an action",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "N5")], move("a", "F5"), edition="core-modern", elevated=["F4:H8"]),
        ["sidebar-crossing-elevations"],
        ["sidebar-no-diagonal-stairs", "sidebar-wall-between-elevations", "sidebar-rough-ledge"],
        id="2020s: up a wall without stairs",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")], [figure("b", "N5")], move("a", "F6"), edition="core-modern", blocking=["F5", "E6"]
        ),
        ["sidebar-blocked-intersection"],
        ["sidebar-perfect-diagonal", "sidebar-outdoor-blocking"],
        id="2020s: between two blocking squares",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "N5")],
            close("a", "E5|F5"),
            edition="core-modern",
            elevated=["F4:H8"],
            walls=["E5|F5"],
        ),
        ["sidebar-wall-between-elevations", "sidebar-debris-is-rubble"],
        ["sidebar-crossing-elevations", "sidebar-topmost-marker", "sidebar-placed-beside-door"],
        id="2020s: a wall between two elevations",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Mind Control")],
            [figure("b", "H5"), figure("x", "H6")],
            ranged("a", "b", using=("Mind Control",), then=[move("b", "I5")], rolls=dice(4, 5, break_away=1)),
            edition="core-modern",
        ),
        ["sidebar-mind-control-failed-break-away"],
        ["sidebar-mind-control-second-prime", "sidebar-success-rolls"],
        id="2020s: a mind-controlled figure fails to break away",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [figure("b", "F5", "Super Senses"), figure("pc", "F7", "Probability Control")],
            close("a", "b", rolls={"attack": [[4, 5]], "super-senses:b": [[2]], "super-senses:b/reroll": [[6]]}),
            edition="core-modern",
        ),
        ["sidebar-success-rolls", "sidebar-reroll-order"],
        ["sidebar-two-super-senses", "sidebar-critical-not-evaded"],
        id="2020s: Super Senses are rolled again",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Outwit", range=4)],
            [figure("b", "O5", "Toughness")],
            free("a", "b", using=("Outwit",), choose={"counter": "Toughness"}),
            edition="core-modern",
        ),
        ["sidebar-within-is-not-targeting", "sidebar-range-line-independent"],
        ["sidebar-range-replaced", "sidebar-or-powers"],
        id="2020s: Outwit out of reach",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5")],
            [{**figure("b", None, "Stealth"), "squares": ["I5", "J5", "I6", "J6"], "base": "2x2"}],
            ranged("a", "b", rolls=dice(4, 5)),
            edition="core-modern",
            hindering=["I5:J6"],
        ),
        ["sidebar-stealth-multi-base"],
        ["sidebar-water-is-not-hindering-square", "sidebar-shooting-out-of-hindering"],
        id="2020s: Stealth on a larger base",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Energy Explosion")],
            [figure("b", "H5"), figure("c", "I5")],
            ranged("a", "b", using=("Energy Explosion",), rolls=dice(4, 5)),
            edition="ic-2002",
        ),
        ["rulebook-energy-explosion-main-line"],
        ["rulebook-example-cyclops-two-targets", "rulebook-example-mike-double-fives"],
        id="Infinity Challenge: an Energy Explosion",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", bolts=2)],
            [figure("b", "H5"), figure("c", "H7", defense=22)],
            ranged("a", "b", "c", rolls=dice(4, 5)),
            edition="ic-2002",
        ),
        ["rulebook-example-cyclops-two-targets"],
        ["rulebook-energy-explosion-main-line", "rulebook-example-target-beside-friend"],
        id="Infinity Challenge: two targets",
    ),
    pytest.param(
        dispute([sentinel("s", "E5")], [figure("b", "N14")], move("s", "F5"), kind="indoor"),
        ["faq-sentinel-not-soaring"],
        ["faq-indoor-no-soaring"],
        id="a Sentinel moves on an indoor map",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", teams=["Justice League"])],
            [figure("b", "F5")],
            move("a", "D5", using=("Justice League",), rolls=dice(break_away=2)),
        ),
        ["faq-justice-league-breakaway"],
        ["faq-avengers-breakaway"],
        id="a member of the Justice League fails to break away",
    ),
    pytest.param(
        dispute(
            [figure("a", "E5", "Charge", "Blades/Claws/Fangs")],
            [figure("b", "I5")],
            power(
                "a",
                *("F5", "G5", "H5"),
                using=("Charge",),
                then=[close("a", "b", using=("Blades/Claws/Fangs",))],
                rolls=dice(4, 5),
            ),
            edition="core-2014",
        ),
        ["rulebook-example-charge-blades"],
        ["rulebook-example-hypersonic-quake", "rulebook-example-exploit-flurry"],
        id="2014: Blades/Claws/Fangs after a Charge",
    ),
    pytest.param(
        dispute(
            [figure("a", "B5", "Telekinesis"), figure("c", "C5"), figure("d", "F5")],
            [figure("b", "N14")],
            power("a", using=("Telekinesis",), targets=["c"], choose={"square": "F5"}),
            edition="core-modern",
        ),
        ["sidebar-occupancy-optional"],
        ["sidebar-telekinesis-held-object"],
        id="2020s: Telekinesis onto an occupied square",
    ),
    pytest.param(
        dispute(
            [figure("a", "B2")],
            [figure("b", "N14")],
            move("a", "C3"),
            elevated=["C2:F8"],
            stairs=["B3|C3"],
            edition="core-modern",
        ),
        ["sidebar-no-diagonal-stairs"],
        ["sidebar-wall-between-elevations"],
        id="2020s: diagonally onto stairs",
    ),
    pytest.param(
        dispute(
            [figure("a", "B2", "Sidestep", speed=2)],
            [figure("b", "N14")],
            free("a", using=("Sidestep",), path=["C2", "D2"]),
            hindering=["B2"],
            edition="core-modern",
        ),
        ["sidebar-move-two-squares"],
        ["sidebar-hindering-into-water"],
        id="2020s: Sidestep out of hindering terrain",
    ),
    pytest.param(
        dispute(
            [figure("a", "B2", "Sidestep")],
            [figure("b", "N14")],
            free("a", using=("Sidestep",), path=["C2", "D2"]),
            edition="core-modern",
        ),
        [],
        ["sidebar-move-two-squares"],
        id="2020s: Sidestep in the open",
    ),
]

QUESTIONS = [
    pytest.param(
        asked([figure("a", "E5")], [figure("b", "F5")], {"ask": "adjacent", "a": "a", "b": "b"}, elevated=["F5:G6"]),
        ["faq-elevation-not-adjacent", "faq-elevations-not-adjacent"],
        ["faq-rooftop-edge", "rulebook-example-elevated-neighbours", "faq-on-top-adjacency"],
        id="are a street and a roof adjacent?",
    ),
    pytest.param(
        asked(
            [figure("a", "E5", "Leap/Climb")],
            [figure("b", "F5")],
            {"ask": "adjacent", "a": "a", "b": "b"},
            blocking=["E5"],
        ),
        ["faq-on-top-adjacency"],
        ["faq-elevation-not-adjacent", "faq-rooftop-fixtures-blocking"],
        id="who is adjacent on top of blocking terrain?",
    ),
    pytest.param(
        asked(
            [figure("a", "E5")],
            [flier("b", "G5", flight="soaring")],
            {"ask": "can-target", "attack": "ranged", "from": "a", "to": "b"},
        ),
        ["faq-shoot-up-not-down", "rulebook-example-soaring-half-range"],
        ["faq-soarer-attacks-soarer", "faq-soarer-adjacent-ranged", "faq-half-range-not-universal"],
        id="may one shoot up at a soarer?",
    ),
    pytest.param(
        asked(
            [flier("a", "E5", flight="soaring")],
            [figure("b", "G5")],
            {"ask": "can-target", "attack": "ranged", "from": "a", "to": "b"},
        ),
        ["faq-shoot-up-not-down", "faq-soarer-attacks-soarer"],
        ["faq-soarers-ignore-ground-blocking", "correction-soaring-freely"],
        id="may a soarer shoot down?",
    ),
    pytest.param(
        asked([flier("a", "E5", flight="soaring")], [flier("b", "I5", flight="soaring"), figure("g", "G5")], LINE),
        ["magister-2002-07-21-grounded-blocks-soarers"],
        ["faq-hovering-line-of-fire", "faq-shoot-up-not-down"],
        id="does somebody on the ground block two soarers?",
    ),
    pytest.param(
        asked([flier("a", "E5", flight="soaring")], [flier("b", "I5", flight="soaring")], LINE, blocking=["G5"]),
        ["faq-soarers-ignore-ground-blocking"],
        ["faq-diagonal-blocking", "faq-shoot-up-not-down", "faq-figure-blocks-line"],
        id="does a building block two soarers?",
    ),
    pytest.param(
        asked([figure("a", "E5")], [flier("h", "G5"), figure("b", "I5")], LINE),
        ["faq-hovering-line-of-fire"],
        ["faq-grounded-vs-adjacent-hoverer", "faq-stealth-elevated"],
        id="does a hoverer block a line?",
    ),
    pytest.param(
        asked(
            [figure("a", "E5")], [flier("b", "F5")], {"ask": "can-target", "attack": "ranged", "from": "a", "to": "b"}
        ),
        ["faq-grounded-vs-adjacent-hoverer"],
        ["faq-hovering-must-stop", "faq-breakaway-hovering"],
        id="may one shoot at a hovering neighbour?",
    ),
    pytest.param(
        asked([figure("a", "E5")], [figure("b", "G7")], LINE, hindering=["F5", "E6"]),
        ["faq-diagonal-hindering"],
        ["faq-diagonal-blocking", "faq-diagonal-figures", "correction-hindering-first-square"],
        id="a line between two bushes",
    ),
    pytest.param(
        asked([figure("a", "E5")], [figure("b", "G7")], LINE, blocking=["F5", "E6"]),
        ["faq-diagonal-blocking"],
        ["faq-diagonal-hindering", "faq-diagonal-figures", "correction-barrier-diagonal-blocking"],
        id="a line between two blocks",
    ),
    pytest.param(
        asked([figure("a", "E5")], [figure("b", "I5")], LINE),
        [],
        ["faq-line-clear-definition", "faq-figure-blocks-line", "faq-diagonal-figures"],
        id="a line in the open",
    ),
    pytest.param(
        asked([figure("a", "E5")], [figure("b", "I5")], LINE, elevated=["H4:J6"]),
        ["faq-rooftop-edge", "faq-elevated-attacker-favoured"],
        ["faq-knockback-off-elevation", "faq-stealth-elevated"],
        id="a line up to the middle of a roof",
    ),
    pytest.param(
        asked(
            [figure("a", "E5")],
            [figure("b", "I5", "Stealth")],
            LINE,
            objects=[{"id": "o", "kind": "light", "square": "I5"}],
        ),
        ["faq-stealth-object"],
        ["faq-stealth-outwit", "faq-stealth-elevated", "faq-batman-ally-object"],
        id="can Stealth on an object be seen?",
    ),
    pytest.param(
        asked(
            [figure("a", "E5")], [figure("b", "I5", teams=["Batman Ally"])], LINE, elevated=["E4:E6"], hindering=["G5"]
        ),
        ["faq-batman-ally-elevated"],
        ["faq-stealth-elevated", "faq-batman-ally-object"],
        id="can a Batman Ally be seen from above?",
    ),
    pytest.param(
        asked([figure("a", "E5")], [figure("b", "I5")], LINE, markers=[{"kind": "smoke", "square": "G5"}]),
        ["faq-smoke-cloud-hindering"],
        ["faq-smoke-cloud-no-line", "faq-smoke-cloud-range-zero", "faq-outwit-not-markers"],
        id="a line through smoke",
    ),
    pytest.param(
        asked([figure("a", "E5")], [figure("b", "I5")], LINE, markers=[{"kind": "barrier", "square": "G5"}]),
        ["faq-barrier-blocks-attacks"],
        ["faq-barrier-unseen", "faq-barrier-one-in-range", "correction-barrier-must-four", "faq-barrier-leap-climb"],
        id="a line through a Barrier",
    ),
    pytest.param(
        asked(
            [flier("a", "E5", flight="soaring")],
            [flier("b", "I5", flight="soaring")],
            LINE,
            markers=[{"kind": "barrier", "square": "G5"}],
        ),
        ["faq-barrier-soaring"],
        ["faq-barrier-no-breakaway", "faq-smoke-cloud-soaring"],
        id="soarers and a Barrier",
    ),
    pytest.param(
        asked([figure("a", "E5", "Phasing")], [figure("b", "F5")], {"ask": "break-away", "of": "a"}),
        ["faq-breakaway-leap-phasing", "steenbock-2002-05-16-phasing-no-breakaway"],
        ["faq-breakaway-failure-is-action", "faq-phasing-carry", "steenbock-2002-05-16-leap-climb-no-breakaway"],
        id="does Phasing break away?",
    ),
    pytest.param(
        asked([figure("a", "E5", "Hypersonic Speed")], [figure("b", "F5")], {"ask": "break-away", "of": "a"}),
        ["chapeau-2002-09-25-hypersonic-no-breakaway"],
        ["faq-hypersonic-one-attack", "faq-breakaway-leap-phasing"],
        id="does Hypersonic Speed break away?",
    ),
    pytest.param(
        asked([figure("a", "E5")], [flier("b", "F5", flight="soaring")], {"ask": "break-away", "of": "a"}),
        ["faq-soarer-no-breakaway"],
        ["faq-breakaway-hovering", "faq-soarer-attacks-soarer"],
        id="does one break away from a soarer?",
    ),
    pytest.param(
        asked([figure("a", "C5")], [figure("b", "B5")], {"ask": "knock-back", "of": "b", "from": "a", "clicks": 3}),
        ["faq-knockback-map-edge"],
        ["faq-knockback-edge-cling", "faq-knockback-oblique"],
        id="knocked against the edge of the map?",
    ),
    pytest.param(
        asked([figure("a", "E5")], [figure("b", "H6")], {"ask": "knock-back", "of": "b", "from": "a", "clicks": 3}),
        ["faq-knockback-oblique"],
        ["faq-knockback-wall-or-figure", "faq-knockback-map-edge"],
        id="which way is one knocked back?",
    ),
    pytest.param(
        asked(
            [figure("a", "E5")],
            [figure("b", "F5", "Charge")],
            {"ask": "knock-back", "of": "b", "from": "a", "clicks": 3},
        ),
        [],
        ["faq-charge-breakaway", "faq-charge-quarter", "faq-force-blast-vs-charge"],
        id="is Charge knocked back?",
    ),
    pytest.param(
        asked(
            [flier("a", "E5", flight="soaring"), figure("p", "F5")],
            [figure("b", "N5")],
            {"ask": "can-carry", "of": "a", "carried": "p"},
        ),
        ["correction-soarer-telekinesis"],
        ["faq-phasing-flier-carries", "faq-hypersonic-no-carry-attack"],
        id="may a soarer carry?",
    ),
    pytest.param(
        asked(
            [figure("a", "E5")],
            [figure("b", "F5"), figure("c", "F6", "Defend", defense=18)],
            {"ask": "value", "of": "b", "value": "defense"},
        ),
        ["faq-defend-transitive"],
        ["faq-defenders-transitive", "faq-justice-society-transitive"],
        id="what defense does Defend lend?",
    ),
    pytest.param(
        asked(
            [figure("a", "E5")],
            [figure("b", "F5", teams=["Spider-Man"]), figure("c", "F6", teams=["Defenders"], defense=18)],
            {"ask": "value", "of": "b", "value": "defense"},
        ),
        ["faq-spider-man-count-as-members"],
        ["faq-minions-count-as-members", "faq-legion-count-as-members"],
        id="what does a wild card borrow?",
    ),
    pytest.param(
        asked([figure("a", "E5")], [figure("b", "F5")], {"ask": "action-total", "player": "A"}),
        ["rulebook-example-bruce-actions"],
        ["faq-shield-costs-action", "faq-pass-no-token"],
        id="how many actions?",
    ),
    pytest.param(
        asked(
            [figure("a", "E5", "Charge")],
            [figure("b", "N5")],
            {"ask": "reachable", "of": "a", "using": ["Charge"]},
            hindering=["E5"],
        ),
        ["faq-charge-quarter", "faq-hindering-half-start"],
        ["faq-running-shot-quarter", "faq-charge-breakaway"],
        id="how far does a Charge reach from the bushes?",
    ),
    pytest.param(
        asked([sentinel("s", "E5")], [figure("b", "J5")], {"ask": "line-of-fire", "from": "s", "to": "b"}),
        ["faq-sentinel-terrain-line"],
        ["faq-figure-blocks-line", "faq-sentinel-doorway"],
        id="a line from a Sentinel",
    ),
]

PLAIN = [
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "F5")], close("a", "b", rolls=dice(4, 5)), edition="core-2014"),
        id="2014: a plain blow",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "F5")], close("a", "b", rolls=dice(4, 5)), edition="dc-2005"),
        id="2005: a plain blow",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "F5")], close("a", "b", rolls=dice(4, 5)), edition="core-modern"),
        id="2020s: a plain blow",
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "N5")], move("a", "F5"), edition="core-modern"), id="2020s: a step"
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "F5")], close("a", "b", rolls=dice(4, 5))), id="2002: a plain blow"
    ),
    pytest.param(
        dispute([figure("a", "E5")], [figure("b", "H5")], ranged("a", "b", rolls=dice(4, 5))), id="2002: a plain shot"
    ),
    pytest.param(dispute([figure("a", "E5", tokens=1)], [figure("b", "N5")], move("a", "F6")), id="2002: a push"),
]


@every_row(("document", "shown", "hidden"), [*DISPUTES, *QUESTIONS])
def test_the_rulings_shown_bear_on_the_dispute(document, shown, hidden):
    report = adjudicate(document)
    found = [one["id"] for one in report["rulings"]]
    unknown = [name for name in (*shown, *hidden) if not ruling(document["edition"], name)]
    assert not unknown, f"No ruling of {document['edition']} is called {unknown}"
    missing, extra = set(shown) - set(found), set(hidden) & set(found)
    book = f"rules/engine/editions/texts/rulings/{document['edition']}*.toml"
    assert not missing, f"Not shown, so look at their `when` in {book}: {sorted(missing)}; shown: {found}"
    assert not extra, f"Shown, so look at their `when` in {book}: {sorted(extra)}"
    check_rulings(report)


@every_row("document", PLAIN)
def test_no_ruling_is_shown_if_nothing_is_in_question(document):
    report = adjudicate(document)
    assert report["legal"]
    assert report["awaiting"] is None
    assert report["rulings"] == []


def test_the_disputes_are_many_and_of_every_edition():
    documents = [given.values[0] for given in DISPUTES]
    assert len(documents) > 140
    assert {document["edition"] for document in documents} == {
        "ic-2002",
        "car-2002",
        "dc-2005",
        "core-2014",
        "core-modern",
    }


def test_the_ruling_that_settles_a_dispute_comes_first():
    first = {
        "faq-stealth-elevated": "a shot from a roof at Stealth behind bushes",
        "faq-knockback-edge-cling": "knocked off a roof onto a figure",
        "faq-rce-no-other-powers": "Ranged Combat Expert with a Psychic Blast",
        "faq-game-end-mid-action": "a Sentinel pushes to capture the last opponent",
        "steenbock-2002-05-16-super-senses-critical": "Super Senses against two 6s",
        "faq-charge-quarter": "a Charge with an odd speed out of hindering terrain",
        "correction-hindering-first-square": "a Running Shot from the bushes at Stealth",
        "faq-hypersonic-no-carry-attack": "a flier attacks at Hypersonic Speed with a passenger",
        "sidebar-critical-not-evaded": "2020s: Super Senses against two 6s",
    }
    by_title = {given.id: given.values[0] for given in DISPUTES}
    for name, title in first.items():
        assert adjudicate(by_title[title])["rulings"][0]["id"] == name


@every_row(("roof", "weight"), [((), "background"), (("E4:F6",), "decides")])
def test_the_ruling_about_edges_decides_only_where_a_knockback_leads_over_one(roof, weight):
    document = dispute(
        [figure("a", "E5")],
        [flier("b", "F5", flight="hovering")],
        close("a", "b", rolls=dice(5, 5)),
        **({"elevated": list(roof)} if roof else {}),
    )
    weights = {one["id"]: one["weight"] for one in adjudicate(document)["rulings"]}
    assert weights["faq-knockback-off-elevation"] == weight


def test_a_ruling_that_goes_against_another_says_so_and_stands_before_it():
    document = dispute(
        [figure("a", "E5", "Charge", speed=9)],
        [figure("b", "I5")],
        move("a", "F5", "G5", "H5", using=("Charge",), then=[close("a", "b")], rolls=dice(4, 5)),
        hindering=["E5"],
    )
    found = {one["id"]: (place, one) for place, one in enumerate(adjudicate(document)["rulings"])}
    place, one = found["faq-hindering-half-start"]
    assert one["followed_rather_than"] == ["correction-hindering-half-speed"]
    assert place < found["correction-hindering-half-speed"][0]
    assert one["official"] is True


def test_each_step_shows_the_rulings_about_itself():
    document = dispute(
        [figure("a", "E5", "Charge")],
        [figure("b", "H5", "Super Senses")],
        move("a", "F5", "G5", using=("Charge",), then=[close("a", "b")], rolls=dice(6, 6, super_senses__b=5)),
    )
    steps = {step["step"]: step["rulings"] for step in adjudicate(document)["steps"]}
    assert "steenbock-2002-05-16-super-senses-critical" in steps["evade"]
    assert "faq-charge-move-portion" in steps["move"]
    assert "faq-charge-move-portion" not in steps["evade"]


def test_a_ruling_on_knockback_waits_for_the_step_of_the_knockback():
    document = dispute(
        [figure("a", "E5", "Hypersonic Speed", damage=1)],
        [figure("b", "F5")],
        close("a", "b", using=("Hypersonic Speed",), rolls={"attack": [[4, 5], [4, 4], [5, 6]]}),
    )
    steps = [(step["step"], step["rulings"]) for step in adjudicate(document)["steps"]]
    named = [step for step, rulings in steps if "faq-hypersonic-doubles-end" in rulings]
    assert named == ["knock-back"]


@every_row(("document", "shown", "hidden"), DISPUTES[::3])
def test_the_order_of_the_characters_changes_no_ruling(document, shown, hidden):
    sides = [side | {"characters": side["characters"][::-1]} for side in document["sides"]]
    turned = adjudicate(document | {"sides": sides})["rulings"]
    assert turned == adjudicate(document)["rulings"]


REFUSED_OTHERWISE = [
    pytest.param(
        "faq-perplex-self",
        dispute(
            [figure("a", "E5", "Perplex")],
            [figure("b", "N5")],
            free("a", "a", using=("Perplex",), choose={"value": "attack", "by": 2}),
        ),
        id="Perplex on oneself, by 2",
    ),
    pytest.param(
        "faq-barrier-destroyable",
        dispute(
            [figure("a", "E5")], [figure("b", "N5")], close("a", "K5"), markers=[{"kind": "barrier", "square": "K5"}]
        ),
        id="a barrier that isn't adjacent",
    ),
    pytest.param(
        "faq-hypersonic-wall",
        dispute(
            [figure("a", "E5", "Hypersonic Speed")],
            [figure("b", "N5")],
            close("a", "K5|L5", using=("Hypersonic Speed",)),
            walls=["K5|L5"],
        ),
        id="Hypersonic Speed against a wall that isn't adjacent",
    ),
    pytest.param(
        "rulebook-example-green-lantern-moves",
        dispute(
            [figure("a", "E5", "Telekinesis")],
            [figure("b", "N14")],
            power("a", targets=["bin"], using=("Telekinesis",), choose={"square": "H5"}),
            objects=[{"id": "bin", "kind": "light", "square": "K9"}],
            edition="dc-2005",
        ),
        id="Telekinesis of an object that isn't adjacent",
    ),
    pytest.param(
        "faq-optional-cancel",
        dispute(
            [figure("a", "E5", "Running Shot")],
            [figure("b", "J5", "Super Senses")],
            ranged("a", "b", choose={"decline": ["super-senses:b"]}),
            blocking=["H5"],
        ),
        id="an optional power is declined, and a building blocks the line",
    ),
    pytest.param(
        "sidebar-move-two-squares",
        dispute(
            [figure("a", "E5", "Sidestep", speed=1)],
            [figure("b", "N14")],
            free("a", using=("Sidestep",), path=["F5", "G5"]),
            blocking=["G5"],
            edition="core-modern",
        ),
        id="Sidestep beyond the speed value, into a building",
    ),
    pytest.param(
        "faq-one-effect-per-action",
        dispute(
            [figure("a", "E5", "Running Shot", "Psychic Blast")],
            [figure("b", "K5"), figure("c", "H5")],
            move(
                "a", "F5", using=("Running Shot",), then=[ranged("a", "b", using=("Psychic Blast",), rolls=dice(4, 5))]
            ),
        ),
        id="Running Shot with a Psychic Blast, and a figure blocks the line",
    ),
    pytest.param(
        "faq-one-effect-per-action",
        dispute(
            [figure("a", "E5", "Flurry", "Blades/Claws/Fangs", tokens=2)],
            [figure("b", "F5")],
            close("a", "b", using=("Flurry", "Blades/Claws/Fangs")),
        ),
        id="Flurry with Blades, by a figure that has two tokens",
    ),
]


@every_row(("name", "document"), REFUSED_OTHERWISE)
def test_what_a_refusal_does_not_turn_on_does_not_decide(name, document):
    report = adjudicate(document)
    assert not report["legal"]
    assert name not in [one["id"] for one in report["rulings"] if one["weight"] == "decides"], report["steps"]

"""A small catalogue for tests of finding elements: invented sets with names as players know them."""

from rules.services.catalogue import NewElement, catalogue_elements, record_set

SETS = {
    "svc": "Silver Coast",
    "avas": "Avenue Assembly",
    "gg": "Great Gathering",
    "hof-2": "Hall of Fame II",
}
FIGURES = (
    ("svc", "001", "Spider-Man", {"rank": "rookie", "real_name": "Peter Parker", "powers": ["Super Senses"]}),
    ("svc", "002", "Spider-Man", {"rank": "experienced", "powers": ["Super Senses", "Leap/Climb"]}),
    ("svc", "012", "Iron Man", {"rank": "veteran", "points": 120, "powers": ["Running Shot"], "keywords": ["Armor"]}),
    ("svc", "012a", "Iron Patriot", {"powers": ["Running Shot"], "keywords": ["Armor"]}),
    ("svc", "100", "The Mandarin", {"rank": "prime", "keywords": ["Ruler"]}),
    ("svc", "120", "Titan", {"keywords": ["Cosmic"]}),
    ("svc", "G01", "Gallery Giant", {"base": "2x2", "keywords": ["Robot"]}),
    ("svc", "038", "Carrion Crow", {"teams": ["Harbour Watch"], "powers": ["Poison", "Stealth"]}),
    ("svc", "039", "Brine Ghoul", {"keywords": ["Undertow", "Monster"], "kind": "horde"}),
    ("avas", "003", "Captain America", {"keywords": ["Soldier", "Avengers"], "teams": ["Avengers"], "points": 90}),
    ("avas", "012", "Thor", {"keywords": ["Asgardian", "Deity"], "teams": ["Avengers"], "points": 200}),
    ("avas", "013", "Thor Girl", {"keywords": ["Asgardian"]}),
    ("avas", "014", "Thorn", {"keywords": ["Plant"]}),
    ("avas", "020", "Ms. Marvel", {"keywords": ["Cosmic", "Soldier"]}),
    ("avas", "021", "Doctor Doom", {"rank": "unique", "keywords": ["Ruler", "Scientist"], "powers": ["Outwit"]}),
    ("avas", "022", "Dr. Strange", {"keywords": ["Mystical"], "powers": ["Barrier"]}),
    ("avas", "030", "S.H.I.E.L.D. Agent", {"keywords": ["S.H.I.E.L.D.", "Spy"], "powers": ["Perplex"]}),
    ("avas", "031", "A.I.M. Scientist", {"keywords": ["A.I.M.", "Scientist"]}),
    ("avas", "040", "Ultimate Spider-Man", {"keywords": ["Ultimates"]}),
    ("avas", "075", "Iron Man", {"points": 75, "keywords": ["Armor", "Avengers"]}),
    ("avas", "076", "Iron Monger", {"keywords": ["Armor"]}),
    ("gg", "001", "Batman", {"keywords": ["Detective"], "powers": ["Combat Reflexes"], "real_name": "Bruce Wayne"}),
    ("gg", "002", "Superman", {"keywords": ["Kryptonian"], "powers": ["Hypersonic Speed"]}),
    ("gg", "003", "Wolverine", {"keywords": ["Animal"], "powers": ["Blades/Claws/Fangs", "Regeneration"]}),
    ("gg", "004", "X-23", {"powers": ["Blades/Claws/Fangs"]}),
    ("gg", "005", "Magneto", {"powers": ["Telekinesis", "Barrier"], "keywords": ["Brotherhood"]}),
    ("gg", "006", "J. Jonah Jameson", {"keywords": ["Reporter"]}),
    ("gg", "007", "Ra's al Ghul", {"keywords": ["Assassin"]}),
    ("gg", "008", "Señor Muerte", {"keywords": ["Criminal"]}),
    ("gg", "010", "Man-Bat", {"keywords": ["Animal"]}),
    ("gg", "011", "Jean-Paul Valley", {"keywords": ["Warrior"]}),
    ("gg", "013", "Mister Fantastic", {"keywords": ["Scientist"], "teams": ["Fantastic Four"]}),
    ("gg", "014", "Aunt May", {"keywords": ["Spider-Man Family"], "powers": ["Super Senses"]}),
    ("gg", "015", "Black Widow", {"rank": "limited-edition", "keywords": ["Spy"], "powers": ["Stealth"]}),
    ("gg", "016", "Black Panther", {"keywords": ["Ruler", "Animal"]}),
    ("gg", "017", "Professor X", {"keywords": ["X-Men"], "teams": ["X-Men"], "powers": ["Mind Control"]}),
    ("gg", "018", "Hulk", {"keywords": ["Brute"], "powers": ["Super Strength"]}),
    ("gg", "019", "Hulkbuster", {"keywords": ["Armor"]}),
    ("gg", "020", "Ninja of the Hand", {"keywords": ["Hand", "Martial Artist"]}),
    ("gg", "099", "Spider-Man 2099", {"keywords": ["Future"]}),
    ("gg", "100", "Green Lantern", {"teams": ["Justice League"], "powers": ["Probability Control"]}),
    ("hof-2", "012", "Scarlet Spider", {"keywords": ["Spider-Man Family"]}),
    ("hof-2", "013", "Green Goblin", {"rank": "super-rare", "keywords": ["Spider-Man Enemy"]}),
)
OTHERS = (
    ("feats", "svc", "F001", "Slippery", {"points": 10}),
    ("feats", "svc", "F002", "In Contact with Oracle", {"points": 10}),
    ("objects", "svc", "B01", "Dumpster", {"kind": "heavy"}),
    ("battlefield_conditions", "svc", "BF01", "Ordinary Day", {}),
    ("resources", "gg", "R100", "Gauntlet of Hours", {"points": 30}),
    ("team_ability_cards", "gg", "T01", "Harbour Watch Alliance", {"cost_per_character": 2}),
    ("other", "gg", "S01", "Storm Hammer", {"kind": "equipment", "points": 8}),
)


def fill_catalogue():
    """Fill the catalogue with these sets."""
    for code, name in SETS.items():
        record_set(code=code, name=name)
    figures = [
        NewElement(code, "characters", {"name": name, "number": number, **more}) for code, number, name, more in FIGURES
    ]
    others = [
        NewElement(code, section, {"name": name, "number": number, **more})
        for section, code, number, name, more in OTHERS
    ]
    catalogue_elements(elements=figures + others)

"""Reading card texts: what standard phrasings say, and that nothing else is called understood."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.card_reading import Understood, read_text
from rules.engine import read_cards

STEALTH = {"do": "can-use", "powers": ["Stealth"]}
STOP = {"do": "stop", "when": {"attacked": "any", "by": {"side": "opponents"}}}
HEAL_LESS = {"do": "heal-less", "by": 1, "healed_by": ["Regeneration", "Support"]}
EACH_ROLL = {
    "do": "on-roll", "dice": 1,
    "outcomes": [{"on": [4, 5, 6], "effects": [{"do": "token", "name": "action", "by": 1, "to": {"rolled_for": True}}]}],
}  # fmt: skip
WHOLLY = [
    ("Wren Marlow can use Stealth.", [STEALTH]),
    ("Marlow can use Charge, Flurry, and Stealth.", [{"do": "can-use", "powers": ["Charge", "Flurry", "Stealth"]}]),
    ("STOP. Stealth.", [STOP, HEAL_LESS, {"do": "fixed", "against": ["counter", "ignore"]}, STEALTH]),
    ("When this power is revealed due to damage taken from an opposing character's attack, stop turning the dial.", [STOP]),
    ("When turning the dial if this click is revealed due to damage from a opponent's attack, stop turning the dial.",
     [STOP]),
    ("When this click is revealed stop turning the dial.", [{"do": "stop"}]),
    ("Stealth. Protected: Outwit.", [STEALTH, {"do": "protected", "from": ["Outwit"]}]),
    ("Barrier as FREE.", [{"do": "can-use", "powers": ["Barrier"], "action": "free"}]),
    ("Outwit with a range of 10.", [{"do": "can-use", "powers": ["Outwit"], "change": "range 10"}]),
    ("Stealth. This power can't be countered.", [STEALTH, {"do": "fixed", "against": ["counter"]}]),
    ("When Wren Marlow occupies water terrain, she can use Stealth.", [{**STEALTH, "when": {"terrain": ["water"]}}]),
    ("Stealth, but only when targeted by a range attack.", [{**STEALTH, "when": {"attacked": "ranged"}}]),
    ("If Wren has no action tokens, modify her defense value by +1.",
     [{"do": "modify", "value": "defense", "by": 1, "when": {"tokens": [0]}}]),
    ("Wren can use Stealth and modifies attack +1 when making a close attack.", None),
    ("Stealth, Improved Movement: Hindering, Improved Targeting: Hindering, Characters.",
     [STEALTH, {"do": "ignore", "moving": ["hindering"]}, {"do": "ignore", "targeting": ["hindering", "characters"]}]),
    ("Giant Reach: 2, Stealth.", [{"do": "can-use", "powers": ["Giant Reach"], "change": "reach 2"}, STEALTH]),
    ("Opposing characters within 6 squares can't use Stealth.",
     [{"do": "cannot-use", "powers": ["Stealth"], "to": {"side": "opponents", "within": 6}}]),
    ("Adjacent friendly characters with the Scout or Hunter keyword can use Stealth.",
     [{**STEALTH, "to": {"side": "friends", "within": "adjacent", "keyword": ["Scout", "Hunter"]}}]),
    ("Friendly characters within 4 squares can use Stealth.",
     [{**STEALTH, "to": {"side": "friends", "within": 4, "also_self": True}}]),
    ("Other friendly characters named Ada Byrd or Bo modify attack +1.",
     [{"do": "modify", "value": "attack", "by": 1, "to": {"side": "friends", "name": ["Ada Byrd", "Bo"]}}]),
    ("Wren Marlow and adjacent friendly characters can use Stealth.",
     [STEALTH, {**STEALTH, "to": {"side": "friends", "within": "adjacent"}}]),
    ("Friendly characters have PROTECTED: Outwit.",
     [{"do": "protected", "from": ["Outwit"], "to": {"side": "friends", "also_self": True}}]),
    ("Wren can use Stealth and the Mystics team ability.", [STEALTH, {"do": "can-use", "teams": ["Mystics"]}]),
    ("Wren starts the game with the [XYZ] #s001 Long Lamp equipped.",
     [{"do": "equip", "name": "Long Lamp", "code": "XYZ #s001", "moment": "before-game"}]),
    ("Wren may start the game with any Lamp equipment equipped.",
     [{"do": "equip", "kind": "Lamp equipment", "moment": "before-game", "may": True}]),
    ("POWER: Roll a d6 for each adjacent opposing character. [4-6]: Give that character an action token.",
     [{**EACH_ROLL, "to": {"side": "opponents", "within": "adjacent"}, "costs": "power"}]),
    ("When Wren hits an opposing character, roll a d6. 4-6: Give that character an action token.",
     [{**EACH_ROLL, "to": {"side": "opponents", "hit": True}, "moment": "after-hit",
       "when": {"attack": "any", "target": {"side": "opponents"}}}]),
    ("When Wren hits, roll a d6. 4-6: Remove an action token from Wren.",
     [{"do": "on-roll", "dice": 1, "moment": "after-hit",
       "outcomes": [{"on": [4, 5, 6], "effects": [{"do": "token", "name": "action", "by": -1}]}]}]),
    ("FREE: Place Wren in an adjacent square.", [{"do": "place", "within": "adjacent"}]),
    ("POWER: Generate an XYZ #004 Crow on click #2.",
     [{"do": "generate", "name": "Crow", "code": "XYZ #004", "click": 2, "costs": "power"}]),
    ("(After revealing forces, you may replace character cards with their alternates. You can't choose a Team Up if your"
     " starting characters share a name.)",
     [{"do": "becomes", "alternate": True, "may": True, "moment": "before-game", "when": {"names_shared": False}}]),
    ("Friendly characters of 40 points or less can use Stealth and the Flight ability.",
     [{"do": "can-use", "powers": [power], "to": {"side": "friends", "points_at_most": 40, "also_self": True}}
      for power in ("Stealth", "Flight")]),
    ("Adjacent friendly characters can use Stealth, Improved Movement: Hindering.",
     [{**STEALTH, "to": {"side": "friends", "within": "adjacent"}},
      {"do": "ignore", "moving": ["hindering"], "to": {"side": "friends", "within": "adjacent"}}]),
    ("Friendly characters within 4 squares that share a keyword with Wren can use Stealth.",
     [{**STEALTH, "to": {"side": "friends", "within": 4, "shares_keyword": True, "also_self": True}}]),
    ("Friendly characters within 4 squares have Stealth and Passenger: 2.",
     [{**STEALTH, "to": {"side": "friends", "within": 4, "also_self": True}},
      {"do": "carry", "passengers": 2, "equal_size": True,
       "to": {"side": "friends", "within": 4, "also_self": True}}]),
    ("At the beginning of your turn, heal an adjacent friendly character named Queen Ada of Owls of 1 damage.",
     [{"do": "heal", "clicks": 1, "moment": "start-of-turn",
       "to": {"side": "friends", "within": "adjacent", "name": ["Queen Ada of Owls"], "choose": 1}}]),
    ("At the beginning of your turn, heal an adjacent friendly character named Ada of 1 damage.",
     [{"do": "heal", "clicks": 1, "moment": "start-of-turn",
       "to": {"side": "friends", "within": "adjacent", "name": ["Ada"], "choose": 1}}]),
    ("Wren can use Stealth if she targets a character with an action token.",
     [{**STEALTH, "when": {"attack": "any", "target": {"tokens": [1, 2]}}}]),
    ("If Wren has an action token, she can use Stealth.", [{**STEALTH, "when": {"tokens": [1, 2]}}]),
    ("If Wren has one action token, she can use Stealth.", [{**STEALTH, "when": {"tokens": [1]}}]),
    ("When Wren hits, after resolutions give all hit characters an action token and modify their speed -2 until your next"
     " turn.",
     [{"do": "token", "name": "action", "by": 1, "to": {"hit": True}, "moment": "after-hit", "after": "resolutions"},
      {"do": "modify", "value": "speed", "by": -2, "to": {"hit": True}, "until": "next-turn", "moment": "after-hit",
       "after": "resolutions"}]),
    ("When Wren hits an opposing character, after resolutions give that character an action token and deal that character"
     " 1 damage.",
     [{"do": "token", "name": "action", "by": 1, "to": {"side": "opponents", "hit": True}, "moment": "after-hit",
       "after": "resolutions", "when": {"attack": "any", "target": {"side": "opponents"}}},
      {"do": "deal", "damage": 1, "to": {"side": "opponents", "hit": True}, "moment": "after-hit",
       "after": "resolutions", "when": {"attack": "any", "target": {"side": "opponents"}}}]),
    ("At the end of your opponent's turn, heal Wren 1 click.",
     [{"do": "heal", "clicks": 1, "moment": "end-of-turn", "when": {"turn": "opponents"}}]),
    ("Wren has PROTECTED: Outwit and opposing Perplex.", [{"do": "protected", "from": ["Outwit", "Perplex"]}]),
    ("When Wren hits, until your next turn she has PROTECTED: Outwit, opposing Perplex, and Poison.",
     [{"do": "protected", "from": ["Outwit", "Perplex", "Poison"], "until": "next-turn", "moment": "after-hit"}]),
    ("If Wren is within 4 squares and line of fire of an opposing character, she can use Stealth.",
     [{**STEALTH, "when": {"near": {"side": "opponents", "within": 4, "their_line_of_fire": True}}}]),
    ("If an opposing character is within 4 squares and line of fire, Wren can use Stealth.",
     [{**STEALTH, "when": {"near": {"side": "opponents", "within": 4, "line_of_fire": True}}}]),
    ("When Wren moves, after resolutions she can use Quake at no cost.",
     [{"do": "can-use", "powers": ["Quake"], "no_cost": True, "moment": "after-move", "after": "resolutions"}]),
    ("When Wren moves, after resolutions she can use Quake as FREE.",
     [{"do": "can-use", "powers": ["Quake"], "action": "free", "moment": "after-move", "after": "resolutions"}]),
    ("When Wren hits, after resolutions she may be given a MOVE action at no cost.",
     [{"do": "free-action", "action": "move", "no_cost": True, "may": True, "moment": "after-hit",
       "after": "resolutions"}]),
    ("At the beginning of your turn, you may place Wren adjacent to a friendly character within 6 squares.",
     [{"do": "place", "beside": {"side": "friends", "within": 6, "choose": 1}, "may": True, "moment": "start-of-turn"}]),
    ("Wren deals penetrating damage to characters with 2 action tokens.",
     [{"do": "damage", "as": "penetrating", "whom": {"side": "all", "tokens": [2]}}]),
    ("PROTECTED: Mind Control, Outwit.",
     [{"do": "protected", "from": ["Outwit"]}, {"do": "not-targeted", "by": "any", "using": ["Mind Control"]}]),
    ("PROTECTED: Penetrating/Psychic Blast, Mind Control.",
     [{"do": "protected", "from": ["Penetrating/Psychic Blast"]},
      {"do": "not-targeted", "by": "any", "using": ["Penetrating/Psychic Blast", "Mind Control"]}]),
    ("Wren ignores Mind Control.", [{"do": "protected", "from": ["Mind Control"]}]),
    ("Friendly characters can't be targeted by Incapacitate and Penetrating/Psychic Blast.",
     [{"do": "not-targeted", "by": "any", "using": ["Incapacitate", "Penetrating/Psychic Blast"],
       "to": {"side": "friends", "also_self": True}}]),
    ("PROTECTED: Outwit, Pulse Wave.",
     [{"do": "protected", "from": ["Outwit"]}, {"do": "protected", "from": ["Pulse Wave"], "friends": True}]),
    ("Wren starts the game with two Feather tokens on her card.",
     [{"do": "token", "name": "Feather", "by": 2, "moment": "before-game"}]),
    ("Stealth, [Improved Targeting: Hindering].", [STEALTH, {"do": "ignore", "targeting": ["hindering"]}]),
    ("Other friendly characters can use Improved Movement: Elevated.",
     [{"do": "ignore", "moving": ["elevated"], "to": {"side": "friends"}}]),
    ("When Wren occupies hindering terrain modify her defense value by +1.",
     [{"do": "modify", "value": "defense", "by": 1, "when": {"terrain": ["hindering"]}}]),
    ("If she's adjacent to an opposing character, Wren can use Stealth.",
     [{**STEALTH, "when": {"adjacent_to": {"side": "opponents"}}}]),
    ("When a friendly character with a higher point value is adjacent to her, Wren can use Stealth.",
     [{**STEALTH, "when": {"adjacent_to": {"side": "friends", "points": "higher"}}}]),
    ("When Wren is the target of a ranged combat attack, she can use Stealth.", [{**STEALTH, "when": {"attacked": "ranged"}}]),
    ("Quake. When Wren uses it, hit characters are given an action token.",
     [{"do": "can-use", "powers": ["Quake"]},
      {"do": "token", "name": "action", "by": 1, "to": {"hit": True}, "moment": "after-hit",
       "when": {"attack": "any", "using": ["Quake"]}}]),
    ("Wren can use Super Senses and evades the attack on a roll of a 4-6.",
     [{"do": "can-use", "powers": ["Super Senses"], "change": "succeeds on a 4-6"}]),
    ("Wren can use Perplex, but only to modify a defense value by -2.",
     [{"do": "can-use", "powers": ["Perplex"], "change": "only to modify a defense value by -2"}]),
    ("When another friendly character named Wren Marlow hits, after resolutions heal this character 1 click.",
     [{"do": "heal", "clicks": 1, "moment": "after-hit", "after": "resolutions",
       "whose": {"side": "friends", "name": ["Wren Marlow"]}}]),
    ("Perplex, but only to target characters with the Scout keyword.",
     [{"do": "can-use", "powers": ["Perplex"], "change": "only to target characters with the Scout keyword"}]),
    ("Charge, but do not halve speed.", [{"do": "can-use", "powers": ["Charge"], "change": "do not halve speed"}]),
    ("Stealth, but only during your turn.", [{**STEALTH, "when": {"turn": "own"}}]),
    ("Wren can't be the target of Outwit.", [{"do": "protected", "from": ["Outwit"]}]),
    ("Wren has a locked damage value of 3.", [{"do": "set", "value": "damage", "set": 3, "locked": True}]),
    ("Charge. When Wren uses it, modify damage +1.",
     [{"do": "can-use", "powers": ["Charge"]},
      {"do": "modify", "value": "damage", "by": 1, "when": {"using": ["Charge"]}}]),
    ("If a friendly character named Ada Byrd is within 8 squares, Wren can use Stealth.",
     [{**STEALTH, "when": {"near": {"side": "friends", "name": ["Ada Byrd"], "within": 8}}}]),
    ("When Wren isn't adjacent to an opposing character, she can use Stealth.",
     [{**STEALTH, "when": {"not": {"adjacent_to": {"side": "opponents"}}}}]),
    ("Adjacent friendly characters modify defense +1 against range attacks.",
     [{"do": "modify", "value": "defense", "by": 1, "to": {"side": "friends", "within": "adjacent"},
       "when": {"attacked": "ranged"}}]),
    ("When Wren is given a MOVE action, after resolutions she can use the X-Men team ability as FREE.",
     [{"do": "can-use", "teams": ["X-Men"], "action": "free", "moment": "after-action", "after": "resolutions",
       "when": {"action": ["move"]}}]),
    ("Whenever Wren hits one or more opposing characters, add one action to your action total this turn.",
     [{"do": "actions", "by": 1, "until": "turn", "moment": "after-hit",
       "when": {"attack": "any", "target": {"side": "opponents"}}}]),
    ("When Wren is given a POWER action, after resolutions heal her 1 click.",
     [{"do": "heal", "clicks": 1, "moment": "after-action", "after": "resolutions", "when": {"action": ["power"]}}]),
    ("When Wren is given a ranged combat action, after actions resolve heal her 1 click.",
     [{"do": "heal", "clicks": 1, "moment": "after-action", "after": "resolutions", "when": {"action": ["ranged"]}}]),
    ("When Wren hits an opposing character, modify the hit character's attack -2 until your next turn.",
     [{"do": "modify", "value": "attack", "by": -2, "until": "next-turn", "moment": "after-hit",
       "to": {"side": "opponents", "hit": True}, "when": {"attack": "any", "target": {"side": "opponents"}}}]),
    ("At the beginning of your turn, you may heal Wren of 1 damage.",
     [{"do": "heal", "clicks": 1, "moment": "start-of-turn", "may": True}]),
    ("When Wren KO's an opposing character, after resolutions remove an action token from her and heal her 1 click.",
     [{"do": "token", "name": "action", "by": -1, "moment": "when-kos", "after": "resolutions"},
      {"do": "heal", "clicks": 1, "moment": "when-kos", "after": "resolutions"}]),
    ("When Wren takes damage from an attack, after actions resolve deal 1 penetrating damage to all adjacent opposing"
     " characters.",
     [{"do": "deal", "damage": 1, "as": "penetrating", "to": {"side": "opponents", "within": "adjacent"},
       "moment": "when-damaged", "after": "resolutions"}]),
    ("Once per turn, when Wren hits with a close attack, after resolutions she may make a range attack.",
     [{"do": "free-action", "action": "ranged", "may": True, "moment": "after-hit", "after": "resolutions",
       "when": {"attack": "close"}, "limit": "turn"}]),
    ("Once per turn, Wren can use Stealth.", [{**STEALTH, "limit": "turn"}]),
    ("Wren automatically breaks away.", [{"do": "ignore", "moving": ["break-away"]}]),
    ("Wren Marlow can reduce penetrating damage.", [{"do": "protected", "from": ["penetrating"]}]),
    ("Wren can't be the target of an attack with more than one target.", [{"do": "not-targeted", "by": "several"}]),
    ("When Wren hits, after resolutions give each hit character an action token.",
     [{"do": "token", "name": "action", "by": 1, "to": {"hit": True}, "moment": "after-hit", "after": "resolutions"}]),
    ("When Wren makes an attack and hits, roll a d6. 4-6: Give the hit target an action token.",
     [{"do": "on-roll", "dice": 1, "moment": "after-hit",
       "outcomes": [{"on": [4, 5, 6], "effects": [
           {"do": "token", "name": "action", "by": 1, "to": {"hit": True, "targeted": True}}]}]}]),
    ("When Wren hits, after resolutions deal 1 damage to all opposing characters adjacent to the hit target.",
     [{"do": "deal", "damage": 1, "to": {"side": "opponents", "beside": "hit-target"}, "moment": "after-hit",
       "after": "resolutions"}]),
    ("When Wren hits a character with the Owl keyword, after resolutions deal that character 1 penetrating damage.",
     [{"do": "deal", "damage": 1, "as": "penetrating", "to": {"keyword": ["Owl"], "hit": True}, "moment": "after-hit",
       "after": "resolutions", "when": {"attack": "any", "target": {"keyword": ["Owl"]}}}]),
    ("When Wren is hit with a close attack, after resolutions deal the attacker 1 damage.",
     [{"do": "deal", "damage": 1, "to": {"attacker": True}, "moment": "after-attack", "after": "resolutions",
       "when": {"attacked": "close", "hit": True}}]),
    ("When another friendly character with the Owl keyword is KO'd, heal Wren 1 click.",
     [{"do": "heal", "clicks": 1, "moment": "when-ko", "whose": {"side": "friends", "keyword": ["Owl"]}}]),
    ("When Wren hits, until your next turn hit characters modify defense -1.",
     [{"do": "modify", "value": "defense", "by": -1, "to": {"hit": True}, "until": "next-turn", "moment": "after-hit"}]),
    ("FREE: Heal Wren 1 click.", [{"do": "heal", "clicks": 1, "costs": "free"}]),
    ("DOUBLE POWER: Heal Wren 2 clicks.", [{"do": "heal", "clicks": 2, "costs": "double-power"}]),
    ("Give Wren a double power action to heal Wren 2 clicks.", [{"do": "heal", "clicks": 2, "costs": "double-power"}]),
    ("POWER: Once per game, remove an action token from all friendly characters within 4 squares.",
     [{"do": "token", "name": "action", "by": -1, "to": {"side": "friends", "within": 4, "also_self": True},
       "limit": "game", "costs": "power"}]),
    ("FREE: If Wren has two action tokens, make a close attack.",
     [{"do": "free-action", "action": "close", "when": {"tokens": [2]}}]),
    ("Leap/Climb. When Wren uses it, after resolutions she may make a close attack.",
     [{"do": "can-use", "powers": ["Leap/Climb"]},
      {"do": "free-action", "action": "close", "may": True, "moment": "after-action", "after": "resolutions",
       "when": {"using": ["Leap/Climb"]}}]),
    ("UNIQUE MODIFIER - Other friendly characters within range and with the Owl keyword modify attack +1.",
     [{"do": "modify", "value": "attack", "by": 1, "unique": True,
       "to": {"side": "friends", "within": "range", "keyword": ["Owl"]}}]),
    ("Adjacent friendly characters with a lower point value can use Willpower.",
     [{"do": "can-use", "powers": ["Willpower"], "to": {"side": "friends", "within": "adjacent", "points": "lower"}}]),
    ("When Wren is damaged by an opponent's attack, after resolutions heal her 1 click.",
     [{"do": "heal", "clicks": 1, "moment": "when-damaged", "after": "resolutions",
       "when": {"attacked": "any", "by": {"side": "opponents"}}}]),
    ("Quake. When Wren uses it, after resolutions choose one: give each hit character an action token -or- heal 1 click.",
     [{"do": "can-use", "powers": ["Quake"]},
      {"do": "choose", "moment": "after-hit", "after": "resolutions", "when": {"attack": "any", "using": ["Quake"]},
       "options": [{"effects": [{"do": "token", "name": "action", "by": 1, "to": {"hit": True}}]},
                   {"effects": [{"do": "heal", "clicks": 1}]}]}]),
    ("FREE: Choose one: Outwit, Perplex, or Stealth. Wren can use the chosen power this turn.",
     [{"do": "choose", "costs": "free",
       "options": [{"effects": [{"do": "can-use", "powers": [power], "until": "turn"}]}
                   for power in ("Outwit", "Perplex", "Stealth")]}]),
    ("When Wren KO's an opposing character with an attack, after resolutions heal her 1 click.",
     [{"do": "heal", "clicks": 1, "moment": "when-kos", "after": "resolutions", "when": {"attack": "any"}}]),
    ("At the beginning of your turn, roll a d6. On a 5-6, heal 1 click. 1: Deal Wren 1 damage.",
     [{"do": "on-roll", "dice": 1, "moment": "start-of-turn",
       "outcomes": [{"on": [5, 6], "effects": [{"do": "heal", "clicks": 1}]},
                    {"on": [1], "effects": [{"do": "deal", "damage": 1}]}]}]),
    ("When a friendly character named Ada is adjacent to Wren, they both modify their attack values by +1 if not already"
     " modified by this effect.",
     [{"do": "modify", "value": "attack", "by": 1, "when": {"adjacent_to": {"side": "friends", "name": ["Ada"]}},
       "unique": True},
      {"do": "modify", "value": "attack", "by": 1, "to": {"side": "friends", "name": ["Ada"], "within": "adjacent"},
       "unique": True}]),
    ("Wren can use Poison and deals penetrating damage when using it.",
     [{"do": "can-use", "powers": ["Poison"], "change": "deals penetrating damage"}]),
    ("Charge. When Wren uses it, she can use Improved Movement: Characters.",
     [{"do": "can-use", "powers": ["Charge"]}, {"do": "ignore", "moving": ["characters"], "when": {"using": ["Charge"]}}]),
    ("Modify Wren's combat values except damage by +1.",
     [*({"do": "modify", "value": value, "by": 1} for value in ("speed", "attack", "defense")), {"do": "range", "by": 1}]),
    ("Friendly characters that are adjacent or have the Owl keyword can use Stealth.",
     [{**STEALTH, "to": {"side": "friends", "within": "adjacent"}},
      {**STEALTH, "to": {"side": "friends", "keyword": ["Owl"], "also_self": True}}]),
    ("FREE: Remove two Feather tokens to make a close attack.",
     [{"do": "token", "name": "Feather", "by": -2, "costs": "free"},
      {"do": "free-action", "action": "close", "costs": "free"}]),
    ("Charge, Flurry. When Wren uses Flurry and hits, after resolutions heal Wren 1 click.",
     [{"do": "can-use", "powers": ["Charge", "Flurry"]},
      {"do": "heal", "clicks": 1, "moment": "after-hit", "after": "resolutions",
       "when": {"attack": "any", "using": ["Flurry"]}}]),
    ("Wren can't be attacked by opposing characters.",
     [{"do": "not-targeted", "by": "any", "when": {"attacked": "any", "by": {"side": "opponents"}}}]),
    ("Wren can use Outwit, but may only target characters of 100 points or less.",
     [{"do": "can-use", "powers": ["Outwit"], "change": "only to target characters of 100 points or less"}]),
    ("Wren can use Perplex, but may only target opposing characters.",
     [{"do": "can-use", "powers": ["Perplex"], "change": "only to target opposing characters"}]),
    ("Wren can use Perplex, but only to modify his own combat values.",
     [{"do": "can-use", "powers": ["Perplex"], "change": "only to target itself"}]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "effects"), WHOLLY)
def test_standard_phrasings(text, effects):
    reading = read_text(text, "Wren Marlow")
    if effects is None:  # two effects under one condition behind them: whose condition it is can't be told
        assert reading.understood is not Understood.WHOLLY
        return
    assert reading.understood is Understood.WHOLLY
    assert reading.effects == effects


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("Wren can use Stealth or Charge.", "not"),
        ("Wren can use Stealth this turn.", "not"),
        ("Stealth, but only if the moon is full.", "not"),
        ("Outwit, Perplex, but only to increase combat values.", "not"),
        ("Marlow Sparrow can use Stealth.", "not"),
        ("She can use Stealth.", "not"),
        ("Adjacent friendly characters can use Charge. They can use Stealth.", "partly"),
        ("Ask a riddle.", "not"),
        ("When Wren hits an opposing character, give it an action token.", "partly"),
        ("When Wren hits a character, deal him 1 damage.", "partly"),
        ("When Wren attacks, opposing characters can't use Shape Change.", "partly"),
        ("Charge, but do not halve speed if Wren occupies water terrain.", "not"),
        ("If a friendly character with the Scout keyword is within 8 squares, Wren can use Stealth.", "not"),
        ("Charge, Flurry. When Wren uses it, modify damage +1.", "partly"),
        ("If a friendly character named Wren Marlow is within 8 squares, she can use Stealth.", "not"),
        ("When Wren attacks a character with the Scout keyword or a Hunter keyword, modify attack +1.", "partly"),
        ("Wren can use Improved Movement: Lava.", "not"),
        ("When Wren is adjacent to a friendly character named Ada, modify their attack values by +1.", "not"),
        ("Modify Wren's attack +1 when attacking a single adjacent character.", "not"),
        ("When a friendly character hits, heal him 1 click.", "partly"),
        ("When an opposing character within 4 squares hits, deal that hit character 1 damage.", "partly"),
        ("Friendly characters other than Ada can use Stealth.", "not"),
        ("At the beginning of your turn, if a friendly character named Ada is adjacent, heal him 1 click.", "partly"),
        ("When Wren KO's one or more opposing characters with an attack, heal Wren 1 click.", "partly"),
        ("CLOSE: Make a close attack targeting each opposing character within 2 squares.", "not"),
        ("Probability Control. When Wren uses it, after resolutions heal her 1 click.", "partly"),
        ("Poison. When Wren uses it, she deals penetrating damage.", "partly"),
        ("Wren can use Poison and deals penetrating damage.", "not"),
        ("Friendly characters with the Owl keyword or a higher point value can use Stealth.", "not"),
        ("Opposing characters can't use Stealth and Improved Targeting: Hindering.", "not"),
        ("Friendly characters named Ada and Bo can use Stealth.", "not"),
        (
            "When Wren hits, deal 1 penetrating damage to a hit character, then knock back that character 2 squares.",
            "partly",
        ),
        ("When Wren hits, give a hit character an action token and deal that character 1 damage.", "partly"),
        ("When Wren hits, deal 1 penetrating damage to a hit character and give them an action token.", "partly"),
        ("FREE: Give an adjacent opposing character an action token and modify its attack -1 this turn.", "not"),
        ("FREE: If a friendly character named Ada is adjacent, heal her 1 click.", "not"),
        (
            "At the end of your turn, remove an action token from an adjacent friendly character and modify its speed +2 this"
            " turn.",
            "partly",
        ),
        (
            "When a friendly character with the Owl keyword is KO'd, all other friendly characters with the Owl keyword modify"
            " damage +1 until the end of your next turn.",
            "partly",
        ),
        ("When Wren uses Hypersonic Speed, after resolutions deal each hit character 1 damage.", "partly"),
        ("Super Senses. When Wren uses it and succeeds, heal Wren 1 click.", "partly"),
        ("When a friendly character within 3 squares uses Charge, after resolutions heal Wren 1 click.", "partly"),
        ("When Wren hits a character with two action tokens, after resolutions heal Wren 1 click.", "partly"),
        ("Passenger: 2, but only to carry characters that share a keyword.", "not"),
        ("Passenger: 2, but only to carry characters that share a keyword with her.", "wholly"),
        ("FREE: Heal another friendly character that shares a keyword 2 clicks.", "wholly"),
        ("PROTECTED: Perplex.", "not"),
        ("Wren can't be targeted by opposing characters.", "not"),
        ("Wren can't be targeted by Outwit or Perplex.", "not"),
        ("Wren can't be the target of Pulse Wave.", "not"),
        ("Friendly characters with the Owl keyword modify defense +1 if occupying hindering terrain.", "not"),
        ("When occupying hindering terrain, friendly characters with the Owl keyword modify defense +1.", "not"),
        ("Quake. When Wren uses it, she can use Stealth and hit characters can't move until your next turn.", "partly"),
        ("When Wren uses Quake, she can use Stealth and hit characters can't move until your next turn.", "not"),
        ("", "not"),
    ],
)
def test_every_word_must_be_accounted_for(text, understood):
    assert read_text(text, "Wren Marlow").understood == understood


def test_what_follows_a_choice_is_no_grant():
    reading = read_text("Choose one of the following. Wren can use Stealth. // Wren can use Charge.", "Wren")
    assert [clause.understood for clause in reading.clauses] == ["not", "not", "wholly"]
    assert {"do": "can-use", "powers": ["Stealth"]} not in reading.effects


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("At the beginning of your turn, roll a d6.", {"moment": "start-of-turn"}),
        ("When Wren would be KO'd, turn her to click #6 instead.", {"moment": "when-ko"}),
        ("Once per game, the first time Wren would be KO'd, ask a riddle.", {"moment": "when-ko"}),
        ("Once per turn for all characters with this trait, when Wren hits, roll a d6.", {"moment": "after-hit"}),
        ("At the beginning of the game, choose an opposing character.", {"moment": "before-game"}),
        ("During force construction, you may add a lamp to your force.", {"moment": "before-game"}),
        (
            "When an adjacent opposing character hits, roll a d6.",
            {"moment": "after-hit", "whose": {"side": "opponents", "within": "adjacent"}},
        ),
        (
            "When Wren hits a character, after resolutions give that character an action token if Wren occupies water terrain.",
            {"moment": "after-hit"},
        ),
        (
            "When Wren uses Quake, after resolutions ask a riddle.",
            {"moment": "after-action", "after": "resolutions", "when": {"using": ["Quake"]}},
        ),
    ],
)
def test_a_moment_is_kept_for_the_judge(text, at):
    reading = read_text(text, "Wren")
    assert reading.understood == "partly"
    assert reading.effects == [{"do": "by-hand", **at, "text": text}]


@pytest.mark.parametrize(
    "text",
    [
        "FREE: Ask a riddle.",
        "Give Wren a free action and ask a riddle.",
        "Wren can use Stealth or sing.",
        "Opposing characters can't use Stealth or sing.",
        "At the beginning of the game, choose a lamp that modifies attack +1 this game.",
        "If the moon is full, Wren can use Stealth.",
    ],
)
def test_a_text_of_which_nothing_more_is_known_than_that_it_is_there_is_not_understood(text):
    reading = read_text(text, "Wren")
    assert reading.understood == "not"
    assert reading.effects == [{"do": "by-hand", "text": text}]


def test_what_cannot_be_countered_or_ignored_depends_on_nothing_before_it():
    reading = read_text("Choose a riddle. Ask it until someone laughs. This power can't be countered.", "Wren")
    assert [clause.understood for clause in reading.clauses] == ["not", "not", "wholly"]
    assert reading.effects[-1] == {"do": "fixed", "against": ["counter"]}


@pytest.mark.parametrize(
    ("name", "said"),
    [("Doctor Reed", "Dr. Reed"), ("The Wren", "Wren"), ("Wren (Night)", "Wren"), ("Wren and Owl", "This character")],
)
def test_forms_of_the_figures_own_name(name, said):
    assert read_text(f"{said} can use Stealth.", name).effects == [STEALTH]


def test_long_and_odd_texts_end_soon():
    for text in ("A. " * 1_600, "Stealth and " * 400, "(" * 5_000, "When " * 1_000, "Stealth, " * 550):
        assert read_text(text, "Wren").understood is not Understood.WHOLLY


WHO = [
    "friendly characters", "other friendly characters with the Owl keyword", "adjacent opposing characters",
    "characters of 50 points or less", "opposing characters within 4 squares and line of fire",
    "friendly characters named Ada or Bo", "opposing characters with two action tokens",
]  # fmt: skip
ONE = [
    "an opposing character", "another friendly character with the Owl keyword", "an adjacent friendly character",
    "a friendly character named Ada", "a character with a lower point value", "Wren", "Wren or an adjacent friendly character",
]  # fmt: skip
DOES = [
    "hits", "hits with a close attack", "misses", "is KO'd", "is hit by an opponent's attack", "takes damage from an attack",
    "KO's an opposing character", "uses Charge", "uses Super Senses and succeeds", "makes a range attack", "moves",
    "is given a MOVE action and moves 4 squares or less", "makes an attack and hits all targets",
]  # fmt: skip
THEN = [
    "heal Wren 1 click", "deal each hit character 1 penetrating damage", "give an action token to an opposing character",
    "deal the attacker 1 damage", "remove an action token from Wren", "give that character a Web token",
    "hit characters modify attack -1 until your next turn", "Wren can use Stealth this turn", "you may heal Wren 1 click",
    "place Wren adjacent to a hit character", "knock back all adjacent opposing characters 2 squares",
    "generate a Crow bystander", "move Wren up to 3 squares", "Wren may make a close attack",
    "roll a d6. 4-6: Heal Wren 1 click. 1: Deal Wren 1 damage", "choose one: heal 1 click -or- move Wren 2 squares",
]  # fmt: skip
BODY = [
    "can use Stealth", "can use Charge, Flurry and the Mystics team ability", "can't be targeted by close attacks",
    "modifies combat values except range by +1", "has a locked damage value of 3", "can reduce penetrating damage",
    "can use Outwit as FREE with a range of 8", "automatically breaks away", "takes a maximum of 2 damage from attacks",
    "can use Perplex, but only to target friendly characters within 4 squares", "can use either Charge or Flurry",
]  # fmt: skip
IF = [
    "Wren has no action tokens", "Wren is adjacent to an opposing character", "Wren occupies hindering terrain",
    "a friendly character named Ada is on the map", "it's not your turn", "Wren is attacking a character with the Owl keyword",
    "Wren is attacked by opposing characters of 100 points or more", "a friendly character named Ada has been KO'd this game",
]  # fmt: skip


@st.composite
def sentences(draw):
    """Return a sentence put together from the phrasings that are read."""
    limit, many, one, does, then, body, when = (
        draw(st.sampled_from(choice))
        for choice in (["", "Once per turn, ", "Once per game, "], WHO, ONE, DOES, THEN, BODY, IF)
    )
    after = draw(st.sampled_from(["after resolutions ", ""]))
    said = draw(
        st.sampled_from(
            [
                f"{limit}when {one} {does}, {after}{then}.",
                f"When {when}, Wren {body}.",
                f"{limit}Wren {body}.",
                f"{many.capitalize()} can use Stealth.",
                f"UNIQUE MODIFIER - {many.capitalize()} modify defense +1.",
                f"{limit}FREE: If {when}, {then}.",
                f"POWER: {then[0].upper()}{then[1:]}.",
                f"At the beginning of your turn, if {when}, {then}.",
            ]
        )
    )
    return said[0].upper() + said[1:]


def test_a_second_action_of_the_same_kind_is_an_action_of_its_own():
    text = "FREE: Heal Wren 1 click. POWER: Heal Wren 2 clicks. FREE: Deal Wren 1 damage. Wren can use Stealth."
    effects = [effect for clause in read_text(text, "Wren").clauses for effect in clause.effects]
    assert [(effect["do"], effect.get("costs"), effect.get("part")) for effect in effects] == [
        ("heal", "free", None),
        ("heal", "power", None),
        ("deal", "free", 2),
        ("can-use", None, None),
    ]


@given(st.lists(sentences(), min_size=1, max_size=3))
@settings(max_examples=80, deadline=None)
def test_what_is_proposed_is_always_valid(text):
    for clause in read_text(" // ".join(text), "Wren Marlow").clauses:
        (card,) = read_cards([{"name": "Night Song", "kind": "trait", "effects": list(clause.effects)}])
        assert len(card.effects) == len(clause.effects) > 0
        by_hand = any(effect["do"] == "by-hand" for effect in clause.effects)
        assert by_hand == (clause.understood is not Understood.WHOLLY)

"""The nouns of a battle: squares, edges, terrain, map, dial, character, object, position.

All values here are frozen and know no rule of any book: what a square blocks, who is
adjacent and how far somebody moves is asked in the chapters above.
"""

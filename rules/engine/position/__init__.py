"""Values that describe a battle: squares, edges, terrain, map, dial, character, object, position.

All are frozen and contain no rules of any book; rules about blocking, adjacency and movement are in other packages.
"""

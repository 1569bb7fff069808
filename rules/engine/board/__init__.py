"""Board geometry that no book answers differently: what a line crosses, and the terrain of every square.

Exact integer arithmetic. Lines of fire are in `combat.line_of_fire`, moves in `movement`.
"""

"""Questions about squares that no book answers differently: what a line crosses, what the ground is made of.

Exact integer geometry. Who sees whom over that ground is `combat.line_of_fire`, who may
walk on it is `movement`.
"""

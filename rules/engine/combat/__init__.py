"""Attacks: lines of fire, targets, and the sequence of an attack to its end."""

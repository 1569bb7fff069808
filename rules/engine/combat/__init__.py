"""Attacks: lines of fire, targets, and the whole sequence of an attack."""

"""Scoring: the value of each defeat, the lines of a battle, and its winner."""

"""Scoring: what one defeat is worth, a battle's lines and its winner."""

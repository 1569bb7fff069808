"""Template tags for the tables of every app."""

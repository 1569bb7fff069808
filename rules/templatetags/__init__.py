"""Template tags that tables of every app use."""

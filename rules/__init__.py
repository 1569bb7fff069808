"""The game: editions, rulebooks and rulings, the catalogue of figures, and positions replayed step by step."""

"""The game itself: editions, rulebook and rulings, catalogue of figures, positions step by step."""

"""What a player may do, and what anybody may ask: granting, moving, attacking, free actions, turns, questions."""

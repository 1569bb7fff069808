"""Questions about pieces on a board: who stands where, what they can use, who is adjacent, what their values are now."""

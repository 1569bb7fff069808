"""Questions about figures on the map: where they stand, what they can use, which are adjacent, their current values."""

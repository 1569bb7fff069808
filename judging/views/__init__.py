"""Pages of judging, by subject."""

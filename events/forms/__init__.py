"""Forms about events, by subject."""

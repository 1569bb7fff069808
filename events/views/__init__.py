"""Pages of events, by subject."""

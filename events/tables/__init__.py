"""Tables of events, by subject."""

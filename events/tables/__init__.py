"""The lists of events as tables, by subject."""

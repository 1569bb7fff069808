"""Every write at an event: keyword-only verbs, each through the one door."""

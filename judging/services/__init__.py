"""Every write of judging: keyword-only verbs, each through the one door."""

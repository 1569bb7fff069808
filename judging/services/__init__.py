"""Every write of judging: keyword-only functions, each through the door."""

"""Every write at an event: keyword-only verbs, each through the door (`events.door`)."""

"""What judges do at an event: verify forces, take calls, give penalties, decide, finish the event."""

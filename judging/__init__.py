"""The judges' side of an event: verify forces, answer calls, give penalties, record rulings, finish the event."""

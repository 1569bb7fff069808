"""Forces: the legality rules and the check that applies them."""

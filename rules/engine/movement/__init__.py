"""Movement: where a character may go and end its move, breaking away, carrying. Knock back is in `combat`."""

"""Moving: where a character may go and end, breaking away, carrying. Knock back is no movement and stands in combat."""

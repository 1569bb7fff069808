"""What people fill in about events, by subject."""

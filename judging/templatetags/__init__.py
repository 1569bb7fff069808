"""What judging fills into templates."""

"""Paper of judging: the result sheet."""

"""Printed documents of judging: the result sheet and decisions."""

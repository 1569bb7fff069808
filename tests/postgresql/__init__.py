"""What touches locks, SQL or transactions runs once more on PostgreSQL; see `again.py`."""

"""Tests of locks, SQL and transactions, run again on PostgreSQL; see `again.py`."""

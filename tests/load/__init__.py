"""Load tests: 500 spectators on a laptop, 2,000 on PostgreSQL, a million entries; run by `make load`."""

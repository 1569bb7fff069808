"""Load tests: players who report, readers who wait for a round, spectators, a million entries; run by `make load`."""

"""Pages of events, by subject: people, venues, set-up, entries, rounds, clock, results, standings, papers."""

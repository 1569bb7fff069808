"""What happens at an event: people, venues, entries, rounds, results, standings and papers."""

"""Results: what came of a match, how a report is read, and how a result is said. Pure: no database.

`result` is the value itself, `reading` makes one from what somebody typed, `words` compares results and says them. Who
may report one is `events.services.results`, what it is worth in the standings is `events.standings`.
"""

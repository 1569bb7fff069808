"""Django's PostgreSQL backend, with a pool that drops lost connections at once."""

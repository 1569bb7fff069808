"""Django's PostgreSQL engine, with a pool that forgets lost connections at once."""

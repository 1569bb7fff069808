"""Django's SQLite backend, with the order of names."""

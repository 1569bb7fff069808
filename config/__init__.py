"""The Django project: settings, addresses, entry points; no features."""

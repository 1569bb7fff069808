"""The Django project: settings, URLs and entry points, but no features."""

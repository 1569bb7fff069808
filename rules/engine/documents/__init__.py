"""JSON ↔ values: the only place that knows both."""

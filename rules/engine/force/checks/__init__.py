"""The legality rules of a force. Each edition lists its own in `ForceOptions`."""

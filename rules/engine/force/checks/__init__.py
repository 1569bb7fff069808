"""The legality rules of a force. Which of them an edition has stands in its `ForceOptions`."""

"""Conversion between JSON documents and the engine's values."""

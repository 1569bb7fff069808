"""Drawings of the engine's results: plain values in, SVG out. No database, no requests, no rules."""

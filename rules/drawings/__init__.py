"""Drawings of what the engine reports: plain values in, SVG out. No database, no requests, no rules."""

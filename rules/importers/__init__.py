"""Importers of catalogue files: one module per layout."""

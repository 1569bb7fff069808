"""Disputes as documents: replayed step by step, described in words, changed by choices, branches and overrides.

Pure functions from documents to documents, without rules and without writing anything.
"""

"""A dispute as a document: replayed step by step, put in words, changed by choices, branches and overrides.

Documents in, documents out; nothing here knows a rule, and nothing is written anywhere.
"""

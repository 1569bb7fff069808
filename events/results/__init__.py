"""Results: the value, reading one from a form, and wording one. Pure functions, no database.

`result` is the value, `reading` builds one from form data, `words` compares and words results.
`events.services.results` decides who may report one; `events.standings` decides what it is worth.
"""

"""What a spreadsheet must not take for a formula: names and texts from people, in every CSV that the site gives."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def guarded(value: object) -> object:
    """Return a value that no spreadsheet takes for a formula: text that begins like one gets an apostrophe."""
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return "'" + value
    return "" if value is None else value


def unguarded(value: str) -> str:
    """Return what `guarded` was given."""
    return value[1:] if value.startswith("'") and value[1:].startswith(FORMULA_STARTS) else value

"""Protection against formulas in spreadsheets, for names and texts from users in every CSV file the site writes."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def guarded(value: object) -> object:
    """Return a value that no spreadsheet reads as a formula: text that begins like one gets an apostrophe."""
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return "'" + value
    return "" if value is None else value


def unguarded(value: str) -> str:
    """Return the value given to `guarded`."""
    return value[1:] if value.startswith("'") and value[1:].startswith(FORMULA_STARTS) else value

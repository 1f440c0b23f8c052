"""Bodies to be compared."""

from math import inf


def doubled(value):
    """All numbers as doubles, an infinity as null, as a body has them."""
    match value:
        case bool():
            return value
        case int() | float():
            return float(value) + 0.0 if abs(value) != inf else None
        case list():
            return [doubled(one) for one in value]
        case dict():
            return {key: doubled(one) for key, one in value.items()}
    return value

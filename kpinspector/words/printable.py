"""Text of strangers for a terminal."""

import re

_BREAKS = re.compile("[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")


def printable(text: str) -> str:
    """Text from a trace or a path without anything a terminal would act on."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def on_one_line(text: str) -> str:
    """The same with a space for each run of what would begin another line or cell."""
    return printable(_BREAKS.sub(" ", text))

"""Text of strangers for a terminal."""

import re

from kpinspector.trace.printable import printable

__all__ = ["on_one_line", "printable"]

_BREAKS = re.compile("[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")


def on_one_line(text: str) -> str:
    """The same with a space for each run of what would begin another line or cell."""
    return printable(_BREAKS.sub(" ", text))

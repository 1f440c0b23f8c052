"""Foreign text made safe to show: no control characters, one line, masked and cut or quoted."""

import re
from typing import Final
from unicodedata import category

from kpinspector.trace.clear import MASK, masked_beginning

_JOINERS: Final = frozenset("\N{SOFT HYPHEN}\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}")
_BREAKS = re.compile("[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")


def printable(text: str) -> str:
    """Text from a trace or a path without anything a terminal would act on.

    Every kind of space becomes a plain one. Characters that join or part letters stay, as names
    may differ by them.
    """
    return text if text.isprintable() else "".join(map(_printable, text))


def on_one_line(text: str) -> str:
    """``printable`` text, with one space for each run of line breaks and tabs."""
    return printable(_BREAKS.sub(" ", text))


def shortened(text: str, longest: int) -> str:
    """A text from a trace, cut to ``longest`` characters; an ellipsis stands for the rest.

    Secrets are masked before the cut, since half a secret could not be recognised as one.
    """
    shown = masked_beginning(text, longest)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def quoted(text: str, longest: int = 60) -> str:
    """Trace text for messages: in quotation marks, masked, cut, without control characters."""
    return f'"{printable(shortened(text, longest))}"'


def stands_for(shown: str, text: str) -> bool:
    """Whether ``shown``, parts of which may be masked, equals ``text`` apart from these parts."""
    first, *others = shown.split(MASK)
    if not others:
        return shown == text
    *between, last = others
    at, end = len(first), len(text) - len(last)
    if not (text.startswith(first) and text.endswith(last)):
        return False
    for part in between:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return at <= end


def _printable(char: str) -> str:
    if char.isprintable() or char in _JOINERS:
        return char
    return " " if category(char) == "Zs" else "\N{REPLACEMENT CHARACTER}"

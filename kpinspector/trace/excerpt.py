"""The lines around a place in a file, for display."""

from dataclasses import dataclass

from kpinspector.errors import KpError
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import read_text

LINES_AROUND = 7


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Some lines of a file; ``first`` is the number of the first one, from 1."""

    lines: tuple[str, ...]
    first: int


def read_excerpt(found: FoundFile, line: int) -> Excerpt:
    """Up to seven lines before and after ``line``; none when the file cannot be read any more."""
    try:
        text = read_text(found)
    except (OSError, ValueError, KpError):
        return Excerpt((), 1)
    first = max(1, line - LINES_AROUND)
    start = 0
    for _ in range(first - 1):
        start = text.find("\n", start) + 1
    # no more than these lines are made of a file that may have millions
    lines = text[start:].split("\n", line + LINES_AROUND - first + 1)
    return Excerpt(tuple(lines[: line + LINES_AROUND - first + 1]), first)

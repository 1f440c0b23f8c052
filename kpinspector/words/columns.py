"""Tables of text that fit a width: names give way, figures never do."""

from collections.abc import Container, Iterator, Sequence
from itertools import zip_longest
from typing import Final
from unicodedata import category, east_asian_width

_GAP: Final = "  "
_LEAST: Final = 8  # of a column that gives way
_ELLIPSIS: Final = "…"
_NO_WIDTH: Final = ("Mn", "Me", "Cf")


def display_width(text: str) -> int:
    """How many cells of a terminal a text takes: wide characters two, accents none."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def cut(text: str, width: int, *, keep_end: bool = False) -> str:
    """A text of at most so many cells; an ellipsis stands for what is cut off."""
    if display_width(text) <= width:
        return text
    kept = _taken(text[::-1] if keep_end else text, width - 1)
    return _ELLIPSIS + kept[::-1] if keep_end else kept + _ELLIPSIS


def wrapped(text: str, width: int | None) -> list[str]:
    """A text in lines of at most so many cells, broken between words where that can be."""
    if width is None:
        return [text]
    lines: list[str] = []
    rest = text
    while display_width(rest) > width:
        line = _taken(rest, max(width, 2))
        space = line.rfind(" ", 1)
        if rest[len(line) : len(line) + 1] != " " and space > 0:
            line = line[:space]
        lines.append(line.rstrip())
        rest = rest[len(line) :].lstrip()
    return [*lines, rest]


def aligned(rows: Sequence[Sequence[str]], right: Container[int]) -> Iterator[str]:
    """Rows of equally many cells as lines, in columns; those in ``right`` end together."""
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            _padded(cell, width, right=column in right)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield _GAP.join(cells).rstrip()


def fitting_cut(
    rows: Sequence[Sequence[str]], width: int | None, gives: Container[int], ends: Container[int]
) -> list[tuple[str, ...]]:
    """The same rows with the cells of the columns that give way cut so that they fit.

    Args:
        rows: Of equally many cells.
        width: Of all columns together; None for as wide as they are.
        gives: The columns that give way, the widest first.
        ends: Those of which the end says more than the beginning.
    """
    widths = _fitting(rows, width, gives)
    return [
        tuple(cut(cell, widths[column], keep_end=column in ends) for column, cell in enumerate(row))
        for row in rows
    ]


def fitting_wrapped(
    rows: Sequence[Sequence[str]], width: int | None, gives: Container[int]
) -> list[tuple[str, ...]]:
    """The same rows with the cells of the columns that give way in rows below each other."""
    widths = _fitting(rows, width, gives)
    fitted: list[tuple[str, ...]] = []
    for row in rows:
        cells = [wrapped(cell, room) for cell, room in zip(row, widths, strict=True)]
        fitted += zip_longest(*cells, fillvalue="")
    return fitted


def _fitting(rows: Sequence[Sequence[str]], width: int | None, gives: Container[int]) -> list[int]:
    """How wide each column may be."""
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    if width is None:
        return widths
    room = width - len(_GAP) * (len(widths) - 1)
    giving = [column for column in range(len(widths)) if column in gives]
    while giving and sum(widths) > room:
        widest = max(giving, key=widths.__getitem__)
        if widths[widest] <= _LEAST:
            break
        widths[widest] -= 1
    return widths


def _taken(text: str, width: int) -> str:
    """The beginning of a text that takes at most so many cells."""
    taken = 0
    for place, char in enumerate(text):
        taken += _cells(char)
        if taken > width:
            return text[:place]
    return text


def _cells(char: str) -> int:
    if category(char) in _NO_WIDTH:
        return 0
    return 2 if east_asian_width(char) in {"W", "F"} else 1


def _padded(cell: str, width: int, *, right: bool) -> str:
    blank = " " * (width - display_width(cell))
    return blank + cell if right else cell + blank

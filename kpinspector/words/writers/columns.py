"""Tables of text that fit a width: texts are wrapped or cut, figures never."""

from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

_GAP: Final = "  "
_BELOW: Final = "    "
_LEAST: Final = 8  # the least width of a column that is cut
_LEAST_TEXT: Final = 12  # the least width of a column that is wrapped
_ELLIPSIS: Final = "…"


def display_width(text: str) -> int:
    """The width of a text in terminal cells: wide characters take two, accents none."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth  # noqa: PLC0415 - a tenth of a second, and no window needs it

    return wcswidth(text)


def cut(text: str, width: int, *, keep_end: bool = False) -> str:
    """A text cut to at most ``width`` cells; an ellipsis stands for what is cut off."""
    if display_width(text) <= width:
        return text
    if keep_end:
        start = bisect_right(range(len(text)), -width, key=lambda at: -display_width(text[at:]))
        return _ELLIPSIS + text[start:]
    return text[: _taken(text, width - 1)] + _ELLIPSIS


def wrapped(text: str, width: int | None) -> list[str]:
    """A text in lines of at most ``width`` cells, broken between words.

    A longer word, such as a path, stays whole on a line of its own, so that it can be copied; wide
    characters, which are written without spaces, are broken anywhere.
    """
    if width is None:
        return [text]
    lines: list[str] = []
    rest = text
    while display_width(rest) > width:
        line = rest[: _end_of_line(rest, max(width, 2))]
        lines.append(line.rstrip())
        rest = rest[len(line) :].lstrip()
    return [*lines, rest] if rest or not lines else lines


def wrapped_list(parts: Iterable[str], width: int) -> list[str]:
    """Parts with commas between them in lines of at most ``width`` cells; no part is broken."""
    lines: list[str] = []
    for part in parts:
        if lines and display_width(f"{lines[-1]}, {part},") <= width:
            lines[-1] += f", {part}"
        else:
            lines[-1:] = [f"{line}," for line in lines[-1:]]
            lines += wrapped(part, width)
    return lines


def labelled(rows: Iterable[tuple[str, str]], width: int | None) -> Iterator[str]:
    """Texts in a column beside their labels; a text with too long a word goes below its label."""
    pairs = list(rows)
    beside = max((display_width(label) for label, _ in pairs), default=0) + len(_GAP)
    for label, text in pairs:
        room = None if width is None else width - beside
        least = max(_longest_word(text), min(display_width(text), _LEAST_TEXT))
        if width is not None and least > width - beside:
            yield from wrapped(label.rstrip(), width)
            yield from (f"{_GAP}{line}" for line in wrapped(text, width - len(_GAP)))
        else:
            first, *others = wrapped(text, room)
            yield f"{label}{' ' * (beside - display_width(label))}{first}".rstrip()
            yield from (f"{' ' * beside}{line}" for line in others)


def aligned(rows: Sequence[Sequence[str]], right: Container[int]) -> Iterator[str]:
    """Rows as lines with aligned columns; columns in ``right`` are aligned to the right."""
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    yield from (_in_columns(row, widths, right) for row in rows)


def fitted(
    rows: Sequence[Sequence[str]], width: int | None, right: Container[int]
) -> Iterator[str]:
    """A table, its heading in the first row, as lines of at most ``width`` cells.

    If it is too wide, texts are wrapped between words; figures (columns in ``right``) never. The
    last columns, if they still have no room, stand below each row with their names.
    """
    lines = [*aligned(rows, right)]
    if width is None or max(map(display_width, lines)) <= width:
        yield from lines
        return
    least = []
    for at, cells in enumerate(zip(*rows, strict=True)):
        natural = max(map(display_width, cells))
        # words stay whole, and texts take two lines, not ten
        of_text = max(_LEAST_TEXT, natural // 2 + 1, *map(_longest_word, cells))
        least.append(natural if at in right else min(natural, of_text))
    kept = len(least)
    while kept > 1 and sum(least[:kept]) + len(_GAP) * (kept - 1) > width:
        kept -= 1
    head, room = rows[0], width - len(_BELOW)
    widths = _fitting([row[:kept] for row in rows], width, least[:kept])
    for number, row in enumerate(rows):
        parts = [wrapped(cell, wide) for cell, wide in zip(row, widths, strict=False)]
        for line in zip_longest(*parts, fillvalue=""):
            yield _in_columns(line, widths, right)
        below = [at for at in range(kept, len(row)) if number and row[at]]
        # figures on one line, then each text on its own
        figures = (f"{head[at]} {row[at]}".strip() for at in below if at in right)
        texts = ((head[at], row[at]) for at in below if at not in right)
        others = (*wrapped_list(figures, room), *labelled(texts, room))
        yield from (f"{_BELOW}{one}" for one in others)


def fitting_cut(rows: Sequence[Sequence[str]], width: int, gives: int) -> list[tuple[str, ...]]:
    """The rows with column ``gives``, which holds paths, cut at its beginning until they fit."""
    least = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    least[gives] = min(least[gives], _LEAST)
    room = _fitting(rows, width, least)[gives]
    return [(*row[:gives], cut(row[gives], room, keep_end=True), *row[gives + 1 :]) for row in rows]


def _fitting(rows: Sequence[Sequence[str]], width: int, least: Sequence[int]) -> list[int]:
    """The width of each column within ``width``; the widest are narrowed first."""
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    room = width - len(_GAP) * (len(widths) - 1)
    while sum(widths) > room:
        giving = [at for at, one in enumerate(widths) if one > least[at]]
        if not giving:
            break
        widths[max(giving, key=widths.__getitem__)] -= 1
    return widths


def _longest_word(text: str) -> int:
    return max((display_width(word) for word in text.split() if not _breaks(word)), default=0)


def _breaks(word: str) -> bool:
    """Whether a word may be broken: it has wide characters, and no slash or colon as a path has."""
    return not (word.isascii() or set("/:\\") & set(word)) and any(
        display_width(one) > 1 for one in word
    )


def _end_of_line(text: str, width: int) -> int:
    end = _taken(text, width)
    if text[end : end + 1] == " ":
        return end
    space = text.rfind(" ", 1, end)
    if space > 0:
        return space
    behind = text.find(" ", 1)
    word = text if behind < 0 else text[:behind]
    return end if _breaks(word) else len(word)


def _taken(text: str, width: int) -> int:
    return bisect_right(range(1, len(text) + 1), width, key=lambda end: display_width(text[:end]))


def _in_columns(row: Sequence[str], widths: Sequence[int], right: Container[int]) -> str:
    cells = []
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        blank = " " * (width - display_width(cell))
        cells.append(blank + cell if column in right else cell + blank)
    return _GAP.join(cells).rstrip()

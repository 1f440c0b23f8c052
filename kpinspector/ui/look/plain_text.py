"""Texts from files made plain and short enough to show; times in words."""

import re
from collections.abc import Sequence
from html import escape
from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QDateTime, QLocale

from kpinspector.trace.clear import masked_beginning

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from kpinspector.trace.align import Span
    from kpinspector.trace.javascript import JsonValue

_MOST_FIELDS = 8
_NS = 1_000_000  # nanoseconds in a millisecond
_SHORT_TOOLTIP = 80
_CONTROLS: dict[int, int | str | None] = {
    **{code: 0x2400 + code for code in range(32)},
    9: " ",
    0x7F: 0x2421,
    0xFFFC: 0xFFFD,
    0xFDD0: 0xFFFD,
    0xFDD1: 0xFFFD,
}
_CONTROLS |= dict.fromkeys((*range(0x80, 0xA0), *range(0xD800, 0xE000)), 0xFFFD)
_CONTROLS |= dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))  # text direction
_KEPT = _CONTROLS | {9: 9, 10: 10}
_LINE_END = re.compile("[\n\r\v\f\x85\u2028\u2029]")


def one_line(text: str, limit: int = 400) -> str:
    """The first line that is not blank, cut to ``limit``; control characters become visible."""
    head = text[: 4 * limit].lstrip()
    line = _LINE_END.split(head, maxsplit=1)[0].rstrip()
    cut = len(line) > limit or (len(line) == len(head) and len(text) > 4 * limit)
    return line[:limit].translate(_CONTROLS) + ("…" if cut else "")


def masked_line(text: str, limit: int = 400) -> str:
    """One line of a trace's text, as ``one_line``, with secrets masked."""
    return one_line(masked_beginning(text, 4 * limit), limit)


def flat_text(text: str, spans: "Sequence[Span]" = ()) -> "tuple[str, tuple[Span, ...]]":
    """A short text in one line, and its spans moved accordingly.

    A run of white space becomes one space; within a span each character does, to keep its length.
    """
    flat: list[str] = []
    places = []
    kept = {place for start, end in spans for place in range(start, end)}
    for place, character in enumerate(text):
        places.append(len(flat))
        if character.isspace():
            if place in kept or not (flat and flat[-1] == " "):
                flat.append(" ")
        elif shown := character.translate(_CONTROLS):
            flat.append(shown)
    places.append(len(flat))
    moved = ((places[start], places[end]) for start, end in spans)
    return "".join(flat), tuple((start, end) for start, end in moved if start < end)


def shown_text(text: str, limit: int) -> str:
    """The first ``limit`` characters with their lines; other control characters become visible."""
    return text[:limit].replace("\r\n", "\n").translate(_KEPT)


def plain_tooltip(text: str) -> str:
    """A tooltip that shows any text literally; a few plain words stay as they are."""
    if len(text) <= _SHORT_TOOLTIP and not set(text) & set("<&\n"):
        return text
    return f"<qt>{escape(text).replace(chr(10), '<br>')}</qt>"


def set_tip(widget: "QWidget", text: str) -> None:
    """Set a widget's tooltip and accessible description to a plain text."""
    widget.setToolTip(plain_tooltip(text))
    widget.setAccessibleDescription(text)


def brief_value(value: "JsonValue", limit: int = 400) -> str:
    """A JSON value in one line: the first fields of an object, the first members of a list."""
    match value:
        case dict():
            pairs = islice(value.items(), _MOST_FIELDS)
            parts = [f"{one_line(name, 40)}: {_brief(member)}" for name, member in pairs]
            return one_line(", ".join(parts), limit)
        case list():
            return one_line(", ".join(_brief(member) for member in value[:_MOST_FIELDS]), limit)
    return _brief(value)


def _brief(value: "JsonValue") -> str:
    match value:
        case str():
            return one_line(value, 80)
        case dict():
            return "{…}" if value else "{}"
        case list():
            return "[…]" if value else "[]"
        case None:
            return "null"
        case bool():
            return str(value).lower()
    return str(value)


def short_moment(nanoseconds: int) -> str:
    """A time in short: the time of today, the day of this year, else the month."""
    at, today = QDateTime.fromMSecsSinceEpoch(nanoseconds // _NS), QDate.currentDate()
    locale = QLocale()
    if at.date() == today:
        return locale.toString(at.time(), QLocale.FormatType.ShortFormat)
    return locale.toString(at.date(), "d MMM" if at.date().year() == today.year() else "MMM yyyy")


def whole_moment(nanoseconds: int) -> str:
    """A time with day and minute."""
    at = QDateTime.fromMSecsSinceEpoch(nanoseconds // _NS)
    return QLocale().toString(at, QLocale.FormatType.ShortFormat)


def shown_day(milliseconds: int) -> str:
    """The day of a time, with the month's name, as some languages have no separators."""
    return QLocale().toString(QDateTime.fromMSecsSinceEpoch(milliseconds).date(), "d MMM yyyy")

"""Moments as lists and tooltips say them."""

from typing import Final

from PySide6.QtCore import QDate, QDateTime, QLocale

_NS: Final = 1_000_000  # in a millisecond


def short_moment(nanoseconds: int) -> str:
    """Of today the time, of this year the day, else the month."""
    at, today, locale = _at(nanoseconds), QDate.currentDate(), QLocale()
    if at.date() == today:
        return locale.toString(at.time(), QLocale.FormatType.ShortFormat)
    return locale.toString(at.date(), "d MMM" if at.date().year() == today.year() else "MMM yyyy")


def whole_moment(nanoseconds: int) -> str:
    """Day and time."""
    return QLocale().toString(_at(nanoseconds), QLocale.FormatType.ShortFormat)


def shown_day(milliseconds: int) -> str:
    """The day of a moment, with the month by its name, as some languages have no separators."""
    return QLocale().toString(QDateTime.fromMSecsSinceEpoch(milliseconds).date(), "d MMM yyyy")


def _at(nanoseconds: int) -> QDateTime:
    return QDateTime.fromMSecsSinceEpoch(nanoseconds // _NS)

"""The colours of similarities: from the sheet to that of novelty."""

from typing import Final

from PySide6.QtGui import QColor

from kpinspector.batch.groups import MOST_LEVEL
from kpinspector.ui.look.theme import Colours

_POWER: Final = 1.6


def similarity_colour(similarity: float, found: Colours) -> QColor:
    """The colour of one similarity; below 0 and above 1 those of the ends."""
    share = min(1.0, max(0.0, similarity)) ** _POWER
    sheet, full = found.sheet, found.novelty
    return QColor(
        round(sheet.red() + share * (full.red() - sheet.red())),
        round(sheet.green() + share * (full.green() - sheet.green())),
        round(sheet.blue() + share * (full.blue() - sheet.blue())),
    )


def level_colours(found: Colours) -> list[int]:
    """The colours of all levels, for a picture of them."""
    levels = range(MOST_LEVEL + 1)
    return [similarity_colour(one / MOST_LEVEL, found).rgb() for one in levels]

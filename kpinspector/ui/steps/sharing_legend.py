"""What the marks in the steps mean while it is shown what leaves the machine."""

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy
from typing_extensions import override

from kpinspector.sharing.parts import Fate
from kpinspector.ui.look.icons import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.painting import TextFont, centred, draw_text
from kpinspector.ui.look.roles import Graphic
from kpinspector.ui.look.theme import TextRole, colours, font, scale
from kpinspector.words.say import say, say_list

FATE_ICONS = {Fate.REDACTED: IconName.REDACT, Fate.IN_CLEAR: IconName.EXPORT}
"""The icon for what becomes of a part."""

_HEIGHT, _PADDING, _GAP, _BETWEEN = 40, 16, 8, 24


class SharingLegend(Graphic):
    """A line that explains both marks, at the top of the room that it has."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)
        self.setAccessibleName(say_list(map(fate_words, Fate)))

    @override
    def sizeHint(self) -> QSize:
        return QSize(0, scale(_HEIGHT, self.fontMetrics()))

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, metrics, found = QPainter(self), self.fontMetrics(), colours(self.palette())
        caption = font(TextRole.CAPTION, self.font())
        style = TextFont(caption, QFontMetrics(caption))
        left, side = scale(_PADDING, metrics), scale(ICON_SIZE, metrics)
        line = QRect(0, 0, self.width(), self.sizeHint().height())
        for fate, icon in FATE_ICONS.items():
            paint_icon(painter, centred(line, left, side), icon, found.text)
            left += side + scale(_GAP, metrics)
            room = line.adjusted(left, 0, 0, 0)
            left += draw_text(painter, room, fate_words(fate), style, found.second)
            left += scale(_BETWEEN, metrics)


def fate_words(fate: Fate) -> str:
    """What becomes of a part, in words."""
    if fate is Fate.REDACTED:
        return say("redacted before it is posted")
    return say("would leave in clear")

"""What is known of the pair that the map points at, and the key of the map."""

from enum import StrEnum

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from kpinspector.ui.batch.map_painting import OTHER_TICK, RING_ROOM, SHORT_TICK, TICK, tick_of
from kpinspector.ui.batch.pairs import Pair, Pairs
from kpinspector.ui.batch.ramp import similarity_colour
from kpinspector.ui.controls.base import ElidedLabel, Label, NameLabel, PushButton
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.marks import BarMark, fill, outline, paint_bar
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.roles import Graphic
from kpinspector.ui.look.theme import Colours, TextRole, colours, font, scale, sized
from kpinspector.ui.parts.sections import WrappedLabel
from kpinspector.ui.parts.state_mark import StateMark
from kpinspector.ui.traces.trace_row import make_row, state_words
from kpinspector.words.figures import INTERVAL_DECIMALS, shown_number, shown_short, shown_whole
from kpinspector.words.say import say

_WIDTH = 135

_TOP = 8
_GAP = 6
_ROW_GAP = 8
_BAR = 8
_CELLS = 15
_KEY_TICK = 12
_SIGN = 10


class PairPane(QWidget):
    """The two traces and how similar they are, one below the other, or in a row under the map."""

    compare_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._pairs: Pairs | None = None
        self._rows = (_TraceLine(), _TraceLine())
        self._figure = Label("", TextRole.PANE)
        self._bar = _SimilarityBar()
        self._place = ElidedLabel("", TextRole.CAPTION, second=True)
        self._place.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._hint = WrappedLabel(
            say("Point at a cell, or go there with the arrow keys."), second=True
        )
        self._compare = PushButton(say("Compare"), icon=IconName.COMPARE)
        self._compare.clicked.connect(self.compare_wanted)
        self._known = QWidget()
        self._parts = QBoxLayout(QBoxLayout.Direction.TopToBottom, self._known)
        self._lay_out()
        self.set_below(below=False)
        self.set_pair(None)

    def _lay_out(self) -> None:
        figures = QHBoxLayout()
        figures.addWidget(Label(say("Similarity")))
        figures.addStretch(1)
        figures.addWidget(self._figure)
        traces, similarity = QVBoxLayout(), QVBoxLayout()
        for row in self._rows:
            traces.addWidget(row)
        similarity.addLayout(figures)
        similarity.addWidget(self._bar)
        similarity.addWidget(self._place)
        for column in (traces, similarity):
            column.setSpacing(_ROW_GAP)
            self._parts.addLayout(column, 1)
        self._parts.addWidget(self._compare, 0, Qt.AlignmentFlag.AlignTop)
        self._parts.setContentsMargins(0, 0, 0, 0)
        self._whole = whole = QVBoxLayout(self)
        whole.setSpacing(_ROW_GAP)
        whole.addWidget(Label(say("Pair pointed at"), TextRole.HEADING))
        whole.addWidget(self._hint)
        whole.addWidget(self._known)
        whole.addStretch(1)

    def set_below(self, *, below: bool) -> None:
        """Stand under the map, or at its right."""
        direction = QBoxLayout.Direction
        self._whole.setContentsMargins(RING_ROOM if below else 0, _TOP, 0, 0)
        self._parts.setDirection(direction.LeftToRight if below else direction.TopToBottom)
        self._parts.setSpacing(2 * _ROW_GAP if below else _ROW_GAP)
        for row in self._rows:
            row.set_wide(wide=below)

    def set_pairs(self, pairs: Pairs | None) -> None:
        """Pairs of other traces, or in other groups; none is known until one is pointed at."""
        self._pairs = pairs
        self.set_pair(None)

    def set_pair(self, pair: Pair | None) -> None:
        """Say what is known of a pair; None for none."""
        pairs = self._pairs
        self._known.setVisible(pair is not None and pairs is not None)
        self._hint.setVisible(self._known.isHidden())
        if pair is None or pairs is None:
            return
        for row, trace in zip(self._rows, pair, strict=True):
            row.set_trace(pairs, trace)
        similarity = pairs.similarity(pair)
        self._figure.setText(shown_number(similarity))
        self._figure.setToolTip(shown_whole(similarity))
        self._bar.set_similarity(similarity)
        self._place.setText(pairs.place_words(pair))
        same = pair.one == pair.other
        self._compare.setEnabled(not same)
        why = say("A trace is not compared with itself.") if same else ""
        self._compare.setToolTip(plain_tooltip(why))
        self._compare.setAccessibleDescription(why)


class _TraceLine(QWidget):
    """The state, the name and the score of a trace."""

    def __init__(self) -> None:
        super().__init__()
        self._state = StateMark()
        self._name = NameLabel("", TextRole.NAME)
        self._score = Label("")
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(_GAP)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        # the pane is as wide as the key: names give way
        self._name.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        grid.addWidget(self._state, 0, 0)
        grid.addWidget(self._name, 0, 1)

    def set_wide(self, *, wide: bool) -> None:
        """The score stands beside the name, or below it."""
        self._grid.addWidget(self._score, *((0, 2) if wide else (1, 1)))

    def set_trace(self, pairs: Pairs, trace: int) -> None:
        """Show a trace as the list does."""
        shown = make_row(pairs.picture.documents[trace], pairs.picture.names[trace])
        self._state.set_state(shown.shape, state_words(shown), assumed=shown.assumed)
        self._name.setText(shown.name)
        self._score.setText(shown.score_text)


class _SimilarityBar(QWidget):
    """The similarity as a bar; the figure stands above it."""

    def __init__(self) -> None:
        super().__init__()
        self._similarity = 0.0
        sized(self, QWidget.setFixedHeight, _BAR)

    def set_similarity(self, similarity: float) -> None:
        """Show a similarity."""
        self._similarity = similarity
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found = QPainter(self), colours(self.palette())
        end = min(1.0, max(0.0, self._similarity))
        paint_bar(painter, self.rect(), BarMark(found.novelty, end, track=found.track), found)


class _Sign(StrEnum):
    """What the key explains."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    OTHER = "other"
    GROUP = "group"


class MapKey(QWidget):
    """The colours of similarities, the marks of states and the outline of groups."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._ramp = _RampKey()
        self._other = (_SignMark(_Sign.OTHER), _caption(say("neither")))
        grid = QGridLayout()
        grid.setHorizontalSpacing(_GAP)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        lines = (
            (_SignMark(_Sign.ACCEPTED), _caption(say("accepted"))),
            (_SignMark(_Sign.REJECTED), _caption(say("rejected"))),
            self._other,
            (_SignMark(_Sign.GROUP), _caption(say("group of two or more"))),
        )
        for number, line in enumerate(lines):
            for place, part in enumerate(line):
                grid.addWidget(part, number, place)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP)
        column.addWidget(Label(say("How to read it"), TextRole.HEADING))
        column.addWidget(self._ramp)
        column.addLayout(grid)

    def set_pairs(self, pairs: Pairs | None) -> None:
        """The similarity at which groups are linked; other states only where there are any."""
        self._ramp.set_similarity(None if pairs is None else pairs.grouped.similarity)
        documents = () if pairs is None else pairs.picture.documents
        other = any(tick_of(one.state) == OTHER_TICK for one in documents)
        for part in self._other:
            part.setVisible(other)


def _caption(words: str) -> Label:
    return Label(words, TextRole.CAPTION, second=True)


class _SignMark(QWidget):
    """A mark as on the map; the word stands beside it."""

    def __init__(self, sign: _Sign) -> None:
        super().__init__()
        self._sign = sign
        sized(self, QWidget.setFixedWidth, _SIGN)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found = QPainter(self), colours(self.palette())
        if self._sign is _Sign.GROUP:
            side = scale(_SIGN, self.fontMetrics())
            outline(painter, QRect(0, (self.height() - side) // 2, side, side), found.text)
            return
        length, ink = {
            _Sign.ACCEPTED: (TICK, found.accepted),
            _Sign.REJECTED: (SHORT_TICK, found.rejected),
            _Sign.OTHER: (OTHER_TICK, found.second),
        }[self._sign]
        width = scale(length, self.fontMetrics())
        fill(painter, QRect(0, self.height() // 2 - 1, width, 2), ink)


class _RampKey(Graphic):
    """The colours in flat cells, and a line where groups begin."""

    def __init__(self) -> None:
        super().__init__()
        self._similarity: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(say("Colours of similarities"))

    def set_similarity(self, similarity: float | None) -> None:
        """Mark the similarity from which traces are in one group."""
        self._similarity = similarity
        words = say("From the sheet's colour at 0 to that of novelty at 1.")
        if similarity is not None:
            words = say(
                "From the sheet's colour at 0 to that of novelty at 1. Groups at {similarity}.",
                similarity=shown_short(similarity),
            )
        self.setAccessibleDescription(words)
        self.update()

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(scale(_WIDTH, metrics), scale(_KEY_TICK + 2, metrics) + metrics.height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found, metrics = QPainter(self), colours(self.palette()), self.fontMetrics()
        tick, bar = scale(_KEY_TICK, metrics), scale(_BAR, metrics)
        strip = QRect(0, (tick - bar) // 2, self.width(), bar)
        for cell in range(_CELLS):
            left, right = (strip.width() * (cell + end) // _CELLS for end in (0, 1))
            ink = similarity_colour(cell / (_CELLS - 1), found)
            fill(painter, QRect(left, strip.top(), right - left, bar), ink)
        outline(painter, strip, found.line)
        self._paint_figures(painter, found, tick)

    def _paint_figures(self, painter: QPainter, found: Colours, tick: int) -> None:
        """The ends, and between them where groups begin; that one moves aside for neither."""
        painter.setFont(font(TextRole.CAPTION, self.font()))
        painter.setPen(found.second)
        room = QRect(0, tick, self.width(), self.height() - tick)
        metrics = painter.fontMetrics()
        taken = QRect()
        if self._similarity is not None:
            x = round(min(1.0, max(0.0, self._similarity)) * (self.width() - 1))
            fill(painter, QRect(x, 0, 1, tick), found.text)
            words = shown_number(self._similarity, INTERVAL_DECIMALS)
            width = metrics.horizontalAdvance(words) + 2
            left = min(max(0, x - width // 2), self.width() - width)
            taken = QRect(left, room.top(), width, room.height())
            painter.drawText(taken, Qt.AlignmentFlag.AlignCenter, words)
        for words, align in (("0", Qt.AlignmentFlag.AlignLeft), ("1", Qt.AlignmentFlag.AlignRight)):
            width = metrics.horizontalAdvance(words)
            left = 0 if align == Qt.AlignmentFlag.AlignLeft else self.width() - width
            if not QRect(left, room.top(), width, room.height()).intersects(taken):
                painter.drawText(room, align | Qt.AlignmentFlag.AlignVCenter, words)

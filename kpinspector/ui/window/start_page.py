"""The start page, shown while nothing is open: ways to begin, recent paths, what is ready."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from kpinspector.app.values import State
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.model import MODEL_NAME
from kpinspector.settings import Mode
from kpinspector.ui.actions.table import Command
from kpinspector.ui.controls.base import (
    START_HEIGHT,
    Drawing,
    ElidedLabel,
    FlatButton,
    Label,
    PushButton,
    Ringed,
    in_column,
    in_row,
    paint_box,
)
from kpinspector.ui.look.marks import (
    BADGE_SIZE_LARGE,
    ICON_SIZE,
    IconName,
    Shape,
    aligned,
    paint_badge,
    paint_icon,
    paint_state,
)
from kpinspector.ui.look.plain_text import one_line, plain_tooltip, short_moment
from kpinspector.ui.look.theme import Colours, TextRole, colours, follow_zoom, scale, sized
from kpinspector.ui.parts.sections import SheetScroll, clear_layout
from kpinspector.words.say import in_words, say, say_count, say_list

if TYPE_CHECKING:
    from kpinspector.app.engine import MemoryState
    from kpinspector.app.state import RecentPath
    from kpinspector.runs.readers import Here

_LEFT_WIDTH, _RIGHT_WIDTH = 480, 320
_BESIDE = 700  # px, from which on both columns stand side by side
_BETWEEN = 56
_SIDE = 24
_DROP_ABOVE, _DROP_ICON, _DROP_BELOW = 50, 36, 28
_ICON_GAP = 14
_RADIUS = 8
_BADGES_HEIGHT, _BADGE_GAP, _BETWEEN_BADGES = 34, 8, 20
_LONGEST = 80
_ROW_PADDING, _ROW_HEIGHT, _WORD_GAP = 10, 44, 10


class StartWish(NamedTuple):
    """A command, with paths for ``OPEN_RECENT``, or the names of samples; else with nothing."""

    command: Command
    of: Sequence[str] = ()


class _TwoLines(Ringed):
    """Mixin before a Qt class: a sign, a title above a caption, and a note at the right."""

    def __init__(self, title: str, caption: str, sign: StrEnum, note: str = "") -> None:
        super().__init__()
        self.setToolTip(plain_tooltip(f"{title}\n{caption}"))
        self.setAccessibleName(title)
        self.setAccessibleDescription(say_list((caption, note)))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._title = ElidedLabel(title, TextRole.NAME)
        self._caption = ElidedLabel(caption, TextRole.CAPTION, second=True)
        self._note = ElidedLabel(note, TextRole.CAPTION, second=True)  # is cut before the title is
        self._note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        size = QSize(ICON_SIZE, ICON_SIZE)
        self._signs = in_column(Drawing(size, partial(_paint_sign, sign)), None)
        self._words = in_column(in_row(self._title, (self._note, 1)), self._caption, None)
        self._row = in_row(self._signs, (self._words, 1), on=self)
        follow_zoom(self, _TwoLines._make_room)

    def _make_room(self) -> None:
        metrics = self.fontMetrics()
        padding, gap, side = [scale(px, metrics) for px in (_ROW_PADDING, _WORD_GAP, ICON_SIZE)]
        first, second = [one.fontMetrics().height() for one in (self._title, self._caption)]
        height = max(scale(_ROW_HEIGHT, metrics), first + second + _ROW_PADDING)
        top = (height - first - second) // 2
        for label, high in ((self._title, first), (self._note, first), (self._caption, second)):
            label.setFixedHeight(high)
        self._note.setContentsMargins(padding, 0, 0, 0)
        self._signs.setContentsMargins(0, top + (first - side) // 2, gap, 0)
        self._words.setContentsMargins(0, top, 0, 0)
        self._row.setContentsMargins(padding, 0, padding, 0)
        self.setFixedHeight(height)


class TwoLineButton(_TwoLines, QPushButton):
    """Two lines about something that a click opens."""


class TwoLineFact(_TwoLines, QWidget):
    """Two lines about something that cannot be opened."""


class StartPage(SheetScroll):
    """The page before anything is open; it scrolls in a small window.

    Attributes:
        clear: The button that empties the list of recent paths.
    """

    wished = Signal(object)
    """A `StartWish`."""

    def __init__(self) -> None:
        super().__init__(ground=QPalette.ColorRole.Window)
        self.setAccessibleName(say("Start"))
        self._here, self._recent, self._ready = QVBoxLayout(), QVBoxLayout(), QVBoxLayout()
        self._threshold = Label(role=TextRole.CAPTION, second=True)
        self._threshold.setWordWrap(True)
        sized(self._threshold, QLabel.setIndent, _ROW_PADDING)
        self.clear = FlatButton(text=say("Clear"), name=say("Clear the recent list"))
        self._here_section = _section(say("On this computer"), self._here)
        open_button = PushButton(
            say("Open…"), icon=IconName.OPEN, primary=True, height=START_HEIGHT
        )
        folder = PushButton(say("Open Folder…"), icon=IconName.FOLDER, height=START_HEIGHT)
        paste = PushButton(say("Paste"), icon=IconName.PASTE, height=START_HEIGHT)
        zone = _DropZone(
            self._joined(open_button, Command.OPEN),
            self._joined(folder, Command.OPEN_FOLDER),
            self._joined(paste, Command.PASTE),
        )
        score = in_column(_badges(), self._threshold, spacing=None)
        left = (
            zone,
            _section(say("Samples"), in_column(*self._samples())),
            _section(say("What a score is made of"), score),
        )
        right = (
            _section(say("Recent"), self._recent, self.clear),
            self._here_section,  # counted last, when no row that may be clicked stands below
            _section(say("Ready"), self._ready),
        )
        self._right = _column(right, _RIGHT_WIDTH)
        self._grid = QGridLayout()
        self.setWidget(_page(self._grid, _column(left, _LEFT_WIDTH)))
        follow_zoom(self, StartPage._fit)
        self.set_threshold(0.75)
        self.set_recent(())
        self.set_here(())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Put the right column below the left one if there is no room beside it."""
        metrics = self.fontMetrics()
        below = self.width() < scale(_BESIDE, metrics)
        # side by side, the right column grows into the space below it, so that nothing moves
        self._grid.addWidget(self._right, *((2, 1, 1, 1) if below else (1, 2, 2, 1)))
        self._grid.setColumnStretch(2, 0 if below else _RIGHT_WIDTH)
        self._grid.setVerticalSpacing(scale(_SIDE, metrics) if below else 0)

    def _joined(
        self, button: QAbstractButton, command: Command, of: Sequence[str] = ()
    ) -> QAbstractButton:
        """Make a button emit a wish; return the button."""
        button.clicked.connect(lambda: self.wished.emit(StartWish(command, of)))
        return button

    def _samples(self) -> Iterable[QWidget]:
        """Buttons for samples whose results do not depend on what is remembered."""
        for title, caption, state, name in (
            (
                say("A trace that passes"),
                say("Potassium review: 14 steps, 3 tools, one recovery"),
                State.ACCEPTED,
                "visit-03.json",
            ),
            (
                say("A trace that is rejected"),
                say("Expense audit: the registry's schema objects in three places"),
                State.REJECTED,
                "expense-audit.json",
            ),
            (
                say("A record that cannot be read"),
                say("Support desk: one of six records is broken"),
                State.UNREADABLE,
                "support-desk.jsonl",
            ),
        ):
            row = TwoLineButton(title, caption, sign=state)
            yield self._joined(row, Command.OPEN_SAMPLES, (name,))

    def set_recent(self, recent: "Sequence[RecentPath]") -> None:
        """Show the recent paths, the latest first."""
        clear_layout(self._recent)
        for item in recent:
            icon = IconName.FOLDER if item.is_folder else IconName.FILE
            note = say("missing") if item.is_missing else item.note
            row = TwoLineButton(*name_and_folder(item.path), sign=icon, note=note)
            row.setToolTip(plain_tooltip(item.path))
            row.setEnabled(not item.is_missing)
            self._recent.addWidget(self._joined(row, Command.OPEN_RECENT, (item.path,)))
        if not recent:
            sentence = Label(say("Files and folders that you open are listed here."), second=True)
            sentence.setWordWrap(True)
            self._recent.addWidget(sentence)
        self.clear.setVisible(bool(recent))

    def set_here(self, found: "Sequence[Here]") -> None:
        """Offer to open the recordings of other agents on this computer."""
        clear_layout(self._here)
        for one in found:
            caption = say_count(
                "{number} session in {folder}",
                "{number} sessions in {folder}",
                one.files,
                folder=one.form.where,
            )
            newest = say("the newest: {when}", when=short_moment(int(one.newest * 10**9)))
            row = TwoLineButton(one.form.name, caption, sign=IconName.FOLDER, note=newest)
            row.setToolTip(plain_tooltip("\n".join((*one.folders, newest))))
            self._here.addWidget(self._joined(row, Command.OPEN_RECENT, one.folders))
        self._here_section.setVisible(bool(found))

    def set_memory(self, state: "MemoryState") -> None:
        """Show whether novelty can be measured, and how many traces it is compared with."""
        clear_layout(self._ready)
        if state.failure is None:
            title, sign = say("Embedding model found"), IconName.CHECK
            caption = say("{model}, novelty is measured", model=MODEL_NAME)
            self._ready.addWidget(TwoLineFact(title, caption, sign))
        else:
            title, caption = in_words(state.failure.message), say("Novelty is assumed 0.5")
            self._ready.addWidget(TwoLineFact(title, caption, Shape.NOT_SCORABLE))
        captions = {
            Mode.REMEMBER: say("What a new trace is compared with"),
            Mode.GUEST: say("As a guest: compared with, nothing added"),
            Mode.FRESH: say("As a fresh SDK process: every drop starts empty"),
        }
        title = say_count(
            "{number} trace remembered", "{number} traces remembered", state.remembered
        )
        self._ready.addWidget(TwoLineFact(title, captions[state.mode], IconName.CHECK))

    def set_threshold(self, threshold: float) -> None:
        """Show the threshold in the sentence on what a score is made of."""
        needed = self.locale().toString(threshold, "g", 6)
        self._threshold.setText(
            say(
                "Four values from 0 to 1, weighted by the domain; {needed} is needed to pass.",
                needed=needed,
            )
        )


def _paint_sign(sign: StrEnum, painter: QPainter, rect: QRect, found: Colours) -> None:
    if isinstance(sign, IconName):
        paint_icon(painter, rect, sign, found.second)
    else:
        paint_state(painter, rect, sign, found)


def _page(grid: QGridLayout, left: QWidget) -> QWidget:
    page = QWidget()
    page.setLayout(grid)
    grid.addWidget(left, 1, 1)
    for row, share in ((0, 1), (2, 2)):
        grid.setRowStretch(row, share)
    for column, share in ((0, 1), (1, _LEFT_WIDTH), (3, 1)):
        grid.setColumnStretch(column, share)
    sized(page, lambda one, px: one.layout().setContentsMargins(px, px, px, px), _SIDE)
    sized(page, lambda one, px: one.layout().setHorizontalSpacing(px), _BETWEEN)
    return page


def _column(parts: tuple[QWidget, ...], width: int) -> QWidget:
    column = QWidget()
    in_column(*parts, None, on=column)
    sized(column, QWidget.setMaximumWidth, width)
    sized(column, lambda one, px: one.layout().setSpacing(px), _SIDE)
    return column


def _section(title: str, rows: QVBoxLayout, button: QWidget | None = None) -> QWidget:
    section = QWidget()
    head = in_row(Label(title, TextRole.HEADING), None, margins=None, spacing=None)
    if button is not None:
        head.addWidget(button)
    rows.setSpacing(0)
    in_column(head, rows, on=section, spacing=4)
    return section


def _badges() -> QHBoxLayout:
    """The badges and the names of the four dimensions."""
    row = QHBoxLayout()
    row.setSpacing(0)
    row.addSpacing(_ROW_PADDING)
    size = QSize(BADGE_SIZE_LARGE + _BADGE_GAP, _BADGES_HEIGHT)
    for dimension, name in (
        (Dimension.COMPLEXITY, say("Complexity")),
        (Dimension.NOVELTY, say("Novelty")),
        (Dimension.TOOL_DIVERSITY, say("Tool diversity")),
        (Dimension.OUTCOME_CONFIDENCE, say("Outcome")),
    ):
        row.addWidget(Drawing(size, partial(_paint_badge, dimension)))
        row.addWidget(Label(name))
        row.addSpacerItem(QSpacerItem(_BETWEEN_BADGES, 0, QSizePolicy.Policy.Maximum))
    row.addStretch(1)
    return row


def _paint_badge(dimension: Dimension, painter: QPainter, rect: QRect, found: Colours) -> None:
    side = rect.width() * BADGE_SIZE_LARGE // (BADGE_SIZE_LARGE + _BADGE_GAP)
    paint_badge(painter, QRect(0, (rect.height() - side) // 2, side, side), dimension, found)


class _DropZone(QWidget):
    """A sheet with a dashed edge that invites to drop files, with buttons."""

    def __init__(self, *buttons: QWidget) -> None:
        super().__init__()
        self._title = Label(say("Drop traces here"), TextRole.NUMBER)
        caption = Label(
            say("Files, folders or JSON text. Nothing leaves this computer."), second=True
        )
        self.setAccessibleName(self._title.text())
        self.setAccessibleDescription(caption.text())
        # gaps are fixed: a page with wrapped text would not keep to a least height
        for label in (self._title, caption):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
        self._gap = QSpacerItem(0, 0)
        column = in_column(self._title, caption, on=self)
        column.addItem(self._gap)
        column.addLayout(in_row(None, *buttons, None, margins=None, spacing=8))
        sized(self, _DropZone._give_gaps, 1)

    def _give_gaps(self, _px: int) -> None:
        metrics, column = self.fontMetrics(), self.layout()
        side, above = scale(16, metrics), scale(_DROP_ABOVE + _DROP_ICON + _ICON_GAP, metrics)
        self._gap.changeSize(0, scale(20, metrics))
        if column is not None:
            column.setContentsMargins(side, above, side, scale(_DROP_BELOW, metrics))
            column.setSpacing(scale(6, metrics))
            column.invalidate()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        found = colours(self.palette())
        paint_box(painter, self.rect(), found.sheet, radius=_RADIUS)
        pen = QPen(found.field_edge, 2)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([4.0, 2.5])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(pen)
        edge = aligned(painter, self.rect()).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(edge, _RADIUS, _RADIUS)
        side = scale(_DROP_ICON, self.fontMetrics())
        bottom = self._title.geometry().top()
        place = QRect(0, bottom - side - scale(_ICON_GAP, self.fontMetrics()), self.width(), side)
        paint_icon(painter, place, IconName.DOWNLOAD, found.second)


def name_and_folder(path: str) -> tuple[str, str]:
    """A path on two lines: its name, and its folder with ~ for the home folder."""
    name, folder, home = PurePath(path).name, PurePath(path).parent, Path.home()
    where = str(folder)
    if folder.is_relative_to(home):
        where = "~" if folder == home else f"~/{folder.relative_to(home)}"
    return one_line(name or path, _LONGEST), one_line(where, _LONGEST)

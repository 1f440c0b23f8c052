"""The start page, shown while nothing is open: ways to begin, recent files, what is ready."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLabel,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from kpinspector.app.judging import State
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.model.embedder import MODEL_NAME
from kpinspector.settings import Mode
from kpinspector.ui.controls.base import (
    START_HEIGHT,
    FlatButton,
    Label,
    PushButton,
    in_column,
    in_row,
    paint_box,
)
from kpinspector.ui.controls.two_line_rows import ROW_PADDING, TwoLineButton, TwoLineFact
from kpinspector.ui.look.icons import IconName, paint_icon
from kpinspector.ui.look.marks import BADGE_SIZE_LARGE, Shape, paint_badge
from kpinspector.ui.look.moments import short_moment
from kpinspector.ui.look.plain_text import one_line, plain_tooltip
from kpinspector.ui.look.theme import TextRole, colours, scale, sized
from kpinspector.ui.parts.column_page import SheetScroll
from kpinspector.ui.parts.drop_overlay import CARD_RADIUS, paint_dashes
from kpinspector.ui.parts.sections import clear_layout
from kpinspector.words.figures import shown_count
from kpinspector.words.say import in_words, say, say_count, say_list

if TYPE_CHECKING:
    from kpinspector.app.engine import MemoryState
    from kpinspector.app.state import RecentPath
    from kpinspector.runs.here import Here

from typing_extensions import override

_LEFT_WIDTH = 480
_RIGHT_WIDTH = 320
_BETWEEN = 56
_SIDE = 24
_DROP_ABOVE = 50
_DROP_ICON = 36
_DROP_BELOW = 28
_ICON_GAP = 14
_LINE = Qt.TextFlag.TextSingleLine


_LONGEST = 80


class Sample(NamedTuple):
    """A bundled trace: what it shows, the state its row will have, and its name."""

    title: str
    caption: str
    state: StrEnum
    name: str


class Recent(NamedTuple):
    """A file or folder opened before."""

    path: str
    title: str
    caption: str
    note: str = ""
    is_folder: bool = False
    is_missing: bool = False


class ReadyFact(NamedTuple):
    """Something the score needs; if it is missing, the caption says what that means."""

    title: str
    caption: str
    is_ready: bool = True


class StartDo(StrEnum):
    """What can be wished on the start page."""

    ASK_FILES = "ask files"
    ASK_FOLDER = "ask folder"
    PASTE = "paste"
    OPEN = "open"
    OPEN_SAMPLE = "open sample"
    CLEAR_RECENT = "clear recent"


class StartWish(NamedTuple):
    """A wish, and of what: paths, or the name of a sample."""

    do: StartDo
    of: Sequence[str] = ()


class StartPage(SheetScroll):
    """The page before anything is open; it scrolls where the window is small."""

    wished = Signal(object)
    """A `StartWish`."""

    def __init__(self) -> None:
        super().__init__(ground=QPalette.ColorRole.Window)
        self.setAccessibleName(say("Start"))
        self._samples = QVBoxLayout()
        self._here = QVBoxLayout()
        self._recent = QVBoxLayout()
        self._ready = QVBoxLayout()
        self._threshold = Label(role=TextRole.CAPTION, second=True)
        self._threshold.setWordWrap(True)
        self._clear = FlatButton(text=say("Clear"), name=say("Clear the recent list"))
        self._join(self._clear, StartDo.CLEAR_RECENT)
        self.setWidget(self._page())
        self.set_threshold(0.75)
        self.set_recent(())
        self.set_here(())

    def set_samples(self, samples: tuple[Sample, ...]) -> None:
        """Show the bundled traces."""
        clear_layout(self._samples)
        for sample in samples:
            row = TwoLineButton(sample.title, sample.caption, sign=sample.state)
            self._join(row, StartDo.OPEN_SAMPLE, (sample.name,))
            self._samples.addWidget(row)

    def set_recent(self, recent: tuple[Recent, ...]) -> None:
        """Show what was open before, the latest first."""
        clear_layout(self._recent)
        for item in recent:
            icon = IconName.FOLDER if item.is_folder else IconName.FILE
            note = say("missing") if item.is_missing else item.note
            row = TwoLineButton(item.title, item.caption, sign=icon, note=note)
            row.setToolTip(plain_tooltip(item.path))
            row.setEnabled(not item.is_missing)
            self._join(row, StartDo.OPEN, (item.path,))
            self._recent.addWidget(row)
        if not recent:
            sentence = Label(say("Files and folders that you open are listed here."), second=True)
            sentence.setWordWrap(True)
            self._recent.addWidget(sentence)
        self._clear.setVisible(bool(recent))

    def set_here(self, found: "Sequence[Here]") -> None:
        """Offer the recordings of other agents that are on this computer."""
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
            row.setToolTip(plain_tooltip("\n".join(one.folders)))
            self._join(row, StartDo.OPEN, one.folders)
            self._here.addWidget(row)
        self._here_section.setVisible(bool(found))

    def set_ready(self, facts: tuple[ReadyFact, ...]) -> None:
        """Show whether model and memory are ready."""
        clear_layout(self._ready)
        for fact in facts:
            sign = IconName.CHECK if fact.is_ready else Shape.NOT_SCORABLE
            self._ready.addWidget(TwoLineFact(fact.title, fact.caption, sign))

    def set_threshold(self, threshold: float) -> None:
        """Show the threshold."""
        needed = self.locale().toString(threshold, "g", 6)
        self._threshold.setText(
            say(
                "Four values from 0 to 1, weighted by the domain; {needed} is needed to pass.",
                needed=needed,
            )
        )

    def _page(self) -> QWidget:
        page = QWidget()
        self._zone = self._drop_zone()
        columns = QHBoxLayout()
        columns.addStretch(1)
        columns.addWidget(self._column(self._left_parts(), _LEFT_WIDTH), _LEFT_WIDTH)
        columns.addWidget(self._column(self._right_parts(), _RIGHT_WIDTH), _RIGHT_WIDTH)
        columns.addStretch(1)
        whole = in_column(None, columns, on=page, margins=None, spacing=None)
        whole.addStretch(2)
        sized(page, _give_page_gaps, 1)
        return page

    def _column(self, parts: tuple[QWidget, ...], width: int) -> QWidget:
        column = QWidget()
        sized(column, QWidget.setMaximumWidth, width)
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        sized(column, lambda one, px: one.layout().setSpacing(px), _SIDE)
        for part in parts:
            layout.addWidget(part)
        layout.addStretch(1)
        return column

    def _left_parts(self) -> tuple[QWidget, ...]:
        badges = in_column(_Badges(), self._threshold, margins=None, spacing=None)
        sized(self._threshold, QLabel.setIndent, ROW_PADDING)
        return (
            self._zone,
            self._section(say("Samples"), self._samples),
            self._section(say("What a score is made of"), badges),
        )

    def _right_parts(self) -> tuple[QWidget, ...]:
        self._here_section = self._section(say("On this computer"), self._here)
        return (
            self._here_section,
            self._section(say("Recent"), self._recent, self._clear),
            self._section(say("Ready"), self._ready),
        )

    def _section(self, title: str, rows: QVBoxLayout, button: QWidget | None = None) -> QWidget:
        section = QWidget()
        layout = in_column(on=section, spacing=4)
        head = in_row(Label(title, TextRole.HEADING), None, margins=None, spacing=None)
        if button is not None:
            head.addWidget(button)
        layout.addLayout(head)
        rows.setSpacing(0)
        layout.addLayout(rows)
        return section

    def _drop_zone(self) -> QWidget:
        open_button = PushButton(
            say("Open…"), icon=IconName.OPEN, primary=True, height=START_HEIGHT
        )
        folder = PushButton(say("Open Folder…"), icon=IconName.FOLDER, height=START_HEIGHT)
        paste = PushButton(say("Paste"), icon=IconName.PASTE, height=START_HEIGHT)
        self._join(open_button, StartDo.ASK_FILES)
        self._join(folder, StartDo.ASK_FOLDER)
        self._join(paste, StartDo.PASTE)
        return _DropZone((open_button, folder, paste))

    def _join(self, button: QAbstractButton, do: StartDo, of: Sequence[str] = ()) -> None:
        """Have a button tell a wish."""
        button.clicked.connect(lambda: self.wished.emit(StartWish(do, of)))


def _give_page_gaps(page: QWidget, _px: int) -> None:
    whole, metrics = page.layout(), page.fontMetrics()
    side = scale(_SIDE, metrics)
    if whole is not None:
        whole.setContentsMargins(side, side, side, side)
        for place in range(whole.count()):
            item = whole.itemAt(place)
            columns = item.layout() if item is not None else None
            if columns is not None:
                columns.setSpacing(scale(_BETWEEN, metrics))


class _DropZone(QWidget):
    """A sheet with a dashed edge, an invitation and the buttons."""

    def __init__(self, buttons: tuple[QWidget, ...]) -> None:
        super().__init__()
        self._title = Label(say("Drop traces here"), TextRole.NUMBER)
        self._caption = Label(
            say("Files, folders or JSON text. Nothing leaves this computer."), second=True
        )
        self.setAccessibleName(self._title.text())
        self.setAccessibleDescription(self._caption.text())
        # fixed gaps and no smallest height: a page with wrapped words would not keep to that
        column = QVBoxLayout(self)
        for label in (self._title, self._caption):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
            column.addWidget(label)
        self._gap = QSpacerItem(0, 0)
        column.addItem(self._gap)
        row = in_row(None, *buttons, None, margins=None, spacing=8)
        column.addLayout(row)
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
        paint_box(painter, self.rect(), found.sheet, radius=CARD_RADIUS)
        paint_dashes(painter, self.rect(), found.field_edge, radius=CARD_RADIUS)
        side = scale(_DROP_ICON, self.fontMetrics())
        bottom = self._title.geometry().top()
        place = QRect(0, bottom - side - scale(_ICON_GAP, self.fontMetrics()), self.width(), side)
        paint_icon(painter, place, IconName.DOWNLOAD, found.second)


class _Badges(QWidget):
    """The four dimensions by letter and name."""

    def __init__(self) -> None:
        super().__init__()
        self._names = {
            Dimension.COMPLEXITY: say("Complexity"),
            Dimension.NOVELTY: say("Novelty"),
            Dimension.TOOL_DIVERSITY: say("Tool diversity"),
            Dimension.OUTCOME_CONFIDENCE: say("Outcome"),
        }
        self.setAccessibleName(say_list(self._names.values()))

    @override
    def sizeHint(self) -> QSize:
        return QSize(0, scale(34, self.fontMetrics()))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        found, metrics = colours(self.palette()), self.fontMetrics()
        side, left = scale(BADGE_SIZE_LARGE, metrics), scale(ROW_PADDING, metrics)
        top = (self.height() - side) // 2
        words = sum(metrics.horizontalAdvance(name) for name in self._names.values())
        spare = self.width() - left - words - len(self._names) * (side + scale(8, metrics))
        gap = max(4, min(scale(20, metrics), spare // (len(self._names) - 1)))
        for dimension, name in self._names.items():
            paint_badge(painter, QRect(left, top, side, side), dimension, found)
            left += side + scale(8, metrics)
            width = metrics.horizontalAdvance(name)
            painter.setPen(found.text)
            room = QRect(left, 0, width, self.height())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | _LINE, name)
            left += width + gap


def samples() -> tuple[Sample, ...]:
    """Bundled samples that keep their promises whatever is remembered, short of their copies."""
    return (
        Sample(
            say("A trace that passes"),
            say("Potassium review: 14 steps, 3 tools, one recovery"),
            State.ACCEPTED,
            "visit-03.json",
        ),
        Sample(
            say("A trace that is rejected"),
            say("Expense audit: the registry's schema objects in three places"),
            State.REJECTED,
            "expense-audit.json",
        ),
        Sample(
            say("A record that cannot be read"),
            say("Support desk: one of six records is broken"),
            State.UNREADABLE,
            "support-desk.jsonl",
        ),
    )


def recent_rows(recent: "Sequence[RecentPath]") -> tuple[Recent, ...]:
    """The rows of recent paths, with folders as people write them."""
    return tuple(map(_recent_row, recent))


def _recent_row(recent: "RecentPath") -> Recent:
    path = PurePath(recent.path)
    return Recent(
        path=recent.path,
        title=one_line(path.name or recent.path, _LONGEST),
        caption=one_line(_from_home(path.parent), _LONGEST),
        note=recent.note,
        is_folder=recent.is_folder,
        is_missing=recent.is_missing,
    )


def _from_home(folder: PurePath) -> str:
    """A folder as people write it."""
    home = Path.home()
    if folder == home:
        return "~"
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder)


def ready_facts(state: "MemoryState") -> tuple[ReadyFact, ...]:
    """Whether novelty can be measured, and what a new trace is compared with."""
    return (_model_fact(state), _memory_fact(state))


def _model_fact(state: "MemoryState") -> ReadyFact:
    if state.failure is None:
        title = say("Embedding model found")
        return ReadyFact(title, say("{model}, novelty is measured", model=MODEL_NAME))
    caption = say("Novelty is assumed 0.5")
    return ReadyFact(in_words(state.failure.message), caption, is_ready=False)


def _memory_fact(state: "MemoryState") -> ReadyFact:
    title = say("{number} traces remembered", number=shown_count(state.remembered))
    captions = {
        Mode.REMEMBER: say("A new trace is compared with all of them"),
        Mode.GUEST: say("As a guest: compared with, nothing added"),
        Mode.FRESH: say("As a fresh SDK process: every drop starts empty"),
    }
    return ReadyFact(title, captions[state.mode])

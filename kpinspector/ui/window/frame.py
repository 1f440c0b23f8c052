"""The frame of a window before anything is open: menus, tool bar, status bar, start page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAction, QPainter, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QSizePolicy, QStatusBar, QToolBar, QWidget
from typing_extensions import override

from kpinspector.app.state import RecentPath
from kpinspector.app.values import Progress, Rules
from kpinspector.scoring.formula.profiles import PROFILE_NAMED, PROFILES, Profile, profile_for
from kpinspector.settings import Mode
from kpinspector.ui.actions import make_actions
from kpinspector.ui.actions.table import EXPORT_MENU, Command
from kpinspector.ui.controls.base import (
    Drawing,
    FlatButton,
    Label,
    in_column,
    in_row,
    without_mnemonic,
)
from kpinspector.ui.controls.fields import ComboBox, ProgressBar, ShareField
from kpinspector.ui.controls.views import MenuKey, Shell
from kpinspector.ui.look.marks import IconName, fill
from kpinspector.ui.look.plain_text import set_tip, shown_day
from kpinspector.ui.look.theme import Colours, TextRole, application, scale, sized, system_metrics
from kpinspector.ui.traces import Kind
from kpinspector.ui.window.start_page import StartPage
from kpinspector.words.figures import shown_count
from kpinspector.words.say import forms, say, say_number

if TYPE_CHECKING:
    from kpinspector.app.document import Document
    from kpinspector.app.engine import MemoryState

_GAP = 8
_SIDE = 12
_FIELD_WIDTH = 58
_LINE_HEIGHT = 18
_HEIGHT = 36
_STATUS_GAP = 16
_STATUS_HEIGHT = 28
_NEWS_MS = 8000
_COUNTED = {
    Kind.TRACE: forms("{number} trace", "{number} traces"),
    Kind.IMPORTED: forms("{number} imported", "{number} imported"),
    Kind.RUNNING: forms("{number} running", "{number} running"),
    Kind.SCORED: forms("{number} scored", "{number} scored"),
    Kind.UNDECIDED: forms("{number} undecided", "{number} undecided"),
    Kind.ASSUMED: forms("{number} assumed", "{number} assumed"),
    Kind.PENDING: forms("{number} not scored yet", "{number} not scored yet"),
    Kind.UNREAD: forms("{number} not read", "{number} not read"),
    Kind.PROBLEM: forms("{number} with problems", "{number} with problems"),
    Kind.SKIPPED: forms("{number} skipped", "{number} skipped"),
    Kind.REPORT: forms("{number} report", "{number} reports"),
}
NARROW_BELOW = 1100
LIST_WIDTH, NARROW_LIST_WIDTH, SCORE_WIDTH = 352, 248, 440
GUTTER = 6
_SIZE = (1440, 900)
_SMALLEST = (800, 560)
_FRAME = (8, 40)  # px of a window manager's frame at most, as it is not known before it is shown
_HINT_SIDE, _HINT_TOP = 16, 8


class ToolBar(QToolBar):
    """The tool bar with the most frequent commands; the menus have all."""

    rules_chosen = Signal(object)

    def __init__(self, actions: Mapping[Command, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tools")
        self.setWindowTitle(say("Tools"))
        self.setMovable(False)
        self.setFloatable(False)
        self.toggleViewAction().setEnabled(False)
        sized(self, QWidget.setMinimumHeight, _HEIGHT)
        self._rules = Rules()
        self._labels: list[QAction] = []
        self._wordy: list[FlatButton] = []
        self._profile = ComboBox(say("Profile"))
        sized(self, ToolBar._give_profile_width, 1)
        self._threshold = ShareField(say("Threshold"), least=0, width=_FIELD_WIDTH)
        self._profile.addItem("", None)
        for profile in PROFILES:
            self._profile.addItem(profile.name, profile.name)
        self._fill(actions)
        self.set_document(None)
        self.set_rules(Rules())
        self._profile.activated.connect(self._on_chosen)
        self._threshold.valueChanged.connect(self._on_chosen)

    def _fill(self, actions: Mapping[Command, QAction]) -> None:
        opener = FlatButton(IconName.OPEN, say("Open"))
        opener.setMenu(_menu(opener, actions, (Command.OPEN, Command.OPEN_FOLDER, Command.PASTE)))
        export = FlatButton(IconName.EXPORT, say("Export"))
        export.setMenu(_menu(export, actions, EXPORT_MENU))
        actions[Command.EXPORT].enabledChanged.connect(export.setEnabled)
        export.setEnabled(actions[Command.EXPORT].isEnabled())
        set_tip(export, say("Export"))
        compare = FlatButton(IconName.COMPARE, say("Compare"))
        actions[Command.COMPARE].setIconText(say("Compare"))
        compare.setDefaultAction(actions[Command.COMPARE])
        self._wordy += [compare, export]
        self._space(_SIDE)
        self.addWidget(opener)
        self.addWidget(_tool(actions[Command.RELOAD], IconName.RELOAD))
        self.addWidget(_line())
        self.addWidget(_tool(actions[Command.PREVIOUS], IconName.BACK))
        self.addWidget(_tool(actions[Command.NEXT], IconName.FORWARD))
        self.addWidget(_line())
        for name, control in ((say("Profile"), self._profile), (say("Threshold"), self._threshold)):
            label = Label(name)
            label.setBuddy(control)
            sized(label, lambda one, width: one.setContentsMargins(0, 0, width, 0), _GAP - 2)
            self._labels.append(self.addWidget(label))
            self.addWidget(control)
            self._space(2 * _GAP)
        spring = QWidget()
        spring.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(spring)
        self.addWidget(compare)
        self.addWidget(export)
        self._space(_SIDE)

    def set_narrow(self, *, narrow: bool) -> None:
        """In a narrow window, hide words that tooltips say as well."""
        style = Qt.ToolButtonStyle
        for label in self._labels:
            label.setVisible(not narrow)
        for button in self._wordy:
            button.setToolButtonStyle(
                style.ToolButtonIconOnly if narrow else style.ToolButtonTextBesideIcon
            )

    def set_document(self, document: "Document | None") -> None:
        """Name the profile that the current trace asks for, in the choice of each trace's own."""
        facts = document.facts if document else None
        own = say("From trace")
        if facts is not None:
            own = _from_trace(profile_for(facts.task_domain))
        if own != self._profile.itemText(0):
            self._profile.setItemText(0, own)

    def _give_profile_width(self, _px: int) -> None:
        """Make the profile box as wide as its widest choice, so that nothing moves later."""
        widest = ComboBox("")
        widest.addItems([_from_trace(profile) for profile in PROFILES])
        self._widest = widest.sizeHint().width()
        self._fit_profile()

    def _fit_profile(self) -> None:
        """Narrow the profile box if the last tools would have no room."""
        self._profile.setFixedWidth(min(self._widest, max(1, self.width() * 3 // 10)))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_profile()

    def set_rules(self, rules: Rules) -> None:
        """Show the rules by which all rows are judged."""
        self._rules = rules
        self._threshold.show_value(rules.threshold)
        name = rules.profile.name if rules.profile else None
        self._profile.setCurrentIndex(max(0, self._profile.findData(name)))

    def _on_chosen(self) -> None:
        profile = PROFILE_NAMED.get(self._profile.currentData())
        threshold, chosen = self._rules.threshold, self._threshold.value()
        same = self._threshold.same(chosen, threshold)  # the threshold may have more digits
        self.rules_chosen.emit(Rules(profile, threshold if same else chosen))

    def _space(self, px: int) -> None:
        gap = QWidget()
        sized(gap, QWidget.setFixedWidth, px)
        self.addWidget(gap)


def _from_trace(profile: Profile) -> str:
    return say("From trace: {profile}", profile=profile.name)


def _line() -> Drawing:
    """A short line between groups of tools."""

    def paint(painter: QPainter, rect: QRect, found: Colours) -> None:
        fill(painter, QRect(rect.width() // 2, 0, 1, rect.height()), found.button_edge)

    return Drawing(QSize(2 * _GAP + 1, _LINE_HEIGHT), paint)


def _menu(button: QWidget, actions: Mapping[Command, QAction], names: tuple[Command, ...]) -> QMenu:
    menu = QMenu(button)
    menu.addActions([actions[name] for name in names])
    return menu


def _tool(action: QAction, icon: IconName) -> FlatButton:
    """A flat button that follows an action."""
    button = FlatButton(icon, name=without_mnemonic(action.text()))
    button.setDefaultAction(action)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    return button


class StatusBar(QStatusBar):
    """Shows what is open, what is being done, and what is remembered.

    Where room is short, whole parts are hidden, first those that panes show as well.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._waiting, self._progress, self._left, self._news = (
            Label(role=TextRole.CAPTION) for _ in range(4)
        )
        self._decided, self._since, self._memory, self._model, offline = (
            Label(role=TextRole.CAPTION, second=True) for _ in range(5)
        )
        self._labels = {kind: Label(role=TextRole.CAPTION, second=True) for kind in _COUNTED}
        self._bar = ProgressBar(self)
        self.stop = FlatButton(IconName.STOP, say("Stop"))
        self.resume = FlatButton(text=say("Resume"), link=True)
        offline.setText(say("Offline"))
        offline.setToolTip(say("kpinspector uses no network"))
        self._news_over = QTimer(self, singleShot=True, interval=_NEWS_MS)
        self._news_over.timeout.connect(lambda: self._set_text(self._news, ""))
        self._counts: Counter[Kind] = Counter()
        work = (self._progress, self._bar, self._decided, self.stop)
        rest = (self._left, self.resume, self._news)
        counts = self._labels
        self._row = _Row(
            (self._waiting, *work, *rest, *counts.values()),
            (self._since, self._memory, self._model, offline),
            beside={self._bar: self._progress, self.stop: self._progress, self.resume: self._left},
            # in this order; progress and failures are never hidden
            giving_way=(
                self._since,
                self._model,
                counts[Kind.SKIPPED],
                counts[Kind.REPORT],
                self._decided,
                offline,
                counts[Kind.IMPORTED],
                counts[Kind.TRACE],
                counts[Kind.RUNNING],
                counts[Kind.SCORED],
                self._memory,
                self._bar,
                counts[Kind.UNDECIDED],
                counts[Kind.UNREAD],
                counts[Kind.PENDING],
                counts[Kind.ASSUMED],
            ),
        )
        self.addWidget(Shell(self._row), 1)
        self.set_counts(Counter())

    @override
    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), scale(_STATUS_HEIGHT, self.fontMetrics()))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def set_document(self, document: "Document | None") -> None:
        """Show since when the current trace is remembered."""
        measured = document.measured if document is not None else None
        novelty = None if measured is None else measured.measurement.novelty
        since = ""
        if novelty is not None and novelty.remembered and novelty.found_at is not None:
            since = say("remembered since {day}", day=shown_day(novelty.found_at))
        self._set_text(self._since, since)

    def show_news(self, sentence: str, detail: str = "") -> None:
        """Show for some seconds that something succeeded, or until the next news."""
        self._set_text(self._news, sentence)
        set_tip(self._news, detail)
        self._news_over.start()
        alert = QAccessibleEvent(self._news, QAccessible.Event.Alert)
        QAccessible.updateAccessibility(alert)

    def set_counts(self, counts: Counter[Kind], *, stopped: bool = False) -> None:
        """Show the numbers of open rows by kind; ``stopped``: pending ones are not scored now."""
        self._counts = counts
        for kind, label in self._labels.items():
            number = counts[kind]
            label.setText(say_number(_COUNTED[kind], number) if number else "")
        if not counts[Kind.TRACE]:
            self._labels[Kind.TRACE].setText(say("No traces open"))
        pending, left = counts[Kind.PENDING], ""
        if stopped and pending:
            left = say("Stopped, {pending} left", pending=shown_count(pending))
            self._labels[Kind.PENDING].setText("")
        self._left.setText(left)
        self._show_decided()

    def set_progress(self, progress: Progress) -> None:
        """Show how far reading and scoring have come; nothing if there is nothing to do."""
        reading = progress.read < progress.to_read
        done = progress.read if reading else progress.scored
        total = progress.to_read if reading else progress.to_score
        so_far, whole = shown_count(done), shown_count(total)
        if not progress.busy:
            text = ""
        elif progress.listing and not total:
            listed = shown_count(progress.listed)
            text = say("Looking through folders: {listed} files", listed=listed)
        elif reading:
            text = say("Reading {done} of {total}", done=so_far, total=whole)
        else:
            text = say("Scoring {done} of {total}", done=so_far, total=whole)
        self._progress.setText(text)
        self._bar.setUpdatesEnabled(False)  # otherwise it makes the whole window paint at once
        self._bar.setRange(0, max(1, total))
        self._bar.setValue(done if total else 0)
        self._bar.setUpdatesEnabled(True)
        self._show_decided()

    def set_waiting(self, waits: bool) -> None:  # noqa: FBT001
        """Say that scoring waits for another program to release the memory, or no longer does."""
        words = say("Waiting for another program that keeps the memory locked")
        self._set_text(self._waiting, words if waits else "")

    def set_memory(self, state: "MemoryState") -> None:
        """Show how much is remembered, in which mode, and whether novelty is measured."""
        remembered = shown_count(state.remembered)
        texts = {
            Mode.REMEMBER: say("{remembered} remembered", remembered=remembered),
            Mode.GUEST: say("guest: {remembered} remembered, nothing added", remembered=remembered),
            Mode.FRESH: say("fresh: nothing remembered"),
        }
        self._memory.setText(texts[state.mode])
        missing = say("no embedding model: novelty is assumed 0.5")
        self._set_text(self._model, missing if state.model is None else "")

    def _show_decided(self) -> None:
        """While traces are being scored, show how many others have a verdict already."""
        number = self._counts[Kind.DECIDED] if self._progress.text() else 0
        decided = say("{number} more decided already", number=shown_count(number))
        self._set_text(self._decided, decided if number else "")

    def _set_text(self, label: Label, text: str) -> None:
        label.setText(text)
        self._row.fit()


class _Row(QWidget):
    """The status bar's parts that have text, at the left and at the right, as far as they fit.

    ``giving_way`` are hidden in that order; a part without text follows the label in ``beside``.
    """

    def __init__(
        self,
        left: Sequence[QWidget],
        right: Sequence[QWidget],
        *,
        beside: Mapping[QWidget, Label],
        giving_way: Sequence[QWidget],
    ) -> None:
        super().__init__()
        self._words = {part: beside.get(part, part) for part in (*left, *right)}
        self._giving_way = giving_way
        in_row(*left, None, *right, on=self)
        sized(self, _Row._give_gap, _STATUS_GAP)

    def _give_gap(self, px: int) -> None:
        self._gap = px - 4
        row = self.layout()
        if row is not None:
            row.setContentsMargins(self._gap, 0, self._gap, 0)
            row.setSpacing(self._gap)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Show the parts that have text, as many as there is room for."""
        said = [part for part, one in self._words.items() if isinstance(one, Label) and one.text()]
        widths = {part: part.sizeHint().width() + self._gap for part in said}
        needed = sum(widths.values()) + 2 * self._gap
        for part in self._giving_way:
            if needed > self.width():
                needed -= widths.pop(part, 0)
        for part in self._words:
            part.setVisible(part in widths)


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts of a window that exist from its beginning; their actions do nothing yet.

    Attributes:
        centre: Holds ``first``, and later all panes.
        first: The start page, or empty panes if files are opened with the window.
    """

    actions: Mapping[Command, QAction]
    tools: ToolBar
    status: StatusBar
    start: StartPage
    centre: QWidget
    first: QWidget


def _paint_empty_panes(painter: QPainter, rect: QRect, found: Colours) -> None:
    """Paint list, steps and score before they exist."""
    metrics = painter.fontMetrics()
    narrow = rect.width() < scale(NARROW_BELOW, metrics)
    traces = scale(NARROW_LIST_WIDTH if narrow else LIST_WIDTH, metrics)
    score = 0 if narrow else scale(SCORE_WIDTH, metrics) + GUTTER
    centre = rect.adjusted(traces + GUTTER, 0, -score, 0)
    painter.fillRect(rect, found.sheet)
    for left in (traces, centre.right() + 1):
        painter.fillRect(left, 0, GUTTER, rect.height(), found.desk)
    painter.setPen(found.second)
    side, top = (scale(px, metrics) for px in (_HINT_SIDE, _HINT_TOP))
    painter.drawText(centre.adjusted(side, top, -side, 0), 0, say("Reading…"))


def make_frame(window: QMainWindow, recent: Sequence[RecentPath], *, opening: bool) -> Frame:
    """Make the frame's parts and put them into the window, with ``first`` in the centre."""
    window.setObjectName("main")
    window.setWindowTitle("kpinspector")
    window.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
    MenuKey(window)
    metrics, room = window.fontMetrics(), window.screen().availableSize() - QSize(*_FRAME)
    # by the system's font, as zooming in must not need a larger screen
    least = system_metrics(application())
    window.setMinimumSize(QSize(*(scale(px, least) for px in _SMALLEST)).boundedTo(room))
    window.resize(QSize(*(scale(px, metrics) for px in _SIZE)).boundedTo(room))
    actions = make_actions(window)
    start = StartPage()
    first: QWidget = start
    if opening:
        first = Drawing(QSize(), _paint_empty_panes)
        first.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        first.setAccessibleName(say("Reading…"))
    frame = Frame(
        actions=actions,
        tools=ToolBar(actions, window),
        status=StatusBar(window),
        start=start,
        centre=QWidget(window),
        first=first,
    )
    in_column(frame.first, on=frame.centre, spacing=None)
    frame.start.set_recent(recent)
    window.addToolBar(frame.tools)
    window.setStatusBar(frame.status)
    window.setCentralWidget(frame.centre)
    frame.first.setFocus(Qt.FocusReason.OtherFocusReason)
    return frame

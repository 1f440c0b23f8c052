"""The layout of the panes: side by side, or in a narrow window the score below the steps."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget, QWidget

from kpinspector.ui.batch.batch_page import BatchPage, ChosenPage
from kpinspector.ui.controls.base import in_column
from kpinspector.ui.controls.views import Shell, Splitter
from kpinspector.ui.look.theme import scale
from kpinspector.ui.panes.compare import ComparePane
from kpinspector.ui.parts.message_bar import MessageBar
from kpinspector.ui.parts.sections import HintPage
from kpinspector.ui.steps.step_pane import StepPane
from kpinspector.ui.traces.other_pages import ProblemPage, ReportView
from kpinspector.ui.traces.trace_pane import TracePane
from kpinspector.ui.window.frame import (
    LIST_WIDTH,
    NARROW_BELOW,
    NARROW_LIST_WIDTH,
    SCORE_WIDTH,
    Frame,
)
from kpinspector.ui.window.score_panel import ScorePanel
from kpinspector.words.say import say

HISTOGRAM_FROM = 760

_LIST_LEAST, _SCORE_LEAST = 232, 380
_CENTRE_LEAST = 420
_DETAIL_SHARE = 0.36
_SCORE_SHARE = 0.52
_WHOLE = 10_000
_HIDDEN = "hidden"
_FOLDED = "imported=folded"
_HINT_PADDING = 16
_WIDE, _NARROW = "wide", "narrow"
_STATE = re.compile(
    rf"({_WIDE}|{_NARROW})=([1-9]\d{{0,4}}),([1-9]\d{{0,4}}),(0\.\d{{1,4}}),(0\.\d{{1,4}})",
    re.ASCII,
)


class HideablePane(StrEnum):
    """A pane that the user can hide."""

    TRACES = "traces"
    STEP = "step"
    SCORE = "score"


class Sizes(NamedTuple):
    """The sizes that the user can change by dragging.

    Attributes:
        traces: The width of the list.
        score: The width of the score if it stands beside the steps.
        detail: The height of the step below the steps, as a share of both.
        lower: The height of the score if it stands below the steps, as a share of both.
    """

    traces: int
    score: int
    detail: float
    lower: float


class Panes:
    """Makes the panes of a window."""

    def __init__(self, window: QMainWindow, frame: Frame) -> None:
        self.tools, self.start = frame.tools, frame.start
        self.messages = MessageBar(window)
        self.problem, self.report = ProblemPage(window), ReportView(window)
        self.traces = TracePane(window)
        self.steps = StepPane(window)
        self.detail = self.steps.detail
        self.compare = ComparePane(window)
        self.score = ScorePanel(window)
        self.batch, self.chosen = BatchPage(window), ChosenPage(window)


class WindowLayout(QObject):
    """Places the panes of a window, and places them again when its size asks for it.

    Attributes:
        hidden: The panes that the user has hidden.
        together: The page of several traces in place of steps and score; None for none.
    """

    changed = Signal()
    """The user has resized, folded or hidden a pane."""

    def __init__(self, window: QMainWindow, panes: Panes) -> None:
        super().__init__(window)
        self._window = window
        self.panes = panes
        self.narrow = False
        self._open = False
        self._comparing = False
        self.together: QWidget | None = None
        self._page: QWidget = panes.start
        self._sizes: dict[bool, Sizes] = {}
        self.hidden: set[HideablePane] = set()
        # widgets stay in the window on the way to their places, or the window would lose the focus
        self.reading = Splitter(Qt.Orientation.Vertical, window)
        self.reading.addWidget(panes.steps)
        self.reading.addWidget(panes.detail)
        self._pages = QStackedWidget(window)
        self._hint = HintPage(say("Reading…"), padding=_HINT_PADDING)
        self._hint.setBackgroundRole(QPalette.ColorRole.Base)
        self._hint.setAutoFillBackground(True)
        others = (panes.compare, panes.problem, panes.report, panes.batch, panes.chosen)
        for page in (panes.start, self._hint, self.reading, *others):
            self._pages.addWidget(page)
        self._halves = Splitter(Qt.Orientation.Vertical, window)
        upper = QWidget(window)
        in_column(panes.messages, (self._pages, 1), on=upper)
        self._halves.addWidget(upper)
        self._columns = Splitter(Qt.Orientation.Horizontal, window)
        for stretch, pane in enumerate((panes.traces, self._halves, panes.score)):
            self._columns.addWidget(pane)
            self._columns.setStretchFactor(stretch, int(pane is self._halves))
        self.columns = Shell(self._columns, window)
        panes.messages.follow(panes.traces.table)
        for splitter in (self.reading, self._halves, self._columns):
            splitter.splitterMoved.connect(self._on_dragged)
        panes.steps.imported.fold_chosen.connect(self.changed)
        self._place()

    def set_part_shown(self, part: HideablePane, *, shown: bool) -> None:
        """Show a pane, or hide it and give its room to the others."""
        if shown == (part not in self.hidden):
            return
        (self.hidden.discard if shown else self.hidden.add)(part)
        focus = QApplication.focusWidget()
        with self._places_kept():
            self._place_step()
            self._place()
        if focus is not None and not focus.isVisible():
            self.go_to_pane(1)
        self.changed.emit()

    def show(self, page: QWidget) -> None:
        """Show one of the pages in the centre, such as ``panes.start``; ``reading`` has steps."""
        self._page = page
        self._show_page()

    def show_hint(self, sentence: str) -> None:
        """Show a sentence in the centre, in place of a page."""
        self._hint.set_sentence(sentence)
        self.show(self._hint)

    def set_comparing(self, *, on: bool) -> None:
        """Show the comparison of two traces in place of the steps of one, or the steps again."""
        if on != self._comparing:
            had_focus = self._has_focus(self._pages)
            self._comparing = on
            self._show_page()
            self._place()
            if had_focus and self._page is self.reading and not self.together_shown:
                view = self.panes.compare.view if on else self.panes.steps.tree
                view.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def together_shown(self) -> bool:
        """Whether a page of several traces is shown; a comparison comes before it."""
        comparing = self._comparing and self._page is self.reading
        return self.together is not None and not comparing

    def set_together(self, page: QWidget | None) -> None:
        """Show this page of several traces in place of steps and score; None for these again."""
        if page is not self.together:
            had_focus, focus = self._has_focus(self.columns), QApplication.focusWidget()
            self.together = page
            self._show_page()
            if had_focus and focus is not None and not focus.isVisible():
                self.panes.traces.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _has_focus(self, part: QWidget) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and part.isAncestorOf(focus)

    def _show_page(self) -> None:
        """Show the page of ``show``, or what takes its place."""
        panes, shown = self.panes, self._page
        if self.together is not None and self.together_shown:
            shown = self.together
        elif self._comparing and shown is self.reading:
            shown = panes.compare
        before = self._pages.currentWidget()
        self._pages.setCurrentWidget(shown)
        if before is not shown and {before, shown} & {panes.batch, panes.chosen}:
            self._place()

    def show_panes(self, *, shown: bool) -> None:
        """Show list and score, or give the whole window to the centre."""
        if shown != self._open:
            self._open = shown
            self._place()

    def fit(self) -> None:
        """Arrange the panes by the size of the window."""
        low = self._window.height() < self._px(HISTOGRAM_FROM)
        self.panes.traces.histogram.setVisible(not low)
        narrow = self._window.width() < self._px(NARROW_BELOW)
        if narrow != self.narrow:
            focus = QApplication.focusWidget()
            with self._places_kept():
                self._set_narrow(narrow=narrow)
            if focus is not None and focus.isVisible() and not focus.hasFocus():  # it moved
                focus.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._give_least_widths()
            self._share_width()

    def follow_zoom(self) -> None:
        """Arrange the panes after the zoom has changed."""
        self.fit()
        self._place()
        self.changed.emit()

    def restore_default(self) -> None:
        """Show all panes in their usual sizes; the window keeps its size."""
        self._sizes.clear()
        self.hidden.clear()
        self.panes.steps.imported.keep_folded(folded=False)
        self._place_step()
        self._place()
        self.changed.emit()

    def state(self) -> str:
        """The dragged sizes, the hidden panes and the folded strip as text; "" for none."""
        parts = [
            "{}={},{},{:.4f},{:.4f}".format(_NARROW if narrow else _WIDE, *sizes)
            for narrow, sizes in sorted(self._sizes.items())
        ]
        if self.hidden:
            parts.append(f"{_HIDDEN}={','.join(sorted(self.hidden))}")
        if self.panes.steps.imported.kept_folded:
            parts.append(_FOLDED)
        return ";".join(parts)

    def restore(self, state: str) -> None:
        """Restore what `state` gave; parts that are not understood are ignored."""
        for text in state.split(";"):
            name, _, value = text.partition("=")
            if name == _HIDDEN:
                self.hidden = {part for part in HideablePane if part in value.split(",")}
            elif text == _FOLDED:
                self.panes.steps.imported.keep_folded(folded=True)
            elif match := _STATE.fullmatch(text):
                self._sizes[match[1] == _NARROW] = Sizes(
                    int(match[2]), int(match[3]), float(match[4]), float(match[5])
                )
        self._place_step()
        self._place()
        self.changed.emit()

    def go_to_pane(self, by: int) -> None:
        """Move the focus to the next pane (1), or to the one before (-1)."""
        panes = self.panes
        stops = [
            (panes.traces, panes.traces.table),
            (panes.start, first_stop(panes.start)),
            (panes.problem, first_stop(panes.problem)),
            (panes.compare, panes.compare.view),
            (panes.report, first_stop(panes.report)),
            (panes.chosen, first_stop(panes.chosen)),
            *((pane, first_stop(pane)) for pane in panes.batch.stops),
            (panes.steps, panes.steps.tree),
            (panes.score, panes.score.tabs),
            (panes.detail, panes.detail.tabs),
            (panes.tools, first_stop(panes.tools)),
        ]
        if not self.narrow:  # from left to right, from top to bottom
            stops[-3], stops[-2] = stops[-2], stops[-3]
        open_ = [(pane, stop) for pane, stop in stops if stop is not None and stop.isVisible()]
        focus = QApplication.focusWidget()
        here = [n for n, (pane, _) in enumerate(open_) if focus and pane.isAncestorOf(focus)]
        before = here[-1] if here else (-1 if by > 0 else 0)
        open_[(before + by) % len(open_)][1].setFocus(Qt.FocusReason.TabFocusReason)

    def _set_narrow(self, *, narrow: bool) -> None:
        panes, self.narrow = self.panes, narrow
        panes.tools.set_narrow(narrow=narrow)
        panes.steps.imported.set_narrow(narrow=narrow)
        panes.detail.title.setVisible(not narrow)
        (self._halves if narrow else self._columns).addWidget(panes.score)
        self._place_step()
        self._place()

    def _place_step(self) -> None:
        """Put the step below the steps, or in a narrow window into a tab of the score."""
        panes, shown = self.panes, HideablePane.STEP not in self.hidden
        if self.narrow and shown:
            panes.score.set_step_page(panes.detail)
            return
        panes.score.set_step_page(None)
        self.reading.addWidget(panes.detail)
        panes.detail.setVisible(shown)

    def _place(self) -> None:
        """Show the panes that belong to this arrangement, each at its size."""
        self.panes.traces.setVisible(self._open and HideablePane.TRACES not in self.hidden)
        # a comparison has its own scores, and needs the height of a narrow window
        wanted = self._open and HideablePane.SCORE not in self.hidden and not self.together_shown
        self.panes.score.setVisible(wanted and not (self.narrow and self._comparing))
        self._give_least_widths()
        for splitter in (self._columns, self._halves):
            splitter.refresh()  # otherwise handles stay hidden until the next layout request
        chosen = self._chosen()
        for splitter, share in ((self.reading, chosen.detail), (self._halves, chosen.lower)):
            if splitter.count() > 1:
                splitter.setSizes([round(_WHOLE * (1 - share)), round(_WHOLE * share)])
        self._share_width()

    def _give_least_widths(self) -> None:
        """Set the panes' least widths, which shrink in proportion if the window is too narrow."""
        least = self._px(_LIST_LEAST) + self._px(_CENTRE_LEAST) + self._columns.handleWidth()
        share = min(1.0, self._window.width() / least)
        for pane, px in (
            (self.panes.traces, _LIST_LEAST),
            (self.panes.score, _SCORE_LEAST),
            # the start page scrolls; the centre has a least width only beside other panes
            (self._halves, _CENTRE_LEAST if self._open else 0),
        ):
            pane.setMinimumWidth(int(self._px(px) * share))

    def _chosen(self) -> Sizes:
        list_width = self._px(NARROW_LIST_WIDTH if self.narrow else LIST_WIDTH)
        usual = Sizes(
            traces=list_width, score=self._px(SCORE_WIDTH), detail=_DETAIL_SHARE, lower=_SCORE_SHARE
        )
        return self._sizes.get(self.narrow, usual)

    def _share_width(self) -> None:
        """Give the centre the width that list and score leave; theirs come back with more room."""
        if not self._open:
            return
        chosen = self._chosen()
        traces = 0 if HideablePane.TRACES in self.hidden else chosen.traces
        hidden = HideablePane.SCORE in self.hidden or self.together_shown
        score = 0 if self.narrow or hidden else chosen.score
        taken = sum(width + self._columns.handleWidth() for width in (traces, score) if width)
        sizes = [traces, max(1, self._columns.width() - taken), score]
        self._columns.setSizes(sizes[: self._columns.count()])

    def _on_dragged(self) -> None:
        chosen = self._chosen()
        widths = self._columns.sizes()
        self._sizes[self.narrow] = Sizes(
            traces=widths[0] or chosen.traces,
            score=chosen.score if self.narrow else widths[-1] or chosen.score,
            detail=_lower_share(self.reading, chosen.detail),
            lower=_lower_share(self._halves, chosen.lower),
        )
        self.changed.emit()

    @contextmanager
    def _places_kept(self) -> Iterator[None]:
        """Keep the scroll positions of the score's pages while the panes are placed again."""
        bars = [(bar, bar.value()) for bar in self.panes.score.scroll_bars()]
        yield
        for bar, value in bars:
            bar.setValue(value)

    def _px(self, px: int) -> int:
        return scale(px, self._window.fontMetrics())


def _lower_share(splitter: Splitter, usual: float) -> float:
    sizes = splitter.sizes()
    whole = sum(sizes)
    return sizes[-1] / whole if len(sizes) > 1 and whole else usual


def first_stop(pane: QWidget) -> QWidget | None:
    """The first widget in a pane that Tab goes to; None without one."""
    # nextInFocusChain would tie the lives of the widgets' wrappers together
    for widget in pane.findChildren(QWidget):
        tabbed = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if tabbed and widget.isVisible() and widget.isEnabled():
            return widget
    return None

"""The pane of steps: what trace it is, the filter, and the tree."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from kpinspector.app.document import Document
from kpinspector.scoring.figures import shown_count, shown_short
from kpinspector.scoring.measure import Reach
from kpinspector.trace.model import Metadata, Step, StepType
from kpinspector.trace.read import TraceRecord
from kpinspector.ui.controls import ElidedLabel, FlatButton, Label
from kpinspector.ui.controls_chips import ChipBar, ChipSpec
from kpinspector.ui.controls_fields import ComboBox, SearchField
from kpinspector.ui.marks import fill
from kpinspector.ui.plain_text import one_line
from kpinspector.ui.step_view import StepView
from kpinspector.ui.theme import TextRole, colours, scale

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

_PADDING = 16
_GAP = 8
_HEADER_HEIGHT = 58
_FILTER_HEIGHT = 40
_LEAST_WIDTH = 320
_FIELD_WIDTH, _FIELD_LEAST = 148, 84
_OBJECTIVE_LENGTH = 1000
_FIND_DELAY_MS = 120  # the first search of a large trace reads all of its texts
_TAKEN = 100  # by the title and the paddings of the row of chips
_ALL = "all"


class PageHeader(QWidget):
    """A title over a line of facts, over a line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = ElidedLabel("", TextRole.TITLE)
        self._facts = ElidedLabel("", second=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(_PADDING, 9, _PADDING, 9)
        column.setSpacing(4)
        column.addWidget(self._title)
        column.addWidget(self._facts)
        self.setMinimumHeight(scale(_HEADER_HEIGHT, self.fontMetrics()))

    def set_words(self, title: str, facts: Iterable[str]) -> None:
        """Show a title and facts."""
        self._title.setText(title)
        self._facts.setText("  ·  ".join(facts))

    @property
    def title(self) -> str:
        """The title."""
        return self._title.text()

    @property
    def facts(self) -> str:
        """The line of facts."""
        return self._facts.text()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        bottom = self.rect().adjusted(0, self.height() - 1, 0, 0)
        fill(QPainter(self), bottom, colours(self.palette()).line)


class TraceHeader(PageHeader):
    """What trace it is: the objective, and its facts in words."""

    def set_record(self, record: TraceRecord | None) -> None:
        """Show what a record says of itself."""
        if record is None:
            self.set_words("", ())
            return
        objective = one_line(record.trace.objective, _OBJECTIVE_LENGTH)
        self.set_words(objective or self.tr("No objective"), self._words(record))

    def _words(self, record: TraceRecord) -> Iterator[str]:
        source, trace = record.source, record.trace
        name = PurePath(source.path).name or source.path
        if source.record is None:
            yield one_line(name)
        else:
            yield self.tr("{0}, record {1}").format(one_line(name), shown_count(source.record))
        yield one_line(trace.metadata.task_domain or "") or self.tr("no domain")
        yield self.tr("succeeded") if trace.metadata.success else self.tr("failed")
        yield self.tr("confidence {0}").format(shown_short(trace.outcome.confidence))
        yield self._sharing(trace.metadata)

    def _sharing(self, metadata: Metadata) -> str:
        visibility = one_line(metadata.visibility or "") or self.tr("no visibility")
        privacy = one_line(metadata.privacy_level or "") or self.tr("no privacy level")
        return self.tr("{0}, {1}").format(visibility, privacy)


class StepPane(QWidget):
    """Shows the steps of a document; says which step was selected."""

    step_selected = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self.header = TraceHeader()
        self.tree = StepView()
        self._count = Label("", second=True)
        self._chips = ChipBar(self._chip_specs())
        self._kinds = ComboBox(self.tr("Kind of step"))
        self._field = SearchField(self.tr("Find in steps"))
        self._finder = QTimer(self, singleShot=True, interval=_FIND_DELAY_MS)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._lay_out()
        self._finder.timeout.connect(self._on_filter_changed)
        self._field.text_changed.connect(self._on_text_changed)
        self._field.edit.installEventFilter(self)
        self._chips.chip_chosen.connect(self._on_filter_changed)
        self._kinds.activated.connect(self._on_kind_activated)
        self.tree.step_selected.connect(self.step_selected)
        self.set_document(None)

    def set_document(self, document: Document | None) -> None:
        """Show a trace; the same one with a new measurement keeps its place and selection."""
        record = None if document is None else document.record
        before, reach_before = self._shown()
        self._document = document
        same = record is not None and before is record
        _, reach = self._shown()
        if not same:
            self._clear_filter()
            self.header.set_record(record)
            self.tree.set_trace(None if record is None else record.trace, reach)
            self._show_counts()
            self._fit_chips()
        elif record is not None and reach != reach_before:
            self.tree.set_reach(record.trace, reach)
        self._show_hits()

    def current_step(self) -> Step | None:
        """The current step; None on the objective and without a trace."""
        return self.tree.current_step()

    def select_step(self, step: Step | None) -> None:
        """Make a step the current one, or the objective."""
        self.tree.select_step(step)

    def focus_find(self) -> None:
        """Go to the search, its text selected."""
        self._field.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.edit.selectAll()

    def clear_filter(self) -> None:
        """Show every step again."""
        self._clear_filter()
        self._on_filter_changed()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The keys down and return go from the search to the tree."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            keys = {Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter}
            if event.key() in keys:
                self._on_filter_changed()
                self.tree.enter()
                return True
        return super().eventFilter(watched, event)

    def _shown(self) -> tuple[TraceRecord | None, Reach | None]:
        document = self._document
        if document is None or document.record is None:
            return None, None
        measured = document.measured
        return document.record, None if measured is None else measured.measurement.novelty.reach

    def _chip_specs(self) -> tuple[ChipSpec, ...]:
        return (
            ChipSpec(_ALL, self.tr("All")),
            ChipSpec(StepType.THOUGHT, self.tr("Thought")),
            ChipSpec(StepType.TOOL_CALL, self.tr("Tool call")),
            ChipSpec(StepType.OBSERVATION, self.tr("Observation")),
            ChipSpec(StepType.ERROR_RECOVERY, self.tr("Recovery")),
        )

    def _lay_out(self) -> None:
        bar = QWidget()
        bar.setMinimumHeight(scale(_FILTER_HEIGHT, self.fontMetrics()))
        row = QHBoxLayout(bar)
        row.setContentsMargins(_PADDING, 0, _PADDING - 4, 0)
        row.setSpacing(4)
        row.addWidget(Label(self.tr("Steps"), TextRole.PANE))
        row.addWidget(self._count)
        row.addSpacing(_GAP)
        row.addWidget(self._chips)
        row.addWidget(self._kinds)
        row.addStretch(1)
        row.addWidget(self._field)
        self._field.setMaximumWidth(scale(_FIELD_WIDTH, self.fontMetrics()))
        self._field.setMinimumWidth(scale(_FIELD_LEAST, self.fontMetrics()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(bar)
        # the chips must not keep the pane wide: they give way to a list
        self.setMinimumWidth(scale(_LEAST_WIDTH, self.fontMetrics()))
        bar.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.tree)
        self._stack.addWidget(self._no_hits())
        column.addLayout(self._stack, 1)

    def _no_hits(self) -> QWidget:
        page = QWidget()
        clear = FlatButton(text=self.tr("Clear filter"), link=True)
        clear.clicked.connect(self.clear_filter)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(Label(self.tr("No step matches."), second=True))
        row.addWidget(clear)
        row.addStretch(1)
        column = QVBoxLayout(page)
        column.setContentsMargins(_PADDING, _GAP, _PADDING, _GAP)
        column.addLayout(row)
        column.addStretch(1)
        return page

    def _clear_filter(self) -> None:
        """Fields, chips and tree without a filter, before a trace is shown."""
        for control in (self._field, self._chips):
            control.blockSignals(True)
        self._field.set_text("")
        self._chips.choose(_ALL)
        for control in (self._field, self._chips):
            control.blockSignals(False)
        self._finder.stop()
        if self.tree.filter.active:
            self.tree.set_filter(None, "")

    def _show_counts(self) -> None:
        steps = self.tree.steps
        self._count.setText(shown_count(steps.step_count))
        self._chips.set_counts({kind: steps.count(kind) for kind in StepType})
        self._kinds.clear()
        for spec in self._chip_specs():
            number = steps.step_count if spec.key == _ALL else steps.count(StepType(spec.key))
            words = self.tr("{0} {1}").format(spec.word, shown_count(number))
            self._kinds.addItem(words, spec.key)

    def _on_kind_activated(self, row: int) -> None:
        self._chips.choose(self._kinds.itemData(row))

    def _fit_chips(self) -> None:
        """Where the chips do not fit a list of the same kinds takes their place."""
        taken = self._count.sizeHint().width() + scale(_TAKEN, self.fontMetrics())
        least = self._field.minimumWidth() + self._chips.sizeHint().width()
        fits = self.width() >= taken + least
        self._chips.setVisible(fits)
        self._kinds.setVisible(not fits)
        self._kinds.setCurrentIndex(max(0, self._kinds.findData(self._chips.chosen)))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_chips()

    def _on_text_changed(self) -> None:
        self._finder.start()

    def _on_filter_changed(self) -> None:
        self._finder.stop()
        key = self._chips.chosen
        self.tree.set_filter(None if key == _ALL else StepType(key), self._field.text)
        self._show_hits()

    def _show_hits(self) -> None:
        nothing = self.tree.filter.active and not self.tree.filter.rowCount()
        self._stack.setCurrentIndex(1 if nothing else 0)

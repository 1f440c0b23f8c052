"""The pane of steps: the head of the trace, where it came from, the filter and the tree."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import PurePath

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QStackedLayout, QWidget
from typing_extensions import override

from kpinspector.app.document import Document
from kpinspector.runs.read import RunRecord
from kpinspector.runs.stated import NOTHING_STATED
from kpinspector.scoring.formula.measurement import Reach
from kpinspector.sharing.parts import Fate, LeavingSteps
from kpinspector.trace.model import Step, StepType
from kpinspector.trace.records import TraceRecord
from kpinspector.ui.controls.base import (
    Drawing,
    ElidedLabel,
    FlatButton,
    Label,
    Part,
    PushButton,
    in_column,
    in_row,
)
from kpinspector.ui.controls.chips import ChipsOrList, ChipSpec
from kpinspector.ui.look.icons import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.plain_text import masked_line, one_line
from kpinspector.ui.look.roles import Group
from kpinspector.ui.look.theme import Colours, TextRole, follow_zoom, scale, sized
from kpinspector.ui.parts.column_page import HintPage
from kpinspector.ui.parts.sections import Divider, Header, Strip
from kpinspector.ui.parts.sentence_label import SentenceLabel
from kpinspector.ui.steps.step_controls import FindBar, StepFinder
from kpinspector.ui.steps.step_tree import StepView
from kpinspector.ui.steps.step_words import (
    FATE_ICONS,
    OBJECTIVE,
    fate_words,
    fields_of,
    json_of,
    number_of,
    pointer_of,
    title_of,
    value_of,
)
from kpinspector.words.figures import shown_count, shown_short
from kpinspector.words.recordings import imported_words, outcome_facts
from kpinspector.words.say import capitalised, say, say_count, say_list
from kpinspector.words.sentences import kind_word, say_sentence

_PADDING = 16
_GAP = 8
HEADER_HEIGHT = 58
STRIP_HEIGHT, STRIP_NARROW_HEIGHT, STRIP_FOLDED_HEIGHT = 104, 144, 36
_LABEL_WIDTH = 60
_LEGEND_HEIGHT, _LEGEND_GAP = 40, 24
_FILTER_HEIGHT = 40
_LEAST_WIDTH = 320
_OBJECTIVE_LENGTH = 1000
_LOW_BELOW = 360  # of the pane: the whole strip would leave the steps few rows
_TAKEN = 100  # by the title and the paddings of the row of chips
_ALL = "all"


class WhatIfBar(Strip):
    """The bar that is visible while what-if is on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(ICON_SIZE, _paint_info, parent)
        self._number = 0
        self._sentence = SentenceLabel(lines=1)
        self.off = FlatButton(text=say("Turn Off"), link=True)
        self.row.addWidget(self._sentence, 1, Qt.AlignmentFlag.AlignVCenter)
        self.row.addWidget(self.off)
        self.setAccessibleName(say("What-if"))
        self.hide()

    def set_changes(self, number: int) -> None:
        """Say how many changes there are; without any there is no bar."""
        if number == self._number:
            return
        self._number = number
        self.setVisible(bool(number))
        changes = say_count("{number} change", "{number} changes", number)
        sentence = say_sentence(
            "What-if is on: *{changes}*. The file is not touched.", changes=changes
        )
        self._sentence.set_sentence(sentence)
        self.setAccessibleDescription(self._sentence.text())


def _paint_info(painter: QPainter, place: QRect, found: Colours) -> None:
    paint_icon(painter, place, IconName.INFO, found.second)


class PageHeader(Header):
    """A title over a line of facts, over a line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = ElidedLabel("", TextRole.TITLE)
        self.facts = ElidedLabel("", second=True)
        in_column(self.title, self.facts, on=self, margins=(_PADDING, 9, _PADDING, 9), spacing=4)
        sized(self, QWidget.setMinimumHeight, HEADER_HEIGHT)

    def set_words(self, title: str, facts: Iterable[str]) -> None:
        """Show a title and facts."""
        self.title.setText(title)
        self.facts.setText("  ·  ".join(facts))


class TraceHeader(PageHeader):
    """The head of a trace: the objective, and its facts in words."""

    def set_record(self, record: TraceRecord | None) -> None:
        """Show what a record says of itself."""
        if record is None:
            self.set_words("", ())
            return
        objective = masked_line(record.trace.objective, _OBJECTIVE_LENGTH)
        self.set_words(objective or say("No objective"), self._words(record))

    def _words(self, record: TraceRecord) -> Iterator[str]:
        source, trace = record.source, record.trace
        run = record.imported if isinstance(record, RunRecord) else None
        name = PurePath(source.path).name or source.path
        if source.record is None:
            yield one_line(name)
        else:
            yield say(
                "{name}, record {record}", name=one_line(name), record=shown_count(source.record)
            )
        yield masked_line(trace.metadata.task_domain or "") or say("no domain")
        if run is not None:
            yield from outcome_facts(run)
            if run.mapped.created_at is not None:  # in UTC
                day, _, time = run.mapped.created_at.partition("T")
                yield say("{day} {time} UTC", day=day, time=time[:5])
            return
        metadata = trace.metadata
        yield say("succeeded") if metadata.success else say("failed")
        yield say("confidence {confidence}", confidence=shown_short(trace.outcome.confidence))
        visibility = masked_line(metadata.visibility or "") or say("no visibility")
        privacy = masked_line(metadata.privacy_level or "") or say("no privacy level")
        yield say("{visibility}, {privacy}", visibility=visibility, privacy=privacy)


class _Value(Group):
    """What it is called, at the left, and what it is."""

    def __init__(self, name: str, role: TextRole = TextRole.BODY) -> None:
        super().__init__()
        self.setAccessibleName(name)
        small = role is TextRole.CAPTION
        self.name = Label(name, role if small else TextRole.BODY, second=True)
        sized(self.name, QWidget.setMinimumWidth, _LABEL_WIDTH)
        self._value = ElidedLabel("", role, second=small)
        in_row(self.name, (self._value, 1), on=self, spacing=_GAP)

    def set_words(self, value: str) -> None:
        """Show a value."""
        self._value.setText(one_line(value))
        self.setAccessibleDescription(value)


class ImportedStrip(Group):
    """Where a run came from: what its recording says, what it does not, what the user stated.

    A click folds it to its title. Where there is little height it folds itself, until the user
    unfolds it.
    """

    fold_chosen = Signal()
    """The user folded or unfolded it."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(say("Imported"))
        self._chosen: bool | None = None  # what the user wants, folded or not; None leaves it
        self._low = self._narrow = False
        self.fold = FlatButton(IconName.CHEVRON_DOWN, say("Imported"))
        self.fold.setAccessibleName(say("Fold or unfold what is said of the import"))
        self.fold.set_role(TextRole.PANE)
        self._source = ElidedLabel("", second=True)
        self.take_back = FlatButton(text=say("Take Back"), link=True)
        self.take_back.setToolTip(say("State nothing of this run any more"))
        self.set_outcome = PushButton(say("Set Outcome…"))
        self._recorded, self._absent = _Value(say("Recorded")), _Value(say("Absent"), TextRole.NAME)
        self._derived, self._stated = _Value(say("Derived")), _Value(say("Stated"))
        self._lines = _Value(say("Lines"), TextRole.CAPTION)
        self._values = QWidget()
        self._grid = QGridLayout(self._values)
        self._grid.setContentsMargins(_PADDING, 0, _PADDING, 0)
        self._grid.setVerticalSpacing(2)
        parts = self.fold, (self._source, 1), self.take_back, self.set_outcome
        head = in_row(*parts, margins=(_PADDING - _GAP, 0, _PADDING, 0), spacing=_GAP)
        inside = in_column(head, (self._values, 1), margins=(0, 5, 0, 5), spacing=2)
        in_column((inside, 1), Divider(0), on=self)
        self.fold.clicked.connect(self._on_folded)
        self._place()
        follow_zoom(self, ImportedStrip._fit)
        self.hide()

    @property
    def folded(self) -> bool:
        """Only the title is seen."""
        return self._low if self._chosen is None else self._chosen

    @property
    def kept_folded(self) -> bool:
        """The user folded it."""
        return self._chosen is True

    def keep_folded(self, *, folded: bool) -> None:
        """Have it as the user had it when the program was last used."""
        self._chosen = True if folded else None
        self._show_fold()

    def set_low(self, *, low: bool) -> None:
        """Whether there is little height; what the user unfolded there folds with the next one."""
        if low != self._low:
            self._low = low
            self._chosen = self._chosen or None
            self._show_fold()

    def set_narrow(self, *, narrow: bool) -> None:
        """One column where there is little room, else two."""
        self._narrow = narrow
        self._place()

    def set_record(self, record: RunRecord | None, *, running: bool = False) -> None:
        """Show what is known of a run, perhaps one that is still being written; None hides all."""
        self.setVisible(record is not None)
        if record is None:
            return
        self.take_back.setVisible(record.imported.stated != NOTHING_STATED)
        said = imported_words(record, running=running)
        self._source.setText(one_line(said.source))
        self._recorded.set_words(said.recorded)
        self._absent.set_words(said.absent)
        self._derived.set_words(said.derived)
        self._stated.set_words(said.stated)
        self._lines.name.setText(capitalised(said.unit))
        self._lines.setAccessibleName(capitalised(said.unit))
        self._lines.set_words(said.lines)

    def _place(self) -> None:
        """The order of reading is the same in one column and in two."""
        parts = (self._recorded, self._absent, self._derived, self._stated)
        columns = 1 if self._narrow else 2
        for number, part in enumerate(parts):
            self._grid.addWidget(part, number // columns, number % columns)
        self._grid.addWidget(self._lines, len(parts) // columns, 0, 1, columns)
        self._grid.setHorizontalSpacing(scale(_PADDING, self.fontMetrics()))
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, columns - 1)
        self._fit()

    def _fit(self) -> None:
        height = STRIP_NARROW_HEIGHT if self._narrow else STRIP_HEIGHT
        height = STRIP_FOLDED_HEIGHT if self.folded else height
        self.setFixedHeight(scale(height, self.fontMetrics()))

    def _on_folded(self) -> None:
        if self.folded:
            self._chosen = False if self._low else None
        else:
            self._chosen = True
        self._show_fold()
        self.fold_chosen.emit()

    def _show_fold(self) -> None:
        self._values.setVisible(not self.folded)
        self.fold.setAccessibleDescription(say("folded") if self.folded else "")
        self.fold.set_icon(IconName.CHEVRON_RIGHT if self.folded else IconName.CHEVRON_DOWN)
        self._fit()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.setAccepted(event.button() == Qt.MouseButton.LeftButton)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.rect().contains(event.position().toPoint()):
            self._on_folded()


def _legend() -> QWidget:
    """A line that says what the marks in the steps mean, at the top of the room that it has."""
    line, legend = QWidget(), QWidget()
    sized(line, QWidget.setFixedHeight, _LEGEND_HEIGHT)
    parts: list[Part] = []
    for fate, icon in FATE_ICONS.items():
        sign = Drawing(QSize(ICON_SIZE, ICON_SIZE), partial(_paint_sign, icon))
        words = Label(fate_words(fate), TextRole.CAPTION, second=True)
        parts += (sign, _GAP, words, _LEGEND_GAP)
    in_row(*parts, None, on=line, margins=(_PADDING, 0, 0, 0))
    in_column(line, None, on=legend)
    legend.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)
    legend.setAccessibleName(say_list(map(fate_words, Fate)))
    legend.hide()
    return legend


def _paint_sign(icon: IconName, painter: QPainter, room: QRect, found: Colours) -> None:
    paint_icon(painter, room, icon, found.text)


class StepPane(QWidget):
    """Shows the steps of a document; says which step was selected."""

    step_selected = Signal(object)
    needle_changed = Signal(str)
    """What is looked for, case aside; "" for nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._reach: Reach | None = None
        self.header = TraceHeader()
        self.tree = StepView()
        self._count = Label("", second=True)
        kinds = (ChipSpec(kind, kind_word(kind)) for kind in StepType)
        self._chips = ChipsOrList((ChipSpec(_ALL, say("All")), *kinds), say("Kind of step"))
        self._finder = StepFinder(self)
        self._anchor: int | None = None  # the current step before the first letter
        self._looking = False
        self.find_bar = FindBar()
        self.what_if = WhatIfBar()
        self.imported = ImportedStrip()
        self._legend = _legend()
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._lay_out()
        self._finder.progressed.connect(self._on_found)
        self.find_bar.field.textChanged.connect(self._on_text_changed)
        self.find_bar.wanted.connect(self.go_to_step)
        self.find_bar.number.chosen.connect(self.go_to_step)
        self.find_bar.left.connect(self.tree.enter)
        self.find_bar.resized.connect(self._fit_chips)
        self._chips.chip_chosen.connect(self._on_filter_changed)
        self.tree.step_selected.connect(self._on_step_selected)
        follow_zoom(self, StepPane._fit_strip)
        self.set_document(None)

    def set_document(self, document: Document | None) -> None:
        """Show a trace; the same row, measured or edited, keeps its place, filter and step."""
        was, before, step = self._document, self._record, self.current_step()
        self._document, record = document, None if document is None else document.record
        run = record if isinstance(record, RunRecord) else None
        same_row = was is not None and document is not None and was.number == document.number
        anew = not same_row or before is None or record is None
        if anew:
            self._clear_filter()
        self.header.set_record(record)
        self.imported.set_record(run, running=document is not None and document.running)
        measured = None if document is None else document.measured
        reach = None if measured is None else measured.measurement.novelty.reach
        if anew or record is not before or reach != self._reach:
            self._reach, trace = reach, None if record is None else record.trace
            mapped = None if run is None else run.imported.mapped
            self.tree.show_trace(trace, reach, mapped, anew=anew)
            self._finder.set_trace(trace)
            self._show_counts()
        if not anew and self.current_step() is not step:
            self._on_step_selected(self.current_step())
        self._show_hits()

    def set_leaving(self, leaving: LeavingSteps | None) -> None:
        """Mark what is taken out of the steps and what leaves in clear; None marks nothing."""
        self.tree.steps.set_leaving(leaving)
        self._legend.setVisible(leaving is not None)
        self.tree.set_fitted(fitted=leaving is not None)

    def current_step(self) -> Step | None:
        """The current step; None on the objective and without a trace."""
        return self.tree.current_step()

    def go_to_step(self, number: int) -> None:
        """Make a step the current one, -1 for the objective, and its kind seen."""
        record = self._record
        if record is None:
            return
        step = None if number == OBJECTIVE else record.trace.steps[number]
        kind = self._kind()
        if kind is not None and (step is None or step.kind is not kind):
            self._chips.choose(_ALL)
        self.tree.select_step(step)

    def focus_find(self) -> None:
        """Go to the search, its text selected."""
        self.find_bar.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find_bar.field.selectAll()

    def ask_number(self) -> None:
        """Ask for the number of a step and go there."""
        self.find_bar.ask_number(self.tree.steps.step_count)

    def clear_filter(self) -> None:
        """Show the steps of every kind again, and look for nothing."""
        self._clear_filter()
        self._on_filter_changed()

    def copy_text(self) -> None:
        """Copy the current step in words: its title and its fields, whole."""
        if self._document is not None:
            step = self.current_step()
            fields = fields_of(self._document, step, ())
            lines = (f"{field.label}: {field.whole}" for field in fields)
            QGuiApplication.clipboard().setText("\n".join((say_list(title_of(step)), *lines)))

    def copy_json(self) -> None:
        """Copy the current step as it was read."""
        if self._record is not None:
            QGuiApplication.clipboard().setText(
                json_of(value_of(self._record, self.current_step()))
            )

    def copy_pointer(self) -> None:
        """Copy where in its trace the current step stands."""
        if self._document is not None:
            QGuiApplication.clipboard().setText(pointer_of(self.current_step()))

    @property
    def _record(self) -> TraceRecord | None:
        return None if self._document is None else self._document.record

    def _lay_out(self) -> None:
        bar, title = QWidget(), Label(say("Steps"), TextRole.PANE)
        sized(bar, QWidget.setMinimumHeight, _FILTER_HEIGHT)
        chips = (_GAP, self._chips, self._chips.list)
        margins = (_PADDING, 0, _PADDING - 4, 0)
        in_row(title, self._count, *chips, None, self.find_bar, on=bar, margins=margins, spacing=4)
        column = in_column(self.header, self.imported, self.what_if, bar, on=self)
        # the chips must not keep the pane wide: they give way to a list
        sized(self, QWidget.setMinimumWidth, _LEAST_WIDTH)
        bar.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._stack = QStackedLayout()
        column.addLayout(self._stack, 1)  # before its pages: the first is shown where it is put
        rows = QWidget()  # the tree, and below its last row what the marks in it mean
        in_column(self.tree, self._legend, on=rows)
        self._stack.addWidget(rows)
        clear = say("Clear filter")
        no_hits = HintPage(say("No step matches."), clear, self.clear_filter, padding=_PADDING)
        self._stack.addWidget(no_hits)

    def _clear_filter(self) -> None:
        """Fields, chips and tree without a filter, before a trace is shown."""
        self._chips.blockSignals(True)
        self._chips.choose(_ALL)
        self._chips.blockSignals(False)
        self._anchor, self._looking = None, False
        self.find_bar.clear()
        self._finder.find("")
        self.tree.set_kind(None)

    def _show_counts(self) -> None:
        steps = self.tree.steps
        self._count.setText(shown_count(steps.step_count))
        counts = {str(kind): steps.outline.kinds[kind] for kind in StepType}
        self._chips.set_counts(counts)
        self._chips.fill_list(counts | {_ALL: steps.step_count})
        self._fit_chips()

    def _fit_chips(self) -> None:
        taken = self._count.sizeHint().width() + scale(_TAKEN, self.fontMetrics())
        self._chips.fit(self.width() - taken - self.find_bar.minimumSizeHint().width())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_chips()
        self._fit_strip()

    def _fit_strip(self) -> None:
        self.imported.set_low(low=self.height() < scale(_LOW_BELOW, self.fontMetrics()))

    def _on_text_changed(self, text: str) -> None:
        """Look for a text from the step on that was current before the first letter."""
        if self._anchor is None or not self._finder.needle:
            self._anchor = number_of(self.current_step())
        self._looking = True
        self._finder.find(text)

    def _on_found(self) -> None:
        """Mark what is known by now, and go to the first of it behind the step before."""
        hits, done = self._kept_hits(), self._finder.done
        if self.tree.steps.needle != self._finder.needle:
            self.needle_changed.emit(self._finder.needle)
        self.tree.set_found(self._finder.needle, hits)
        self.find_bar.set_hits(hits, done=done)
        place = bisect_left(hits, self._anchor or 0)
        if self._looking and hits and (place < len(hits) or done):
            self._looking = False
            self.go_to_step(hits[place] if place < len(hits) else hits[0])

    def _kept_hits(self) -> Sequence[int]:
        kind, record = self._kind(), self._record
        if kind is None or record is None:
            return tuple(self._finder.hits)
        steps = record.trace.steps
        return [n for n in self._finder.hits if n >= 0 and steps[n].kind is kind]

    def _kind(self) -> StepType | None:
        return None if self._chips.chosen == _ALL else StepType(self._chips.chosen)

    def _on_step_selected(self, step: Step | None) -> None:
        self.find_bar.set_current(number_of(step))
        self.step_selected.emit(step)

    def _on_filter_changed(self) -> None:
        self.tree.set_kind(self._kind())
        self._show_hits()
        self._on_found()

    def _show_hits(self) -> None:
        nothing = self.tree.steps.kind is not None and not self.tree.steps.rowCount()
        self._stack.setCurrentIndex(1 if nothing else 0)

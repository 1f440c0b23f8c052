"""The pane of steps: the head of the trace, the bar of what-if, the filter and the tree."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from operator import is_
from pathlib import PurePath

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStackedLayout, QWidget
from typing_extensions import override

from kpinspector.app.document import Document
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.formula.measurement import Reach
from kpinspector.sharing.parts import LeavingSteps
from kpinspector.trace.model import Step, StepType
from kpinspector.trace.records import TraceRecord
from kpinspector.ui.controls.base import ElidedLabel, FlatButton, Label, in_column, in_row
from kpinspector.ui.controls.chips import ChipsOrList, ChipSpec
from kpinspector.ui.look.icons import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.plain_text import masked_line, one_line
from kpinspector.ui.look.theme import Colours, TextRole, follow_zoom, scale, sized
from kpinspector.ui.parts.column_page import HintPage
from kpinspector.ui.parts.sections import Header, Strip
from kpinspector.ui.parts.sentence_label import SentenceLabel
from kpinspector.ui.steps.imported_strip import ImportedStrip
from kpinspector.ui.steps.sharing_legend import SharingLegend
from kpinspector.ui.steps.step_fields import fields_of, pointer_of, step_json, title_of
from kpinspector.ui.steps.step_finding import FindBar, StepFinder
from kpinspector.ui.steps.step_row import OBJECTIVE
from kpinspector.ui.steps.step_view import StepView
from kpinspector.words.figures import shown_count, shown_short
from kpinspector.words.recordings import outcome_facts
from kpinspector.words.say import say, say_count, say_list
from kpinspector.words.sentences import kind_word, say_sentence

_PADDING = 16
_GAP = 8
HEADER_HEIGHT = 58
_FILTER_HEIGHT = 40
_LEAST_WIDTH = 320
_OBJECTIVE_LENGTH = 1000
_LOW_BELOW = 360  # of the pane: the whole strip would leave the steps few rows
_TAKEN = 100  # by the title and the paddings of the row of chips
_ALL = "all"


class WhatIfBar(Strip):
    """The bar that is visible while what-if is on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(ICON_SIZE, parent)
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

    @override
    def paint_sign(self, painter: QPainter, place: QRect, found: Colours) -> None:
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


class StepPane(QWidget):
    """Shows the steps of a document; says which step was selected."""

    step_selected = Signal(object)
    needle_changed = Signal(str)
    """What is looked for, case aside; "" for nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self.header = TraceHeader()
        self.tree = StepView()
        self._count = Label("", second=True)
        self._chips = ChipsOrList(self._chip_specs(), say("Kind of step"))
        self._finder = StepFinder(self)
        self._anchor: int | None = None  # the current step before the first letter
        self._looking = False
        self.find_bar = FindBar()
        self.what_if = WhatIfBar()
        self.imported = ImportedStrip()
        self._legend = SharingLegend()
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._lay_out()
        self._finder.progressed.connect(self._on_found)
        self.find_bar.text_changed.connect(self._on_text_changed)
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
        record = None if document is None else document.record
        before, reach_before = self._shown()
        was, self._document = self._document, document
        _, reach = self._shown()
        same_row = was is not None and document is not None and was.number == document.number
        if record is None or before is None or not same_row:
            trace = None if record is None else record.trace
            self._clear_filter()
            self._finder.set_trace(trace)
            self._show_record(record)
            self.tree.set_trace(trace, reach)
            self._show_counts()
        elif _goes_on(before, record):
            self._show_more(before, record, reach)
        elif record is not before:
            self._looking = False
            self._finder.set_trace(record.trace)
            self._show_record(record)
            self.tree.show_again(record.trace, reach)
            self._show_counts()
            self._finder.find(self.find_bar.field.text)
            self._on_step_selected(self.current_step())
        elif reach != reach_before:
            self.tree.show_reach(record.trace, reach)
        if was is not None and document is not None and was.running is not document.running:
            self.imported.set_record(document.run, running=document.running)
        self._show_hits()

    def _show_more(self, before: TraceRecord, record: TraceRecord, reach: Reach | None) -> None:
        """A run goes on: what is shown and marked stays, and what is looked for is looked on."""
        same = all(map(is_, before.trace.steps, record.trace.steps))
        step = self.current_step()
        if not same:
            self._looking = False
            self._finder.set_trace(record.trace)
        self._show_record(record)
        self.tree.show_more(record.trace, reach)
        self._show_counts()
        if same:
            self._finder.go_on(record.trace)
        else:
            self._finder.find(self.find_bar.field.text)
        if self.current_step() is not step:
            self._on_step_selected(self.current_step())

    def _show_record(self, record: TraceRecord | None) -> None:
        self.header.set_record(record)
        run = record if isinstance(record, RunRecord) else None
        running = self._document is not None and self._document.running
        self.imported.set_record(run, running=running)
        self.tree.steps.run = None if run is None else run.imported.mapped

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
        self.find_bar.field.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find_bar.field.edit.selectAll()

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
            QGuiApplication.clipboard().setText(step_json(self._record, self.current_step()))

    def copy_pointer(self) -> None:
        """Copy where in its trace the current step stands."""
        if self._document is not None:
            QGuiApplication.clipboard().setText(pointer_of(self.current_step()))

    @property
    def _record(self) -> TraceRecord | None:
        return None if self._document is None else self._document.record

    def _shown(self) -> tuple[TraceRecord | None, Reach | None]:
        document = self._document
        if document is None or document.record is None:
            return None, None
        measured = document.measured
        return document.record, None if measured is None else measured.measurement.novelty.reach

    def _chip_specs(self) -> tuple[ChipSpec, ...]:
        return (ChipSpec(_ALL, say("All")), *(ChipSpec(kind, kind_word(kind)) for kind in StepType))

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
        self._legend.hide()
        self._stack.addWidget(rows)
        no_hits = HintPage(say("No step matches."), say("Clear filter"), padding=_PADDING)
        no_hits.link_chosen.connect(self.clear_filter)
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
            self._anchor = _number(self.current_step())
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
        self.find_bar.set_current(_number(step))
        self.step_selected.emit(step)

    def _on_filter_changed(self) -> None:
        self.tree.set_kind(self._kind())
        self._show_hits()
        self._on_found()

    def _show_hits(self) -> None:
        nothing = self.tree.steps.kind is not None and not self.tree.steps.rowCount()
        self._stack.setCurrentIndex(1 if nothing else 0)


def _goes_on(before: TraceRecord | None, record: TraceRecord) -> bool:
    """Whether a run has more steps by now."""
    if record is before or not (isinstance(before, RunRecord) and isinstance(record, RunRecord)):
        return False
    same = before.imported.mapped.id == record.imported.mapped.id
    return same and len(record.trace.steps) >= len(before.trace.steps)


def _number(step: Step | None) -> int:
    return OBJECTIVE if step is None else step.index

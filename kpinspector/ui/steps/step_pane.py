"""The pane of steps: the trace's header, its origin, the filter and the tree of steps."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.runs.read import RunRecord
from kpinspector.runs.stated import NOTHING_STATED
from kpinspector.sharing.parts import Fate
from kpinspector.trace.model import Step, StepType
from kpinspector.trace.records import TraceRecord, is_machine_name
from kpinspector.ui.controls.base import (
    Drawing,
    ElidedLabel,
    FlatButton,
    Label,
    Part,
    PushButton,
    in_column,
    in_row,
    in_stack,
)
from kpinspector.ui.controls.chips import ChipsOrList, ChipSpec
from kpinspector.ui.controls.views import Group
from kpinspector.ui.look.marks import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.plain_text import masked_line, one_line
from kpinspector.ui.look.theme import Colours, TextRole, follow_zoom, scale, sized
from kpinspector.ui.parts.sections import Divider, Header, HintPage, SentenceLabel, Strip
from kpinspector.ui.steps.find_bar import FindBar
from kpinspector.ui.steps.step_detail import StepDetail
from kpinspector.ui.steps.step_model import OBJECTIVE, Shown, fate_words, number_of
from kpinspector.ui.steps.step_tree import FATE_ICONS, StepView
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
_LOW_BELOW = 360  # px of the pane's height: below this the strip is folded
_TAKEN = 100  # px of the chips' row for its title and margins
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
        """Say how many changes are tried; 0 hides the bar."""
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
    """A header with a title and a line of facts below it."""

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


def _facts(record: TraceRecord, folder: str) -> Iterator[str]:
    """The facts below the objective; the folder stands in place of a name that a machine made."""
    source, trace = record.source, record.trace
    run = record.imported if isinstance(record, RunRecord) else None
    name = file = one_line(PurePath(source.path).name)
    if is_machine_name(source.path):
        name = one_line(folder)
    if source.record is not None:
        name = say("{name}, record {record}", name=name or file, record=shown_count(source.record))
    if name:
        yield name
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
    """A name and a value beside it."""

    def __init__(self, name: str, role: TextRole = TextRole.BODY) -> None:
        super().__init__()
        self.setAccessibleName(name)
        small = role is TextRole.CAPTION
        self.name = Label(name, role if small else TextRole.BODY, second=True)
        sized(self.name, QWidget.setMinimumWidth, _LABEL_WIDTH)
        self._value = ElidedLabel("", role, second=small)
        in_row(self.name, (self._value, 1), on=self, spacing=_GAP)

    def set_words(self, value: str) -> None:
        """Set the value."""
        self._value.setText(one_line(value))
        self.setAccessibleDescription(value)


class ImportedStrip(Group):
    """Where a run came from: what its recording says and does not say, what the user stated.

    A click folds the strip to its title. In a low pane it is folded until the user unfolds it.
    """

    fold_chosen = Signal()
    """The user folded or unfolded the strip."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(say("Imported"))
        self._chosen: bool | None = None  # the user folded it; None: by height
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
        follow_zoom(self, ImportedStrip._arrange)
        self.hide()

    @property
    def folded(self) -> bool:
        """Whether only the title is visible."""
        return self._low if self._chosen is None else self._chosen

    @property
    def kept_folded(self) -> bool:
        """Whether the user folded it, which is kept for the next start."""
        return self._chosen is True

    def keep_folded(self, *, folded: bool) -> None:
        """Fold it if the user had folded it when the program was last used."""
        self._chosen = True if folded else None
        self._arrange()

    def set_low(self, *, low: bool) -> None:
        """Say whether the pane is low; unfolding by the user lasts until that changes."""
        if low != self._low:
            self._low = low
            self._chosen = self._chosen or None
            self._arrange()

    def set_narrow(self, *, narrow: bool) -> None:
        """Set whether the values stand in one column, for lack of width, or in two."""
        self._narrow = narrow
        self._arrange()

    def set_record(self, record: RunRecord | None, *, running: bool = False) -> None:
        """Show a run, perhaps ``running``, which is still being written; None hides the strip."""
        self.setVisible(record is not None)
        if record is None:
            return
        self.take_back.setVisible(record.imported.stated != NOTHING_STATED)
        (_, source), *said, (unit, lines) = imported_words(record, running=running)
        self._source.setText(one_line(source))
        parts = (self._recorded, self._derived, self._absent, self._stated)
        for part, (_, words) in zip(parts, said, strict=True):
            part.set_words(words)
        self._lines.name.setText(capitalised(unit))
        self._lines.setAccessibleName(capitalised(unit))
        self._lines.set_words(lines)

    def _arrange(self) -> None:
        """Place the values in one or two columns, and set the height."""
        parts = (self._recorded, self._absent, self._derived, self._stated)
        columns = 1 if self._narrow else 2
        for number, part in enumerate(parts):
            self._grid.addWidget(part, number // columns, number % columns)
        self._grid.addWidget(self._lines, len(parts) // columns, 0, 1, columns)
        self._grid.setHorizontalSpacing(scale(_PADDING, self.fontMetrics()))
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, columns - 1)
        self._values.setVisible(not self.folded)
        self.fold.setAccessibleDescription(say("folded") if self.folded else "")
        self.fold.set_icon(IconName.CHEVRON_RIGHT if self.folded else IconName.CHEVRON_DOWN)
        height = STRIP_NARROW_HEIGHT if self._narrow else STRIP_HEIGHT
        height = STRIP_FOLDED_HEIGHT if self.folded else height
        self.setFixedHeight(scale(height, self.fontMetrics()))

    def _on_folded(self) -> None:
        if self.folded:
            self._chosen = False if self._low else None
        else:
            self._chosen = True
        self._arrange()
        self.fold_chosen.emit()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.setAccepted(event.button() == Qt.MouseButton.LeftButton)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.rect().contains(event.position().toPoint()):
            self._on_folded()


def _legend() -> QWidget:
    """A line below the steps that explains the marks in them."""
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
    """Shows the steps of a document, and in ``detail`` the current step in full.

    The detail is not in the layout of the pane: the window places it where there is room.
    """

    step_selected = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown = Shown()
        self.header = PageHeader()
        self.tree = StepView()
        self._count = Label("", second=True)
        kinds = (ChipSpec(kind, kind_word(kind)) for kind in StepType)
        self._chips = ChipsOrList((ChipSpec(_ALL, say("All")), *kinds), say("Kind of step"))
        self.find_bar = FindBar()
        self.what_if = WhatIfBar()
        self.imported = ImportedStrip()
        self._legend = _legend()
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._lay_out()
        self.detail = StepDetail(parent)
        self.find_bar.found.connect(self._show)
        self.find_bar.wished.connect(self._on_find_wished)
        self._chips.chip_chosen.connect(self._show)
        self.tree.step_selected.connect(self._on_step_selected)
        follow_zoom(self, StepPane._fit_strip)

    def show_steps(self, now: Shown) -> None:
        """Show a trace; the same row, measured or edited, keeps place, filter and current step."""
        before, step = self.shown, self.tree.current_step()
        if now.has_same(before, "document", "scenario", "tried", "marks", "leaving"):
            return
        reads_as_before = now.reads_as(before)
        stays = reads_as_before or now.is_of_row(before)
        if not stays:
            self.clear_filter()
        # edits in what-if were made for the steps of the former trace
        if not reads_as_before and now.trace is not before.trace:
            scenario = now.scenario if stays else None
            now = replace(now, scenario=scenario, tried={}, marks=())
        self.shown = now
        if now.document is not before.document:
            self._show_head()
        if reads_as_before:
            self._hand_down()
        else:
            self._show()
        if stays and self.tree.current_step() is not step:
            self._on_step_selected(self.tree.current_step())

    def _show_head(self) -> None:
        """Show the header and the strip of an imported run."""
        document, record, run = self.shown.document, self.shown.record, None
        if record is None or document is None:
            self.header.set_words("", ())
        else:
            objective = masked_line(record.trace.objective, _OBJECTIVE_LENGTH)
            facts = _facts(record, document.folder)
            self.header.set_words(objective or say("No objective"), facts)
            run = document.run
        self.imported.set_record(run, running=document is not None and document.running)

    def _show(self) -> None:
        """Show the steps of the chosen kind, the hits so far, and the number of each kind."""
        kind, before = self._chips.chosen, self.tree.steps.shown.trace
        now = replace(self.shown, kind=None if kind == _ALL else StepType(kind))
        self.find_bar.show_hits(now.trace, now.kind)
        self.shown = replace(now, needle=self.find_bar.needle, hits=self.find_bar.hits)
        self._hand_down()
        if now.trace is not before:
            number, kinds = len(now.steps), now.outline.kinds
            self._count.setText(shown_count(number))
            counts = {str(one): kinds[one] for one in StepType}
            self._chips.set_counts(counts)
            self._chips.fill_list(counts | {_ALL: number})
        self._fit_chips()
        nothing = now.kind is not None and not self.tree.steps.rowCount()
        self._stack.setCurrentIndex(1 if nothing else 0)

    def _hand_down(self) -> None:
        self.tree.show_steps(self.shown)
        self.detail.show_step(self.shown, self.tree.current_step())
        self._legend.setVisible(self.shown.leaving is not None)

    def go_to_step(self, number: int) -> None:
        """Make a step current (-1 for the objective), showing all kinds if its kind is hidden."""
        trace, kind = self.shown.trace, self.shown.kind
        if trace is None:
            return
        if kind is not None and (number == OBJECTIVE or trace.steps[number].kind is not kind):
            self._chips.choose(_ALL)
        self.tree.go_to(number)

    def focus_find(self) -> None:
        """Focus the search field and select its text."""
        self.find_bar.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find_bar.field.selectAll()

    def ask_number(self) -> None:
        """Ask the user for the number of a step."""
        self.find_bar.ask_number()
        self._fit_chips()

    def clear_filter(self) -> None:
        """Show the steps of every kind, and clear the search."""
        self._chips.choose(_ALL)
        self.find_bar.clear()

    def copy(self, words: Callable[[Shown, Step | None], str]) -> None:
        """Copy the current step as the text that ``words`` makes of it."""
        if self.shown.record is not None:
            QGuiApplication.clipboard().setText(words(self.shown, self.tree.current_step()))

    def _lay_out(self) -> None:
        bar, title = QWidget(), Label(say("Steps"), TextRole.PANE)
        sized(bar, QWidget.setMinimumHeight, _FILTER_HEIGHT)
        chips = (_GAP, self._chips, self._chips.list)
        margins = (_PADDING, 0, _PADDING - 4, 0)
        in_row(title, self._count, *chips, None, self.find_bar, on=bar, margins=margins, spacing=4)
        column = in_column(self.header, self.imported, self.what_if, bar, on=self)
        # the chips must not keep the pane wide: a list takes their place
        sized(self, QWidget.setMinimumWidth, _LEAST_WIDTH)
        bar.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        rows = QWidget()  # the tree, and the legend right below its last row
        in_column(self.tree, self._legend, on=rows)
        clear = say("Clear filter")
        no_hits = HintPage(say("No step matches."), clear, self.clear_filter, padding=_PADDING)
        self._stack = in_stack(column, rows, no_hits)

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

    def _on_find_wished(self, number: int | None) -> None:
        if number is None:
            self._fit_chips()
            self.tree.enter()
        else:
            self.go_to_step(number)

    def _on_step_selected(self, step: Step | None) -> None:
        self.find_bar.set_current(number_of(step))
        self._fit_chips()
        self.detail.show_step(self.shown, step)
        self.step_selected.emit(step)

"""The pane that compares two traces: their steps above, their scores below."""

from functools import partial
from itertools import chain

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.align import Likeness
from kpinspector.ui.controls.base import (
    Drawing,
    ElidedLabel,
    FlatButton,
    Label,
    NameLabel,
    in_column,
    in_row,
)
from kpinspector.ui.controls.chips import ChipsOrList, ChipSpec
from kpinspector.ui.controls.views import SCROLL_BAR_WIDTH, Splitter, StateMark
from kpinspector.ui.look.marks import BADGE_SIZE, BADGE_SIZE_LARGE, IconName, fill, span
from kpinspector.ui.look.painting import band
from kpinspector.ui.look.plain_text import masked_line, one_line
from kpinspector.ui.look.theme import Colours, TextRole, scale, sized
from kpinspector.ui.panes.compare_view import GUTTER, CompareView, halves
from kpinspector.ui.panes.waterfall import MARK_COLUMN, name_column
from kpinspector.ui.panes.why import Remarks
from kpinspector.ui.parts.sections import Header, SheetScroll
from kpinspector.ui.steps.step_pane import HEADER_HEIGHT
from kpinspector.ui.tables.figure_model import (
    COLUMN_GAP,
    FigureCell,
    Head,
    Row,
    badge,
    figure,
    heading,
)
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable, fitting
from kpinspector.words.figures import UNKNOWN, shown_count
from kpinspector.words.page import sign_of
from kpinspector.words.run import shown_outcome
from kpinspector.words.say import say, say_count
from kpinspector.words.sentences import DIMENSION_NAMES, RULE_NAMES, head_tip, verdict_phrase
from kpinspector.words.writers.comparison import Differences, Side, SideBySide, notes_on

_ROW_HEIGHT = 26
_BAR_HEIGHT = 8
_LONGEST_NAME = 16
_LEFT_VALUE, _RIGHT_VALUE, _BAR = 2, 4, 6
_WAYS = ({_BAR}, {_LEFT_VALUE, _RIGHT_VALUE}, {_LEFT_VALUE, _RIGHT_VALUE, _BAR})
_PADDING = 16
_GAP = 8
_OBJECTIVE_LENGTH = 1000
_FILTER_HEIGHT = 40
_ALL = "all"
_ONLY = (Likeness.CHANGED, Likeness.ONLY_LEFT, Likeness.ONLY_RIGHT)
_LEAST_ROWS = 3
_MOST_BELOW = 0.45  # most of the height that the scores take, until the user drags
_TOP = 4


def comparison_table() -> FigureTable:
    """An empty table for the rows of a comparison."""
    columns = (MARK_COLUMN, name_column(), *fitting(58, 66, 58, 66), ColumnWidth(60, stretch=True))
    return FigureTable((*columns, *fitting(66)), _WAYS, name=say("Dimensions of both traces"))


def comparison_heads(comparison: SideBySide) -> tuple[Head, ...]:
    """The heads of the table; each trace's name stands over two columns, and may be cut."""
    heads = [heading(say("letter"), say("Dimensions")), Head(say("dimension"))]
    for name in (comparison.left.name, comparison.right.name):
        adds, shown = say("{name}, adds", name=name), one_line(name)
        heads.append(Head(say("{name}, value", name=name)))
        heads.append(Head(adds, shown, TextRole.HEADING, second=False, note=True))
    return *heads, Head(say("bar")), Head(say("difference"))


def comparison_rows(found: Differences | None) -> list[Row]:
    """A row for each dimension, each override that fired, and the score; none for None."""
    if found is None:
        return []
    terms, pane = (*found.terms, *found.overrides), TextRole.PANE
    most = max(abs(one.exact or 0.0) for one in terms)
    value, adds, not_fired = say("value"), say("adds"), say("not fired")
    words = ("", "", value, adds, value, adds, "", say("difference"))
    tip = say("What the right one adds, less what the left one adds")
    captions = (
        FigureCell(
            word,
            TextRole.CAPTION,
            second=True,
            figure=True,
            tooltip=word and (head_tip(word) or tip),
        )
        for word in words
    )
    rows = [Row(tuple(captions), 18)]
    for one in terms:
        dimension, exact = one.term if isinstance(one.term, Dimension) else None, one.exact or 0.0
        name = RULE_NAMES[one.term] if isinstance(one.term, Rule) else DIMENSION_NAMES[one.term]
        sides = (
            (figure(its_value), FigureCell(part, figure=True, said=part or not_fired))
            for its_value, part in (one.left, one.right)
        )
        bar = partial(_paint_bar, dimension, exact / most if most else 0.0)
        role = pane if 0.0 < most == abs(exact) else TextRole.BODY  # the largest difference is bold
        cells = (
            badge(dimension, BADGE_SIZE_LARGE),
            FigureCell(name, TextRole.NAME, tooltip=name),
            *chain.from_iterable(sides),
            FigureCell(picture=bar, said=one.shown),
            figure(one.shown, one.exact, role, second=one.exact == 0.0),
        )
        rows.append(Row(cells, _ROW_HEIGHT))
    none, total = FigureCell(), figure(found.shown, found.exact, pane)
    left, right = (figure(one.score, role=pane) for one in (found.left, found.right))
    score = (none, FigureCell(say("Score"), pane), none, left, none, right, none, total)
    return [*rows, Row(score, _ROW_HEIGHT, line_above=True)]


def _paint_bar(
    dimension: Dimension | None, share: float, painter: QPainter, rect: QRect, colours: Colours
) -> None:
    """Paint a bar from the middle, as long as its share (-1 to 1) of half the width."""
    room = rect.adjusted(rect.height() * COLUMN_GAP // _ROW_HEIGHT, 0, 0, 0)
    fill(painter, QRect(room.center().x(), room.top(), 1, room.height()), colours.button_edge)
    box = band(room, room.height() * _BAR_HEIGHT // _ROW_HEIGHT)
    colour = colours.neutral if dimension is None else colours.dimension(dimension)
    fill(painter, span(box, 0.5, 0.5 + share / 2), colour)


class CompareHeader(Header):
    """The heads of both traces, and the button between them that swaps them."""

    def __init__(self) -> None:
        super().__init__()
        self.left, self.right = SideHead(), SideHead()
        self.swap = FlatButton(IconName.SWAP, name=say("Swap sides"))
        gutter = Drawing(QSize(GUTTER, 0), _paint_gutter, grows=True)
        in_column(in_row(None, self.swap, None), on=gutter)
        in_row(self.left, gutter, self.right, None, on=self, margins=(0, 0, 0, 1))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        sized(self, CompareHeader._give_height, HEADER_HEIGHT)

    def _give_height(self, height: int) -> None:
        self.setFixedHeight(max(height, self.left.sizeHint().height() + 1))

    def set_room(self, width: int) -> None:
        """Divide a width between both heads as the rows below divide it."""
        parts = halves(QRect(0, 0, width, 1), scale(GUTTER, self.fontMetrics()))
        self.left.setFixedWidth(parts.left.width())
        self.right.setFixedWidth(parts.right.width())


def _paint_gutter(painter: QPainter, rect: QRect, found: Colours) -> None:
    for x in (rect.left(), rect.right()):
        fill(painter, QRect(x, rect.top(), 1, rect.height()), found.line)


class SideHead(QWidget):
    """The head of one trace: verdict, name and score, with the objective below."""

    def __init__(self) -> None:
        super().__init__()
        self._mark = StateMark(BADGE_SIZE)
        self._name = NameLabel("", TextRole.TITLE)
        self._score = Label("", TextRole.TITLE)
        self._objective = ElidedLabel("", second=True)
        top = in_row(self._mark, (self._name, 1), self._score, margins=None, spacing=_GAP)
        in_column(top, self._objective, on=self, margins=(_PADDING, 9, _PADDING, 9), spacing=4)

    def set_side(self, side: Side) -> None:
        """Show one trace."""
        judged = side.assessment
        word = verdict_phrase(side.verdict, assumed=side.assumed, running=side.running)
        sign = sign_of(side.verdict, running=side.running)
        self._mark.set_state(sign, word, assumed=side.assumed)
        self._name.setText(one_line(side.name))
        score = shown_outcome(judged, side.possible).score if judged else UNKNOWN
        self._score.setText(score)
        objective = masked_line(side.record.trace.objective, _OBJECTIVE_LENGTH)
        self._objective.setText(objective or say("No objective"))
        self.setAccessibleName(
            say("{name}, {word}, {score}", name=self._name.text(), word=word, score=score)
        )


class ComparePane(QWidget):
    """Shows a comparison of two traces; the commands connect to its buttons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.header = CompareHeader()
        self.view = CompareView()
        self.table = comparison_table()
        self.notes = Remarks()
        specs = (ChipSpec(_ALL, say("All")), *(ChipSpec(one, "") for one in _ONLY))
        self._chips = ChipsOrList(specs, say("Which steps"))
        self._dragged = False
        self._title, self._place = Label(say("Steps"), TextRole.PANE), Label("", second=True)
        self._ways = (
            FlatButton(IconName.CHEVRON_UP, name=say("Previous difference")),
            FlatButton(IconName.CHEVRON_DOWN, name=say("Next difference")),
        )
        self.close_button = FlatButton(IconName.CLOSE, name=say("Close comparison"))
        self._pending = Label(say("The scores are compared when both are known."), second=True)
        self._lay_out()
        for changed in (self.view.selectionModel().currentChanged, self.view.pairs.modelReset):
            changed.connect(self._show_place)
        self.view.resized.connect(lambda: self.header.set_room(self.view.viewport().width()))
        self._chips.chip_chosen.connect(self._on_chip_chosen)
        for button, by in zip(self._ways, (-1, 1), strict=True):
            button.clicked.connect(partial(self.view.go_to_difference, by))

    def set_comparison(self, comparison: SideBySide) -> None:
        """Show two traces, or newer values of the same two."""
        names = (comparison.left.name, comparison.right.name)
        self.header.left.set_side(comparison.left)
        self.header.right.set_side(comparison.right)
        self.view.set_alignment(comparison.alignment, names)
        found = comparison.differences
        self.table.set_rows(comparison_rows(found), comparison_heads(comparison))
        self._pending.setVisible(found is None)
        self.notes.set_sentences(tuple(notes_on(comparison)))
        self._show_counts(names)
        self._show_place()
        self._share_height()

    def _lay_out(self) -> None:
        bar = QWidget()
        sized(bar, QWidget.setMinimumHeight, _FILTER_HEIGHT)
        # the chips must not keep the pane wide: a list takes their place
        bar.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        chips = (self._chips, self._chips.list)
        parts = (self._title, _GAP, *chips, None, self._place, *self._ways, self.close_button)
        in_row(*parts, on=bar, margins=(_PADDING, 0, _PADDING - 4, 0), spacing=4)
        self._upper, lower = QWidget(), QWidget()
        in_column(self.header, bar, (self.view, 1), on=self._upper)
        margins = (_PADDING, _TOP, _PADDING - SCROLL_BAR_WIDTH, _PADDING // 2)
        scores = (self.table, self._pending, self.notes, None)
        in_column(*scores, on=lower, margins=margins, spacing=_TOP)
        for part in (self._upper, lower):
            part.setBackgroundRole(QPalette.ColorRole.Base)
            part.setAutoFillBackground(True)
        scroll = SheetScroll(lower, steady=True)
        scroll.setAccessibleName(say("Scores side by side"))
        self._splitter = Splitter(Qt.Orientation.Vertical)
        for part in (self._upper, scroll):
            self._splitter.addWidget(part)
        self._splitter.splitterMoved.connect(self._on_dragged)
        in_column(self._splitter, on=self, spacing=None)

    def _show_counts(self, names: tuple[str, str]) -> None:
        found = self.view.pairs.counts
        counts = {_ALL: found.total()} | {one: found[one] for one in _ONLY}
        words = {_ALL: say("All"), Likeness.CHANGED: say("Changed")}
        for one, name in zip((Likeness.ONLY_LEFT, Likeness.ONLY_RIGHT), names, strict=True):
            words[one] = say("Only in {name}", name=one_line(name, _LONGEST_NAME))
        for key, word in words.items():
            self._chips.chip(key).set_word(word)
        self._chips.set_counts(counts)
        self._chips.fill_list(counts)
        self._fit_chips()

    def _show_place(self) -> None:
        differences = self.view.pairs.differences
        for button in self._ways:
            button.setEnabled(bool(differences))
        row, count = self.view.currentIndex().row(), len(differences)
        if row in differences:
            place = shown_count(differences.index(row) + 1)
            words = say("{place} of {count}", place=place, count=shown_count(count))
        else:
            words = say_count("{number} difference", "{number} differences", count)
        self._place.setText(words)
        self._fit_chips()

    def _on_chip_chosen(self, key: str) -> None:
        self.view.set_only(None if key == _ALL else Likeness(key))
        self._fit_chips()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_chips()
        self._share_height()

    def _on_dragged(self) -> None:
        self._dragged = True

    def _share_height(self) -> None:
        """Give the scores the height that they need, if that leaves most of it to the steps."""
        if not self._dragged:
            whole = self._splitter.height() - self._splitter.handleWidth()
            rows = _LEAST_ROWS * max(0, self.view.sizeHintForRow(0))
            steps = self._upper.minimumSizeHint().height() + rows
            width = self._splitter.width() - _PADDING - SCROLL_BAR_WIDTH
            pending = 0 if self._pending.isHidden() else self._pending.sizeHint().height()
            notes = 0 if self.notes.isHidden() else self.notes.height_for(width)
            parts = (self.table.sizeHint().height(), pending, notes)
            needed = sum(part + _TOP for part in parts if part) + _PADDING // 2
            below = min(needed, round(_MOST_BELOW * whole), max(whole // 4, whole - steps))
            self._splitter.setSizes([whole - below, below])

    def _fit_chips(self) -> None:
        others = (self._title, self._place, *self._ways, self.close_button)
        taken = sum(one.sizeHint().width() + 4 for one in others) + 2 * _PADDING + _GAP
        self._chips.fit(self.width() - taken)
